//! Reports of the transport, because the client prints nothing.

use std::fmt;
use std::time::Duration;

/// One HTTP exchange. Nothing in it contains the token.
#[derive(Debug)]
pub struct Exchange {
    /// Such as `GET https://…`.
    pub request: String,
    /// The status, or the error.
    pub outcome: String,
    /// From sending the request to the end of the response.
    pub elapsed: Duration,
    /// 1, or more if the same request was sent before.
    pub attempt: u32,
    /// Requests remaining in this window.
    pub remaining: Option<u64>,
    /// Requests allowed per window.
    pub limit: Option<u64>,
    /// The status line and headers of the response.
    pub head: Vec<String>,
    /// All headers and bodies, if they are wanted.
    pub details: Vec<String>,
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} ({:.0?}", self.request, self.outcome, self.elapsed)?;
        if self.attempt > 1 {
            write!(f, ", attempt {}", self.attempt)?;
        }
        match (self.remaining, self.limit) {
            (Some(left), Some(limit)) => write!(f, ", {left} of {limit} requests left)"),
            (Some(left), None) => write!(f, ", {left} requests left)"),
            (None, _) => f.write_str(")"),
        }
    }
}

/// Receives what the transport reports.
pub trait Observer {
    /// An exchange ended.
    fn exchanged(&self, exchange: &Exchange);
    /// Whether all headers and bodies are wanted.
    fn wants_details(&self) -> bool;
    /// A wait begins.
    fn pausing(&self, why: &'static str, duration: Duration);
}
