//! The typed API client. Prints nothing and reads no environment; an observer receives its reports.

mod body;
mod clients;
mod envelope;
mod failure;
#[cfg(any(test, fuzzing))]
pub mod fuzz_tests;
mod http;
pub mod id_cache;
mod managed_accounts;
mod observer;
mod page;
mod pages;
mod pagination;
mod rate_limit;
mod reading;
mod redact;
mod request;
mod restores;
mod retry;
mod sites;
mod tasks;
mod transport;

pub use clients::{
    Deleted, KNOWN as CLIENT_FIELDS, NotDeleted, PATH as CLIENTS_PATH, REQUIRED as REQUIRED_FIELDS, ambiguous_email,
    field_problems,
};
pub use http::Connection;
pub use managed_accounts::PATH as MANAGED_ACCOUNTS_PATH;
pub use observer::{Exchange, Observer};
pub use page::AnyResponse;
pub use pages::{IN_FLIGHT, Listing, Plan, Walk};
pub use rate_limit::Reported;
use request::Request;
pub use request::{Consent, Path};
pub use reqwest::Method;
pub use sites::{Address, addresses, created_at, is_url, is_usable, latest, none_usable, usable};
pub use tasks::{State, Task};
pub use transport::change_was_sent;
use transport::{Response, Transport};

use crate::client::id_cache::{Known, ShownIds};
use crate::config::{Endpoints, TaskStates};
use crate::error::Result;
use crate::resources::query::Query;
use crate::resources::{Record, Resource, last, unquoted};
use std::hash::RandomState;
use std::time::Duration;

/// The operations of the API. Creating it requires a token.
pub struct Api {
    transport: Transport,
    endpoints: Endpoints,
    task_states: TaskStates,
    ids: ShownIds,
    keys: RandomState,
}

impl Api {
    /// Prepares the client, and sends nothing.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn connect(to: Connection, endpoints: Endpoints, task_states: TaskStates, ids: ShownIds) -> Result<Self> {
        let (transport, keys) = (Transport::new(to)?, RandomState::new());
        Ok(Self { transport, endpoints, task_states, ids, keys })
    }

    /// Sends a request to any endpoint: a read, or a change if there is consent. Returns none for an empty body.
    ///
    /// # Errors
    /// As the spec's error table; `UnknownOutcome` if the response to a change was lost or is not JSON.
    pub async fn any(
        &self,
        method: Method,
        path: Path,
        change: Option<(&Consent, Option<String>)>,
    ) -> Result<Option<AnyResponse>> {
        let request = match change {
            None => Request::read(method, path),
            Some((consent, body)) => Request::change(method, path, body, consent),
        };
        let read = async |response: Response| match response.body.trim_ascii() {
            [] => Ok(None),
            _ => AnyResponse::read(response.body).map(Some),
        };
        self.transport.call(&request, read).await
    }

    /// Checks that the service accepts the token: reads one client.
    ///
    /// # Errors
    /// `Auth` if the token is not accepted; else as any request.
    pub async fn check(&self) -> Result<()> {
        let (clients, query) = (self.clients(), Query::default());
        let plan = Plan { limit: Some(1), ..Plan::default() };
        Walk::new(self, &clients, &query, plan).next().await.map(drop)
    }

    /// Returns a list that is not part of a record.
    fn listing_of(&self, resource: &'static Resource) -> Listing {
        Listing { resource, path: Path::template((resource.path)(&self.endpoints)) }
    }

    /// Returns a list; `parent_id` is the id of the record that it belongs to.
    ///
    /// # Errors
    /// `Usage` if no path can contain the id.
    pub fn list(&self, resource: &'static Resource, parent_id: Option<&str>) -> Result<Listing> {
        let Listing { path, .. } = self.listing_of(resource);
        let path = match resource.parent.zip(parent_id) {
            Some((parent, id)) => path.fill(&parent.id_name(), id)?,
            None => path,
        };
        Ok(Listing { resource, path })
    }

    /// Caches the ids of a declared list's records for completion.
    pub fn saw(&self, listing: &Listing, records: &[Record]) {
        if listing.resource.fields.is_empty() {
            return;
        }
        let known = |record| known(record, listing.resource.about);
        self.ids.add(listing.path.as_str(), || records.iter().filter_map(known));
    }

    /// Begins bulk work, which leaves the last requests of each window unused.
    pub fn begin_bulk(&self) {
        self.transport.rate_limit.borrow_mut().begin_bulk();
    }

    /// Whether a text contains the token.
    pub fn contains_token(&self, text: &str) -> bool {
        self.transport.to.token.is_in(text)
    }

    /// Masks the token in a text.
    pub fn mask(&self, text: &str) -> String {
        self.transport.to.token.mask(text).into_owned()
    }

    /// Returns the requests allowed per window, if a response reported them, and the length of a window.
    pub fn rate_limit(&self) -> (Option<u64>, Duration) {
        let rate_limit = self.transport.rate_limit.borrow();
        (rate_limit.limit, rate_limit.window())
    }

    /// Returns the newest report of the rate limit.
    pub fn reported_rate_limit(&self) -> Option<Reported> {
        self.transport.rate_limit.borrow().newest
    }
}

/// Returns a record's id, and the values of these fields.
fn known(record: &Record, about: &[&str]) -> Option<Known> {
    let members = record.members();
    let text = |name| {
        let raw = last(&members, name)?.get();
        (!raw.starts_with(['{', '[', 'n'])).then(|| unquoted(raw).into_owned())
    };
    let about: Vec<String> = about.iter().copied().filter_map(text).collect();
    text("id").map(|id| (id, about.join(", ")))
}
