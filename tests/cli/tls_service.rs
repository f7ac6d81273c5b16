//! A service with TLS, and certificates for tests.

use crate::common::World;
use crate::service::{Seen, read_request};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The token, which must not be printed.
pub const TOKEN: &str = "s3cret-token";

/// A certificate with its key.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

/// A certificate authority.
pub struct Ca {
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Ca {
    pub fn new(name: &str) -> Self {
        let mut params = params(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self {
            pem: params.self_signed(&key).unwrap().pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Creates a certificate for this host.
    pub fn issue(&self, name: &str) -> Identity {
        let key = KeyPair::generate().unwrap();
        let certificate = params(name).signed_by(&key, &self.issuer).unwrap();
        Identity {
            certificate: certificate.der().clone(),
            key: key.serialize_der(),
        }
    }
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new([name.to_string()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// A service that shows one client.
pub struct TlsService {
    pub port: u16,
    seen: Receiver<Seen>,
}

impl TlsService {
    pub fn start(identity: &Identity) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let config = Arc::new(config(identity));
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
                let sender = sender.clone();
                std::thread::spawn(move || respond(StreamOwned::new(tls, stream), &sender));
            }
        });
        Self { port, seen }
    }

    pub fn base_url(&self, host: &str) -> String {
        format!("https://{host}:{}/api/v6", self.port)
    }

    /// Returns a world whose commands use this service.
    pub fn world(&self) -> World {
        World::on(&self.base_url("localhost")).with("SITECTL_TOKEN", TOKEN)
    }

    /// Returns the requests.
    pub fn requests(&self) -> Vec<Seen> {
        self.seen.try_iter().collect()
    }
}

fn config(identity: &Identity) -> ServerConfig {
    let key = PrivateKeyDer::try_from(identity.key.clone()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![identity.certificate.clone()], key)
        .unwrap()
}

const CLIENT: &str = r#"{"client":{"id":"c1","first_name":"Ada","email":"ada@example.com"}}"#;

/// Responds to one request, if one arrives.
fn respond(stream: impl Read + Write, seen: &Sender<Seen>) {
    let mut stream = BufReader::new(stream);
    let Some(request) = read_request(&mut stream) else {
        return;
    };
    let _ = seen.send(request);
    let length = CLIENT.len();
    let answer =
        format!("HTTP/1.1 200 X\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{CLIENT}");
    let _ = stream.get_mut().write_all(answer.as_bytes());
    let _ = stream.get_mut().flush();
}
