//! Whether a record shows what was sent: how the outcome of a change is known whose answer was lost.

use crate::resource::Record;
use serde_json::{Map, Value};

/// How much of what was sent a record shows.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown {
    /// Every field.
    All,
    /// Some fields, and some not.
    Some,
    /// No field.
    None,
}

/// How much of what was sent the record shows; sites in any order, text without the white space around it.
pub fn shown(record: &Record, sent: &Map<String, Value>) -> Shown {
    let found = record.fields();
    let count = sent.iter().filter(|(name, wanted)| same(name, found.get(*name), wanted)).count();
    match count {
        count if count == sent.len() => Shown::All,
        0 => Shown::None,
        _ => Shown::Some,
    }
}

fn same(name: &str, found: Option<&Value>, wanted: &Value) -> bool {
    match (found, wanted) {
        (Some(Value::Array(found)), Value::Array(wanted)) => {
            found.len() == wanted.len() && wanted.iter().all(|item| found.contains(item))
        }
        (Some(Value::String(found)), Value::String(wanted)) if name == "email" => {
            found.trim().to_lowercase() == wanted.trim().to_lowercase()
        }
        (Some(Value::String(found)), Value::String(wanted)) => found.trim() == wanted.trim(),
        (found, wanted) => found == Some(wanted) || (is_empty(wanted) && found.is_none_or(Value::is_null)),
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty)
}
