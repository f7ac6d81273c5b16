//! `GET` and `HEAD`: one answer, printed, and what it does not hold told.

use super::call::Call;
use super::shown::{self, Shown};
use super::wrong;
use crate::api::{Pagination, Reading};
use crate::context::{Context, Heads};
use crate::error::Result;

pub async fn run(context: &Context, heads: Heads, call: &Call, reading: Reading) -> Result<()> {
    let api = context.api_showing(heads)?;
    wrong::refuse_token(&api, call)?;
    let found = api.read_by_hand(reading, &call.place).await?;
    if reading == Reading::Head {
        if heads == Heads::Hidden {
            context.ui.note("HEAD has no body to print; --include shows the status and headers");
        }
        return Ok(());
    }
    let (pagination, doubtful) =
        found.as_ref().map_or((None, false), |found| (found.pagination, found.pagination_is_odd));
    let Shown { count } = shown::print(context, found).await?;
    match (count, pagination) {
        (Some(count), Some(Pagination { page, total_pages, total_items, .. })) if count < total_items => context
            .ui
            .note(&format!("page {page} of {total_pages}: {count} of {total_items} records; --paginate reads all")),
        (Some(_), _) if doubtful => {
            context
                .ui
                .note("there may be more records: what the answer says of its pages is not as the interface has it");
        }
        (Some(0), _) => context.ui.note("no records found"),
        _ => {}
    }
    Ok(())
}
