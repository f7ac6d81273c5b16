//! The one list engine: flags to query, query to pages, pages to rows, rows to stdout.

mod args;

pub use args::{ListArgs, Listed};

use crate::api::{Api, Listing, Pagination, Walk};
use crate::context::Context;
use crate::error::Result;
use crate::output::Rows;
use crate::query::{PageRequest, Query};

/// Runs a list command on the list that `listing` names.
///
/// # Errors
/// As the service answers; `Incomplete` where the list could not be read whole.
pub async fn run<L: Listed>(
    context: &Context,
    args: &ListArgs<L>,
    listing: impl FnOnce(&Api) -> Result<Listing>,
) -> Result<()> {
    let query = args.query()?;
    let api = context.api()?;
    let listing = listing(&api)?;
    let mut rows = Rows::new(listing.resource, context.shape());
    let per_page = args.per_page.or(context.settings.per_page);
    match args.page {
        Some(number) => {
            one_page(context, &api, &listing, &query, PageRequest { number, per_page: args.per_page }, &mut rows).await
        }
        None => all_pages(context, walk(&api, &listing, &query, per_page, args.limit), args.limit, &mut rows).await,
    }
}

fn walk<'w>(
    api: &'w Api,
    listing: &'w Listing,
    query: &'w Query,
    per_page: Option<u32>,
    limit: Option<u64>,
) -> Walk<'w> {
    let walk = Walk::new(api, listing, query);
    match (per_page, limit) {
        (Some(rows), _) => walk.rows(rows),
        (None, Some(limit)) => walk.at_most(limit),
        (None, None) => walk,
    }
}

async fn all_pages(context: &Context, mut walk: Walk<'_>, limit: Option<u64>, rows: &mut Rows) -> Result<()> {
    let limit = limit.unwrap_or(u64::MAX);
    loop {
        match walk.next().await {
            Ok(Some(records)) => {
                let room = usize::try_from(limit - rows.count()).unwrap_or(usize::MAX);
                records.iter().take(room).try_for_each(|record| rows.row(record))?;
                rows.flush()?;
            }
            Ok(None) => break,
            Err(error) => {
                rows.break_off()?;
                return Err(error);
            }
        }
        if rows.count() >= limit {
            break;
        }
    }
    rows.finish()?;
    tell(context, walk.listing(), rows.count(), walk.total());
    Ok(())
}

async fn one_page(
    context: &Context,
    api: &Api,
    listing: &Listing,
    query: &Query,
    page: PageRequest,
    rows: &mut Rows,
) -> Result<()> {
    let answer = api.page(listing, query, page).await?;
    if let Some(other) = answer.pagination.map(|found| found.page).filter(|found| *found != page.number) {
        context
            .ui
            .warn(&format!("page {} was asked for, and the service sent what it calls page {other}", page.number));
    }
    answer.records.iter().try_for_each(|record| rows.row(record))?;
    rows.finish()?;
    match answer.pagination {
        Some(Pagination { total_pages, total_items, .. }) if rows.count() < total_items => context.ui.note(&format!(
            "page {} of {total_pages}: {} of {total_items} {}",
            page.number,
            rows.count(),
            listing.resource.plural
        )),
        _ => tell(context, listing, rows.count(), None),
    }
    Ok(())
}

/// Says on stderr what the rows alone do not: that there are none, or that there are more.
fn tell(context: &Context, listing: &Listing, printed: u64, total: Option<u64>) {
    let plural = listing.resource.plural;
    match total {
        Some(total) if printed < total => context.ui.note(&format!("the first {printed} of {total} {plural}")),
        _ if printed == 0 => context.ui.note(&format!("no {plural} found")),
        _ => {}
    }
}
