//! The certificates that stand in place of the system's: found by flag, environment or profile, read once, and refused
//! as a whole where any of them is unusable, since a part of them would be the wrong set.

use super::Origin;
use crate::error::{Error, Result};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of a file of certificates, and where that name was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaCert {
    /// As it was written.
    pub path: PathBuf,
    /// Who wrote it.
    pub origin: Origin,
}

/// The certificates of such a file.
#[derive(Debug, Clone)]
pub struct Trusted {
    /// Those who may have signed the service's certificate.
    pub authorities: Arc<RootCertStore>,
    /// The same, as they stand in the file: the service's own may be among them.
    pub certificates: Vec<CertificateDer<'static>>,
    /// What a person calls the file.
    pub file: String,
}

impl CaCert {
    /// Reads the file. A name in the profile is relative to `profiles`, the directory of the config file.
    ///
    /// # Errors
    /// `Usage` if it cannot be read, or holds no certificate or one that is broken.
    pub fn read(&self, profiles: &Path) -> Result<Trusted> {
        let path = self.file(profiles);
        let file = format!("{} {}", self.origin_name(), path.display());
        let pem = std::fs::read(&path).map_err(|error| format!("the file could not be read: {error}"));
        let trusted = pem.and_then(|pem| trusted(&pem, &file));
        trusted.map_err(|why| {
            Error::usage(format!("{file}: {why}"))
                .hint("expected a file of certificates in PEM, as in -----BEGIN CERTIFICATE-----")
        })
    }

    /// Where the file is.
    pub fn file(&self, profiles: &Path) -> PathBuf {
        if self.origin == Origin::Profile { profiles.join(&self.path) } else { self.path.clone() }
    }

    fn origin_name(&self) -> &'static str {
        match self.origin {
            Origin::Flag => "--ca-cert",
            Origin::Environment => "SSL_CERT_FILE",
            Origin::Profile => "the profile's ca_cert",
        }
    }
}

fn trusted(pem: &[u8], file: &str) -> Result<Trusted, String> {
    let mut authorities = RootCertStore::empty();
    let mut certificates = Vec::new();
    // Editors of some systems begin each file with a mark, which is no part of its first line.
    for certificate in CertificateDer::pem_slice_iter(pem.strip_prefix(b"\xef\xbb\xbf").unwrap_or(pem)) {
        let number = certificates.len() + 1;
        let certificate = certificate.map_err(|error| format!("certificate {number} in it is broken: {error}"))?;
        authorities.add(certificate.clone()).map_err(|_| format!("certificate {number} in it is broken"))?;
        certificates.push(certificate);
    }
    match certificates.is_empty() {
        true => Err("there is no certificate in it".into()),
        false => Ok(Trusted { authorities: Arc::new(authorities), certificates, file: file.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_no_usable_certificate_is_refused() {
        let cases = [
            ("hello", "no certificate"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no certificate"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 in it is broken"),
        ];
        for (pem, why) in cases {
            let refused = trusted(pem.as_bytes(), "a test").err().unwrap_or_default();
            assert!(refused.contains(why), "{pem}: {refused}");
        }
    }

    #[test]
    fn the_name_in_a_profile_is_relative_to_the_config_file() {
        let message = |origin| {
            let read = CaCert { path: "no/ca.pem".into(), origin }.read(Path::new("/profiles"));
            read.err().map(|error| error.message.clone()).unwrap_or_default()
        };
        assert!(message(Origin::Profile).starts_with("the profile's ca_cert /profiles/no/ca.pem: "));
        assert!(message(Origin::Flag).starts_with("--ca-cert no/ca.pem: "));
    }
}
