//! Maps the error table of the spec ("Errors") to error kinds. The status decides; the body adds the message and details.

use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use crate::error::{Detail, Error, Kind};
use serde_json::Value;

/// Returns the error of a status that is not a success, in response to a read.
pub fn from_status(status: u16, body: &[u8]) -> Error {
    // Every part can be missing, null, or of another type.
    let envelope: Value = serde_json::from_slice(body).unwrap_or_default();
    let body = &envelope["error"];
    let said = text(&body["message"]);
    let details = body["details"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(detail)
        .collect();
    let error = match status {
        400 | 422 => {
            Error::new(Kind::Invalid, said.unwrap_or_else(|| format!("the service rejected the request ({status})")))
        }
        401 => Error::new(Kind::Auth, with_message("the service rejected the token (401)", said))
            .with_hint("check SITECTL_TOKEN or the profile's token: sitectl auth status"),
        403 => Error::new(Kind::Auth, with_message("the service rejected the account (403)", said))
            .with_hint("ask the account's owner to activate the account, or show the causes: sitectl explain auth"),
        404 => Error::new(Kind::NotFound, with_message("not found (404)", said)),
        409 => Error::new(Kind::Conflict, with_message("conflict with other work (409)", said)),
        429 => Error::new(Kind::RateLimited, with_message("rate limit exceeded (429)", said))
            .with_hint("retry in a minute, or show the remaining requests: sitectl auth status"),
        _ => Error::new(Kind::Unavailable, with_message(&responded(status), said)),
    };
    error
        .with_status(status, text(&body["code"]))
        .with_details(details)
}

/// Whether a status is a redirect. A 304 has no target.
fn is_redirect(status: u16) -> bool {
    (300..400).contains(&status) && status != 304
}

fn responded(status: u16) -> String {
    let redirect = if is_redirect(status) {
        ", a redirect, which sitectl does not follow"
    } else {
        ""
    };
    format!("the service responded with {status}{redirect}")
}

/// Returns the error of a request that is not retried: it says whether the change was made, and has a hint if it was not.
pub fn final_error(failed: FailedAttempt, effect: Effect) -> Error {
    let FailedAttempt { failure, error, .. } = failed;
    let error = match effect {
        Effect::Read => error,
        Effect::Change if !failure.surely_not_processed() => {
            return error.with_kind(Kind::UnknownOutcome);
        }
        Effect::Change if error.status.is_some() => error,
        Effect::Change => error.map_text(|text| format!("{text}; no changes were made")),
    };
    let usual = match failure {
        Failure::NotSent | Failure::Refused => {
            "check the base URL and the network: sitectl auth status -v"
        }
        Failure::Status(status) if is_redirect(status) => "check the base URL: sitectl auth status",
        _ => "retry later, or show each request: sitectl auth status -v",
    };
    if error.kind == Kind::Unavailable {
        error.with_fallback_hint(|| usual.into())
    } else {
        error
    }
}

fn detail(value: &Value) -> Option<Detail> {
    let (code, param) = (text(&value["code"]), text(&value["param"]));
    let message = text(&value["message"]).or_else(|| code.clone())?;
    Some(Detail::new(
        &code.unwrap_or_default(),
        &param.unwrap_or_default(),
        message,
    ))
}

fn text(value: &Value) -> Option<String> {
    value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_string)
}

fn with_message(fact: &str, said: Option<String>) -> String {
    said.map_or_else(|| fact.to_string(), |said| format!("{fact}: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn responded_with(status: u16, body: &str, effect: Effect) -> Error {
        let error = from_status(status, body.as_bytes());
        final_error(
            FailedAttempt {
                failure: Failure::Status(status),
                error,
                wait: None,
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
            ] {
                for effect in [Effect::Read, Effect::Change] {
                    let error = responded_with(status, body, effect);
                    assert_eq!(
                        (error.kind, error.status),
                        (kind, Some(status)),
                        "{status} {body}"
                    );
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
    fn details_are_read_if_they_exist() {
        let body = br#"{"error":{"status":422,"code":"unprocessable_entity","message":"Unprocessable entity.","details":[
            {"code":"already_exists","param":"email","message":"Has already been taken"},{"code":"max_quota","param":"base"},"plain",7,null]}}"#;
        let error = from_status(422, body);
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
