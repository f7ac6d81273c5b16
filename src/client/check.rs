//! Whether the service accepts the token.

use super::{Api, Plan, Walk};
use crate::error::Result;
use crate::resources::query::Query;

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
}
