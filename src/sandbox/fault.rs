//! Simulated faults: their kinds, their random sequence, and their effect on requests and responses.

use super::rate_limit::Window;
use super::response::ApiError;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderValue, StatusCode, header::CONTENT_LENGTH};
use axum::response::{Html, IntoResponse, Response};
use futures_util::{StreamExt, stream};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::str::FromStr;
use std::time::Duration;

/// The delay of a `slow` response.
const SLOW: Duration = Duration::from_secs(2);

/// The text of a simulated response.
const FAULT: &str = "A simulated fault of the sandbox.";

/// The kinds of faults.
const KINDS: [(&str, Effect); 10] = [
    ("500", Effect::Status(StatusCode::INTERNAL_SERVER_ERROR)),
    ("502", Effect::Status(StatusCode::BAD_GATEWAY)),
    ("503", Effect::Status(StatusCode::SERVICE_UNAVAILABLE)),
    ("429", Effect::Status(StatusCode::TOO_MANY_REQUESTS)),
    ("drop", Effect::Drop),
    ("drop-before", Effect::DropBefore),
    ("drop-after", Effect::DropAfter),
    ("truncate", Effect::Truncate),
    ("slow", Effect::Slow),
    ("html", Effect::Html),
];

/// The effect of a fault on a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Effect {
    /// The request is not processed; the response has this status.
    Status(StatusCode),
    /// The request is not processed; the response is a 502 with an HTML page, like that of a proxy.
    Html,
    /// `DropBefore` or `DropAfter`.
    Drop,
    /// The request is not processed, and the connection closes.
    DropBefore,
    /// The request is processed, and the connection closes.
    DropAfter,
    /// The request is processed, and the connection closes halfway through the body of the response.
    Truncate,
    /// The request is processed, and the response is delayed.
    Slow,
}

/// A fault and its share of the requests, such as `drop:0.05`.
#[derive(Debug, Clone)]
pub struct Fault {
    effect: Effect,
    share: f64,
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(spec: &str) -> Result<Fault, String> {
        let (name, share) = spec
            .split_once(':')
            .ok_or_else(|| format!("{spec:?} has no share; {}", allowed()))?;
        let effect = KINDS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, effect)| *effect);
        let effect = effect.ok_or_else(|| format!("unknown fault {name:?}; {}", allowed()))?;
        let share = share
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share));
        let share = share.ok_or_else(|| {
            format!(
                "the share of {name} must be a number from 0 to 1; {}",
                allowed()
            )
        })?;
        Ok(Fault { effect, share })
    }
}

fn allowed() -> String {
    let kinds = KINDS
        .iter()
        .map(|(name, _)| *name)
        .collect::<Vec<_>>()
        .join(", ");
    format!("expected KIND:SHARE, such as 500:0.1; kinds: {kinds}")
}

/// A random sequence of faults. The same seed gives the same sequence.
#[derive(Debug)]
pub(super) struct Faults {
    faults: Vec<Fault>,
    state: u64,
}

impl Faults {
    pub(super) fn new(faults: Vec<Fault>, seed: Option<u64>) -> Faults {
        Faults {
            faults,
            state: seed.unwrap_or_else(|| RandomState::new().hash_one(0)),
        }
    }

    /// Returns the effect on the next request, if any.
    pub(super) fn next(&mut self) -> Option<Effect> {
        let (mut chance, coin) = (self.random(), self.random() < 0.5);
        for fault in &self.faults {
            if chance < fault.share {
                return Some(match fault.effect {
                    Effect::Drop if coin => Effect::DropBefore,
                    Effect::Drop => Effect::DropAfter,
                    effect => effect,
                });
            }
            chance -= fault.share;
        }
        None
    }

    /// Returns the next number of a splitmix64 sequence, from 0 to below 1.
    fn random(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the response of a fault that prevents the processing of the request.
pub(super) fn instead(effect: Effect, limit: u32) -> Option<Response> {
    match effect {
        Effect::Status(status) => {
            let mut response = ApiError::new(status, "simulated_fault", FAULT).into_response();
            if status == StatusCode::TOO_MANY_REQUESTS {
                Window::exhausted(limit).write(response.headers_mut());
            }
            Some(response)
        }
        Effect::Html => Some(
            (
                StatusCode::BAD_GATEWAY,
                Html(format!("<!doctype html>\n<h1>{FAULT}</h1>\n")),
            )
                .into_response(),
        ),
        Effect::DropBefore => Some(dropped()),
        _ => None,
    }
}

/// Applies a fault to the response of a processed request.
pub(super) async fn afterwards(effect: Effect, response: Response) -> Response {
    match effect {
        Effect::DropAfter => dropped(),
        Effect::Truncate => truncated(response).await,
        Effect::Slow => {
            tokio::time::sleep(SLOW).await;
            response
        }
        _ => response,
    }
}

/// Returns a response that closes the connection. Its body fails before the server sends the head.
fn dropped() -> Response {
    Response::new(Body::from_stream(stream::iter([Err::<Bytes, _>(
        io::Error::from(io::ErrorKind::BrokenPipe),
    )])))
}

/// Returns the head and half of the body, and then closes the connection.
async fn truncated(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts
        .headers
        .insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    let failure = stream::once(async {
        // The server sends the first half while it waits for the rest.
        tokio::time::sleep(Duration::from_millis(1)).await;
        Err(io::Error::from(io::ErrorKind::BrokenPipe))
    });
    let half = stream::iter([Ok(body.slice(..body.len() / 2))]);
    Response::from_parts(parts, Body::from_stream(half.chain(failure)))
}
