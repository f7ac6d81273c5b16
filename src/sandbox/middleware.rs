//! The checks before routing: origin (403), latency, simulated faults, authentication (401, 403) and rate limit (429).
//! Requests with a fault that prevents processing do not count toward the limit.

use super::request::Server;
use super::response::ApiError;
use super::{account, fault};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

/// Maximum size of a request body: hundreds of thousands of ids.
const MAX_BODY: usize = 16 << 20;

/// Applies all checks, as a layer around the routes.
pub(super) async fn gate(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    if let Err(refused) = refuse_web_pages(&head.headers, server.port) {
        return refused.into_response();
    }
    // Read the body first, because a caller that is still sending would not read the response.
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        let message = "The body is incomplete or too large.";
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
            .into_response();
    };
    // Because a sleep of zero takes a millisecond.
    if !server.options.latency.is_zero() {
        tokio::time::sleep(server.options.latency).await;
    }
    let effect = server
        .faults
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .next();
    if let Some(response) =
        effect.and_then(|effect| fault::instead(effect, server.options.rate_limit))
    {
        return response;
    }
    let request = Request::from_parts(head, Body::from(body));
    let response = admit(&server, request, next)
        .await
        .unwrap_or_else(IntoResponse::into_response);
    match effect {
        Some(effect) => fault::afterwards(effect, response).await,
        None => response,
    }
}

async fn admit(server: &Server, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let account = account::authenticate(request.headers())?;
    let window = server.windows.count(account.key);
    let mut response = if window.is_exceeded() {
        ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            "Rate limit exceeded.",
        )
        .into_response()
    } else {
        request.extensions_mut().insert(account);
        next.run(request).await
    };
    window.write(response.headers_mut());
    Ok(response)
}

/// Refuses requests that a web page may have sent. Its requests to other hosts have an `Origin`; requests to its own name
/// have that name as `Host`, also if the name resolves to this machine.
fn refuse_web_pages(headers: &HeaderMap, port: u16) -> Result<(), ApiError> {
    let message = if headers.contains_key(ORIGIN) {
        "The sandbox refuses requests with an Origin: a web page may have sent them."
    } else if is_own_host(headers, port) {
        return Ok(());
    } else {
        "The Host is not the sandbox's own loopback address."
    };
    Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", message))
}

/// Whether the only `Host` is a loopback address or `localhost`, with this port.
fn is_own_host(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers
        .get_all(HOST)
        .iter()
        .map(|host| Authority::try_from(host.as_bytes()));
    let (Some(Ok(host)), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let name = host.host().trim_matches(['[', ']']).trim_end_matches('.');
    let is_loopback = name.eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback && host.port_u16().unwrap_or(80) == port
}
