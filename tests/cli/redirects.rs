//! Redirects are reported and not followed, so that their target never receives the token.

use crate::common::{Run, World};
use crate::service::{Reply, Scripted};
use crate::tls_service::TOKEN;
use std::net::TcpListener;

fn redirect(status: u16, location: &str) -> Reply {
    Reply::Raw(format!(
        "HTTP/1.1 {status} X\r\nlocation: {location}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    ).into_bytes())
}

/// Runs a command on a service with this script.
fn run(script: Vec<(&'static str, Reply)>) -> Run {
    let count = script.len();
    let service = Scripted::new(script);
    let run = World::on(&service.base_url)
        .with("SITECTL_TOKEN", TOKEN)
        .run("clients show c1");
    assert_eq!(service.requests().len(), count);
    assert!(
        !format!("{}{}", run.stdout, run.stderr).contains(TOKEN),
        "{}",
        run.transcript()
    );
    run
}

#[test]
fn no_redirect_is_followed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    for status in [301, 302, 303, 307, 308] {
        for location in [
            format!("http://{address}/api/v6/clients/c1"),
            "/api/v6/clients/c2".into(),
        ] {
            let run = run(vec![("GET", redirect(status, &location))]);
            assert_eq!(run.code, 8, "{}", run.transcript());
            assert!(
                run.stderr
                    .contains(&format!("responded with {status}, a redirect, which")),
                "{}",
                run.stderr
            );
        }
    }
    other.set_nonblocking(true).unwrap();
    assert_eq!(
        other.accept().map(|_| ()).map_err(|error| error.kind()),
        Err(std::io::ErrorKind::WouldBlock)
    );
}
