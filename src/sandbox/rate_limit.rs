//! The rate limit: a fixed window per account (spec, "Limits").

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The window of an account, including the current request.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    limit: u32,
    requests: u32,
    end: Instant,
}

pub struct RateLimiter {
    /// Requests per window.
    limit: u32,
    window_length: Duration,
    /// The current window of each account, by its key.
    windows: Mutex<HashMap<i64, Window>>,
}

impl RateLimiter {
    pub fn new(limit: u32, window_length: Duration) -> RateLimiter {
        RateLimiter {
            limit,
            window_length,
            windows: Mutex::default(),
        }
    }

    /// Counts a request, and returns the account's window including it. A window begins with its
    /// first request and lasts its full length.
    pub fn count_request(&self, account_key: i64) -> Window {
        let now = Instant::now();
        let new_window = Window {
            limit: self.limit,
            requests: 0,
            end: now + self.window_length,
        };
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(account_key).or_insert(new_window);
        if window.end <= now {
            *window = new_window;
        }
        window.requests += 1;
        *window
    }
}

impl Window {
    /// Returns the window of a simulated 429, which ends in a second.
    pub fn exhausted(limit: u32) -> Window {
        Window {
            limit,
            requests: u32::MAX,
            end: Instant::now() + Duration::from_secs(1),
        }
    }

    pub fn is_exceeded(self) -> bool {
        self.requests > self.limit
    }

    /// Adds the `X-RateLimit-*` headers, and `Retry-After` if the limit is exceeded. Seconds are
    /// rounded up.
    pub fn write_headers(self, headers: &mut HeaderMap) {
        let time_left = self.end.saturating_duration_since(Instant::now());
        let seconds = u64::try_from(time_left.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        let remaining = self.limit.saturating_sub(self.requests);
        let mut insert = |name, value: u64| {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(value))
        };
        insert("x-ratelimit-limit", self.limit.into());
        insert("x-ratelimit-remaining", remaining.into());
        insert("x-ratelimit-reset", seconds);
        if self.is_exceeded() {
            insert("retry-after", seconds);
        }
    }
}
