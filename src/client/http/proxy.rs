//! The proxy between here and the service, as far as errors have to name it. The same rules find it that the
//! connections use; user name and password are no part of what they find.

use super::{Missed, innermost};
use crate::client::retry::Miss;
use crate::config::BaseUrl;
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error as StdError;

/// How the words of an error begin that came up while the proxy was asked for a way through.
const TUNNEL: &str = "tunnel error: ";

/// The host and port of the proxy on the way to this address, if there is one.
pub fn on_the_way(to: &BaseUrl) -> Option<String> {
    if to.is_local() {
        return None;
    }
    let found = Matcher::from_system().intercept(&to.as_str().parse().ok()?)?;
    let host = found.uri().host()?;
    Some(found.uri().port_u16().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}

/// What went wrong between here and the proxy, or between the proxy and the service.
pub fn missed(error: &reqwest::Error, proxy: &str, address: &str) -> Missed {
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
