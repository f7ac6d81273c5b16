//! What an attempt without a usable answer means, in words that name the address and what stood in the way.

use super::proxy;
use super::refusal::{refusal, tls_error, wants_certificate};
use crate::client::Connection;
use crate::client::retry::Miss;
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
        return match proxy::on_the_way(&to.base_url) {
            Some(proxy) => proxy::missed(error, &proxy, address),
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
