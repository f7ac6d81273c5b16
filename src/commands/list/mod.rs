//! Runs all list commands: flags to query, query to pages, pages to rows, rows to stdout.

mod args;

pub use args::{Args, declare};

use crate::client::{Api, ListOptions, ListReader, Listing};
use crate::commands::context::Context;
use crate::commands::sites::ids;
use crate::error::Result;
use crate::output::RecordPrinter;
use crate::resources::query::{PageRequest, Query, wire};
use crate::resources::{Record, Resource};
use crate::terminal::{Counter, fold_for_search};

/// The verbs of a noun that has only a list.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(Args),
}

/// Runs the list command of a resource.
///
/// # Errors
/// As any request; `Incomplete` if the list could not be read completely.
pub async fn run(context: &Context, resource: &'static Resource, args: &Args) -> Result<()> {
    let query = args.query(resource)?;
    let api = context.api().await?;
    let site: Vec<String> = args.parent_id().into_iter().collect();
    let parent_id = ids(context, &api, &site).await?.pop();
    let parent = resource.parent.zip(parent_id.as_deref());
    let listing = api.listing(resource, parent_id.as_deref())?;
    let read = match args.paging.page {
        Some(number) => {
            let page = PageRequest {
                number,
                per_page: args.paging.per_page,
            };
            one_page(context, &api, &listing, &query, page).await
        }
        None => {
            all(
                context,
                &api,
                &listing,
                &query,
                args.paging.plan(context.settings.per_page),
            )
            .await
        }
    };
    read.map_err(|error| match (error.with_flags(flag_of), parent) {
        (error, Some((parent, id))) => context.hint_list(
            error.with_missing_record(parent.singular, id),
            &parent.noun(),
        ),
        (error, None) => error,
    })
}

/// Reads all pages of a list and prints their rows.
///
/// # Errors
/// As [`run`].
pub async fn all(
    context: &Context,
    api: &Api,
    listing: &Listing,
    query: &Query,
    plan: ListOptions,
) -> Result<()> {
    let mut printer = RecordPrinter::new(listing.resource, context.output_options());
    // The limit of a search applies to the records that are found, so all records are read.
    let walked = ListOptions {
        limit: plan.limit.filter(|_| query.search.is_none()),
        ..plan
    };
    let mut reader = ListReader::new(api, listing, query, walked);
    let counter = context.ui.counter(listing.resource.plural, printer.streams);
    let pages = all_pages(
        context,
        &mut reader,
        &mut printer,
        query.search.as_deref(),
        plan.limit,
        &counter,
    );
    let found = match counter.while_waiting(pages).await {
        Ok(found) => found,
        Err(error) => {
            printer.finish_incomplete()?;
            return Err(error);
        }
    };
    printer.finish()?;
    if reader.per_page.is_none() {
        let rows = walked.initial_per_page();
        context.ui.hint(&format!(
            "set per_page in the profile, because the service rejects {rows} records per page"
        ));
    }
    report(
        context,
        listing,
        printer.count,
        found.or(reader.reading.pass.total_items),
    );
    Ok(())
}

/// Prints all pages. With `search`, prints the records that contain the text up to the limit, and returns their number.
async fn all_pages(
    context: &Context,
    reader: &mut ListReader<'_>,
    printer: &mut RecordPrinter,
    search: Option<&str>,
    limit: Option<u64>,
    counter: &Counter,
) -> Result<Option<u64>> {
    let mut found = search.map(|_| 0);
    while let Some(mut records) = reader.next().await? {
        let resource = reader.listing.resource;
        if reader.reading.pass.pages_read <= 1 {
            check_fields(context, resource, &records)?;
        }
        if let (Some(text), Some(found)) = (search, &mut found) {
            records.retain(|record| contains(resource, record, text));
            *found += records.len() as u64;
            let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(printer.count));
            records.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        reader.receive_during(printer.print_page(records)).await?;
        let reading = &reader.reading;
        counter.set_rows(
            reading.pass.pages_read,
            printer.count,
            reading.pass.total_items,
        );
    }
    Ok(found)
}

/// Whether a record contains a text, for resources that the service cannot search.
fn contains(resource: &Resource, record: &Record, text: &str) -> bool {
    resource
        .search_fields
        .iter()
        .filter_map(|name| record.text(name))
        .any(|value| fold_for_search(&value).contains(text))
}

/// Checks `--fields` before the first page is printed.
fn check_fields(context: &Context, resource: &Resource, records: &[Record]) -> Result<()> {
    match resource.specified && !records.is_empty() {
        true => context.output_options().check_fields(resource, records),
        false => Ok(()),
    }
}

async fn one_page(
    context: &Context,
    api: &Api,
    listing: &Listing,
    query: &Query,
    page: PageRequest,
) -> Result<()> {
    let mut printer = RecordPrinter::new(listing.resource, context.output_options());
    let response = api.read_page(listing, query, page).await?;
    api.report_records(listing, &response.records);
    check_fields(context, listing.resource, &response.records)?;
    response
        .records
        .iter()
        .try_for_each(|record| printer.add(record))?;
    printer.finish()?;
    match response.pagination.total_items {
        Some(total) if printer.count < total => {
            let (number, plural) = (page.number, listing.resource.plural);
            context.ui.note(&format!(
                "page {number}: {} of {total} {plural}",
                printer.count
            ));
        }
        _ => report(context, listing, printer.count, None),
    }
    Ok(())
}

/// Returns the flag of a query parameter.
fn flag_of(param: &str) -> Option<String> {
    let flags = [
        (wire::PAGE, "page"),
        (wire::PER_PAGE, "per-page"),
        (wire::SORT, "sort"),
        (wire::TIMEZONE, "timezone"),
    ];
    flags
        .into_iter()
        .find(|(known, _)| *known == param)
        .map(|(_, flag)| format!("--{flag}"))
}

/// Reports on stderr that no record was found, or that more records exist.
fn report(context: &Context, listing: &Listing, printed: u64, total: Option<u64>) {
    let plural = listing.resource.plural;
    match total {
        Some(total) if printed < total => context
            .ui
            .note(&format!("showing the first {printed} of {total} {plural}")),
        _ if printed == 0 => context.ui.note(&format!("no {plural} found")),
        _ => {}
    }
}
