//! A record exactly as the service sent it, read into only as far as needed.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// One object of the service, verbatim: unknown fields, key order and long numbers survive.
#[derive(Debug, Clone)]
pub struct Record(Box<RawValue>);

impl Record {
    /// Takes a JSON object.
    pub fn new(raw: Box<RawValue>) -> Self {
        Self(raw)
    }

    /// The service's own text.
    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    /// The fields, in the service's order; none where it is not an object.
    pub fn fields(&self) -> Map<String, Value> {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }

    /// A text field, or a number or boolean in the spelling it came in; none where it is absent or null.
    pub fn text(&self, name: &str) -> Option<String> {
        scalar(self.fields().get(name)?)
    }

    /// The record's id.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// A list of ids or words; none where it is absent or no list.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        Some(self.fields().get(name)?.as_array()?.iter().filter_map(scalar).collect())
    }
}

/// The text of a value that is a single one.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl serde::Serialize for Record {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
