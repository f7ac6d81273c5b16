//! One value as the text of a cell, read from the service's own bytes: numbers keep every digit.

use super::json;
use crate::resources::unquoted;
use crate::terminal::visible;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The text of a cell in a table, with nothing in it that could drive the terminal.
pub fn cell(raw: Option<&RawValue>) -> String {
    let Some(raw) = raw.map(RawValue::get) else { return String::new() };
    let text = simple(raw).or_else(|| simple_items(raw).map(|items| items.join(", ").into()));
    visible(&text.unwrap_or_else(|| json::compact(raw).into())).into_owned()
}

/// The text of a value that is neither list nor object; of null, none.
pub fn simple(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'{' | b'[' => None,
        b'n' => Some("".into()),
        _ => Some(unquoted(raw)),
    }
}

/// The texts of a list of such values.
pub fn simple_items(raw: &str) -> Option<Vec<Cow<'_, str>>> {
    if !raw.starts_with('[') {
        return None;
    }
    let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
    items.into_iter().map(|item| simple(item.get())).collect()
}

/// Whether a cell holds it as words rather than as JSON.
pub fn is_wordy(raw: &str) -> bool {
    simple(raw).is_some() || simple_items(raw).is_some()
}
