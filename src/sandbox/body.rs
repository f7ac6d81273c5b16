//! Request bodies: read whole, but bounded, and turned into JSON without trusting them.

use super::answer::{Problems, Refusal};
use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, StatusCode, header::CONTENT_ENCODING};
use serde_json::{Map, Value};
use std::future::poll_fn;
use std::pin::Pin;

/// The largest body that is kept, in bytes: room for tens of thousands of ids.
const LARGEST: usize = 1 << 20;

/// What is read and thrown away of a larger one, so that its sender gets to read the 413.
const MOST_READ: usize = 256 << 20;

/// A request body as it arrived.
#[derive(Debug, Clone)]
pub(super) enum Payload {
    /// All of it.
    Whole(Vec<u8>),
    /// More than the sandbox keeps.
    TooLarge,
    /// In an encoding that the sandbox does not undo.
    Encoded,
}

impl Payload {
    /// Reads it to its end; a body that has none, since the connection broke or fell silent, is refused.
    pub(super) async fn read(headers: &HeaderMap, mut body: Body) -> Result<Payload, Refusal> {
        let (mut kept, mut total) = (Vec::new(), 0);
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let frame =
                frame.map_err(|_| Refusal::invalid("invalid_format", "body", "Must come whole, as the headers say"))?;
            let Some(bytes) = frame.data_ref() else {
                continue;
            };
            total += bytes.len();
            if total <= LARGEST {
                kept.extend_from_slice(bytes);
            } else if total > MOST_READ {
                break;
            }
        }
        Ok(match total {
            _ if is_encoded(headers) => Payload::Encoded,
            ..=LARGEST => Payload::Whole(kept),
            _ => Payload::TooLarge,
        })
    }

    /// The body's JSON object; an empty body is an empty one.
    pub(super) fn object(&self) -> Result<Map<String, Value>, Refusal> {
        let bytes = self.bytes()?.trim_ascii();
        if bytes.is_empty() {
            return Ok(Map::new());
        }
        let mut problems = Problems::default();
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(object)) => return Ok(object),
            Ok(_) => problems.wrong_type("body", "an object"),
            Err(error) => problems.add("invalid_format", "body", format!("Must be JSON: {error}")),
        }
        Err(problems.refusal())
    }

    fn bytes(&self) -> Result<&[u8], Refusal> {
        match self {
            Payload::Whole(bytes) => Ok(bytes),
            Payload::Encoded => Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "A body must not have any Content-Encoding.",
            )),
            Payload::TooLarge => Err(Refusal::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "payload_too_large",
                format!("The body is larger than {LARGEST} bytes."),
            )),
        }
    }
}

fn is_encoded(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_ENCODING).iter();
    values.any(|value| !value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

/// The object under `name`, or the problem that it is none: missing and null are not objects either.
pub(super) fn child<'a>(
    parent: &'a Map<String, Value>,
    name: &str,
    problems: &mut Problems,
) -> Option<&'a Map<String, Value>> {
    let found = parent.get(name).and_then(Value::as_object);
    if found.is_none() {
        problems.wrong_type(name, "an object");
    }
    found
}

/// The strings of an array, without repetitions, in their first order; anything else is a problem.
pub(super) fn strings(value: &Value, name: &str, problems: &mut Problems) -> Vec<String> {
    let Some(items) = value.as_array() else {
        problems.wrong_type(name, "an array");
        return Vec::new();
    };
    if items.iter().any(|item| !item.is_string()) {
        problems.wrong_type(name, "a string");
    }
    let mut seen = std::collections::HashSet::new();
    items.iter().filter_map(Value::as_str).filter(|item| seen.insert(*item)).map(str::to_owned).collect()
}
