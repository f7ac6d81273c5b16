//! `GET` and `HEAD`: one answer, printed, and what it does not hold told.

use super::call::Call;
use super::shown::{self, Shown};
use super::wrong;
use crate::client::{Found, Pagination, Reading, Wanted, What};
use crate::commands::context::{Context, Heads};
use crate::error::{Kind, Result};
use crate::terminal::quoted;

pub async fn run(context: &Context, heads: Heads, call: &Call, reading: Reading) -> Result<()> {
    let api = context.api_showing(heads)?;
    wrong::refuse_token(&api, call)?;
    let found = api.read_by_hand(reading, &call.place, &call.wanted).await?;
    if reading == Reading::Head {
        if heads == Heads::Hidden {
            context.ui.note("HEAD has no body to print; --include shows the status and headers");
        }
        return Ok(());
    }
    let pages = found.as_ref().and_then(|found| Pages::of(found, &call.wanted));
    let printed = shown::print(context, found, &call.wanted).await;
    let count = match &printed {
        Ok(Shown { count }) => *count,
        Err(error) if error.kind == Kind::Incomplete => None,
        Err(_) => return printed.map(drop),
    };
    match pages.and_then(|pages| pages.left()) {
        Some(left) => context.ui.note(&left),
        None if count == Some(0) => context.ui.note("no records found"),
        None => {}
    }
    printed.map(drop)
}

/// What an answer tells of its pages, and what was found in it.
struct Pages {
    pagination: Pagination,
    /// Records that were found; none where no list was.
    count: Option<u64>,
    /// Items of the longest list in it, whether or not that is the one.
    longest: u64,
    /// What reads all pages; none where the answer holds no list at all.
    next: Option<String>,
}

impl Pages {
    fn of(found: &Found, wanted: &Wanted) -> Option<Self> {
        let pagination = found.pagination?;
        let (count, next) = match (&found.what, wanted) {
            (What::List { items, .. }, Wanted::At(place)) => {
                (Some(items.len() as u64), Some(format!("--paginate --list {}", quoted(place))))
            }
            (What::List { items, .. }, _) => (Some(items.len() as u64), Some("--paginate".into())),
            (What::One(_), _) => {
                (None, found.lists().first().map(|place| format!("--paginate --list {}", quoted(place))))
            }
        };
        let longest = count.unwrap_or_else(|| found.longest());
        Some(Self { pagination, count, longest, next })
    }

    /// What is told of records that are not in it.
    fn left(&self) -> Option<String> {
        let Pagination { page, total_pages, total_items, at_least, more, .. } = self.pagination;
        let next = self.next.as_ref().map(|next| format!("; {next} reads all")).unwrap_or_default();
        if total_pages.is_none() && total_items.is_none() {
            return (more || at_least > self.longest).then(|| format!("there may be more records{next}"));
        }
        let several = total_pages.is_some_and(|pages| pages > 1);
        if !several && total_items.is_none_or(|total| total <= self.longest) {
            return None;
        }
        let place = match (page, total_pages) {
            (Some(page), Some(pages)) => format!("page {page} of {pages}"),
            (None, Some(pages)) => format!("one page of {pages}"),
            (_, None) => "one page".into(),
        };
        let records = match (self.count, total_items) {
            (Some(count), Some(total)) => format!("{count} of {total} records"),
            (Some(count), None) => format!("{count} records"),
            (None, Some(total)) => format!("not all of {total} records"),
            (None, None) => "not all records".into(),
        };
        Some(format!("{place}: {records}{next}"))
    }
}
