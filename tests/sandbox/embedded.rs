//! The sandbox inside a process, as `--sandbox` uses it: bound first, served on a thread of its own.

use serde_json::Value;
use sitectl::sandbox::{Database, Options, Sandbox, TOKEN, reset};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

fn on(file: &Path) -> Sandbox {
    Sandbox::bind(Options { database: Database::File(file.to_owned()), ..Options::default() }).unwrap()
}

/// Sends a request for the clients; the answer is read later.
fn ask(base: &str) -> TcpStream {
    let address = base.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/api/v6")).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET /api/v6/clients HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    write!(stream, "{head}Authorization: Bearer {TOKEN}\r\n\r\n").unwrap();
    stream
}

fn total(mut stream: TcpStream) -> Value {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    body["meta"]["pagination"]["totalItems"].clone()
}

#[test]
fn requests_wait_until_it_is_served() {
    let sandbox = Sandbox::bind(Options::default()).unwrap();
    let base = sandbox.base_url();
    let waiting: Vec<_> = (0..10).map(|_| ask(&base)).collect();
    sandbox.spawn().unwrap();
    assert!(waiting.into_iter().all(|stream| total(stream) == 60));
    assert_eq!(total(ask(&base)), 60);
}

#[test]
fn many_share_a_file_and_a_reset() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new/shared.db");
    let bases: Vec<_> = std::thread::scope(|scope| {
        let binds: Vec<_> = (0..8).map(|_| scope.spawn(|| on(&file))).collect();
        let sandboxes = binds.into_iter().map(|bind| bind.join().unwrap());
        sandboxes.map(|sandbox| (sandbox.base_url(), sandbox.spawn().unwrap()).0).collect()
    });
    reset(&file).unwrap();
    assert!(bases.iter().all(|base| total(ask(base)) == 60));
}
