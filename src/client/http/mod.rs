//! Connections: certificates, proxies, and the meaning of their errors.

mod failed_attempt;
mod verifier;

pub use failed_attempt::failed_attempt;

use super::observer::Observer;
use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use crate::config::{BaseUrl, Secret, Trusted};
use failed_attempt::innermost;
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

/// Creates the HTTP client for reads or changes, without redirects, and without a proxy for this machine. A change uses a
/// new connection, because a service that has just closed an idle one looks like a lost response. A client without idle
/// connections has no pool (hyper-util's `Config::is_enabled`), so that it opens a connection for each request, also with
/// HTTP/2.
///
/// # Errors
/// If TLS cannot be set up.
pub fn client(to: &Connection, effect: Effect) -> Result<Client, FailedAttempt> {
    // An error means that the provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("sitectl/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout((to.request_timeout / 2).min(Duration::from_secs(10)))
        .timeout(to.request_timeout);
    let builder = if to.base_url.is_local() {
        stay_here(builder)
    } else {
        builder
    };
    let builder = if effect == Effect::Change {
        builder.pool_max_idle_per_host(0)
    } else {
        builder
    };
    let client = trusting(builder, to)
        .and_then(|builder| builder.build().map_err(|error| innermost(&error)));
    client.map_err(|error| {
        FailedAttempt::new(Failure::Refused, format!("could not set up HTTPS: {error}")).with_hint(
            Some("specify a file of trusted certificates: sitectl clients list --ca-cert FILE"),
        )
    })
}

/// Uses no proxy and no resolver for `localhost`, because the token is sent without encryption.
fn stay_here(builder: ClientBuilder) -> ClientBuilder {
    // Port 0 means the port of the URL.
    let loopback = [
        SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, 0)),
    ];
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
