//! The rate limit: a fixed window per account (spec, "Limits"). The count is in the database, so that all processes
//! that serve it share one limit.

use super::middleware::Account;
use super::response::ApiError;
use super::server::Server;
use super::time::{self, Millis};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// Where requests are counted.
pub(super) const SCHEMA: &str = "CREATE TABLE rate_windows (
    account    INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    requests   INTEGER NOT NULL
) STRICT;";

/// An account's window, with the current request counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    limit: u32,
    requests: u32,
    /// Milliseconds until the next window.
    reset: Millis,
}

impl Window {
    /// Counts a request. A window begins with its first request and lasts its full length.
    pub(super) fn count(server: &Server, account: &Account) -> Result<Window, ApiError> {
        let sql = "INSERT INTO rate_windows VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET
                     requests = iif(?2 - started_at BETWEEN 0 AND ?3 - 1, requests + 1, 1),
                     started_at = iif(?2 - started_at BETWEEN 0 AND ?3 - 1, started_at, ?2)
                   RETURNING started_at, requests";
        let (now, length) = (time::now(), time::millis(server.options.rate_window));
        let (started_at, requests): (Millis, u32) = server.store.write(|db| {
            Ok(db.prepare_cached(sql)?.query_row((account.key, now, length), |row| Ok((row.get(0)?, row.get(1)?)))?)
        })?;
        Ok(Window { limit: server.options.rate_limit, requests, reset: started_at.saturating_add(length) - now })
    }

    /// The window of a simulated 429: nothing is left, and the next begins in a second.
    pub(super) fn exhausted(limit: u32) -> Window {
        Window { limit, requests: u32::MAX, reset: 1000 }
    }

    pub(super) fn is_exceeded(self) -> bool {
        self.requests > self.limit
    }

    /// Adds the `X-RateLimit-*` headers, and `Retry-After` if the limit is exceeded. Seconds are rounded up.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        let seconds = self.reset.unsigned_abs().div_ceil(1000);
        let mut add = |name, value: u64| headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
        add("x-ratelimit-limit", self.limit.into());
        add("x-ratelimit-remaining", self.limit.saturating_sub(self.requests).into());
        add("x-ratelimit-reset", seconds);
        if self.is_exceeded() {
            add("retry-after", seconds);
        }
    }
}
