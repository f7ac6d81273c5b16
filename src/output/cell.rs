//! One value as a person reads it in a table.

use crate::ui::visible;
use serde_json::Value;

/// The text of a cell, with nothing in it that could drive the terminal.
pub fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => visible(text).into_owned(),
        Some(Value::Array(items)) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(|item| cell(Some(item))).collect::<Vec<_>>().join(", ")
        }
        Some(other) => visible(&other.to_string()).into_owned(),
    }
}
