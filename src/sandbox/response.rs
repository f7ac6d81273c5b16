//! JSON responses and error responses (spec, "Errors").

use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

/// The body of a response, or an error response.
pub type ApiResult = Result<Value, ApiError>;

pub fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json")];
    (status, headers, body.to_string()).into_response()
}

/// One problem in `error.details`.
#[derive(Debug, Serialize)]
struct Detail {
    code: &'static str,
    param: String,
    message: String,
}

/// An error response.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
    details: Vec<Detail>,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            message: message.into(),
            details: Vec::new(),
        }
    }

    /// Returns a 404 for a missing resource, such as `Client`.
    pub fn not_found(title: &str) -> ApiError {
        let message = format!("{title} not found.");
        ApiError::new(StatusCode::NOT_FOUND, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // The code is the reason phrase, such as `not_found`.
        let reason = self.status.canonical_reason().unwrap_or_default();
        let error = json!({
            "status": self.status.as_u16(),
            "code": reason.to_lowercase().replace(' ', "_"),
            "message": self.message,
            "details": self.details,
        });
        json_response(self.status, &json!({ "error": error }))
    }
}

/// Database errors are a 500, because the caller did not cause them.
impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> ApiError {
        let message = format!("Sandbox database: {error}.");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

/// Collects all problems of a request for one response.
#[derive(Debug, Default)]
pub struct Problems(Vec<Detail>);

impl Problems {
    pub fn add(
        &mut self,
        code: &'static str,
        param: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.0.push(Detail {
            code,
            param: param.into(),
            message: message.into(),
        });
    }

    /// Adds `blank`: missing or empty.
    pub fn add_blank(&mut self, param: &str) {
        self.add("blank", param, "Can't be blank");
    }

    /// Adds `invalid_type`; `expected` is, for example, "a string".
    pub fn add_wrong_type(&mut self, param: &str, expected: &str) {
        self.add("invalid_type", param, format!("Must be {expected}"));
    }

    /// Returns a 400 with the problems.
    pub fn bad_request(self) -> ApiError {
        let message = "Invalid parameters.";
        ApiError {
            details: self.0,
            ..ApiError::new(StatusCode::BAD_REQUEST, message)
        }
    }

    /// Returns a 400 if the request has problems.
    pub fn bad_request_if_any(self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(self.bad_request())
        }
    }

    /// Returns a 422 if the request has problems.
    pub fn unprocessable_if_any(self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let message = "Unprocessable entity.";
        Err(ApiError {
            details: self.0,
            ..ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
        })
    }
}
