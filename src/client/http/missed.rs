//! What an attempt without a usable response means, in words that name the address and the obstacle: TLS or the proxy.

use super::Connection;
use super::refusal::{refusal, tls_error};
use crate::client::retry::Miss;
use crate::config::BaseUrl;
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error as StdError;

/// An attempt that got no usable response.
#[derive(Debug)]
pub struct Missed {
    /// What it means.
    pub miss: Miss,
    /// What happened.
    pub what: String,
    /// What to do about it, if more is known than the miss says.
    pub hint: Option<String>,
}

impl Missed {
    /// A miss in words.
    pub fn new(miss: Miss, what: impl Into<String>) -> Self {
        Self { miss, what: what.into(), hint: None }
    }
}

/// Returns what a failed attempt means.
pub fn missed(error: &reqwest::Error, to: &Connection) -> Missed {
    let address = to.base_url.as_str();
    if !error.is_connect() && !error.is_builder() {
        return match error.is_timeout() {
            true => Missed::new(Miss::TimedOut, format!("no response from {address} within {:?}", to.request_timeout)),
            false => Missed::new(Miss::Lost, format!("the connection to {address} failed: {}", innermost(error))),
        };
    }
    let unconnected = format!("could not connect to {address}");
    if let Some(tls) = tls_error(error) {
        let (why, hint) = refusal(tls, to.trusted.as_ref());
        return Missed { hint, ..Missed::new(Miss::Refused, format!("{unconnected}: {why}")) };
    }
    let cause = innermost(error);
    match proxy_of(&to.base_url) {
        None => Missed::new(Miss::NotSent, format!("{unconnected}: {cause}")),
        Some(proxy) => Missed {
            hint: Some("check HTTPS_PROXY, ALL_PROXY and NO_PROXY: env | grep -i proxy".into()),
            ..Missed::new(Miss::NotSent, format!("{unconnected} through the proxy {proxy}: {cause}"))
        },
    }
}

/// Returns the cause at the bottom, because the layers above it repeat the address.
pub fn innermost(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// Returns the host and port of the proxy for this address, by the rules that the connections use.
fn proxy_of(to: &BaseUrl) -> Option<String> {
    if to.is_local() {
        return None;
    }
    let found = Matcher::from_system().intercept(&to.as_str().parse().ok()?)?;
    let host = found.uri().host()?;
    Some(found.uri().port_u16().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}
