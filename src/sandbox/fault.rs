//! Simulated faults: their kinds, their random sequence, and their effect on requests and
//! responses.

use super::rate_limit::Window;
use super::response::ApiError;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderValue, StatusCode, header::CONTENT_LENGTH};
use axum::response::{Html, IntoResponse, Response};
use futures_util::{StreamExt, stream};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The delay of a `slow` response.
const SLOW_DELAY: Duration = Duration::from_secs(2);

/// The text of a simulated response.
const FAULT_MESSAGE: &str = "A simulated fault of the sandbox.";

const KINDS_BY_NAME: [(&str, FaultKind); 10] = [
    ("500", FaultKind::Status(StatusCode::INTERNAL_SERVER_ERROR)),
    ("502", FaultKind::Status(StatusCode::BAD_GATEWAY)),
    ("503", FaultKind::Status(StatusCode::SERVICE_UNAVAILABLE)),
    ("429", FaultKind::Status(StatusCode::TOO_MANY_REQUESTS)),
    ("drop", FaultKind::Drop),
    ("drop-before", FaultKind::DropBefore),
    ("drop-after", FaultKind::DropAfter),
    ("truncate", FaultKind::Truncate),
    ("slow", FaultKind::Slow),
    ("html", FaultKind::Html),
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FaultKind {
    /// The request is not processed; the response has this status.
    Status(StatusCode),
    /// The request is not processed; the response is a 502 with an HTML page, like that of a proxy.
    Html,
    /// `DropBefore` or `DropAfter`, at random.
    Drop,
    /// The request is not processed, and the connection closes.
    DropBefore,
    /// The request is processed, and the connection closes.
    DropAfter,
    /// The request is processed, and the connection closes halfway through the response's body.
    Truncate,
    /// The request is processed, and the response is delayed.
    Slow,
}

/// A fault and its share of the requests, such as `drop:0.05`.
#[derive(Debug, Clone)]
pub struct Fault {
    kind: FaultKind,
    share: f64,
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Fault, String> {
        let (name, share_text) = text
            .split_once(':')
            .ok_or_else(|| format!("{text:?} has no share; {}", expected_syntax()))?;
        let (_, kind) = KINDS_BY_NAME
            .into_iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| format!("unknown fault '{name}'; {}", expected_syntax()))?;
        if let Ok(share) = share_text.parse()
            && (0.0..=1.0).contains(&share)
        {
            return Ok(Fault { kind, share });
        }
        let syntax = expected_syntax();
        Err(format!(
            "the share of {name} must be a number from 0 to 1; {syntax}"
        ))
    }
}

fn expected_syntax() -> String {
    let names = KINDS_BY_NAME.map(|(name, _)| name).join(", ");
    format!("expected KIND:SHARE, such as 500:0.1; kinds: {names}")
}

/// A random sequence of faults. The same seed gives the same sequence.
#[derive(Debug)]
pub struct FaultSequence {
    faults: Vec<Fault>,
    /// The state of the random number generator.
    state: AtomicU64,
}

impl FaultSequence {
    pub fn new(faults: Vec<Fault>, seed: Option<u64>) -> FaultSequence {
        let state = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        FaultSequence {
            faults,
            state: AtomicU64::new(state),
        }
    }

    /// Returns the fault of the next request, if any. Each request uses two random numbers, so that
    /// the sequence does not depend on earlier faults.
    pub fn next_fault(&self) -> Option<FaultKind> {
        let mut chance = self.random();
        let drops_before = self.random() < 0.5;
        // Each fault has a part of the range from 0 to 1 that is as long as its share.
        for fault in &self.faults {
            if chance < fault.share {
                return Some(match fault.kind {
                    FaultKind::Drop if drops_before => FaultKind::DropBefore,
                    FaultKind::Drop => FaultKind::DropAfter,
                    kind => kind,
                });
            }
            chance -= fault.share;
        }
        None
    }

    /// Returns the next number of a splitmix64 sequence, from 0 to below 1.
    fn random(&self) -> f64 {
        const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;
        let previous = self.state.fetch_add(INCREMENT, Ordering::Relaxed);
        let mut mixed = previous.wrapping_add(INCREMENT);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the response of a fault that prevents the processing of the request; `None` for other
/// faults.
pub fn response_without_processing(fault: FaultKind, rate_limit: u32) -> Option<Response> {
    match fault {
        FaultKind::Status(status) => {
            let error = ApiError::new(status, FAULT_MESSAGE);
            let mut response = error.into_response();
            if status == StatusCode::TOO_MANY_REQUESTS {
                Window::exhausted(rate_limit).write_headers(response.headers_mut());
            }
            Some(response)
        }
        FaultKind::Html => {
            let page = Html(format!("<!doctype html>\n<h1>{FAULT_MESSAGE}</h1>\n"));
            Some((StatusCode::BAD_GATEWAY, page).into_response())
        }
        FaultKind::DropBefore => Some(closed_connection()),
        _ => None,
    }
}

/// Applies a fault to the response of a processed request.
pub async fn response_after_processing(fault: FaultKind, response: Response) -> Response {
    match fault {
        FaultKind::DropAfter => closed_connection(),
        FaultKind::Truncate => truncate_response(response).await,
        FaultKind::Slow => {
            tokio::time::sleep(SLOW_DELAY).await;
            response
        }
        _ => response,
    }
}

/// Returns a response that closes the connection, because its body fails before the server sends
/// the head.
fn closed_connection() -> Response {
    let failure = stream::iter([Err::<Bytes, _>(broken_pipe())]);
    Response::new(Body::from_stream(failure))
}

/// Returns a response of the head and half of the body, which then closes the connection.
async fn truncate_response(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let length = HeaderValue::from(body.len());
    head.headers.insert(CONTENT_LENGTH, length);
    let half = stream::iter([Ok(body.slice(..body.len() / 2))]);
    let failure = stream::once(async {
        // The server sends the first half while it waits for the rest.
        tokio::time::sleep(Duration::from_millis(1)).await;
        Err(broken_pipe())
    });
    Response::from_parts(head, Body::from_stream(half.chain(failure)))
}

fn broken_pipe() -> io::Error {
    io::Error::from(io::ErrorKind::BrokenPipe)
}
