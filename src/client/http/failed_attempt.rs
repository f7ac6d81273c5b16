//! Describes an attempt without a usable response: the address, and whether TLS or the proxy failed.

use super::Connection;
use super::verifier::is_about_signers;
use crate::client::retry::{FailedAttempt, Failure};
use crate::config::{BaseUrl, Trusted};
use hyper_util::client::proxy::matcher::Matcher;
use rustls::CertificateError;
use std::error::Error as StdError;

/// Returns the meaning of an attempt without a usable response.
pub fn failed_attempt(error: &reqwest::Error, to: &Connection) -> FailedAttempt {
    let address = to.base_url.as_str();
    if error.is_connect() || error.is_builder() {
        return unconnected(error, to);
    }
    match error.is_timeout() {
        true => FailedAttempt::new(
            Failure::TimedOut,
            format!("no response from {address} within {:?}", to.request_timeout),
        ),
        false => FailedAttempt::new(
            Failure::Lost,
            format!("the connection to {address} failed: {}", innermost(error)),
        ),
    }
}

fn unconnected(error: &reqwest::Error, to: &Connection) -> FailedAttempt {
    let what = format!("could not connect to {}", to.base_url.as_str());
    if let Some(tls) = tls_error(error) {
        let (why, hint) = refusal(tls, to.trusted.as_ref());
        return FailedAttempt::new(Failure::Refused, format!("{what}: {why}")).with_hint(hint);
    }
    let cause = innermost(error);
    match proxy_of(&to.base_url) {
        None => FailedAttempt::new(Failure::NotSent, format!("{what}: {cause}")),
        Some(proxy) => FailedAttempt::new(
            Failure::NotSent,
            format!("{what} through the proxy {proxy}: {cause}"),
        )
        .with_hint(Some(
            "check HTTPS_PROXY, ALL_PROXY and NO_PROXY: env | grep -i proxy",
        )),
    }
}

/// Returns the TLS error in a chain of causes. I/O errors have to be opened, because an I/O error reports the cause of
/// what it wraps as its own, and several are wrapped in each other.
fn tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let wrapped = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        cause = wrapped
            .map(|wrapped| wrapped as _)
            .or_else(|| error.source());
    }
    None
}

/// Returns the refusal in words, and a hint if one is known. `trusted` replaces the system's certificates.
fn refusal(error: &rustls::Error, trusted: Option<&Trusted>) -> (String, Option<&'static str>) {
    match error {
        rustls::Error::InvalidCertificate(why) if is_about_signers(why) => {
            let by = trusted.map_or("a CA that this system does not trust".into(), |trusted| {
                format!("a CA that is not in {}", trusted.file)
            });
            let hint =
                "trust the certificates of a private CA: sitectl clients list --ca-cert FILE";
            (
                format!("its certificate is self-signed, or signed by {by} (unknown issuer)"),
                Some(hint),
            )
        }
        rustls::Error::InvalidCertificate(
            CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. },
        ) => (
            "its certificate is not for servers (extended key usage)".into(),
            None,
        ),
        rustls::Error::InvalidCertificate(why) => {
            (format!("its certificate was refused: {why}"), None)
        }
        rustls::Error::InvalidMessage(_) => ("the server does not support TLS".into(), None),
        error => (format!("TLS failed: {error}"), None),
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
    Some(
        found
            .uri()
            .port_u16()
            .map_or_else(|| host.to_string(), |port| format!("{host}:{port}")),
    )
}
