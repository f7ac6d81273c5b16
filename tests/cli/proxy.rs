//! Proxies: which proxy is used, what it receives, and how its failures are reported.

use crate::common::{Run, World};
use crate::service::{Reply, Seen, Service};
use crate::tls_service::{Ca, TOKEN, TlsService};
use predicates::str::contains;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

const SHOW: &str = "clients show c1 --retries 0 --request-timeout 5s";
const VARIABLES: [&str; 4] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

struct Proxy {
    service: Service,
    seen: Receiver<Seen>,
}

impl Proxy {
    /// Starts a proxy that replies to CONNECT.
    fn start(reply: Reply) -> Self {
        let (sender, seen) = channel();
        let respond = move |request| {
            let _ = sender.send(request);
            reply.clone()
        };
        Self {
            service: Service::start(respond),
            seen,
        }
    }

    /// Returns its URL, with a user and a password that must not be printed.
    fn address(&self) -> String {
        self.service
            .base_url
            .replace("http://", "http://proxyuser:hunter2@")
            .replace("/api/v6", "")
    }

    fn world(&self, variable: &str) -> World {
        world().with(variable, &self.address())
    }

    fn requests(&self) -> Vec<Seen> {
        self.seen.try_iter().collect()
    }
}

fn world() -> World {
    World::on("https://service.example/api/v6").with("SITECTL_TOKEN", TOKEN)
}

fn run(world: &World, line: &str) -> Run {
    let run = world.run(line);
    for secret in [TOKEN, "proxyuser", "hunter2", "cHJveHl1c2VyOmh1bnRlcjI"] {
        assert!(
            !format!("{}{}", run.stdout, run.stderr).contains(secret),
            "{}",
            run.transcript()
        );
    }
    run
}

#[test]
fn the_proxy_receives_only_the_host_and_port() {
    let authority = Ca::new("ours");
    let service = TlsService::start(&authority.issue("service.example"));
    for variable in VARIABLES {
        let proxy = Proxy::start(Reply::Tunnel(service.port));
        let world = proxy.world(variable);
        std::fs::write(world.path("ca.pem"), &authority.pem).unwrap();
        let shown = run(&world, &format!("{SHOW} -vv --ca-cert ca.pem"));
        assert_eq!(shown.code, 0, "{variable}\n{}", shown.transcript());
        let asked = proxy.requests();
        assert_eq!(asked[0].line, "CONNECT service.example:443");
        assert!(asked[0].headers.iter().any(|header| {
            header
                .to_lowercase()
                .starts_with("proxy-authorization: basic ")
        }));
        assert!(!format!("{asked:?}").contains(TOKEN), "{asked:?}");
        assert_eq!(service.requests().len(), 1);
    }
}

#[test]
fn loopback_addresses_use_no_proxy() {
    let proxy = Proxy::start(Reply::Drop);
    let authority = Ca::new("ours");
    for host in ["localhost", "127.0.0.1"] {
        let service = TlsService::start(&authority.issue(host));
        let world = VARIABLES.iter().fold(service.world(), |world, variable| {
            world.with(variable, &proxy.address())
        });
        let world = world
            .with("SITECTL_BASE_URL", &service.base_url(host))
            .with("SSL_CERT_FILE", "ca.pem");
        std::fs::write(world.path("ca.pem"), &authority.pem).unwrap();
        let shown = run(&world, SHOW);
        assert_eq!(shown.code, 0, "{}", shown.transcript());
        assert_eq!(service.requests().len(), 1);
    }
    assert_eq!(proxy.requests().len(), 0);
}

#[test]
fn the_error_shows_the_failing_proxy() {
    let absent = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for (reply, why, hint) in [
        (
            Some(Reply::status(407)),
            "tunnel error: proxy authorization required",
            "export HTTPS_PROXY=http://USER:PASSWORD@127.0.0.1:",
        ),
        (
            Some(Reply::Drop),
            "tunnel error: unexpected end of file",
            "env | grep -i proxy",
        ),
        (None, "Connection refused", "env | grep -i proxy"),
    ] {
        let proxy = reply.map(Proxy::start);
        let address = proxy
            .as_ref()
            .map_or(format!("http://proxyuser:hunter2@{absent}"), Proxy::address);
        let create = "clients create --first-name Ada --email a@example.com --retries 1";
        let failed = run(&world().with("HTTPS_PROXY", &address), create);
        let what = format!(
            "through the proxy {}: {why}",
            address.rsplit('@').next().unwrap()
        );
        failed.assert_stderr(8, contains(&what));
        // A wrong password is sent once.
        if let Some(proxy) = proxy {
            let attempts = if what.ends_with("required") { 1 } else { 2 };
            assert_eq!(proxy.requests().len(), attempts, "{what}");
        }
        assert!(failed.stderr.contains(hint), "{}", failed.transcript());
    }
}
