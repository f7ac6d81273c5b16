//! Trusts the certificates of the file in `--ca-cert`. A certificate in that file is trusted as the
//! service's own, also if it is marked as a CA, because `openssl req -x509` marks certificates so
//! and curl accepts them. The host name, the time and the signatures of the handshake are checked
//! as usual.

use crate::config::Trusted;
use memchr::memmem;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{VerifierBuilderError, WebPkiServerVerifier, verify_server_name};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::sync::Arc;

/// Checks the service's certificate against the certificates of the file.
#[derive(Debug)]
struct FileVerifier {
    /// Accepts certificates that are signed by a certificate of the file.
    signature_verifier: Arc<WebPkiServerVerifier>,
    /// The certificates of the file, each of which can be the service's own.
    certificates: Vec<CertificateDer<'static>>,
}

/// Returns the TLS configuration that trusts only these certificates.
pub fn tls_config(trusted: &Trusted) -> Result<ClientConfig, VerifierBuilderError> {
    let signature_verifier = WebPkiServerVerifier::builder(Arc::clone(&trusted.roots)).build()?;
    let verifier = Arc::new(FileVerifier {
        signature_verifier,
        certificates: trusted.certificates.clone(),
    });
    let mut config = ClientConfig::builder()
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

impl ServerCertVerifier for FileVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verdict = self.signature_verifier.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        match verdict {
            Err(Error::InvalidCertificate(why))
                if is_about_signers(&why) && self.certificates.contains(end_entity) =>
            {
                if excludes_servers(end_entity) {
                    return Err(CertificateError::InvalidPurpose.into());
                }
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature_verifier
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature_verifier
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signature_verifier.supported_verify_schemes()
    }
}

/// Whether the extended key usage of a certificate excludes servers. webpki does not check that
/// extension in a certificate that is marked as a CA. The object identifiers are searched for in
/// the bytes, because no text of a certificate contains them.
fn excludes_servers(certificate: &CertificateDer<'_>) -> bool {
    const EXTENDED_KEY_USAGE: [u8; 5] = [0x06, 3, 0x55, 0x1d, 0x25];
    const SERVER_AUTH: [u8; 10] = [0x06, 8, 0x2b, 6, 1, 5, 5, 7, 3, 1];
    match memmem::find(certificate, &EXTENDED_KEY_USAGE) {
        Some(start) => memmem::find(&certificate[start..], &SERVER_AUTH).is_none(),
        None => false,
    }
}

/// Whether a certificate was refused because of its signer, or because it is marked as a CA. The
/// time is valid then, and the name not checked yet: webpki checks the time first, then whether the
/// certificate is marked as a CA, then the signer (`check_issuer_independent_properties`), then the
/// names.
pub fn is_about_signers(why: &CertificateError) -> bool {
    match why {
        CertificateError::UnknownIssuer
        | CertificateError::BadSignature
        | CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => true,
        CertificateError::Other(error) => matches!(
            error.0.downcast_ref(),
            Some(webpki::Error::CaUsedAsEndEntity)
        ),
        _ => false,
    }
}
