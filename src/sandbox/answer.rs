//! What an endpoint gives back: a JSON answer, or a refusal in the standard error body (spec, "Errors").

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;

/// What every endpoint returns.
pub(super) type Answered = Result<Answer, Refusal>;

/// A successful answer, its body already JSON.
pub(super) struct Answer {
    status: StatusCode,
    json: Vec<u8>,
}

impl Answer {
    pub(super) fn ok(json: Vec<u8>) -> Answer {
        Answer { status: StatusCode::OK, json }
    }

    pub(super) fn created(json: Vec<u8>) -> Answer {
        Answer { status: StatusCode::CREATED, json }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.json).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// One reason of a refusal.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    code: &'static str,
    param: String,
    message: String,
}

/// An answer that is not what the caller asked for.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: Cow<'static, str>,
    details: Vec<Detail>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status, code, message: message.into(), details: Vec::new() }
    }

    /// 400 for this one reason.
    pub(super) fn invalid(code: &'static str, param: &str, message: &str) -> Refusal {
        let mut problems = Problems::default();
        problems.add(code, param, message);
        problems.refusal()
    }

    /// 404, saying what was not found.
    pub(super) fn not_found(what: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not_found", format!("{what} not found."))
    }

    /// 409.
    pub(super) fn conflict(message: &'static str) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, "conflict", message)
    }

    /// 500.
    pub(super) fn internal(message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
    }

    /// The error body, as it goes over the wire.
    pub(super) fn json(&self) -> Vec<u8> {
        let error = serde_json::json!({
            "status": self.status.as_u16(), "code": self.code, "message": self.message, "details": self.details,
        });
        serde_json::json!({ "error": error }).to_string().into_bytes()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Answer { status: self.status, json: self.json() }.into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A database that cannot answer is the sandbox's own fault, never the caller's.
impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Refusal {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The sandbox's database is busy.")
            }
            _ => Refusal::internal(format!("Sandbox database: {error}.")),
        }
    }
}

/// Collects every problem of a request, so that they are reported together.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<Detail>);

impl Problems {
    pub(super) fn add(&mut self, code: &'static str, param: impl Into<String>, message: impl Into<String>) {
        self.0.push(Detail { code, param: param.into(), message: message.into() });
    }

    /// `blank`: missing or empty.
    pub(super) fn blank(&mut self, param: &str) {
        self.add("blank", param, "Can't be blank");
    }

    /// `invalid_type`: `wanted` is, for example, "a string".
    pub(super) fn wrong_type(&mut self, param: &str, wanted: &str) {
        self.add("invalid_type", param, format!("Must be {wanted}"));
    }

    /// The 400 with these problems.
    pub(super) fn refusal(self) -> Refusal {
        Refusal { details: self.0, ..Refusal::new(StatusCode::BAD_REQUEST, "bad_request", "Invalid parameters.") }
    }

    /// 400 where a problem was found.
    pub(super) fn invalid(self) -> Result<(), Refusal> {
        if self.0.is_empty() { Ok(()) } else { Err(self.refusal()) }
    }

    /// 422 where a problem was found.
    pub(super) fn unprocessable(self) -> Result<(), Refusal> {
        let refusal = Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "unprocessable_entity", "Unprocessable entity.");
        if self.0.is_empty() { Ok(()) } else { Err(Refusal { details: self.0, ..refusal }) }
    }
}
