//! How connections are made, and what their errors mean at the bottom.

use super::Connection;
use reqwest::{Client, ClientBuilder};
use std::error::Error as StdError;
use std::time::Duration;

/// How every connection is made: no redirects, no proxy on the way to this machine.
pub fn client(to: &Connection) -> ClientBuilder {
    let builder = Client::builder()
        .user_agent(concat!("sitectl/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout((to.request_timeout / 2).min(Duration::from_secs(10)))
        .timeout(to.request_timeout);
    let builder = if to.base_url.is_local() { builder.no_proxy() } else { builder };
    // Without TLS there is nobody to trust, and reading the system's certificates takes longer than a request.
    if to.base_url.is_encrypted() { builder } else { builder.tls_certs_only([]) }
}

/// The cause at the bottom says what happened; the layers above it repeat the address.
pub fn innermost(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// Whether TLS refused the other side: another attempt will not change that.
pub fn is_tls(error: &reqwest::Error) -> bool {
    let mut cause: Option<&dyn StdError> = Some(error);
    while let Some(error) = cause {
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if error.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return true;
        }
        cause = error.source();
    }
    false
}
