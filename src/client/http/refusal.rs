//! Why TLS refused a connection, in words that a person can act on.

use super::verifier::is_about_signers;
use crate::config::Trusted;
use rustls::{CertificateError, Error};
use std::error::Error as StdError;

/// Returns the TLS error in a chain of causes. I/O errors have to be opened, because an I/O error reports the cause of
/// what it wraps as its own, and several are wrapped in each other.
pub fn tls_error(error: &reqwest::Error) -> Option<&Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = wrapped.map(|wrapped| wrapped as _).or_else(|| error.source());
    }
    None
}

/// Returns the refusal in words, and a hint if one is known. `trusted` replaces the system's certificates.
pub fn refusal(error: &Error, trusted: Option<&Trusted>) -> (String, Option<&'static str>) {
    match error {
        Error::InvalidCertificate(why) if is_about_signers(why) => {
            let by = trusted.map_or("a CA that this system does not trust".into(), |trusted| {
                format!("a CA that is not in {}", trusted.file)
            });
            let hint = "trust the certificates of a private CA: sitectl clients list --ca-cert FILE";
            (format!("its certificate is self-signed, or signed by {by} (unknown issuer)"), Some(hint))
        }
        Error::InvalidCertificate(
            CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. },
        ) => ("its certificate is not for servers (extended key usage)".into(), None),
        Error::InvalidCertificate(why) => (format!("its certificate was refused: {why}"), None),
        Error::InvalidMessage(_) => ("the server does not support TLS".into(), None),
        error => (format!("TLS failed: {error}"), None),
    }
}
