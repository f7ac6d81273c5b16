//! Extracts a single object from its envelope, and describes unexpected responses.

use crate::resources::{Member, Record, member_value, members, unquote};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Why a response with a success status cannot be used.
pub type UnexpectedResponse = String;

/// The problem of a response that reports a failure.
pub const REPORTS_FAILURE: &str = "the response reports a failure";

/// Where a response has its single object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelope {
    /// Under its name, as the spec requires.
    Required,
    /// Under its name or without an envelope, because the spec does not show it.
    Optional,
}

/// Returns the object under `name`.
pub fn single_object(
    body: &[u8],
    name: &str,
    envelope: Envelope,
) -> Result<Record, UnexpectedResponse> {
    let response: &RawValue = parse_json(body)?;
    let members = members(response.get()).map_err(|_| "the response is not a JSON object")?;
    if envelope == Envelope::Required {
        refuse_failure(&members)?;
    }
    match member_value(&members, name) {
        Some(object) if object.get().starts_with('{') => Ok(Record::new(object.to_owned())),
        _ if envelope == Envelope::Optional => Ok(Record::new(response.to_owned())),
        _ => Err(format!("the response has no object '{name}'")),
    }
}

/// Fails if an object reports a failure.
pub fn refuse_failure(members: &[Member<'_>]) -> Result<(), UnexpectedResponse> {
    if reports_failure(members) {
        return Err(REPORTS_FAILURE.into());
    }
    Ok(())
}

/// Whether an object reports a failure, whatever the HTTP status is: an `error` or `fault`, or a
/// `success`, `ok` or `accepted` that is false. Names match in any case.
pub fn reports_failure(members: &[Member<'_>]) -> bool {
    for (name, raw) in members {
        let value = || unquote(raw.get()).to_ascii_lowercase();
        let is_failure = match name.to_ascii_lowercase().as_str() {
            "error" | "errors" | "error_code" | "errorcode" | "fault" => {
                !matches!(&*value(), "null" | "false" | "0" | "" | "{}" | "[]")
            }
            "success" | "ok" | "accepted" => matches!(&*value(), "false" | "0"),
            _ => false,
        };
        if is_failure {
            return true;
        }
    }
    false
}

/// Parses a body of a known type.
pub fn parse_json<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, UnexpectedResponse> {
    if body.is_empty() {
        return Err("the response is empty".into());
    }
    match serde_json::from_slice(body) {
        Ok(value) => Ok(value),
        Err(error) => Err(format!("the response is not JSON ({error})")),
    }
}

/// Returns the record whose text is a part of the body.
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
    }
}
