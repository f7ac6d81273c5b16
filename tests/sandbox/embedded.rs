//! The sandbox inside a process, as `--sandbox` uses it: bound first, served on a thread of its own.

use sitectl::sandbox::{Options, Sandbox, TOKEN};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn requests_wait_until_it_is_served() {
    let sandbox = Sandbox::bind(Options::default()).unwrap();
    let base = sandbox.base_url();
    let address = base.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/api/v6")).unwrap();
    let mut waiting: Vec<_> = (0..10).map(|_| TcpStream::connect(address).unwrap()).collect();
    for stream in &mut waiting {
        let head = format!("GET /api/v6/clients HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        write!(stream, "{head}Authorization: Bearer {TOKEN}\r\n\r\n").unwrap();
    }
    sandbox.spawn().unwrap();
    for mut stream in waiting {
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 200") && response.contains(r#""totalItems":60"#), "{response}");
    }
}
