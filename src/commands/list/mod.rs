//! Runs all list commands: arguments to query, query to pages, pages to rows, rows to stdout.

mod args;

pub use args::{FilterText, ListArgs, SortText};

use crate::client::{Api, ListEndpoint, ListOptions, ListReader};
use crate::commands::choose::require_prompt;
use crate::commands::context::Context;
use crate::commands::find_clients::{assigned_sites, full_name_options, sites_of_client};
use crate::commands::find_sites::{AccountSites, choose_site, find_site_ids};
use crate::error::{Hint, Result};
use crate::output::RecordPrinter;
use crate::resources::query::{IdFilter, Query, TagFilter};
use crate::resources::{CLIENTS, ListResource, Record, Resource};
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
            let has_text = |text: &String| contains_text(resource, record, text);
            let is_selected = |ids: &IdFilter| record.id().is_some_and(|id| ids.selects(&id));
            let has_sites = |sites: &Vec<String>| {
                let ids = record.texts("site_ids").unwrap_or_default();
                ids.is_empty() && sites.is_empty() || ids.iter().any(|id| sites.contains(id))
            };
            query.search.as_ref().is_none_or(has_text)
                && query.ids.as_ref().is_none_or(is_selected)
                && query.sites.as_ref().is_none_or(has_sites)
        });
        self.match_count += records.len() as u64;
        let remaining = self.limit.saturating_sub(printed_count);
        records.truncate(usize::try_from(remaining).unwrap_or(usize::MAX));
    }
}

/// Whether a field that `--search` looks in contains this folded text.
fn contains_text(resource: &Resource, record: &Record, text: &str) -> bool {
    for name in resource.search_fields {
        if let Some(value) = record.text(name)
            && fold_for_search(&value).contains(text)
        {
            return true;
        }
    }
    false
}

/// Reads all pages of a list and prints their rows.
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
    let is_filtered = query.search.is_some()
        || query.ids.is_some()
        || query.sites.is_some()
        || query.tags.is_some();
    let mut filter = is_filtered.then(|| LocalFilter {
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
    let mut printer = RecordPrinter::new(endpoint.resource, context.output_options());
    let streams = context.output_options().streams();
    let ui = &context.ui;
    let counter = ui.counter_beside_rows(endpoint.resource.plural, streams);
    let pages = print_pages(
        context,
        &mut reader,
        &mut printer,
        filter.as_mut(),
        &counter,
    );
    if let Err(error) = counter.while_waiting(pages).await {
        printer.finish_incomplete()?;
        return Err(error);
    }
    printer.finish()?;
    if let Some(tags) = filter.as_ref().and_then(|filter| filter.tags.as_ref()) {
        tags.require_existing()?;
    }
    let total = match filter {
        Some(filter) => Some(filter.match_count),
        None => reader.progress().total_items,
    };
    note_count(context, endpoint, query, printer.count, total);
    Ok(())
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
    context.output_options().check_fields(resource, records)
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
    let mut printer = RecordPrinter::new(endpoint.resource, context.output_options());
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
    let mut parameters = query.parameters.iter();
    if let Some(text) = query.search.as_ref().filter(|text| text.contains('/')) {
        let hint = Hint::command("show the site of an address", "sites show");
        context.ui.hint(hint.ids(&[text]));
    } else if *plural == *CLIENTS.plural {
        let search = parameters.find(|one| one.flag.as_deref() == Some("--search"));
        if let Some(options) = search.and_then(|search| full_name_options(&search.value)) {
            let hint = Hint::command("search for a full name", "clients list");
            context.ui.hint(hint.words(&options));
        }
    }
}
