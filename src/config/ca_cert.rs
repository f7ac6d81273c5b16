//! The CA certificates that replace the system's. One invalid certificate makes the whole file invalid, because the rest
//! would be the wrong set.

use crate::error::{Error, Result};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::PathBuf;
use std::sync::Arc;

/// The path of a PEM file, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaCert {
    /// The path.
    pub path: PathBuf,
    /// The flag, variable or profile that specifies it.
    pub origin: &'static str,
}

/// The certificates of a PEM file.
#[derive(Debug, Clone)]
pub struct Trusted {
    /// The trusted CAs.
    pub roots: Arc<RootCertStore>,
    /// The same certificates in their order; the service's own can be among them.
    pub certificates: Vec<CertificateDer<'static>>,
    /// The file in error messages.
    pub file: String,
}

impl CaCert {
    /// Reads the file.
    ///
    /// # Errors
    /// `Usage` if it cannot be read, is empty, or contains an invalid certificate.
    pub fn read(&self) -> Result<Trusted> {
        let file = format!("{} {}", self.origin, self.path.display());
        let pem =
            std::fs::read(&self.path).map_err(|error| format!("could not read the file: {error}"));
        let trusted = pem.and_then(|pem| trusted(&pem, &file));
        trusted.map_err(|why| {
            Error::usage(format!("{file}: {why}"))
                .with_hint("use a PEM file that begins with -----BEGIN CERTIFICATE-----")
        })
    }
}

fn trusted(pem: &[u8], file: &str) -> Result<Trusted, String> {
    let mut roots = RootCertStore::empty();
    let mut certificates = Vec::new();
    // Some editors begin a file with a byte order mark.
    for certificate in
        CertificateDer::pem_slice_iter(pem.strip_prefix(b"\xef\xbb\xbf").unwrap_or(pem))
    {
        let number = certificates.len() + 1;
        let certificate =
            certificate.map_err(|error| format!("certificate {number} is invalid: {error}"))?;
        roots
            .add(certificate.clone())
            .map_err(|_| format!("certificate {number} is invalid"))?;
        certificates.push(certificate);
    }
    match certificates.is_empty() {
        true => Err("the file contains no certificate".into()),
        false => Ok(Trusted {
            roots: Arc::new(roots),
            certificates,
            file: file.into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_valid_certificates_is_refused() {
        let cases = [
            ("hello", "no certificate"),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "no certificate",
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "certificate 1 is invalid",
            ),
        ];
        for (pem, why) in cases {
            let refused = trusted(pem.as_bytes(), "a test").err().unwrap_or_default();
            assert!(refused.contains(why), "{pem}: {refused}");
        }
    }
}
