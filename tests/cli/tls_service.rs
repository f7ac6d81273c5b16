//! A service with TLS, and certificates for tests.

use crate::scripted::{Seen, read_request};
use crate::support::World;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The token, which must not be printed.
pub const TOKEN: &str = "s3cret-token";

/// A certificate with its key.
pub struct Identity {
    pub pem: String,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

/// A certificate authority.
pub struct Ca {
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// The years in which a certificate is valid.
pub const VALID: (i32, i32) = (2020, 4000);
pub const EXPIRED: (i32, i32) = (2001, 2002);
pub const NOT_YET: (i32, i32) = (3999, 4000);

impl Identity {
    /// Creates a self-signed certificate; `is_ca` marks it as a CA, as `openssl req -x509` does.
    pub fn self_signed(name: &str, is_ca: bool, years: (i32, i32)) -> Self {
        Self::sign(params(name, years), is_ca)
    }

    /// Creates a self-signed certificate for these purposes.
    pub fn self_signed_for(is_ca: bool, purposes: &[ExtendedKeyUsagePurpose]) -> Self {
        let mut params = params("localhost", VALID);
        params.extended_key_usages = purposes.to_vec();
        Self::sign(params, is_ca)
    }

    fn sign(mut params: CertificateParams, is_ca: bool) -> Self {
        params.is_ca = if is_ca { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::ExplicitNoCa };
        let key = KeyPair::generate().unwrap();
        Self::of(&params.self_signed(&key).unwrap(), &key)
    }

    fn of(certificate: &rcgen::Certificate, key: &KeyPair) -> Self {
        Self { pem: certificate.pem(), certificate: certificate.der().clone(), key: key.serialize_der() }
    }
}

impl Ca {
    pub fn new(name: &str) -> Self {
        let mut params = params(name, VALID);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self { pem: params.self_signed(&key).unwrap().pem(), issuer: Issuer::new(params, key) }
    }

    /// Creates a certificate for this host.
    pub fn issue(&self, name: &str, years: (i32, i32)) -> Identity {
        let key = KeyPair::generate().unwrap();
        Identity::of(&params(name, years).signed_by(&key, &self.issuer).unwrap(), &key)
    }
}

fn params(name: &str, (from, until): (i32, i32)) -> CertificateParams {
    let mut params = CertificateParams::new([name.to_string()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    (params.not_before, params.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(until, 1, 1));
    params
}

/// A service that shows and creates one client.
pub struct TlsService {
    pub port: u16,
    connections: Arc<AtomicUsize>,
    seen: Receiver<Seen>,
}

impl TlsService {
    pub fn start(identity: &Identity) -> Self {
        let config = Arc::new(config(identity));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let (sender, seen) = channel();
        let sender = Arc::new(Mutex::new(sender));
        let counter = Arc::clone(&connections);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::SeqCst);
                let (config, sender) = (Arc::clone(&config), Arc::clone(&sender));
                std::thread::spawn(move || serve(stream, config, &sender));
            }
        });
        Self { port, connections, seen }
    }

    pub fn base_url(&self, host: &str) -> String {
        format!("https://{host}:{}/api/v6", self.port)
    }

    /// Returns a world whose commands use this service.
    pub fn world(&self) -> World {
        World::on(&self.base_url("localhost")).with("SITECTL_TOKEN", TOKEN)
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
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

fn serve(stream: TcpStream, config: Arc<ServerConfig>, seen: &Mutex<Sender<Seen>>) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut tls = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    while tls.conn.is_handshaking() {
        if tls.conn.complete_io(&mut tls.sock).is_err() {
            return;
        }
    }
    let _ = converse(tls, seen);
}

const CLIENT: &str = r#"{"client":{"id":"c1","first_name":"Ada","email":"ada@example.com"}}"#;

fn converse(tls: impl Read + Write, seen: &Mutex<Sender<Seen>>) -> std::io::Result<()> {
    let mut tls = BufReader::new(tls);
    while let Some(request) = read_request(&mut tls) {
        let status = if request.line.starts_with("POST") { 201 } else { 200 };
        let _ = seen.lock().unwrap().send(request);
        let length = CLIENT.len();
        let answer = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{CLIENT}");
        tls.get_mut().write_all(answer.as_bytes())?;
        tls.get_mut().flush()?;
    }
    Ok(())
}
