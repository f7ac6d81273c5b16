//! What the transport tells whoever is watching: the api prints nothing itself.

use std::time::Duration;

/// One HTTP exchange, for `-v`. Nothing in it holds the token.
#[derive(Debug)]
pub struct Exchange<'e> {
    /// Such as GET.
    pub method: &'e str,
    /// The whole address.
    pub url: &'e str,
    /// The request's headers, the token masked.
    pub request_headers: &'e [(String, String)],
    /// The request's body.
    pub request_body: Option<&'e str>,
    /// The status and headers of the answer, where one came.
    pub answer: Option<(u16, &'e [(String, String)])>,
    /// The answer's body, or what went wrong.
    pub outcome: &'e str,
    /// From sending to the whole answer.
    pub elapsed: Duration,
    /// 1, or more where the same request was sent before.
    pub attempt: u32,
    /// What is left of the rate limit.
    pub remaining: Option<u64>,
    /// The rate limit.
    pub limit: Option<u64>,
}

/// Why the transport is waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The rate limit is used up.
    RateLimit,
    /// The last attempt failed.
    Retry,
}

/// Someone who wants to know.
pub trait Observer {
    /// An exchange ended.
    fn exchanged(&self, exchange: &Exchange<'_>);
    /// Whether headers and bodies are of interest: preparing them costs time.
    fn wants_bodies(&self) -> bool;
    /// Whether the headers of answers are.
    fn wants_headers(&self) -> bool;
    /// A wait begins.
    fn pausing(&self, pause: Pause, duration: Duration);
}

/// A status with its usual words.
pub fn status_line(status: u16) -> String {
    let words = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    words.map_or_else(|| status.to_string(), |words| format!("{status} {words}"))
}
