//! Maps the error table of the spec ("Errors") to error kinds. The status decides; the body adds
//! the message and details.

use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use crate::error::{Detail, Error, Kind};
use crate::resources::hide_passwords;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the service has made a change of this process, or may have.
static CHANGE_MADE: AtomicBool = AtomicBool::new(false);

/// Records whether the service has made a change, or may have.
pub fn record_change(was_made: bool) {
    CHANGE_MADE.fetch_or(was_made, Ordering::Relaxed);
}

/// Returns the fact that the service did not process a change. Earlier changes are not denied.
pub fn not_made() -> &'static str {
    if CHANGE_MADE.load(Ordering::Relaxed) {
        "this change was not made"
    } else {
        "no changes were made"
    }
}
use serde_json::Value;

/// The hint of an exceeded rate limit.
const RATE_LIMIT_HINT: &str =
    "retry in a minute, or show the remaining requests: sitectl auth status";

/// Returns the failure of a request that was not sent, because it must not wait for the rate limit.
pub fn rate_limit_refusal() -> FailedAttempt {
    FailedAttempt {
        failure: Failure::NotSent,
        error: Error::new(Kind::RateLimited, "rate limit exceeded").with_hint(RATE_LIMIT_HINT),
    }
}

/// Returns the error of a status that is not a success. `final_error` adapts it if the request was
/// a change.
pub fn error_from_status(status: u16, body: &[u8]) -> Error {
    // Every part can be missing, null, or of another type. Indexing such a `Value` returns null.
    let envelope: Value = serde_json::from_slice(body).unwrap_or_default();
    let error_object = &envelope["error"];
    let (kind, meaning) = match status {
        400 | 422 => (
            Kind::Invalid,
            format!("the service rejected the request ({status})"),
        ),
        401 => (Kind::Auth, "the service rejected the token (401)".into()),
        403 => (Kind::Auth, "the service rejected the account (403)".into()),
        404 => (Kind::NotFound, "not found (404)".into()),
        409 => (Kind::Conflict, "conflict with other work (409)".into()),
        429 => (Kind::RateLimited, "rate limit exceeded (429)".into()),
        _ if is_redirect(status) => (
            Kind::Unavailable,
            format!(
                "the service responded with {status}, a redirect, which sitectl does not follow"
            ),
        ),
        _ => (
            Kind::Unavailable,
            format!("the service responded with {status}"),
        ),
    };
    let message = match nonempty_text(&error_object["message"]) {
        // The service's own message says that the request is invalid.
        Some(text) if kind == Kind::Invalid => text,
        Some(text) => format!("{meaning}: {text}"),
        None => meaning,
    };
    let details = error_object["details"].as_array().into_iter().flatten();
    let error = Error::new(kind, message)
        .with_status(status, nonempty_text(&error_object["code"]))
        .with_details(details.filter_map(parse_detail).collect());
    let hint = match status {
        401 => "check SITECTL_TOKEN or the profile's token: sitectl auth status",
        403 => {
            "ask the account's owner to activate the account, \
             or show the causes: sitectl explain auth"
        }
        429 => RATE_LIMIT_HINT,
        _ => return error,
    };
    error.with_hint(hint)
}

/// Whether a status is a redirect. A 304 is none, because it has no target.
fn is_redirect(status: u16) -> bool {
    (300..400).contains(&status) && status != 304
}

/// Returns the error after the last attempt. For a change: `UnknownOutcome` if the service may have
/// processed it. Errors of an unavailable service get a hint.
pub fn final_error(failed: FailedAttempt, effect: Effect) -> Error {
    let FailedAttempt { failure, error } = failed;
    let error = match effect {
        Effect::Read => error,
        Effect::Change if !failure.surely_not_processed() => {
            return error.with_kind(Kind::UnknownOutcome);
        }
        // The message already says that the service rejected the change.
        Effect::Change if error.status.is_some() => error,
        Effect::Change => error.append_to_message(not_made()),
    };
    if error.kind != Kind::Unavailable {
        return error;
    }
    let hint = match failure {
        Failure::NotSent | Failure::Tls => {
            "check the base URL and the network: sitectl auth status -v"
        }
        Failure::Status(status) if is_redirect(status) => "check the base URL: sitectl auth status",
        _ => "retry later, or show each request: sitectl auth status -v",
    };
    error.with_fallback_hint(|| hint.into())
}

/// Reads an item of `details`. The code replaces a missing message; None if both are missing.
fn parse_detail(value: &Value) -> Option<Detail> {
    let code = nonempty_text(&value["code"]);
    let param = nonempty_text(&value["param"]).unwrap_or_default();
    let message = nonempty_text(&value["message"]).or_else(|| code.clone())?;
    Some(Detail::new(&code.unwrap_or_default(), &param, message))
}

/// Returns the trimmed text of a JSON string, cut after 200 characters; None if it is empty or the
/// value is no string.
fn nonempty_text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| quoted_part(text))
}

/// Returns what an error message quotes of a text from the service: at most 200 characters, without
/// passwords.
pub fn quoted_part(text: &str) -> String {
    let text = hide_passwords(text);
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn responded_with(status: u16, body: &str, effect: Effect) -> Error {
        let error = error_from_status(status, body.as_bytes());
        final_error(
            FailedAttempt {
                failure: Failure::Status(status),
                error,
            },
            effect,
        )
    }

    #[test]
    fn the_status_decides() {
        let cases = [
            (400, Kind::Invalid),
            (401, Kind::Auth),
            (403, Kind::Auth),
            (404, Kind::NotFound),
            (409, Kind::Conflict),
            (422, Kind::Invalid),
            (429, Kind::RateLimited),
            (307, Kind::Unavailable),
            (418, Kind::Unavailable),
        ];
        for (status, kind) in cases {
            for body in [
                "",
                "<html>",
                "[]",
                "null",
                r#"{"error":null}"#,
                r#"{"error":{"details":null}}"#,
                r#"{"error":"no"}"#,
                r#"{"error":{"message":" "}}"#,
            ] {
                for effect in [Effect::Read, Effect::Change] {
                    let error = responded_with(status, body, effect);
                    assert_eq!(
                        (error.kind, error.status),
                        (kind, Some(status)),
                        "{status} {body}"
                    );
                    let without_body = responded_with(status, "", effect);
                    assert_eq!(error.message, without_body.message, "{status} {body}");
                }
            }
        }
    }

    #[test]
    fn a_server_error_or_a_redirect_leaves_a_change_unknown() {
        for status in [301, 302, 303, 408, 500, 502, 503, 504] {
            assert_eq!(
                responded_with(status, "", Effect::Change).kind,
                Kind::UnknownOutcome
            );
            assert_eq!(
                responded_with(status, "", Effect::Read).kind,
                Kind::Unavailable
            );
        }
        assert_eq!(
            responded_with(304, "", Effect::Change).message,
            "the service responded with 304"
        );
    }

    #[test]
    fn messages_quote_at_most_200_characters() {
        let long = "\u{17c}".repeat(201);
        let body =
            format!(r#"{{"error":{{"message":"{long}","details":[{{"message":"{long}"}}]}}}}"#);
        let error = error_from_status(422, body.as_bytes());
        let cut = format!("{}…", "\u{17c}".repeat(200));
        assert_eq!((&error.message, &error.details[0].message), (&cut, &cut));
    }

    #[test]
    fn details_are_read_if_they_exist() {
        let body = br#"{"error":{"status":422,"code":"unprocessable_entity","message":"Unprocessable entity.","details":[
            {"code":"already_exists","param":"email","message":"Has already been taken"},{"code":"max_quota","param":"base"},"plain",7,null]}}"#;
        let error = error_from_status(422, body);
        assert_eq!(error.code.as_deref(), Some("unprocessable_entity"));
        let shown: Vec<_> = error
            .details
            .iter()
            .map(|d| (d.code.as_str(), d.param.as_str(), d.message.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("already_exists", "email", "Has already been taken"),
                ("max_quota", "base", "max_quota"),
            ]
        );
    }
}
