//! What every request passes, in this order: where it comes from (403), its whole arrival (400), latency, practice
//! faults, authentication (401, 403), the rate limit (429).
//!
//! Only then is it routed (404, 405) and validated. So an unknown path without a token is a 401, and a request
//! that a fault struck before it was done counts towards no limit.

use super::accounts::authenticate;
use super::answer::Refusal;
use super::body::Payload;
use super::call::Admitted;
use super::fault::Fate;
use super::limits::Allowance;
use super::line::Fuse;
use super::server::Server;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How late a `slow` answer is.
const SLOW: Duration = Duration::from_secs(2);

/// Refuses what a web page could have sent. A page's request to another host has an `Origin`; one to a name of its own
/// that leads to this machine has that name as its `Host`.
pub(super) async fn refuse_web_pages(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let refused = |message| Refusal::new(StatusCode::FORBIDDEN, "forbidden", message).into_response();
    if request.headers().contains_key(header::ORIGIN) {
        return refused("The sandbox answers no request with an Origin: a web page may have sent it.");
    }
    if !is_own_host(request.headers(), server.port) {
        return refused("The Host is not the sandbox's own loopback address.");
    }
    next.run(request).await
}

/// Whether the only `Host` is this machine's loopback address or its name, with this port.
fn is_own_host(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter().map(|host| Authority::try_from(host.as_bytes()));
    let (Some(Ok(host)), None) = (hosts.next(), hosts.next()) else { return false };
    let name = host.host().trim_matches(['[', ']']).trim_end_matches('.');
    let is_loopback = name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback && host.port_u16().unwrap_or(80) == port
}

/// The gate, as a layer around all routes.
pub(super) async fn pass(
    State(server): State<Arc<Server>>,
    ConnectInfo(fuse): ConnectInfo<Fuse>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    // Even a refused request is read to its end: who is still sending could not read the refusal.
    let payload = match Payload::read(&parts.headers, body).await {
        Ok(payload) => payload,
        Err(refusal) => return refusal.into_response(),
    };
    if fuse.is_ambiguous() {
        let message = "Must have either Content-Length or Transfer-Encoding, not both";
        return Refusal::invalid("invalid_format", "request", message).into_response();
    }
    fuse.taken_up();
    let request = Request::from_parts(parts, Body::empty());
    // Even a sleep of no time would last a millisecond.
    if !server.latency.is_zero() {
        tokio::time::sleep(server.latency).await;
    }
    let fate = server.roll();
    match fate {
        Fate::Status(status) => return practice(&server, status),
        Fate::Html(status) => return html(status),
        Fate::DropBefore => {
            fuse.cut();
            return StatusCode::OK.into_response();
        }
        Fate::Fair | Fate::DropAfter | Fate::Truncate | Fate::Slow => {}
    }
    let response = admit(&server, payload, request, next).await;
    match fate {
        Fate::DropAfter => fuse.cut(),
        Fate::Truncate => fuse.halve(),
        Fate::Slow => tokio::time::sleep(SLOW).await,
        _ => {}
    }
    response
}

async fn admit(server: &Server, payload: Payload, mut request: Request, next: Next) -> Response {
    let account = match authenticate(request.headers()) {
        Ok(account) => account,
        Err(refusal) => return refusal.into_response(),
    };
    let allowance = server.limiter().take(account.key, Instant::now());
    let mut response = if allowance.granted {
        request.extensions_mut().insert(Admitted { account, payload });
        next.run(request).await
    } else {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "Rate limit exceeded.").into_response()
    };
    allowance.write(response.headers_mut());
    response
}

/// A refusal that nothing but `--fault` is the reason of.
fn practice(server: &Server, status: u16) -> Response {
    let (status, code) = match status {
        429 => (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
        502 => (StatusCode::BAD_GATEWAY, "bad_gateway"),
        503 => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "internal_error"),
    };
    let mut response = Refusal::new(status, code, "A practice fault of the sandbox.").into_response();
    if status == StatusCode::TOO_MANY_REQUESTS {
        Allowance::exhausted(server.rate_limit).write(response.headers_mut());
    }
    response
}

fn html(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let page = "<!doctype html>\n<title>Gateway</title>\n<h1>A practice fault of the sandbox</h1>\n";
    (status, Html(page)).into_response()
}
