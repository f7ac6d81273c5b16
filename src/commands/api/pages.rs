//! `--paginate`: a list read whole by the one engine of all lists.

use super::Args;
use super::call::Call;
use super::wrong;
use crate::api::{IN_FLIGHT, Place, Plan};
use crate::config::PER_PAGE;
use crate::context::{Context, Heads};
use crate::error::{Error, Kind, Result};
use crate::list;
use crate::output::Rows;
use crate::query::Query;

/// How the list is read. What the path says of pages is taken out of it: pages are counted here.
///
/// # Errors
/// `Usage` where the path names a page, or another number of rows than `--per-page`.
pub fn plan(args: &Args, place: &mut Place, usual: Option<u32>) -> Result<Plan> {
    if !place.take("page").is_empty() {
        return Err(Error::usage("--paginate reads every page, and the query names one")
            .hint("leave 'page' out, or --paginate"));
    }
    let typed = place.take("perPage").iter().map(|rows| per_page(rows)).collect::<Result<Vec<u32>>>()?;
    let mut rows = args.per_page.into_iter().chain(typed);
    let first = rows.next();
    if let Some(other) = rows.find(|rows| Some(*rows) != first) {
        let first = first.unwrap_or_default();
        return Err(Error::usage(format!("two numbers of rows in a page are given: {first} and {other}"))
            .hint("perPage in the query is the same as --per-page"));
    }
    Ok(Plan {
        limit: args.limit,
        per_page: first.or(usual),
        verify: args.verify,
        in_flight: args.concurrency.unwrap_or(IN_FLIGHT),
    })
}

fn per_page(text: &str) -> Result<u32> {
    let rows = text.parse().ok().filter(|rows| PER_PAGE.contains(rows));
    let (least, most) = (PER_PAGE.start(), PER_PAGE.end());
    rows.ok_or_else(|| Error::usage(format!("perPage is '{text}'; allowed are {least} to {most}")))
}

pub async fn run(context: &Context, heads: Heads, call: &Call, plan: Plan) -> Result<()> {
    let api = context.api_showing(heads)?;
    wrong::refuse_token(&api, call)?;
    let listing = api.list_by_hand(&call.place);
    let rows = Rows::found(context.shape());
    let read = list::whole(context, &api, &listing, &Query::default(), plan, rows).await;
    let read = read.map_err(|error| match (error.kind, error.status) {
        (Kind::Invalid, _) => {
            error.or_hint(|| "--paginate asks for page and perPage, which not every list takes".into())
        }
        _ => error,
    })?;
    list::tell(context, &listing, read.count, read.total);
    let cut = plan.limit == Some(read.count);
    if read.total.is_none() && read.count > 0 && !cut {
        context
            .ui
            .note("the service does not say how many records there are: that these are all of them is not proven");
    }
    Ok(())
}
