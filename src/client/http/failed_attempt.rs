//! Describes an attempt without a usable response: the address, and whether TLS or the proxy failed.

use super::Connection;
use super::refusal::{refusal, tls_error};
use crate::client::retry::Failure;
use crate::config::BaseUrl;
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error as StdError;

/// An attempt that got no usable response.
#[derive(Debug)]
pub struct FailedAttempt {
    /// The kind of failure.
    pub failure: Failure,
    /// What happened.
    pub what: String,
    /// A hint that is more specific than the kind.
    pub hint: Option<String>,
}

impl FailedAttempt {
    /// Creates one without a hint.
    pub fn new(failure: Failure, what: impl Into<String>) -> Self {
        Self { failure, what: what.into(), hint: None }
    }
}

/// Returns what a failed attempt means.
pub fn failed_attempt(error: &reqwest::Error, to: &Connection) -> FailedAttempt {
    let address = to.base_url.as_str();
    if !error.is_connect() && !error.is_builder() {
        return match error.is_timeout() {
            true => FailedAttempt::new(
                Failure::TimedOut,
                format!("no response from {address} within {:?}", to.request_timeout),
            ),
            false => {
                FailedAttempt::new(Failure::Lost, format!("the connection to {address} failed: {}", innermost(error)))
            }
        };
    }
    let unconnected = format!("could not connect to {address}");
    if let Some(tls) = tls_error(error) {
        let (why, hint) = refusal(tls, to.trusted.as_ref());
        return FailedAttempt { hint, ..FailedAttempt::new(Failure::Refused, format!("{unconnected}: {why}")) };
    }
    let cause = innermost(error);
    match proxy_of(&to.base_url) {
        None => FailedAttempt::new(Failure::NotSent, format!("{unconnected}: {cause}")),
        Some(proxy) => FailedAttempt {
            hint: Some("check HTTPS_PROXY, ALL_PROXY and NO_PROXY: env | grep -i proxy".into()),
            ..FailedAttempt::new(Failure::NotSent, format!("{unconnected} through the proxy {proxy}: {cause}"))
        },
    }
}

/// Returns the innermost cause, because the layers above it repeat the address.
pub fn innermost(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// Returns the host and port of the proxy for this address, by the same rules as the connections.
fn proxy_of(to: &BaseUrl) -> Option<String> {
    if to.is_local() {
        return None;
    }
    let found = Matcher::from_system().intercept(&to.as_str().parse().ok()?)?;
    let host = found.uri().host()?;
    Some(found.uri().port_u16().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}
