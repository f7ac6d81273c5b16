//! What all formats share: columns for tests, and what is found in a file.

use super::{ColumnKind, Columns, Document, InputFormat};
use crate::error::Detail;

/// The columns of clients.
pub const COLUMNS: Columns = Columns {
    known: &[
        ("id", ColumnKind::Text),
        ("first_name", ColumnKind::Text),
        ("last_name", ColumnKind::Text),
        ("email", ColumnKind::Text),
        ("company_name", ColumnKind::Text),
        ("address", ColumnKind::Text),
        ("note", ColumnKind::Text),
        ("site_ids", ColumnKind::List),
    ],
    ignored: &["created_at", "updated_at"],
    open: false,
};

/// The document in a text that is of its format.
pub fn rows(text: &str, format: InputFormat) -> Document {
    Document::parse("clients.txt", text.into(), format, &COLUMNS)
        .unwrap_or_else(|e| unreachable!("{e} {:?}", e.details))
}

/// What is wrong with a text that is of its format.
pub fn problems(text: &str, format: InputFormat) -> Vec<String> {
    rows(text, format).problems.iter().map(told).collect()
}

/// What is wrong with a text that is not.
pub fn refused(text: &str, format: InputFormat) -> Vec<String> {
    match Document::parse("clients.txt", text.into(), format, &COLUMNS) {
        Ok(document) => unreachable!("{document:?}"),
        Err(error) => error.details.iter().map(told).collect(),
    }
}

fn told(detail: &Detail) -> String {
    let place = detail.place.as_deref().unwrap_or_default().trim_start_matches("clients.txt ");
    format!("{place}: {} {}", detail.code, detail.message)
}
