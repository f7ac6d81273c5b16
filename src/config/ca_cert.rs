//! The CA certificates that replace the system's. One invalid certificate makes the whole file
//! invalid, because the rest would be the wrong set.

use crate::error::{Error, Result, system_error};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::PathBuf;

/// A PEM file that has not been read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaCert {
    pub path: PathBuf,
    /// The flag, variable or profile that specifies the path.
    pub setting: &'static str,
}

/// The certificates of a PEM file.
#[derive(Debug, Clone)]
pub struct Trusted {
    pub certificates: Vec<CertificateDer<'static>>,
    /// The setting and the path of the file, for error messages.
    pub file: String,
}

impl CaCert {
    /// Reads the file.
    ///
    /// # Errors
    /// `Usage` if it cannot be read, is empty, or contains an invalid certificate.
    pub fn read(&self) -> Result<Trusted> {
        let file = format!("{} {}", self.setting, self.path.display());
        let pem = std::fs::read(&self.path);
        let pem = pem.map_err(|error| format!("could not read the file: {}", system_error(&error)));
        let trusted = pem.and_then(|pem| parse_certificates(&pem, &file));
        trusted.map_err(|problem| {
            Error::usage(format!("{file}: {problem}"))
                .with_hint("use a PEM file that begins with -----BEGIN CERTIFICATE-----")
        })
    }
}

fn parse_certificates(pem: &[u8], file: &str) -> Result<Trusted, String> {
    let mut roots = RootCertStore::empty();
    let mut certificates = Vec::new();
    // Some editors begin a file with a byte order mark.
    let pem = pem.strip_prefix(b"\xef\xbb\xbf").unwrap_or(pem);
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let number = certificates.len() + 1;
        let certificate =
            certificate.map_err(|error| format!("certificate {number} is invalid: {error}"))?;
        roots
            .add(certificate.clone())
            .map_err(|_| format!("certificate {number} is invalid"))?;
        certificates.push(certificate);
    }
    if certificates.is_empty() {
        return Err("the file contains no certificate".into());
    }
    Ok(Trusted {
        certificates,
        file: file.into(),
    })
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
        for (pem, problem) in cases {
            let refused = parse_certificates(pem.as_bytes(), "a test");
            let refused = refused.err().unwrap_or_default();
            assert!(refused.contains(problem), "{pem}: {refused}");
        }
    }
}
