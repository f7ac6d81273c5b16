//! The checks before routing: origin (403), latency, simulated faults, authentication (401, 403)
//! and rate limit (429).
//!
//! Requests with a fault that prevents processing do not count toward the limit.

use super::request::SharedState;
use super::response::ApiError;
use super::{account, fault};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Maximum size of a request body: 16 MiB, enough for hundreds of thousands of ids.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Applies all checks, as a layer around the routes.
pub async fn check_request(
    State(state): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    if let Err(error) = refuse_web_pages(&head.headers, state.address.port()) {
        return error.into_response();
    }
    // Read the body first, because a caller that is still sending would not read the response.
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        let message = "The body is incomplete or too large.";
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message).into_response();
    };
    // Even a sleep of zero takes a millisecond.
    if !state.options.latency.is_zero() {
        tokio::time::sleep(state.options.latency).await;
    }
    let fault = state.faults.next_fault();
    let early_response =
        fault.and_then(|fault| fault::response_without_processing(fault, state.options.rate_limit));
    if let Some(response) = early_response {
        return response;
    }
    let request = Request::from_parts(head, Body::from(body));
    let response = authenticate_and_run(&state, request, next)
        .await
        .unwrap_or_else(IntoResponse::into_response);
    match fault {
        Some(fault) => fault::response_after_processing(fault, response).await,
        None => response,
    }
}

/// Authenticates the request, counts it toward the rate limit, and passes it to its endpoint. All
/// responses to authenticated requests have the headers of the rate limit.
async fn authenticate_and_run(
    state: &SharedState,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let account = account::authenticate(request.headers())?;
    let window = state.rate_limiter.count_request(account.key);
    let mut response = if window.is_exceeded() {
        let message = "Rate limit exceeded.";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message).into_response()
    } else {
        request.extensions_mut().insert(account);
        next.run(request).await
    };
    window.write_headers(response.headers_mut());
    Ok(response)
}

/// Refuses requests that a web page may have sent.
///
/// A web page's requests to other hosts have an `Origin`. Its requests to its own name have that
/// name as `Host`, also if the name resolves to this machine.
fn refuse_web_pages(headers: &HeaderMap, port: u16) -> Result<(), ApiError> {
    let message = if headers.contains_key(ORIGIN) {
        "The sandbox refuses requests with an Origin: a web page may have sent them."
    } else if !is_own_host(headers, port) {
        "The Host is not the sandbox's own loopback address."
    } else {
        return Ok(());
    };
    Err(ApiError::new(StatusCode::FORBIDDEN, message))
}

/// Whether the request has exactly one `Host`, a loopback address or `localhost` with this port. 80
/// is the default port of HTTP.
fn is_own_host(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(host) = Authority::try_from(host.as_bytes()) else {
        return false;
    };
    let name = host.host().trim_matches(['[', ']']).trim_end_matches('.');
    let is_loopback = name.eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback && host.port_u16().unwrap_or(80) == port
}
