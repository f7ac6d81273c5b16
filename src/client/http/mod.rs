//! Connections: certificates, proxies, and the meaning of their errors.

mod failed_attempt;
mod refusal;
mod verifier;

pub use failed_attempt::{FailedAttempt, failed_attempt, innermost};

use super::observer::Observer;
use crate::config::{BaseUrl, Secret, Trusted};
use reqwest::{Client, ClientBuilder};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// How to reach the service.
pub struct Connection {
    /// The base URL.
    pub base_url: BaseUrl,
    /// The token, which every request needs.
    pub token: Secret,
    /// Certificates to trust instead of the system's.
    pub trusted: Option<Trusted>,
    /// The time limit of one request.
    pub request_timeout: Duration,
    /// The number of retries.
    pub retries: u32,
    /// Receives a report of each exchange.
    pub observer: Box<dyn Observer>,
}

/// What happens to a connection after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connections {
    /// It is reused.
    Kept,
    /// It is closed. A client without idle connections has no pool (hyper-util's `Config::is_enabled`), so that it opens
    /// a connection for each request, also with HTTP/2.
    OfOneUse,
}

/// Creates an HTTP client without redirects, and without a proxy for this machine.
///
/// # Errors
/// If the certificates to trust cannot be used.
pub fn client(to: &Connection, connections: Connections) -> Result<Client, String> {
    let builder = Client::builder()
        .user_agent(concat!("sitectl/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout((to.request_timeout / 2).min(Duration::from_secs(10)))
        .timeout(to.request_timeout);
    let builder = if to.base_url.is_local() { stay_here(builder) } else { builder };
    let builder = if connections == Connections::OfOneUse { builder.pool_max_idle_per_host(0) } else { builder };
    trusting(builder, to)?.build().map_err(|error| innermost(&error))
}

/// Uses no proxy and no resolver for `localhost`, because the token is sent without encryption.
fn stay_here(builder: ClientBuilder) -> ClientBuilder {
    // Port 0 means the port of the URL.
    let loopback = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    builder.no_proxy().resolve_to_addrs("localhost", &loopback)
}

fn trusting(builder: ClientBuilder, to: &Connection) -> Result<ClientBuilder, String> {
    match &to.trusted {
        // Reading the system's certificates takes longer than a request.
        _ if !to.base_url.is_encrypted() => Ok(builder.tls_certs_only([])),
        None => Ok(builder),
        Some(trusted) => {
            let config = verifier::config(trusted).map_err(|error| error.to_string())?;
            Ok(builder.tls_backend_preconfigured(config))
        }
    }
}
