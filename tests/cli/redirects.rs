//! Redirects are reported and not followed, so that their target never receives the token.

use crate::common::World;
use crate::service::{Reply, Scripted};
use predicates::str::contains;
use std::net::TcpListener;

#[test]
fn no_redirect_is_followed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}/api/v6/clients/c1", other.local_addr().unwrap());
    for status in [301, 307] {
        for location in [target.as_str(), "/api/v6/clients/c2"] {
            let reply = format!(
                "HTTP/1.1 {status} X\r\nlocation: {location}\r\nconnection: close\r\n\
                 content-length: 0\r\n\r\n"
            );
            let service = Scripted::new(vec![("GET", Reply::Raw(reply.into_bytes()))]);
            let world = World::on(&service.base_url).with("SITECTL_TOKEN", "token");
            let message = format!("responded with {status}, a redirect, which");
            world
                .run("clients show c1")
                .assert_stderr(8, contains(message));
            assert_eq!(service.requests().len(), 1);
        }
    }
    other.set_nonblocking(true).unwrap();
    assert!(other.accept().is_err());
}
