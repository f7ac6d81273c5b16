//! An answer on stdout, in the shape that was asked for.

use crate::client::{Found, Wanted, What};
use crate::commands::context::Context;
use crate::error::Result;
use crate::output::{self, Rows};

/// What was printed.
pub struct Shown {
    /// How many records, where the answer is a list.
    pub count: Option<u64>,
}

/// Prints an answer: as it came, or the records that it holds.
///
/// # Errors
/// As any result; `Unavailable` where it has no such list as is wanted.
pub async fn print(context: &Context, found: Option<Found>, wanted: &Wanted) -> Result<Shown> {
    let shape = context.shape();
    let Some(found) = found else {
        context.ui.note("the answer has no body");
        return Ok(Shown { count: None });
    };
    let is_named = matches!(wanted, Wanted::At(_));
    if is_named && matches!(found.what, What::One(_)) {
        return Err(found.refusal(wanted));
    }
    let count = match &found.what {
        What::List { items, .. } => Some(items.len() as u64),
        What::One(_) => None,
    };
    match found.what {
        _ if shape.is_whole() && !is_named => output::whole(&found.whole, shape).await?,
        What::One(record) => output::record(&record, shape)?,
        What::List { resource, items } => {
            let mut rows = Rows::found(shape);
            if let Some(resource) = resource {
                rows.told(resource);
            }
            let paged = rows.page(items).await;
            let finished = rows.finish();
            paged.and(finished)?;
        }
    }
    Ok(Shown { count })
}
