//! An authenticated request, its JSON body, and the shared state.

use super::Options;
use super::account::Account;
use super::database::Store;
use super::fault::FaultSequence;
use super::rate_limit::RateLimiter;
use super::response::{ApiError, Problems};
use super::time::{self, Millis};
use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;

/// The state that all requests share.
pub struct SharedState {
    pub options: Options,
    /// The address of the server, also if `options` leave the port to the system.
    pub address: SocketAddr,
    pub store: Store,
    pub faults: FaultSequence,
    pub rate_limiter: RateLimiter,
}

/// A request that passed all checks of `middleware.rs`.
pub struct ApiRequest {
    pub state: Arc<SharedState>,
    pub account: &'static Account,
    /// The query string without `?`.
    pub query: String,
    /// The time of arrival, which is the time of all changes that the request makes.
    pub now: Millis,
    body: Bytes,
    path_parameters: RawPathParams,
}

impl ApiRequest {
    /// Returns a decoded path parameter; empty if the route has no such parameter.
    pub fn path_parameter(&self, name: &str) -> &str {
        self.path_parameters
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    /// Parses the body as a JSON object. An empty body counts as an empty object.
    pub fn body_object(&self) -> Result<Map<String, Value>, ApiError> {
        let body = self.body.trim_ascii();
        if body.is_empty() {
            return Ok(Map::new());
        }
        let mut problems = Problems::default();
        match serde_json::from_slice(body) {
            Ok(Value::Object(object)) => return Ok(object),
            Ok(_) => problems.add_wrong_type("body", "an object"),
            Err(error) => problems.add("invalid_format", "body", format!("Must be JSON: {error}")),
        }
        Err(problems.bad_request())
    }
}

impl FromRequest<Arc<SharedState>> for ApiRequest {
    type Rejection = ApiError;

    async fn from_request(
        request: Request,
        state: &Arc<SharedState>,
    ) -> Result<ApiRequest, ApiError> {
        let (mut parts, body) = request.into_parts();
        // An id that is not UTF-8 does not exist.
        let path_parameters = RawPathParams::from_request_parts(&mut parts, state)
            .await
            .map_err(|_| ApiError::not_found("Resource"))?;
        // `middleware.rs` has added the account, and has read and limited the body, so neither of
        // these can fail.
        let account = parts
            .extensions
            .remove()
            .ok_or_else(|| ApiError::not_found("Resource"))?;
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(ApiRequest {
            state: Arc::clone(state),
            account,
            query,
            now: time::now_millis(),
            body,
            path_parameters,
        })
    }
}

/// Returns the object under `name`. A missing value, or one of another type, is a 400.
pub fn child_object<'a>(
    parent: &'a Map<String, Value>,
    name: &str,
) -> Result<&'a Map<String, Value>, ApiError> {
    let child = parent.get(name).and_then(Value::as_object);
    child.ok_or_else(|| {
        let mut problems = Problems::default();
        problems.add_wrong_type(name, "an object");
        problems.bad_request()
    })
}

/// Returns the distinct strings of an array in their order. Another value, or an item that is not a
/// string, is a problem and is left out.
pub fn distinct_strings(value: &Value, name: &str, problems: &mut Problems) -> Vec<String> {
    let Some(items) = value.as_array() else {
        problems.add_wrong_type(name, "an array");
        return Vec::new();
    };
    if items.iter().any(|item| !item.is_string()) {
        problems.add_wrong_type(name, "a string");
    }
    let mut seen = HashSet::new();
    items
        .iter()
        .filter_map(Value::as_str)
        .filter(|item| seen.insert(*item))
        .map(str::to_owned)
        .collect()
}
