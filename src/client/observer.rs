//! The reports of the client to its caller, because the client prints nothing.

use super::pages::ListEndpoint;
use super::rate_limit::RateLimitHeaders;
use super::request::{Request, Response};
use super::retry::FailedAttempt;
use crate::resources::Record;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, SET_COOKIE};
use std::time::Duration;

/// Receives the reports of the client.
pub trait Observer {
    /// Receives an exchange when it ends.
    fn on_exchange(&self, exchange: &Exchange<'_>);
    /// Receives a wait when it begins.
    fn on_wait(&self, reason: &str, duration: Duration);
    /// Receives the records of a page when it arrives, of a list that is read without a filter or a
    /// limit.
    fn on_records(&self, endpoint: &ListEndpoint, records: &[Record]);
}

/// One HTTP exchange. Its texts can contain the token, which the terminal masks.
pub struct Exchange<'e> {
    pub request: &'e Request,
    pub url: &'e str,
    pub request_headers: &'e HeaderMap,
    pub result: Result<&'e Response, &'e FailedAttempt>,
    /// The time from sending the request to the end of the response.
    pub elapsed: Duration,
    /// The number of times that this request was sent, with this one. More than 1 means a retry.
    pub attempt: u32,
}

impl Exchange<'_> {
    /// Describes the exchange in one line.
    pub fn summary(&self) -> String {
        let mut notes = format!("{:.0?}", self.elapsed);
        if self.attempt > 1 {
            notes += &format!(", attempt {}", self.attempt);
        }
        let outcome = match self.result {
            Ok(response) => {
                let rate_limit = RateLimitHeaders::read(response.status, &response.headers);
                if let Some(rate_limit) = rate_limit {
                    notes += &format!(", {}", rate_limit.summary());
                }
                response.status.to_string()
            }
            Err(failed) => failed.error.message.clone(),
        };
        let method = &self.request.method;
        format!("{method} {} -> {outcome} ({notes})", self.url)
    }

    /// Returns the status line and the headers of the response, and an empty line after them.
    /// Returns no lines if no response arrived.
    pub fn response_head(&self) -> Vec<String> {
        let Ok(response) = self.result else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if let Ok(status) = StatusCode::from_u16(response.status) {
            lines.push(format!("HTTP {status}"));
        }
        lines.extend(header_lines("", &response.headers));
        lines.push(String::new());
        lines
    }

    /// Returns the headers and bodies: lines of the request begin with `>`, of the response with
    /// `<`.
    pub fn headers_and_bodies(&self) -> Vec<String> {
        let mut lines = header_lines("> ", self.request_headers);
        if let Some(body) = &self.request.body {
            lines.push(format!("> {body}"));
        }
        if let Ok(response) = self.result {
            lines.extend(header_lines("< ", &response.headers));
            lines.push(format!("< {}", String::from_utf8_lossy(&response.body)));
        }
        lines
    }
}

/// Returns each header on a line that begins with `prefix`. Credentials are masked.
fn header_lines(prefix: &str, headers: &HeaderMap) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in headers {
        let text = if value.is_sensitive() || name == SET_COOKIE {
            "***".into()
        } else {
            String::from_utf8_lossy(value.as_bytes())
        };
        lines.push(format!("{prefix}{name}: {text}"));
    }
    lines
}
