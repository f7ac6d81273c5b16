//! Proxies: which proxy is used, what it receives, and how its failures are reported.

use crate::scripted::{Seen, read_request};
use crate::support::{Run, World};
use crate::tls_service::{Ca, TOKEN, TlsService, VALID};
use std::io::{BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

const SHOW: [&str; 7] = ["clients", "show", "c1", "--retries", "0", "--request-timeout", "5s"];
const CREATE: [&str; 8] = ["clients", "create", "--first-name", "Ada", "--email", "a@example.com", "--retries", "0"];
const VARIABLES: [&str; 4] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/// How the proxy responds to CONNECT.
#[derive(Clone, Copy)]
enum Answer {
    /// Connects to this port of this machine.
    Through(u16),
    /// Asks for a password.
    Refuse,
    /// Closes the connection.
    Drop,
}

struct Proxy {
    port: u16,
    seen: Receiver<Seen>,
}

impl Proxy {
    fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let request = read_request(&mut BufReader::new(stream.try_clone().unwrap()));
                let _ = sender.send(request.unwrap());
                match answer {
                    Answer::Through(port) => {
                        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
                        connect(stream, port);
                    }
                    Answer::Refuse => {
                        let _ = stream.write_all(b"HTTP/1.1 407 X\r\ncontent-length: 0\r\n\r\n");
                    }
                    Answer::Drop => {}
                }
            }
        });
        Self { port, seen }
    }

    /// Returns its URL, with a user and a password that must not be printed.
    fn address(&self) -> String {
        format!("http://proxyuser:hunter2@127.0.0.1:{}", self.port)
    }

    fn world(&self, variable: &str) -> World {
        world().with(variable, &self.address())
    }

    fn requests(&self) -> Vec<Seen> {
        self.seen.try_iter().collect()
    }
}

fn connect(stream: TcpStream, port: u16) {
    let service = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let pairs = [(stream.try_clone().unwrap(), service.try_clone().unwrap()), (service, stream)];
    for (mut from, mut to) in pairs {
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

fn world() -> World {
    World::on("https://service.example/api/v6").with("SITECTL_TOKEN", TOKEN)
}

fn run(world: &World, args: &[&str]) -> Run {
    let run = world.run(args);
    for secret in [TOKEN, "proxyuser", "hunter2", "cHJveHl1c2VyOmh1bnRlcjI"] {
        assert!(!format!("{}{}", run.stdout, run.stderr).contains(secret), "{}", run.transcript());
    }
    run
}

#[test]
fn the_proxy_receives_only_the_host_and_port() {
    let authority = Ca::new("ours");
    let service = TlsService::start(&authority.issue("service.example", VALID));
    for variable in VARIABLES {
        let proxy = Proxy::start(Answer::Through(service.port));
        let world = proxy.world(variable);
        std::fs::write(world.path("ca.pem"), &authority.pem).unwrap();
        let shown = run(&world, &[&SHOW[..], &["-vv", "--ca-cert", "ca.pem"]].concat());
        assert_eq!(shown.code, 0, "{variable}\n{}", shown.transcript());
        let asked = proxy.requests();
        assert_eq!(asked[0].line, "CONNECT service.example:443");
        assert!(asked[0].headers.iter().any(|header| header.to_lowercase().starts_with("proxy-authorization: basic ")));
        assert!(!format!("{asked:?}").contains(TOKEN), "{asked:?}");
        assert_eq!(service.requests().len(), 1);
    }
}

#[test]
fn no_proxy_excludes_hosts() {
    let proxy = Proxy::start(Answer::Drop);
    let direct = run(&proxy.world("HTTPS_PROXY").with("NO_PROXY", "other.example, service.example"), &SHOW);
    assert!(direct.code == 8 && !direct.stderr.contains("proxy"), "{}", direct.transcript());
    assert_eq!(proxy.requests().len(), 0);
    assert!(run(&proxy.world("HTTPS_PROXY").with("NO_PROXY", "other.example"), &SHOW).stderr.contains("proxy"));
    assert_eq!(proxy.requests().len(), 1);
}

#[test]
fn loopback_addresses_use_no_proxy() {
    let proxy = Proxy::start(Answer::Drop);
    let authority = Ca::new("ours");
    for host in ["localhost", "127.0.0.1"] {
        let service = TlsService::start(&authority.issue(host, VALID));
        let world = VARIABLES.iter().fold(service.world(), |world, variable| world.with(variable, &proxy.address()));
        let world = world.with("SITECTL_BASE_URL", &service.base_url(host)).with("SSL_CERT_FILE", "ca.pem");
        std::fs::write(world.path("ca.pem"), &authority.pem).unwrap();
        let shown = run(&world, &SHOW);
        assert_eq!(shown.code, 0, "{}", shown.transcript());
    }
    assert_eq!(proxy.requests().len(), 0);
}

#[test]
fn the_error_shows_the_failing_proxy() {
    let absent = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (answer, why) in [
        (Some(Answer::Refuse), "tunnel error: proxy authorization required"),
        (Some(Answer::Drop), "tunnel error: unexpected end of file"),
        (None, "Connection refused"),
    ] {
        let port = answer.map_or(absent, |answer| Proxy::start(answer).port);
        let world = world().with("HTTPS_PROXY", &format!("http://proxyuser:hunter2@127.0.0.1:{port}"));
        let failed = run(&world, &CREATE);
        let what = format!("through the proxy 127.0.0.1:{port}: {why}");
        assert!(failed.code == 8 && failed.stderr.contains(&what), "{}", failed.transcript());
        assert!(failed.stderr.contains("hint: check HTTPS_PROXY"), "{}", failed.transcript());
    }
}
