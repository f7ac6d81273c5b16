//! Maps the error table of the spec ("Errors") to error kinds. The status decides; the body adds
//! the message and details.

use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use crate::error::{Detail, Error, Hint, Kind};
use crate::passwords::hide_passwords;
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of changes of a command that the service has made, or may have made. It is shared
/// with the thread that ends an interrupted command.
#[derive(Debug, Default, Clone)]
pub struct ChangeLog(Arc<AtomicUsize>);

impl ChangeLog {
    /// Adds a change that is about to be sent.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a change that was surely not processed.
    pub fn remove(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether the service has made no change.
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Returns the fact that the service did not process a change. Other changes are not denied.
    pub fn not_made(&self) -> &'static str {
        if self.is_empty() {
            "no changes were made"
        } else {
            "this change was not made"
        }
    }
}

/// Returns the failure of a request that was not sent, because it must not wait for the rate limit.
pub fn rate_limit_refusal() -> FailedAttempt {
    FailedAttempt {
        failure: Failure::NotSent,
        error: Error::new(Kind::RateLimited, "rate limit exceeded").with_hint(rate_limit_hint()),
    }
}

/// Returns the error of a status that is not a success. `final_error` adapts it if the request was
/// a change.
pub fn error_from_status(status: u16, body: &[u8]) -> Error {
    let is_page = !is_redirect(status) && !is_from_api(body);
    let page = is_page.then(|| describe_page(&String::from_utf8_lossy(body)));
    if let Some(page) = page.as_ref().filter(|_| status != 429) {
        return error_from_page(status, page);
    }
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
        405 => (
            Kind::Unavailable,
            "the path does not support the method (405)".into(),
        ),
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
    let text = nonempty_text(&error_object["message"]);
    let message = match page.map(|page| format!("the response {page}")).or(text) {
        Some(text) => format!("{meaning}: {text}"),
        None => meaning,
    };
    let details = error_object["details"].as_array().into_iter().flatten();
    let error = Error::new(kind, message)
        .with_status(status, nonempty_text(&error_object["code"]))
        .with_details(details.filter_map(parse_detail).collect());
    let hint = match status {
        401 => Hint::AuthStatus("check SITECTL_TOKEN or the profile's token", ""),
        403 => Hint::command(
            "ask the account's owner to activate the account, or show the causes",
            "explain auth",
        ),
        405 => Hint::command("check the method and the path", "explain unavailable"),
        429 => rate_limit_hint(),
        _ => return error,
    };
    error.with_hint(hint)
}

fn rate_limit_hint() -> Hint {
    Hint::AuthStatus("retry in a minute, or show the remaining requests", "")
}

/// Whether the API can have sent this body: a JSON object, a list, null, or nothing.
fn is_from_api(body: &[u8]) -> bool {
    let json = serde_json::from_slice::<&RawValue>(body);
    body.trim_ascii().is_empty() || json.is_ok_and(|json| json.get().starts_with(['{', '[', 'n']))
}

/// Describes a body that is not the API's.
fn describe_page(body: &str) -> String {
    let title = body
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"))
        .map_or(String::new(), |(title, _)| {
            format!(" and has the title '{}'", quoted_part(title.trim()))
        });
    format!("is not from the API: it is not JSON{title}")
}

/// Returns the error of a response that a firewall or a proxy sent instead of the API. Its status
/// says nothing about the token or a record.
fn error_from_page(status: u16, page: &str) -> Error {
    let message = format!("the response with status {status} {page}");
    let error = Error::new(Kind::Unavailable, message).with_status(status, None);
    if Failure::Status(status).surely_not_processed() {
        error.with_hint(Hint::AuthStatus(
            "a firewall or a proxy may have blocked the request; show the response",
            " -vv",
        ))
    } else {
        error
    }
}

/// Whether a status is a redirect. A 304 is none, because it has no target.
fn is_redirect(status: u16) -> bool {
    (300..400).contains(&status) && status != 304
}

/// Returns the error after the last attempt. For a change: `UnknownOutcome` if the service may have
/// processed it. Errors of an unavailable service get a hint. `changes` are those of the command.
pub fn final_error(failed: FailedAttempt, effect: Effect, changes: &ChangeLog) -> Error {
    let FailedAttempt { failure, error } = failed;
    let error = match effect {
        Effect::Read => error,
        Effect::Change if !failure.surely_not_processed() => {
            return error.with_kind(Kind::UnknownOutcome);
        }
        // The message already says that the service rejected the change.
        Effect::Change if error.status.is_some() && error.kind != Kind::Unavailable => error,
        Effect::Change => error.append_to_message(changes.not_made()),
    };
    if error.kind != Kind::Unavailable {
        return error;
    }
    let hint = match failure {
        Failure::NotSent | Failure::Tls => {
            Hint::AuthStatus("check the base URL and the network", " -v")
        }
        Failure::Status(status) if is_redirect(status) => {
            Hint::AuthStatus("check the base URL", "")
        }
        _ => Hint::AuthStatus("retry later, or show each request", " -v"),
    };
    error.with_fallback_hint(hint)
}

/// Reads an item of `details`. The code replaces a missing message; None if both are missing.
fn parse_detail(value: &Value) -> Option<Detail> {
    let code = nonempty_text(&value["code"]);
    let message = nonempty_text(&value["message"]).or_else(|| code.clone())?;
    Some(Detail {
        code,
        param: nonempty_text(&value["param"]).unwrap_or_default(),
        ..Detail::note(message)
    })
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
            &ChangeLog::default(),
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
                " ",
                "[]",
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
            "the service responded with 304; no changes were made"
        );
    }

    #[test]
    fn a_page_is_not_a_statement_of_the_service() {
        let page = "<html><title> Access denied </title></html>";
        for status in [400, 401, 403, 404, 405, 409, 422] {
            for body in [page, "Forbidden", "7"] {
                let read = responded_with(status, body, Effect::Read);
                let change = responded_with(status, body, Effect::Change);
                for error in [&read, &change] {
                    assert_eq!(error.kind, Kind::Unavailable, "{status} {body}");
                    assert_eq!(error.status, Some(status));
                }
                let message = format!("{}; no changes were made", read.message);
                assert_eq!(change.message, message);
            }
        }
        assert_eq!(
            responded_with(403, page, Effect::Read).message,
            "the response with status 403 is not from the API: it is not JSON and has the title \
             'Access denied'"
        );
        let lost = responded_with(502, page, Effect::Change);
        assert_eq!((lost.kind, lost.hints.len()), (Kind::UnknownOutcome, 0));
        let limited = responded_with(429, page, Effect::Change);
        assert_eq!(limited.kind, Kind::RateLimited);
        let named = "(429): the response is not from the API";
        assert!(limited.message.contains(named), "{limited}");
        let refused = responded_with(403, "null", Effect::Read);
        assert_eq!(refused.kind, Kind::Auth);
    }

    #[test]
    fn messages_quote_at_most_200_characters() {
        let long = "\u{17c}".repeat(201);
        let body =
            format!(r#"{{"error":{{"message":"{long}","details":[{{"message":"{long}"}}]}}}}"#);
        let error = error_from_status(422, body.as_bytes());
        let cut = format!("{}…", "\u{17c}".repeat(200));
        assert_eq!(error.details[0].message, cut);
        assert!(error.message.ends_with(&cut), "{error}");
    }
}
