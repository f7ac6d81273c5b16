//! The settings of connections: certificates and proxies. Describes the errors of connections.

mod failed_attempt;
mod proxy;

pub use failed_attempt::failed_attempt;
pub use proxy::check_proxy_variable;

use super::failure::ChangeLog;
use super::observer::Observer;
use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use crate::config::{BaseUrl, Secret, Trusted};
use failed_attempt::innermost_cause;
use reqwest::{Certificate, Client, ClientBuilder};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// How to reach the service.
pub struct Connection {
    pub base_url: BaseUrl,
    pub token: Secret,
    /// Certificates to trust instead of the system's.
    pub trusted: Option<Trusted>,
    /// The time limit of one request.
    pub request_timeout: Duration,
    /// The most retries of one request.
    pub retries: u32,
    pub observer: Box<dyn Observer>,
    /// The changes of the command.
    pub changes: ChangeLog,
}

/// Creates the HTTP client for reads or changes. It follows no redirects, and uses no proxy if the
/// service is on this machine. Each change uses a new connection: if the service had just closed an
/// idle connection, the change would look like one whose response was lost.
pub fn build_client(connection: &Connection, effect: Effect) -> Result<Client, FailedAttempt> {
    // The only error is that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("sitectl/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        // One attempt is one request, also if another crate turns on HTTP/2.
        .retry(reqwest::retry::never())
        .connect_timeout((connection.request_timeout / 2).min(Duration::from_secs(10)))
        .timeout(connection.request_timeout);
    if connection.base_url.is_local() {
        builder = without_proxy_and_resolver(builder);
    }
    if effect == Effect::Change {
        builder = builder.pool_max_idle_per_host(0);
    }
    with_certificates(builder, connection)
        .and_then(|builder| builder.build().map_err(|error| innermost_cause(&error)))
        .map_err(|cause| {
            FailedAttempt::new(Failure::Tls, format!("could not set up HTTPS: {cause}")).with_hint(
                "install the system's CA certificates (apt install ca-certificates), \
                 or specify a file: sitectl clients list --ca-cert FILE",
            )
        })
}

/// Disables proxies and the resolver for `localhost`: `http` sends the token without encryption, so
/// the request must not leave this machine.
fn without_proxy_and_resolver(builder: ClientBuilder) -> ClientBuilder {
    // Port 0 means the port of the URL.
    let loopback = [
        SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, 0)),
    ];
    builder.no_proxy().resolve_to_addrs("localhost", &loopback)
}

/// Sets the certificates to trust. The error is a message that says why they cannot be used.
fn with_certificates(
    builder: ClientBuilder,
    connection: &Connection,
) -> Result<ClientBuilder, String> {
    if !connection.base_url.is_encrypted() {
        // Without encryption, none are needed. Reading the system's takes longer than a request.
        return Ok(builder.tls_certs_only([]));
    }
    match &connection.trusted {
        None => Ok(builder),
        Some(trusted) => {
            let certificates = trusted.certificates.iter();
            let certificates: reqwest::Result<Vec<Certificate>> =
                certificates.map(|der| Certificate::from_der(der)).collect();
            let certificates = certificates.map_err(|error| innermost_cause(&error))?;
            Ok(builder.tls_certs_only(certificates))
        }
    }
}
