//! The rate limit: a fixed window per account (spec, "Limits").

use super::middleware::Account;
use super::server::Server;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// An account's window, with the current request counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    limit: u32,
    requests: u32,
    end: Instant,
}

impl Window {
    /// Counts a request. A window begins with its first request and lasts its full length.
    pub(super) fn count(server: &Server, account: &Account) -> Window {
        let (now, options) = (Instant::now(), &server.options);
        let next = Window { limit: options.rate_limit, requests: 0, end: now + options.rate_window };
        let mut windows = server.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(account.key).or_insert(next);
        if window.end <= now {
            *window = next;
        }
        window.requests += 1;
        *window
    }

    /// The window of a simulated 429: nothing is left, and the next begins in a second.
    pub(super) fn exhausted(limit: u32) -> Window {
        Window { limit, requests: u32::MAX, end: Instant::now() + Duration::from_secs(1) }
    }

    pub(super) fn is_exceeded(self) -> bool {
        self.requests > self.limit
    }

    /// Adds the `X-RateLimit-*` headers, and `Retry-After` if the limit is exceeded. Seconds are rounded up.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        let reset = self.end.saturating_duration_since(Instant::now());
        let seconds = u64::try_from(reset.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        let mut add = |name, value: u64| headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
        add("x-ratelimit-limit", self.limit.into());
        add("x-ratelimit-remaining", self.limit.saturating_sub(self.requests).into());
        add("x-ratelimit-reset", seconds);
        if self.is_exceeded() {
            add("retry-after", seconds);
        }
    }
}
