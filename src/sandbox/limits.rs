//! The rate limit: a fixed window per account, kept in memory (spec, "Limits").

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Counts requests per account.
#[derive(Debug)]
pub(super) struct Limiter {
    limit: u32,
    window: Duration,
    /// By account key: when its window began and how many requests it has had since.
    windows: HashMap<i64, (Instant, u32)>,
}

/// What a request finds left of its account's window, counting itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    /// Whether this request is still within the limit.
    pub(super) granted: bool,
    limit: u32,
    remaining: u32,
    reset: Duration,
}

impl Limiter {
    pub(super) fn new(limit: u32, window: Duration) -> Limiter {
        Limiter { limit, window, windows: HashMap::new() }
    }

    /// Counts one request. A window begins with its first request and lasts its full length.
    pub(super) fn take(&mut self, account: i64, now: Instant) -> Allowance {
        let (start, used) = self.windows.entry(account).or_insert((now, 0));
        if now.duration_since(*start) >= self.window {
            (*start, *used) = (now, 0);
        }
        let granted = *used < self.limit;
        *used += u32::from(granted);
        let reset = self.window.saturating_sub(now.duration_since(*start));
        Allowance { granted, limit: self.limit, remaining: self.limit - *used, reset }
    }
}

impl Allowance {
    /// What a request that is refused for practice is told: nothing is left, try again in a second.
    pub(super) fn exhausted(limit: u32) -> Allowance {
        Allowance { granted: false, limit, remaining: 0, reset: Duration::from_secs(1) }
    }

    /// Adds the three `X-RateLimit-*` headers, and `Retry-After` to a refusal. Seconds are rounded up.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        let seconds = self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0);
        let mut add = |name, value: u64| headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
        add("x-ratelimit-limit", self.limit.into());
        add("x-ratelimit-remaining", self.remaining.into());
        add("x-ratelimit-reset", seconds);
        if !self.granted {
            add("retry-after", seconds);
        }
    }
}
