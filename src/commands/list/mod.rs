//! Runs all list commands: flags to query, query to pages, pages to rows, rows to stdout.

mod args;

pub use args::{Args, declare};

use crate::client::{Api, Listing, Plan, Walk};
use crate::commands::context::Context;
use crate::commands::sites::ids;
use crate::error::Result;
use crate::output::Rows;
use crate::resources::query::{PageRequest, Query, wire};
use crate::resources::{Record, Resource};
use crate::terminal::{Counter, folded};

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
    let site: Vec<String> = args.parent_id().map(Into::into).into_iter().collect();
    let parent_id = ids(context, &api, &site).await?.pop();
    let parent = resource.parent.zip(parent_id.as_deref());
    let listing = api.list(resource, parent_id.as_deref())?;
    let rows = Rows::new(resource, context.shape());
    let read = match args.paging.page {
        Some(number) => {
            let page = PageRequest { number, per_page: args.paging.per_page };
            one_page(context, &api, &listing, &query, page, rows).await
        }
        None => all(context, &api, &listing, &query, args.paging.plan(context.settings.per_page), rows).await,
    };
    read.map_err(|error| match (error.name_flags(flag_of), parent) {
        (error, Some((parent, id))) => context.hint_list(error.not_found(parent.one, id), &parent.noun()),
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
    plan: Plan,
    mut rows: Rows,
) -> Result<()> {
    let mut search = query.search.as_deref().map(|text| Search::new(listing.resource, text, plan.limit));
    // The limit applies to the records that are found, so all records are read.
    let plan = Plan { limit: plan.limit.filter(|_| search.is_none()), ..plan };
    let mut walk = Walk::new(api, listing, query, plan);
    let counter = context.ui.counter(listing.resource.plural, rows.streams);
    let end = counter.while_waiting(all_pages(context, &mut walk, &mut rows, search.as_mut(), &counter)).await;
    if let Err(error) = end {
        rows.break_off()?;
        return Err(error);
    }
    rows.finish()?;
    if walk.rows.is_none() {
        let rows = plan.rows_at_first();
        context.ui.hint(&format!("set per_page in the profile, because the service rejects {rows} records per page"));
    }
    let total = search.map_or_else(|| walk.reading.pass.total, |search| Some(search.found));
    report(context, listing, rows.count, total);
    Ok(())
}

async fn all_pages(
    context: &Context,
    walk: &mut Walk<'_>,
    rows: &mut Rows,
    mut search: Option<&mut Search<'_>>,
    counter: &Counter,
) -> Result<()> {
    while let Some(mut records) = walk.next().await? {
        if walk.reading.pass.page <= 1 {
            check_fields(context, walk.listing.resource, &records)?;
        }
        if let Some(search) = &mut search {
            search.filter(&mut records);
        }
        walk.meanwhile(rows.page(records)).await?;
        let reading = &walk.reading;
        counter.count(reading.pass.page, rows.count, reading.pass.total);
    }
    Ok(())
}

/// Checks `--fields` before the first page is printed.
fn check_fields(context: &Context, resource: &Resource, records: &[Record]) -> Result<()> {
    match resource.specified && !records.is_empty() {
        true => context.shape().check_fields(resource, records),
        false => Ok(()),
    }
}

/// A search that sitectl applies itself, because the service has none for this resource.
struct Search<'q> {
    fields: &'static [&'static str],
    text: &'q str,
    limit: u64,
    found: u64,
}

impl<'q> Search<'q> {
    fn new(resource: &Resource, text: &'q str, limit: Option<u64>) -> Self {
        Self { fields: resource.searched, text, limit: limit.unwrap_or(u64::MAX), found: 0 }
    }

    /// Keeps the records that contain the text, up to the limit.
    fn filter(&mut self, records: &mut Vec<Record>) {
        let contains = |value: String| folded(&value).contains(self.text);
        records.retain(|record| self.fields.iter().filter_map(|name| record.text(name)).any(contains));
        let left = usize::try_from(self.limit.saturating_sub(self.found)).unwrap_or(usize::MAX);
        self.found += records.len() as u64;
        records.truncate(left);
    }
}

async fn one_page(
    context: &Context,
    api: &Api,
    listing: &Listing,
    query: &Query,
    page: PageRequest,
    mut rows: Rows,
) -> Result<()> {
    let response = api.page(listing, query, page).await?;
    api.saw(listing, &response.records);
    check_fields(context, listing.resource, &response.records)?;
    response.records.iter().try_for_each(|record| rows.row(record))?;
    rows.finish()?;
    match response.pagination.total_items {
        Some(total) if rows.count < total => {
            let (number, plural) = (page.number, listing.resource.plural);
            context.ui.note(&format!("page {number}: {} of {total} {plural}", rows.count));
        }
        _ => report(context, listing, rows.count, None),
    }
    Ok(())
}

/// Returns the flag of a query parameter.
fn flag_of(param: &str) -> Option<String> {
    let flags =
        [(wire::PAGE, "page"), (wire::PER_PAGE, "per-page"), (wire::SORT, "sort"), (wire::TIMEZONE, "timezone")];
    flags.into_iter().find(|(known, _)| *known == param).map(|(_, flag)| format!("--{flag}"))
}

/// Reports on stderr that no record was found, or that more records exist.
fn report(context: &Context, listing: &Listing, printed: u64, total: Option<u64>) {
    let plural = listing.resource.plural;
    match total {
        Some(total) if printed < total => context.ui.note(&format!("showing the first {printed} of {total} {plural}")),
        _ if printed == 0 => context.ui.note(&format!("no {plural} found")),
        _ => {}
    }
}
