//! What an attempt without a usable answer means, in words that name the address and what stood in the way: TLS, or the
//! proxy, which the same rules find that the connections use.

use super::Connection;
use super::refusal::{refusal, tls_error, wants_certificate};
use crate::client::retry::Miss;
use crate::config::BaseUrl;
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error as StdError;

/// An attempt that got no usable answer.
#[derive(Debug)]
pub struct Missed {
    /// What it means.
    pub miss: Miss,
    /// What happened.
    pub what: String,
    /// What to do about it, where more is known than the miss says.
    pub hint: Option<String>,
}

impl Missed {
    /// A miss in words.
    pub fn new(miss: Miss, what: impl Into<String>) -> Self {
        Self { miss, what: what.into(), hint: None }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// What a failed attempt means.
pub fn missed(error: &reqwest::Error, to: &Connection) -> Missed {
    let address = to.base_url.as_str();
    let unconnected = error.is_connect() || error.is_builder();
    if let Some(tls) = tls_error(error).filter(|tls| unconnected || wants_certificate(tls)) {
        let refusal = refusal(tls, to.trusted.as_ref());
        let what = format!("could not connect to {address}: {}", refusal.why);
        return Missed { hint: refusal.hint, ..Missed::new(Miss::Refused, what) };
    }
    if unconnected {
        return match proxy_on_the_way(&to.base_url) {
            Some(proxy) => missed_by_proxy(error, &proxy, address),
            None => Missed::new(Miss::NotSent, format!("could not connect to {address}: {}", innermost(error))),
        };
    }
    match error.is_timeout() {
        true => Missed::new(Miss::TimedOut, format!("no answer from {address} within {:?}", to.request_timeout)),
        false => Missed::new(Miss::Lost, format!("the connection to {address} broke off: {}", innermost(error))),
    }
}

/// The cause at the bottom says what happened; the layers above it repeat the address.
pub fn innermost(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// How the words of an error begin that came up while the proxy was asked for a way through.
const TUNNEL: &str = "tunnel error: ";

/// The host and port of the proxy on the way to this address, if there is one.
fn proxy_on_the_way(to: &BaseUrl) -> Option<String> {
    if to.is_local() {
        return None;
    }
    let found = Matcher::from_system().intercept(&to.as_str().parse().ok()?)?;
    let host = found.uri().host()?;
    Some(found.uri().port_u16().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}

/// What went wrong between here and the proxy, or between the proxy and the service.
fn missed_by_proxy(error: &reqwest::Error, proxy: &str, address: &str) -> Missed {
    let cause = innermost(error);
    let missed =
        |what: &str| Missed::new(Miss::NotSent, format!("could not connect to {address}: the proxy {proxy} {what}"));
    match tunnel_error(error).as_deref() {
        Some("proxy authorization required") => {
            let refused = Missed { miss: Miss::Refused, ..missed("asks for a user name and a password (407)") };
            refused.hint("they go into the proxy's address, as in HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT")
        }
        Some("unsuccessful") => missed("refuses to connect to it").hint(ASK),
        Some("failed to create underlying connection") => missed(&format!("cannot be reached: {cause}")).hint(ASK),
        Some(_) => missed(&format!("broke off: {}", cause.trim_start_matches(TUNNEL))).hint(ASK),
        None => {
            Missed::new(Miss::NotSent, format!("could not connect to {address} through the proxy {proxy}: {cause}"))
        }
    }
}

const ASK: &str = "HTTPS_PROXY and ALL_PROXY name the proxy; NO_PROXY lists the hosts that need none";

/// What became of the question for a way through, where that is what failed.
fn tunnel_error(error: &dyn StdError) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(what) = error.to_string().strip_prefix(TUNNEL) {
            return Some(what.to_string());
        }
        cause = error.source();
    }
    None
}
