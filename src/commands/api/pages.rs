//! `--paginate`: a list read whole by the one engine of all lists.

use super::Args;
use super::call::Call;
use super::wrong;
use crate::client::{Place, Plan};
use crate::commands::context::{Context, Heads};
use crate::commands::list;
use crate::config::PER_PAGE;
use crate::config::number;
use crate::error::{Detail, Error, Kind, Result};
use crate::output::Rows;
use crate::resources::query::{Query, wire};

/// How the list is read. What the path says of pages is taken out of it: pages are counted here.
///
/// # Errors
/// `Usage` where the path names a page, or another number of rows than `--per-page`.
pub fn plan(args: &Args, place: &mut Place, usual: Option<u32>) -> Result<Plan> {
    if !place.take(wire::PAGE).is_empty() {
        return Err(Error::usage("--paginate reads every page, and the query names one")
            .hint("leave 'page' out, or --paginate"));
    }
    let typed = place.take(wire::PER_PAGE).iter().map(|rows| per_page(rows)).collect::<Result<Vec<u32>>>()?;
    let mut rows = args.paging.per_page.into_iter().chain(typed);
    let first = rows.next();
    if let Some(other) = rows.find(|rows| Some(*rows) != first) {
        let first = first.unwrap_or_default();
        return Err(Error::usage(format!("two numbers of rows in a page are given: {first} and {other}"))
            .hint("perPage in the query is the same as --per-page"));
    }
    Ok(args.paging.plan(first.or(usual)))
}

fn per_page(text: &str) -> Result<u32> {
    number::within(PER_PAGE)(text).map_err(|expected| {
        Error::usage(format!("perPage is '{text}': {expected}"))
            .hint("without it, as many rows are asked for as are needed")
    })
}

pub async fn run(context: &Context, heads: Heads, call: &Call, plan: Plan) -> Result<()> {
    let api = context.api_showing(heads)?;
    wrong::refuse_token(&api, call)?;
    let listing = api.list_by_hand(&call.place, call.wanted.clone());
    let rows = Rows::found(context.shape());
    list::whole(context, &api, &listing, &Query::default(), plan, rows).await.map_err(advised)
}

/// A refusal that is about pages, or may be, says who asked for them.
fn advised(error: Error) -> Error {
    let is_of_pages = |detail: &Detail| [wire::PAGE, wire::PER_PAGE].contains(&detail.param.as_str());
    if error.kind != Kind::Invalid || !(error.details.is_empty() || error.details.iter().any(is_of_pages)) {
        return error;
    }
    error.or_hint(|| "--paginate asks for page and perPage, which not every list takes".into())
}
