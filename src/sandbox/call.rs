//! One authenticated request as an endpoint sees it.

use super::accounts::Account;
use super::answer::Refusal;
use super::body::Payload;
use super::clock::{self, Millis};
use super::server::Server;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use rusqlite::Transaction;
use std::sync::Arc;

/// What the gate found out about a request before any endpoint sees it.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) account: &'static Account,
    pub(super) payload: Payload,
}

/// A request that passed the gate, with all that its endpoint may need.
pub(super) struct Call {
    pub(super) server: Arc<Server>,
    pub(super) account: &'static Account,
    pub(super) payload: Payload,
    /// The query string as sent, without its `?`.
    pub(super) query: String,
    /// When the request was taken up; one instant for all that it changes.
    pub(super) now: Millis,
    path: Vec<(String, String)>,
}

impl Call {
    /// Runs `work` on one consistent state of the data.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.server.store.read(work)
    }

    /// Runs `work` as the only writer; a refusal undoes all of it.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.server.store.write(work)
    }

    /// The path parameter of that name, decoded. The route decides which there are.
    pub(super) fn path(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl FromRequest<Arc<Server>> for Call {
    type Rejection = Refusal;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<Call, Refusal> {
        let (mut parts, _) = request.into_parts();
        // An id that is not UTF-8 is an id that nothing has.
        let path = match RawPathParams::from_request_parts(&mut parts, server).await {
            Ok(params) => params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            Err(_) => return Err(Refusal::not_found("Resource")),
        };
        let Some(Admitted { account, payload }) = parts.extensions.remove() else {
            return Err(Refusal::not_found("Resource"));
        };
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(Call { server: Arc::clone(server), account, payload, query, now: clock::now(), path })
    }
}
