//! One authenticated request as an endpoint sees it, its JSON body, and the state that all requests share.

use super::Options;
use super::account::Account;
use super::database::Store;
use super::fault::Faults;
use super::rate_limit::Windows;
use super::response::{ApiError, Problems};
use super::time::{self, Millis};
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// The state that all requests share.
pub(super) struct Server {
    pub(super) options: Options,
    /// The port that it listens on.
    pub(super) port: u16,
    pub(super) store: Store,
    pub(super) faults: Mutex<Faults>,
    pub(super) windows: Windows,
}

/// What the gate adds to a request that it lets through.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) account: &'static Account,
    pub(super) body: Bytes,
}

/// A request that passed the gate.
pub(super) struct ApiRequest {
    pub(super) server: Arc<Server>,
    pub(super) account: &'static Account,
    /// The query string as sent, without its `?`.
    pub(super) query: String,
    /// When the request arrived; the one time of all that it changes.
    pub(super) now: Millis,
    body: Bytes,
    path: Vec<(String, String)>,
}

impl ApiRequest {
    /// The path parameter of that name, decoded. The route decides which exist.
    pub(super) fn path(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The body's JSON object; no body is an empty object.
    pub(super) fn object(&self) -> Result<Map<String, Value>, ApiError> {
        let body = self.body.trim_ascii();
        if body.is_empty() {
            return Ok(Map::new());
        }
        let mut problems = Problems::default();
        match serde_json::from_slice(body) {
            Ok(Value::Object(object)) => return Ok(object),
            Ok(_) => problems.wrong_type("body", "an object"),
            Err(error) => problems.add("invalid_format", "body", format!("Must be JSON: {error}")),
        }
        Err(problems.bad_request())
    }
}

impl FromRequest<Arc<Server>> for ApiRequest {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<ApiRequest, ApiError> {
        let (mut parts, _) = request.into_parts();
        // No record has an id that is not UTF-8.
        let path = RawPathParams::from_request_parts(&mut parts, server).await;
        let path = path.map_err(|_| ApiError::not_found("Resource"))?;
        let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let admitted = parts.extensions.remove();
        let Admitted { account, body } = admitted.ok_or_else(|| ApiError::not_found("Resource"))?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(ApiRequest { server: Arc::clone(server), account, query, now: time::now(), body, path })
    }
}

/// The object under `name`; anything else, also nothing, is a problem.
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

/// The distinct strings of an array, in their first order; anything else is a problem.
pub(super) fn strings(value: &Value, name: &str, problems: &mut Problems) -> Vec<String> {
    let Some(items) = value.as_array() else {
        problems.wrong_type(name, "an array");
        return Vec::new();
    };
    if items.iter().any(|item| !item.is_string()) {
        problems.wrong_type(name, "a string");
    }
    let mut seen = HashSet::new();
    items.iter().filter_map(Value::as_str).filter(|item| seen.insert(*item)).map(str::to_owned).collect()
}
