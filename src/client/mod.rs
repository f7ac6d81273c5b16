//! The typed API client. Prints nothing and reads no environment; an observer receives its reports.

mod body;
mod clients;
mod envelope;
mod evidence;
mod failure;
#[cfg(any(test, fuzzing))]
pub mod fuzz_tests;
mod http;
mod managed_accounts;
mod observer;
mod page;
mod pages;
mod pagination;
mod rate_limit;
mod reading;
mod request;
mod restores;
mod retry;
mod sites;
mod tasks;
mod transport;

pub use clients::{ClientChange, DeleteError, DeleteResponse, field_problems};
pub use evidence::{SiteNames, TaskState};
pub use failure::ChangeLog;
pub use http::{Connection, check_proxy_variable};
pub use observer::{Exchange, Observer};
pub use page::AnyResponse;
use pages::PerPageSupport;
pub use pages::{ListEndpoint, ListOptions, ListReader, MAX_REQUESTS_IN_FLIGHT};
pub use rate_limit::{DEFAULT_WINDOW, RateLimitHeaders};
pub use request::{Consent, Path};
use request::{Request, Response};
pub use reqwest::Method;
pub use retry::{MAX_RATE_LIMIT_RETRIES, RETRIED_STATUSES};
pub use sites::{
    SiteUrl, created_at, is_address, is_infected, latest_snapshot, require_snapshot_of_site,
    site_urls, taken_at,
};
pub use tasks::Task;
pub use transport::SendStep;
use transport::Transport;

use crate::config::digest::sha256;
use crate::config::{Endpoints, TaskStates};
use crate::error::Result;
use crate::resources::query::Query;
use crate::resources::{Record, Resource};
use envelope::UnexpectedResponse;
use std::hash::RandomState;
use std::time::Duration;

/// The operations of the API. Creating it requires a token.
pub struct Api {
    transport: Transport,
    endpoints: Endpoints,
    task_states: TaskStates,
    /// The records to request per page, as the profile says.
    per_page: Option<u32>,
    per_page_support: PerPageSupport,
    /// Hashes the ids of records.
    key_hasher: RandomState,
}

impl Api {
    /// Prepares the client, and sends nothing.
    pub fn new(
        connection: Connection,
        endpoints: Endpoints,
        task_states: TaskStates,
        per_page: Option<u32>,
    ) -> Self {
        Self {
            transport: Transport::new(connection),
            endpoints,
            task_states,
            per_page,
            per_page_support: PerPageSupport::default(),
            key_hasher: RandomState::new(),
        }
    }

    /// Sends a request to any endpoint. `change` has the consent and the body of a change; None
    /// means a read. Returns None if the body of the response is empty.
    ///
    /// # Errors
    /// As the spec's error table; `UnknownOutcome` if the response to a change was lost or is not
    /// JSON.
    pub async fn send(
        &self,
        method: Method,
        path: Path,
        change: Option<(&Consent, Option<String>)>,
    ) -> Result<Option<AnyResponse>> {
        let request = match change {
            None => Request::read(method, path),
            Some((consent, body)) => Request::change(method, path, body, consent),
        };
        let decode = |Response { body, .. }: Response| match body.trim_ascii() {
            [] => Ok(None),
            _ => AnyResponse::read(body).map(Some),
        };
        self.transport.call(&request, decode).await
    }

    /// Checks that the service accepts the token: reads one client.
    ///
    /// # Errors
    /// `Auth` if the token is not accepted. Other errors are those of any request.
    pub async fn check_token(&self) -> Result<()> {
        let clients = self.clients();
        let query = Query::default();
        let options = ListOptions {
            limit: Some(1),
            ..ListOptions::default()
        };
        ListReader::new(self, &clients, &query, options)
            .next()
            .await?;
        Ok(())
    }

    /// Returns the endpoint of a list that belongs to no record.
    fn top_level_endpoint(&self, resource: &'static Resource) -> ListEndpoint {
        ListEndpoint {
            resource,
            path: Path::new((resource.path)(&self.endpoints)),
        }
    }

    /// Returns the endpoint of a list. `site_id` is the id of the site that the list belongs to;
    /// None for a list that belongs to no site.
    ///
    /// # Errors
    /// `Usage` if no path can contain the id.
    pub fn list_endpoint(
        &self,
        resource: &'static Resource,
        site_id: Option<&str>,
    ) -> Result<ListEndpoint> {
        let mut endpoint = self.top_level_endpoint(resource);
        if let Some(id) = site_id {
            endpoint.path = endpoint.path.fill("site_id", id)?;
        }
        Ok(endpoint)
    }

    /// Sends a request whose response is one record. Returns the record that `decode` reads from
    /// the body.
    async fn one_record(
        &self,
        request: &Request,
        decode: impl Fn(&[u8]) -> Result<Record, UnexpectedResponse>,
    ) -> Result<Record> {
        let decode = |response: Response| decode(&response.body);
        self.transport.call(request, decode).await
    }

    /// Begins bulk work, which leaves the last requests of each window unused.
    pub fn begin_bulk(&self) {
        self.transport.rate_limit.borrow_mut().keeps_reserve = true;
    }

    /// Whether a text contains the token.
    pub fn contains_token(&self, text: &str) -> bool {
        self.transport.connection.token.is_in(text)
    }

    /// Returns digits of a hash of a service and the token, which identify the account.
    pub fn account_digest(&self, service_key: &str) -> String {
        let token = self.transport.connection.token.expose();
        sha256(&format!("{service_key}\n{token}"))[..8].into()
    }

    /// Returns the requests allowed per window, None until a response reports them, and the length
    /// of a window.
    pub fn rate_limit(&self) -> (Option<u64>, Duration) {
        let rate_limit = self.transport.rate_limit.borrow();
        (
            rate_limit.limit,
            rate_limit.window.unwrap_or(DEFAULT_WINDOW),
        )
    }

    /// Returns the rate limit as the newest response reported it.
    pub fn reported_rate_limit(&self) -> Option<RateLimitHeaders> {
        self.transport.rate_limit.borrow().newest
    }
}
