//! JSON values as text, taken from the response itself, so that numbers keep every digit.

use crate::resources::unquote;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Returns the text of a value, which is empty for null. None for a list or an object.
pub fn raw_scalar_text(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'{' | b'[' => None,
        b'n' => Some("".into()),
        _ => Some(unquote(raw)),
    }
}

/// Returns the texts of the items of a list. None for other values, and if an item is a list or an
/// object.
pub fn scalar_items(raw: &str) -> Option<Vec<Cow<'_, str>>> {
    let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
    items
        .into_iter()
        .map(|item| raw_scalar_text(item.get()))
        .collect()
}
