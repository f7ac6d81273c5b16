//! Whether the service accepts the token, and what it says of the rate limit meanwhile.

use super::{Api, Plan, Walk};
use crate::error::Result;
use crate::query::Query;
use serde::Serialize;

/// What the newest answer said of the rate limit (spec, "Limits").
#[derive(Debug, Serialize)]
pub struct RateLimit {
    /// Requests allowed in a window.
    limit: Option<u64>,
    /// Requests left in this window.
    remaining: u64,
    /// Seconds until the window ends.
    reset: Option<u64>,
}

impl Api {
    /// Asks for what every account may read and what costs the service little: one client.
    ///
    /// # Errors
    /// `Auth` where the token is not accepted; else what became of the request.
    pub async fn check(&self) -> Result<()> {
        let (clients, query) = (self.clients(), Query::default());
        let plan = Plan { limit: Some(1), ..Plan::default() };
        Walk::new(self, &clients, &query, plan).next().await.map(drop)
    }

    /// What the newest answer said of the rate limit; none where none has said anything.
    pub fn told_limit(&self) -> Option<RateLimit> {
        let said = self.transport.budget.said()?;
        let reset = said.reset.map(|reset| reset.after.as_secs());
        Some(RateLimit { limit: said.limit, remaining: said.remaining, reset })
    }
}

impl RateLimit {
    /// It in words.
    pub fn words(&self) -> String {
        let of = self.limit.map_or(String::new(), |limit| format!(" of {limit}"));
        let reset = self.reset.map_or(String::new(), |seconds| format!(", more in {seconds} s"));
        format!("{}{of} requests left{reset}", self.remaining)
    }
}
