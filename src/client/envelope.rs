//! Extracts a single object from its envelope, and reports the missing parts of a response.

use crate::resources::{Member, Record, last, members, unquoted};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Where a response has its single object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    /// Under its name, as the spec requires.
    Required,
    /// Under its name or without an envelope, because the spec does not show it.
    Either,
}

/// The problem of a response that reports a failure.
pub const FAILURE: &str = "the response reports a failure";

/// Returns the object under `name`.
///
/// # Errors
/// The missing part of the response.
pub fn object(body: &[u8], name: &str, wrapping: Wrapping) -> Result<Record, String> {
    let whole: &RawValue = parse(body)?;
    let members =
        members(whole.get()).map_err(|_| "the response is not a JSON object".to_string())?;
    if wrapping == Wrapping::Required && reports_failure(&members) {
        return Err(FAILURE.into());
    }
    match last(&members, name) {
        Some(inner) if inner.get().starts_with('{') => Ok(Record::new(inner.to_owned())),
        _ if wrapping == Wrapping::Either => Ok(Record::new(whole.to_owned())),
        _ => Err(format!("the response has no object '{name}'")),
    }
}

/// Whether an object reports a failure, whatever the HTTP status is: an `error` or `fault`, or a `success`, `ok` or
/// `accepted` that is false. Names match in any case.
pub fn reports_failure(members: &[Member<'_>]) -> bool {
    let value = |raw: &RawValue| unquoted(raw.get()).to_ascii_lowercase();
    members
        .iter()
        .any(|(name, raw)| match name.to_ascii_lowercase().as_str() {
            "error" | "errors" | "error_code" | "errorcode" | "fault" => !matches!(
                value(raw).as_str(),
                "null" | "false" | "0" | "" | "{}" | "[]"
            ),
            "success" | "ok" | "accepted" => matches!(value(raw).as_str(), "false" | "0"),
            _ => false,
        })
}

/// Reads a body whose shape the caller knows.
///
/// # Errors
/// If the body is not JSON.
pub fn parse<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| match body {
        [] => "the response is empty".into(),
        _ => format!("the response is not JSON ({error})"),
    })
}

/// Returns the record of a text that is a part of the body.
pub(super) fn part(body: &Arc<String>, text: &str) -> Record {
    let from = text.as_ptr() as usize - body.as_ptr() as usize;
    Record::part(body, from..from + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_returned_unchanged_if_its_envelope_is_valid() {
        let client = |body: &str| object(body.as_bytes(), "client", Wrapping::Required);
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
            object(body.as_bytes(), "task", Wrapping::Either)
                .ok()
                .and_then(|record| record.id())
        };
        assert_eq!(id(r#"{"id":"t1"}"#).as_deref(), Some("t1"));
        assert_eq!(id(r#"{"task":{"id":7}}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"id":"t1","task":null}"#).as_deref(), Some("t1"));
    }
}
