//! Describes an attempt without a usable response: the address, and whether TLS or the proxy
//! failed.

use super::Connection;
use super::proxy::proxy_of;
use crate::client::retry::{FailedAttempt, Failure};
use crate::config::Trusted;
use crate::error::system_error;
use crate::shell::{SHOW_PROXIES, set_variable};
use rustls::CertificateError;
use std::error::Error as StdError;
use std::io;

/// Returns the failed attempt that an error of the HTTP client means.
pub fn failed_attempt(error: &reqwest::Error, connection: &Connection) -> FailedAttempt {
    // A request that could not be built was not sent either.
    if error.is_connect() || error.is_builder() {
        return failed_to_connect(error, connection);
    }
    let address = connection.base_url.as_str();
    if error.is_timeout() {
        let timeout = connection.request_timeout;
        let message = format!("no response from {address} within {timeout:?}");
        return FailedAttempt::new(Failure::TimedOut, message);
    }
    let cause = innermost_cause(error);
    FailedAttempt::new(
        Failure::Lost,
        format!("the connection to {address} failed: {cause}"),
    )
}

fn failed_to_connect(error: &reqwest::Error, connection: &Connection) -> FailedAttempt {
    let base_url = &connection.base_url;
    let message = format!("could not connect to {}", base_url.as_str());
    if let Some(tls_error) = find_tls_error(error) {
        return failed_tls(&message, tls_error, connection.trusted.as_ref());
    }
    let cause = innermost_cause(error);
    let Some(proxy) = proxy_of(base_url) else {
        return FailedAttempt::new(Failure::NotSent, format!("{message}: {cause}"));
    };
    let message = format!("{message} through the proxy {}: {cause}", proxy.address);
    // The status 407. The library does not export the type of this error.
    let is_unauthorized = cause.ends_with("proxy authorization required");
    // More attempts with a wrong password could lock an account.
    let failure = if is_unauthorized {
        Failure::Status(407)
    } else {
        Failure::NotSent
    };
    let hint = if is_unauthorized {
        let value = format!("{}://USER:PASSWORD@{}", proxy.scheme, proxy.address);
        let command = set_variable("HTTPS_PROXY", &value);
        format!("specify the user and password of the proxy: {command}")
    } else {
        format!("check HTTPS_PROXY, ALL_PROXY and NO_PROXY: {SHOW_PROXIES}")
    };
    FailedAttempt::new(failure, message).with_hint(&hint)
}

/// Returns the TLS error in the chain of causes. `io::Error::source` skips the error that the
/// `io::Error` wraps, and returns the source of that error. So the wrapped error is read with
/// `get_ref`.
fn find_tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(tls_error) = error.downcast_ref() {
            return Some(tls_error);
        }
        let io_error = error.downcast_ref::<io::Error>();
        cause = match io_error.and_then(io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}

/// Describes a TLS error. `trusted` is the certificates of `--ca-cert`; None means the system's.
fn failed_tls(message: &str, error: &rustls::Error, trusted: Option<&Trusted>) -> FailedAttempt {
    let failed = |cause: String| FailedAttempt::new(Failure::Tls, format!("{message}: {cause}"));
    match error {
        rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmContext { .. }
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. },
        ) => {
            let signer = match trusted {
                None => "a CA that this system does not trust".into(),
                Some(trusted) => format!("a CA that is not in {}", trusted.file),
            };
            failed(format!(
                "its certificate is self-signed, or signed by {signer} (unknown issuer)"
            ))
            .with_hint(
                "trust the certificates of a private CA: sitectl clients list --ca-cert FILE",
            )
        }
        rustls::Error::InvalidCertificate(why) if is_ca_certificate(why) => {
            failed("its certificate is the certificate of a CA (CaUsedAsEndEntity)".into())
                .with_hint(
                    "make the certificate of the server with -addext basicConstraints=CA:FALSE, \
                     and trust it: sitectl clients list --ca-cert FILE",
                )
        }
        rustls::Error::InvalidCertificate(why) => {
            let problem = certificate_problem(why);
            failed(format!("its certificate was refused: {problem}"))
        }
        rustls::Error::InvalidMessage(_) => failed("the server does not support TLS".into()),
        error => failed(format!("TLS failed: {error}")),
    }
}

/// Whether the server shows the certificate of a CA as its own, such as one that
/// `openssl req -x509` makes. The library does not export the type of this error.
fn is_ca_certificate(why: &CertificateError) -> bool {
    matches!(why, CertificateError::Other(error) if innermost_cause(&*error.0) == "CaUsedAsEndEntity")
}

/// Describes why a certificate was refused. macOS and Windows check certificates themselves, and
/// their errors have no text in rustls.
fn certificate_problem(why: &CertificateError) -> String {
    match why {
        CertificateError::Expired => "certificate expired".into(),
        CertificateError::NotValidYet => "certificate not valid yet".into(),
        CertificateError::NotValidForName => "certificate not valid for this host".into(),
        CertificateError::Revoked => "certificate revoked".into(),
        CertificateError::Other(error) => innermost_cause(&*error.0),
        why => why.to_string(),
    }
}

/// Returns the innermost cause, because the layers above it repeat the address.
pub fn innermost_cause(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    system_error(cause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::OtherError;
    use std::sync::Arc;

    #[test]
    fn an_error_of_the_system_about_a_certificate_is_text() {
        let system_error = io::Error::other("OS Error -2146762482");
        for (why, text) in [
            (CertificateError::Revoked, "certificate revoked"),
            (
                CertificateError::Other(OtherError(Arc::new(system_error))),
                "OS Error -2146762482",
            ),
        ] {
            let failed = failed_tls("failed", &why.into(), None);
            let message = format!("failed: its certificate was refused: {text}");
            assert_eq!(failed.error.message, message);
        }
    }
}
