//! One JSON value as text, read from the service's own bytes: numbers keep every digit.

use crate::resources::unquoted;
use serde_json::value::RawValue;
use std::borrow::Cow;

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
