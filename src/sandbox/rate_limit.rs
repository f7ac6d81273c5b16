//! The rate limit: a fixed window per account (spec, "Limits").

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The window of an account, including the current request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    limit: u32,
    requests: u32,
    end: Instant,
}

/// The current windows by account key.
pub(super) struct Windows {
    limit: u32,
    length: Duration,
    accounts: Mutex<HashMap<i64, Window>>,
}

impl Windows {
    pub(super) fn new(limit: u32, length: Duration) -> Windows {
        Windows {
            limit,
            length,
            accounts: Mutex::default(),
        }
    }

    /// Counts a request. A window begins with its first request and lasts its full length.
    pub(super) fn count(&self, account: i64) -> Window {
        let now = Instant::now();
        let next = Window {
            limit: self.limit,
            requests: 0,
            end: now + self.length,
        };
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let window = accounts.entry(account).or_insert(next);
        if window.end <= now {
            *window = next;
        }
        window.requests += 1;
        *window
    }
}

impl Window {
    /// Returns the window of a simulated 429, which ends in a second.
    pub(super) fn exhausted(limit: u32) -> Window {
        Window {
            limit,
            requests: u32::MAX,
            end: Instant::now() + Duration::from_secs(1),
        }
    }

    pub(super) fn is_exceeded(self) -> bool {
        self.requests > self.limit
    }

    /// Adds the `X-RateLimit-*` headers, and `Retry-After` if the limit is exceeded. Seconds are rounded up.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        let reset = self.end.saturating_duration_since(Instant::now());
        let seconds = u64::try_from(reset.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        let mut add = |name, value: u64| {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(value))
        };
        add("x-ratelimit-limit", self.limit.into());
        add(
            "x-ratelimit-remaining",
            self.limit.saturating_sub(self.requests).into(),
        );
        add("x-ratelimit-reset", seconds);
        if self.is_exceeded() {
            add("retry-after", seconds);
        }
    }
}
