//! What every request passes before it is routed: its origin (403), latency, simulated faults, authentication (401, 403)
//! and the rate limit (429). A request that a fault stopped does not count towards the limit.

use super::request::{Admitted, Server};
use super::response::{ApiError, ApiResult};
use super::{account, fault};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, request::Parts, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

/// The largest request body, in bytes: room for hundreds of thousands of ids.
const MAX_BODY: usize = 16 << 20;

/// Decides whether a request gets through, as a layer around all routes.
pub(super) async fn gate(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    if let Err(refused) = refuse_web_pages(&head.headers, server.port) {
        return refused.into_response();
    }
    // Before any refusal, because a caller that is still sending could not read it.
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        let message = "The body is incomplete or too large.";
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message).into_response();
    };
    // Even a sleep of no time would last a millisecond.
    if !server.options.latency.is_zero() {
        tokio::time::sleep(server.options.latency).await;
    }
    let effect = server.faults.lock().unwrap_or_else(PoisonError::into_inner).next();
    if let Some(response) = effect.and_then(|effect| fault::instead(effect, server.options.rate_limit)) {
        return response;
    }
    let response = admit(&server, head, body, next).await.unwrap_or_else(IntoResponse::into_response);
    match effect {
        Some(effect) => fault::afterwards(effect, response).await,
        None => response,
    }
}

async fn admit(server: &Server, head: Parts, body: Bytes, next: Next) -> ApiResult {
    let account = account::authenticate(&head.headers)?;
    let window = server.windows.count(account.key);
    let mut response = if window.is_exceeded() {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "Rate limit exceeded.").into_response()
    } else {
        let mut request = Request::from_parts(head, Body::empty());
        request.extensions_mut().insert(Admitted { account, body });
        next.run(request).await
    };
    window.write(response.headers_mut());
    Ok(response)
}

/// Refuses what a web page could have sent. A page's request to another host has an `Origin`; a request to a name of the
/// page's own that leads to this machine has that name as its `Host`.
fn refuse_web_pages(headers: &HeaderMap, port: u16) -> Result<(), ApiError> {
    let message = match () {
        () if headers.contains_key(ORIGIN) => {
            "The sandbox refuses requests with an Origin: a web page may have sent them."
        }
        () if !is_own_host(headers, port) => "The Host is not the sandbox's own loopback address.",
        () => return Ok(()),
    };
    Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", message))
}

/// Whether the only `Host` is this machine's loopback address or its name, with this port.
fn is_own_host(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(HOST).iter().map(|host| Authority::try_from(host.as_bytes()));
    let (Some(Ok(host)), None) = (hosts.next(), hosts.next()) else { return false };
    let name = host.host().trim_matches(['[', ']']).trim_end_matches('.');
    let is_loopback = name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback && host.port_u16().unwrap_or(80) == port
}
