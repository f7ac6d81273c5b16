//! How connections are made: whom they trust, what stands between, and what their errors mean.

mod missed;
mod refusal;
mod verifier;

pub use missed::{Missed, innermost, missed};

use super::observer::Observer;
use crate::config::{BaseUrl, Secret, Trusted};
use reqwest::{Client, ClientBuilder};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// How to reach the service.
pub struct Connection {
    /// Its address.
    pub base_url: BaseUrl,
    /// The token: without one there is no connection.
    pub token: Secret,
    /// The certificates that stand in place of the system's.
    pub trusted: Option<Trusted>,
    /// The longest that one request may take.
    pub request_timeout: Duration,
    /// How often a request that may be repeated is tried again.
    pub retries: u32,
    /// Who is told what happens.
    pub observer: Box<dyn Observer>,
}

/// What becomes of a connection whose answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connections {
    /// It waits for the next request.
    Kept,
    /// It is closed. A client that keeps no idle connection has no pool at all (hyper-util's `Config::is_enabled`): it
    /// opens one for each request, also where HTTP/2 was agreed on.
    OfOneUse,
}

/// How every connection is made: no redirects, no proxy on the way to this machine.
///
/// # Errors
/// Where the certificates to trust cannot be used.
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

/// No proxy, and no resolver that could say that `localhost` is somewhere else: the token may travel in the clear.
fn stay_here(builder: ClientBuilder) -> ClientBuilder {
    // A port of 0 stands for the address's own.
    let loopback = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    builder.no_proxy().resolve_to_addrs("localhost", &loopback)
}

fn trusting(builder: ClientBuilder, to: &Connection) -> Result<ClientBuilder, String> {
    match &to.trusted {
        // Without TLS there is nobody to trust, and reading the system's certificates takes longer than a request.
        _ if !to.base_url.is_encrypted() => Ok(builder.tls_certs_only([])),
        None => Ok(builder),
        Some(trusted) => {
            let config = verifier::config(trusted).map_err(|error| error.to_string())?;
            Ok(builder.tls_backend_preconfigured(config))
        }
    }
}
