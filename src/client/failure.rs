//! The error table of the spec ("Errors"), mapped to sitectl's kinds. The status decides; the body adds words.

use super::http::Missed;
use super::request::Effect;
use super::retry::Miss;
use crate::error::{Detail, Error, Kind};
use serde_json::Value;

/// The error body of the spec. Anything may be missing, null, or of another form.
#[derive(Default)]
struct ErrorBody {
    code: Option<String>,
    message: Option<String>,
    details: Vec<Detail>,
}

/// The error for a status that is not a success. `points_to` is where a redirect points.
pub fn from_status(status: u16, body: &[u8], points_to: Option<&str>, effect: Effect) -> Error {
    let body = error_body(body);
    let said = body.message;
    let error = match status {
        400 | 422 => {
            Error::new(Kind::Invalid, said.unwrap_or_else(|| format!("the service refused the request ({status})")))
        }
        401 => Error::new(Kind::Auth, with_words("the service does not accept the token (401)", said))
            .hint("check SITECTL_TOKEN or the profile's token, and that it belongs to this base URL"),
        403 => Error::new(Kind::Auth, with_words("the service refuses this account (403)", said))
            .hint("the account may be inactive; ask its owner"),
        404 => Error::new(Kind::NotFound, with_words("not found (404)", said)),
        409 => Error::new(Kind::Conflict, with_words("other work is in the way (409)", said)),
        429 => Error::new(Kind::RateLimited, with_words("the rate limit is used up (429)", said))
            .hint("try again in a minute; sitectl auth status shows what remains"),
        _ if effect == Effect::Change && !Miss::Status(status).surely_not_processed() => {
            Error::new(Kind::UnknownOutcome, with_words(&answered(status, points_to), said))
        }
        _ if is_redirect(status) => {
            Error::new(Kind::Unavailable, with_words(&answered(status, points_to), said)).hint("check the base URL")
        }
        _ => Error::new(Kind::Unavailable, with_words(&answered(status, points_to), said))
            .hint("try again later; -v shows each exchange"),
    };
    error.status(status, body.code).details(body.details)
}

/// A 304 points nowhere: it says that nothing has changed.
fn is_redirect(status: u16) -> bool {
    (300..400).contains(&status) && status != 304
}

/// The kind that a status becomes, where it changes nothing; none for one that is no refusal.
pub fn kind_of(status: u16) -> Option<Kind> {
    (300..600).contains(&status).then(|| from_status(status, b"", None, Effect::Read).kind)
}

fn answered(status: u16, points_to: Option<&str>) -> String {
    match points_to {
        _ if !is_redirect(status) => format!("the service answered {status}"),
        Some(place) => format!("the service answered {status}, a redirect to {place}, which sitectl does not follow"),
        None => format!("the service answered {status}, a redirect, which sitectl does not follow"),
    }
}

/// The error for an attempt that got no usable answer.
pub fn from_miss(missed: Missed, effect: Effect) -> Error {
    let Missed { miss, what, hint } = missed;
    if effect == Effect::Change && !miss.surely_not_processed() {
        return Error::new(Kind::UnknownOutcome, what);
    }
    let what = if effect == Effect::Change { format!("{what}; nothing was sent") } else { what };
    let usual = match miss {
        Miss::NotSent | Miss::Refused => "check the base URL and the network; -v shows each exchange",
        _ => "try again later; -v shows each exchange",
    };
    Error::new(Kind::Unavailable, what).hint(hint.unwrap_or_else(|| usual.into()))
}

/// Reads what is there of an error body.
fn error_body(body: &[u8]) -> ErrorBody {
    let Ok(envelope) = serde_json::from_slice::<Value>(body) else { return ErrorBody::default() };
    let error = &envelope["error"];
    let details = error["details"].as_array().into_iter().flatten().filter_map(detail).collect();
    ErrorBody { code: text(&error["code"]), message: text(&error["message"]), details }
}

fn detail(value: &Value) -> Option<Detail> {
    let (code, param) = (text(&value["code"]), text(&value["param"]));
    let message = text(&value["message"]).or_else(|| code.clone())?;
    Some(Detail::new(&code.unwrap_or_default(), &param.unwrap_or_default(), message))
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_string)
}

fn with_words(fact: &str, said: Option<String>) -> String {
    said.map_or_else(|| fact.to_string(), |said| format!("{fact}: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            for body in
                ["", "<html>", "[]", "null", r#"{"error":null}"#, r#"{"error":{"details":null}}"#, r#"{"error":"no"}"#]
            {
                for effect in [Effect::Read, Effect::Change] {
                    let error = from_status(status, body.as_bytes(), None, effect);
                    assert_eq!((error.kind, error.status), (kind, Some(status)), "{status} {body}");
                }
            }
        }
    }

    #[test]
    fn a_server_error_or_a_redirect_leaves_a_change_unknown() {
        for status in [301, 302, 303, 408, 500, 502, 503, 504] {
            assert_eq!(from_status(status, b"", Some("x"), Effect::Change).kind, Kind::UnknownOutcome);
            assert_eq!(from_status(status, b"", Some("x"), Effect::Read).kind, Kind::Unavailable);
        }
        assert_eq!(from_status(304, b"", None, Effect::Change).message, "the service answered 304");
    }

    #[test]
    fn details_are_read_where_they_are_there() {
        let body = br#"{"error":{"status":422,"code":"unprocessable_entity","message":"Unprocessable entity.","details":[
            {"code":"already_exists","param":"email","message":"Has already been taken"},{"code":"max_quota","param":"base"},"plain",7,null]}}"#;
        let error = from_status(422, body, None, Effect::Change);
        assert_eq!(error.code.as_deref(), Some("unprocessable_entity"));
        let shown: Vec<_> =
            error.details.iter().map(|d| (d.code.as_str(), d.param.as_str(), d.message.as_str())).collect();
        assert_eq!(shown, [("already_exists", "email", "Has already been taken"), ("max_quota", "base", "max_quota"),]);
    }
}
