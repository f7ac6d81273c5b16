//! Runs all list commands: arguments to query, query to pages, pages to rows, rows to stdout.

mod args;

pub use args::{FilterText, ListArgs, SortText};

use crate::client::{Api, ListEndpoint, ListOptions, ListReader, created_at};
use crate::commands::choose::require_prompt;
use crate::commands::context::Context;
use crate::commands::find_clients::{assigned_sites, sites_of_client};
use crate::commands::find_sites::{AccountSites, choose_site, find_site_ids};
use crate::error::{Hint, Result};
use crate::output::RecordPrinter;
use crate::resources::query::{IdFilter, Query, TagFilter};
use crate::resources::{ListResource, Record, Resource};
use crate::terminal::{Counter, fold_for_search};

/// Runs the list command of a resource.
///
/// # Errors
/// `Usage` if the resource does not allow a value; `Incomplete` if the list could not be read
/// completely; else the error of a request.
pub async fn run<R: ListResource>(context: &Context, args: &ListArgs<R>) -> Result<()> {
    let mut query = args.query()?;
    let missing_parent = R::RESOURCE.parent.filter(|_| args.sites.is_empty());
    if let Some(parent) = missing_parent {
        require_prompt(context, parent)?;
    }
    let api = context.api().await?;
    query.ids = match &args.client {
        Some(client) => Some(IdFilter::Only(sites_of_client(&api, client).await?)),
        None if args.unassigned && R::RESOURCE.belongs_to_clients => {
            Some(IdFilter::Except(assigned_sites(&api).await?))
        }
        None => None,
    };
    let mut sites = find_site_ids(context, &api, &args.sites).await?;
    let parent_id = if missing_parent.is_some() {
        let sites = AccountSites::read(context, &api).await?;
        Some(choose_site(context, &sites).await?)
    } else {
        R::RESOURCE.parent.and_then(|_| sites.pop())
    };
    let without_sites = args.unassigned && !R::RESOURCE.belongs_to_clients;
    query.sites = (without_sites || !sites.is_empty()).then_some(sites);
    let endpoint = api.list_endpoint(R::RESOURCE, parent_id.as_deref())?;
    let options = args.paging.list_options();
    let printed = match args.paging.page {
        Some(number) => print_page(context, &api, &endpoint, &query, number, options).await,
        None => print_all_pages(context, &api, &endpoint, &query, options).await,
    };
    printed.map_err(|error| error.with_flags(|param| query.flag_of(param)))
}

/// The fields of a client in which each word of a search can be.
const NAME_FIELDS: [&str; 4] = ["first_name", "last_name", "email", "company_name"];

/// The search and the selection of ids, which sitectl applies itself.
struct LocalFilter<'q> {
    query: &'q Query,
    tags: Option<TagFilter>,
    /// The maximum number of records to print.
    limit: u64,
    /// The number of records that match.
    match_count: u64,
}

impl LocalFilter<'_> {
    /// Keeps the records that match, up to the limit. `printed_count` is the number of
    /// records that were printed before.
    fn apply(&mut self, resource: &Resource, records: &mut Vec<Record>, printed_count: u64) {
        let query = self.query;
        if let Some(tags) = &mut self.tags {
            tags.apply(records);
        }
        records.retain(|record| {
            let has_text = |text: &String| contains_text(resource.search_fields, record, text);
            let is_selected = |ids: &IdFilter| record.id().is_some_and(|id| ids.selects(&id));
            let has_sites = |sites: &Vec<String>| {
                let ids = record.texts("site_ids").unwrap_or_default();
                ids.is_empty() && sites.is_empty() || ids.iter().any(|id| sites.contains(id))
            };
            let has_word = |word: &String| contains_text(&NAME_FIELDS, record, word);
            let is_in_time = || {
                created_at(record).is_none_or(|at| {
                    query.since.is_none_or(|since| at >= since)
                        && query.until.is_none_or(|until| at <= until)
                })
            };
            let has_times = query.since.is_some() || query.until.is_some();
            query.search.as_ref().is_none_or(has_text)
                && (!has_times || is_in_time())
                && query.words.iter().all(has_word)
                && query.ids.as_ref().is_none_or(is_selected)
                && query.sites.as_ref().is_none_or(has_sites)
        });
        self.match_count += records.len() as u64;
        let remaining = self.limit.saturating_sub(printed_count);
        records.truncate(usize::try_from(remaining).unwrap_or(usize::MAX));
    }
}

/// Whether one of these fields contains this folded text.
fn contains_text(fields: &[&str], record: &Record, text: &str) -> bool {
    let mut values = fields.iter().filter_map(|name| record.text(name));
    values.any(|value| {
        let decoded = fold_for_search(&decode_hosts(&value));
        fold_for_search(&value).contains(text) || decoded.contains(&decode_hosts(text))
    })
}

/// Replaces the ASCII form of international host names in an address, such as `xn--bcher-kva`, by
/// the form that people read.
fn decode_hosts(address: &str) -> String {
    let decode = |part: &str| match part.contains("xn--") {
        true => fold_for_search(&idna::domain_to_unicode(part).0),
        false => part.into(),
    };
    let parts: Vec<String> = address.split('/').map(decode).collect();
    parts.join("/")
}

/// Reads all pages of a list and prints their rows. A search of several words that finds nothing is
/// made once more with the longest one, and a filter with several values as an array if the service
/// refuses their type.
///
/// # Errors
/// `Incomplete` if the list could not be read completely; else the error of a request.
pub async fn print_all_pages(
    context: &Context,
    api: &Api,
    endpoint: &ListEndpoint,
    query: &Query,
    options: ListOptions,
) -> Result<()> {
    let mut printer = RecordPrinter::new(endpoint.resource, context.output());
    let mut printed = print_matches(context, api, endpoint, query, options, &mut printer).await;
    let other_query = match &printed {
        Ok(_) if printer.count == 0 => query.by_longest_word(fold_for_search),
        Err(error)
            if error
                .details
                .iter()
                .any(|detail| detail.code() == "invalid_type") =>
        {
            query.with_arrays()
        }
        _ => None,
    };
    if let Some(query) = other_query {
        printed = print_matches(context, api, endpoint, &query, options, &mut printer).await;
    }
    let (total, tags) = match printed {
        Ok(printed) => printed,
        Err(error) => {
            printer.finish_incomplete()?;
            return Err(error);
        }
    };
    printer.finish()?;
    if let Some(tags) = tags {
        tags.require_existing()?;
    }
    note_count(context, endpoint, query, printer.count, total);
    Ok(())
}

/// Prints the records that a query selects. Returns their number, if it is known, and the tags that
/// were found.
async fn print_matches(
    context: &Context,
    api: &Api,
    endpoint: &ListEndpoint,
    query: &Query,
    options: ListOptions,
    printer: &mut RecordPrinter,
) -> Result<(Option<u64>, Option<TagFilter>)> {
    let mut filter = query.selects_locally().then(|| LocalFilter {
        query,
        tags: query.tags.clone(),
        limit: options.limit.unwrap_or(u64::MAX),
        match_count: 0,
    });
    let reader_options = ListOptions {
        // The limit applies to the records that match, so all records are read.
        limit: options.limit.filter(|_| filter.is_none()),
        ..options
    };
    let mut reader = ListReader::new(api, endpoint, query, reader_options);
    let streams = context.output().streams();
    let ui = &context.ui;
    let counter = ui.counter_beside_rows(endpoint.resource.plural, streams);
    let pages = print_pages(context, &mut reader, printer, filter.as_mut(), &counter);
    counter.while_waiting(pages).await?;
    Ok(match filter {
        Some(filter) => (Some(filter.match_count), filter.tags),
        None => (reader.progress().total_items, None),
    })
}

async fn print_pages(
    context: &Context,
    reader: &mut ListReader<'_>,
    printer: &mut RecordPrinter,
    mut filter: Option<&mut LocalFilter<'_>>,
    counter: &Counter,
) -> Result<()> {
    while let Some(mut records) = reader.next().await? {
        let resource = reader.endpoint.resource;
        if reader.progress().pages_read <= 1 {
            check_fields(context, resource, &records)?;
        }
        if let Some(filter) = &mut filter {
            filter.apply(resource, &mut records, printer.count);
        }
        reader.receive_during(printer.print_page(records)).await?;
        let pass = reader.progress();
        counter.set_rows(pass.pages_read, printer.count, pass.total_items);
    }
    Ok(())
}

/// Checks `--fields` before the first page is printed.
fn check_fields(context: &Context, resource: &Resource, records: &[Record]) -> Result<()> {
    if !resource.specified || records.is_empty() {
        return Ok(());
    }
    context.output().check_fields(resource, records)
}

/// Prints the one page of `--page`.
async fn print_page(
    context: &Context,
    api: &Api,
    endpoint: &ListEndpoint,
    query: &Query,
    number: u64,
    options: ListOptions,
) -> Result<()> {
    let mut printer = RecordPrinter::new(endpoint.resource, context.output());
    let response = api.read_page(endpoint, query, number, options).await?;
    check_fields(context, endpoint.resource, &response.records)?;
    for record in &response.records {
        printer.add(record)?;
    }
    printer.finish()?;
    match response.pagination.total_items {
        Some(total) if printer.count < total => context.ui.note(&format!(
            "page {number}: {} of {total} {}",
            printer.count, endpoint.resource.plural
        )),
        _ => note_count(context, endpoint, query, printer.count, None),
    }
    Ok(())
}

/// Notes on stderr that no record was found, or that more records exist. `total` is none if it is
/// not known.
fn note_count(
    context: &Context,
    endpoint: &ListEndpoint,
    query: &Query,
    printed: u64,
    total: Option<u64>,
) {
    let plural = endpoint.resource.plural;
    let note = match total {
        Some(total) if printed < total => {
            format!("showing the first {printed} of {total} {plural}")
        }
        _ if printed == 0 => format!("no {plural} found"),
        _ => return,
    };
    context.ui.note(&note);
    if printed > 0 {
        return;
    }
    if let Some(text) = query.search.as_ref().filter(|text| text.contains('/')) {
        let hint = Hint::command("show the site of an address", "sites show");
        context.ui.hint(hint.ids(&[text]));
    }
}
