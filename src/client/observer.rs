//! Reports of the transport, because the client prints nothing.

use super::pages::Listing;
use super::rate_limit::RateLimitHeaders;
use super::request::{Request, Response};
use super::retry::FailedAttempt;
use crate::resources::Record;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use std::time::Duration;

/// One HTTP exchange. Its texts can contain the token, which the terminal masks.
pub struct Exchange<'e> {
    pub(super) request: &'e Request,
    pub(super) url: &'e str,
    /// The headers of the request.
    pub(super) headers: &'e HeaderMap,
    pub(super) result: Result<&'e Response, &'e FailedAttempt>,
    /// From sending the request to the end of the response.
    pub(super) elapsed: Duration,
    /// 1, or more if the same request was sent before.
    pub(super) attempt: u32,
}

impl Exchange<'_> {
    /// Describes the exchange in one line.
    pub fn line(&self) -> String {
        let mut notes = vec![format!("{:.0?}", self.elapsed)];
        if self.attempt > 1 {
            notes.push(format!("attempt {}", self.attempt));
        }
        let reported = self
            .result
            .ok()
            .and_then(|response| RateLimitHeaders::read(response.status, &response.headers));
        notes.extend(reported.map(|reported| reported.words()));
        let outcome = match self.result {
            Ok(response) => response.status.to_string(),
            Err(failed) => failed.error.message.clone(),
        };
        format!(
            "{} {} -> {outcome} ({})",
            self.request.method,
            self.url,
            notes.join(", ")
        )
    }

    /// Returns the status line and headers of the response and an empty line, if a response arrived.
    pub fn head(&self) -> Vec<String> {
        let Ok(response) = self.result else {
            return Vec::new();
        };
        let status = StatusCode::from_u16(response.status).map(|status| format!("HTTP {status}"));
        status
            .into_iter()
            .chain(lines("", &response.headers, None))
            .chain([String::new()])
            .collect()
    }

    /// Returns all headers and bodies.
    pub fn details(&self) -> Vec<String> {
        let sent = lines(
            "> ",
            self.headers,
            self.request.body.as_deref().map(str::as_bytes),
        );
        let received = self
            .result
            .ok()
            .map(|response| lines("< ", &response.headers, Some(&response.body)));
        sent.into_iter()
            .chain(received.into_iter().flatten())
            .collect()
    }
}

/// Returns the headers without credentials, and the body, each on a line that begins with `mark`.
fn lines(mark: &str, headers: &HeaderMap, body: Option<&[u8]>) -> Vec<String> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| match value.is_sensitive()
        || name == SET_COOKIE
    {
        true => format!("{mark}{name}: ***"),
        false => format!(
            "{mark}{name}: {}",
            String::from_utf8_lossy(value.as_bytes())
        ),
    };
    let body = body.map(|body| format!("{mark}{}", String::from_utf8_lossy(body)));
    headers.iter().map(text).chain(body).collect()
}

/// Receives what the transport reports.
pub trait Observer {
    /// An exchange ended.
    fn exchanged(&self, exchange: &Exchange<'_>);
    /// A wait begins.
    fn pausing(&self, why: &'static str, duration: Duration);
    /// Records of a list arrived.
    fn listed(&self, listing: &Listing, records: &[Record]);
}
