//! Extracts a single object from its envelope, and describes unexpected responses.

use crate::resources::{Member, Record, member_value, members};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Why a response with a success status cannot be used.
pub type UnexpectedResponse = String;

/// Whether the single object of a response must be in an envelope: a member with the object's name,
/// or `data`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelope {
    /// The spec shows the envelope.
    Required,
    /// The spec does not show the response, so that it may be the object itself.
    Optional,
}

/// Returns the object in the envelope `name`; with `Envelope::Optional` also the object in the
/// envelope `data`, or the response itself. Only an envelope is checked for a reported failure:
/// without one, a member such as `error` can be a field of the object. Callers that know the object
/// check it themselves.
pub fn single_object(
    body: &[u8],
    name: &str,
    envelope: Envelope,
) -> Result<Record, UnexpectedResponse> {
    let response: &RawValue = parse_json(body)?;
    let members = members(response.get()).map_err(|_| "the response is not a JSON object")?;
    let object = |name| {
        member_value(&members, name).filter(|value: &&RawValue| value.get().starts_with('{'))
    };
    let has_id = member_value(&members, "id").is_some();
    let enclosed = match envelope {
        Envelope::Optional if !has_id => object(name).or_else(|| object("data")),
        _ => object(name),
    };
    let lacks_object = members.is_empty() || member_value(&members, name).is_some();
    if envelope == Envelope::Optional && enclosed.is_none() && (has_id || !lacks_object) {
        return Ok(Record::new(response.to_owned()));
    }
    refuse_failure(&members)?;
    match enclosed {
        Some(object) => Ok(Record::new(object.to_owned())),
        None => Err(format!("the response has no object '{name}'")),
    }
}

/// Returns an error if these members of an object report a failure.
pub fn refuse_failure(members: &[Member<'_>]) -> Result<(), UnexpectedResponse> {
    if reports_failure(members) {
        return Err("the response reports a failure".into());
    }
    Ok(())
}

/// Whether these members of an object report a failure, although the HTTP status is a success.
fn reports_failure(members: &[Member<'_>]) -> bool {
    members.iter().any(|(name, value)| match &**name {
        "error" | "errors" => has_content(value),
        "success" => value.get() == "false",
        _ => false,
    })
}

/// Whether a value says something. An error without content is none.
pub fn has_content(value: &RawValue) -> bool {
    fn says_something(value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(value) => *value,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(items) => items.iter().any(says_something),
            Value::Object(members) => members.values().any(says_something),
        }
    }
    serde_json::from_str(value.get()).map_or(true, |value| says_something(&value))
}

/// Parses a body as JSON of type `T`.
pub fn parse_json<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, UnexpectedResponse> {
    if body.is_empty() {
        return Err("the response is empty".into());
    }
    match serde_json::from_slice(body) {
        Ok(value) => Ok(value),
        Err(error) => Err(format!("the response is not JSON ({error})")),
    }
}

/// Returns the record with this JSON text without copying it. `text` must be a slice of `body`.
pub fn record_in(body: &Arc<String>, text: &str) -> Record {
    let start = text.as_ptr() as usize - body.as_ptr() as usize;
    Record::from_body(body, start..start + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_returned_unchanged_if_its_envelope_is_valid() {
        let client = |body: &str| single_object(body.as_bytes(), "client", Envelope::Required);
        let body = r#" {"client": {"id":"1","big":123456789012345678901234567890.10,"x":null} } "#;
        let record = client(body).map(|record| record.json().to_string());
        assert_eq!(
            record.as_deref(),
            Ok(r#"{"id":"1","big":123456789012345678901234567890.10,"x":null}"#)
        );
        for body in [
            "",
            "<html>",
            "[]",
            "{}",
            r#"{"client":null}"#,
            r#"{"error":"no","client":{"id":"1"}}"#,
        ] {
            assert!(client(body).is_err(), "{body}");
        }
    }

    #[test]
    fn an_object_that_is_not_specified_may_have_no_envelope() {
        let id = |body: &str| {
            single_object(body.as_bytes(), "task", Envelope::Optional)
                .ok()
                .and_then(|record| record.id())
        };
        assert_eq!(id(r#"{"id":"t1"}"#).as_deref(), Some("t1"));
        assert_eq!(id(r#"{"task":{"id":7}}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"id":"t1","task":null}"#).as_deref(), Some("t1"));
        assert_eq!(id(r#"{"data":{"id":"t1"}}"#).as_deref(), Some("t1"));
        assert_eq!(
            id(r#"{"id":"t1","data":{"id":"x"}}"#).as_deref(),
            Some("t1")
        );
        for body in [
            r#"{"task":null}"#,
            r#"{"error":"no","data":{"id":"t1"}}"#,
            "{}",
        ] {
            let object = single_object(body.as_bytes(), "task", Envelope::Optional);
            assert!(object.is_err(), "{body}");
        }
    }
}
