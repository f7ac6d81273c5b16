//! A service that does what a test tells it, for what no good service does. A request that the script does not expect,
//! or one that it expects and does not get, fails the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::support::World;

/// What the service does with one request.
#[derive(Clone)]
pub enum Reply {
    /// Answers with a status and a body.
    Json(u16, String),
    /// Answers with exactly these bytes.
    Raw(String),
    /// Closes the connection.
    Drop,
    /// Says nothing until the other side gives up.
    Silence,
}

/// A request as it arrived.
#[derive(Debug)]
pub struct Seen {
    /// Such as `GET /api/v6/clients`.
    pub line: String,
    pub headers: Vec<String>,
    pub body: String,
}

/// The service of one test.
pub struct Scripted {
    pub base_url: String,
    seen: Receiver<Seen>,
    thread: Option<JoinHandle<()>>,
}

impl Scripted {
    /// Expects requests that begin with these words, in this order, and replies to each.
    pub fn new(script: Vec<(&'static str, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/api/v6", listener.local_addr().unwrap());
        let (sender, seen) = channel();
        let thread = std::thread::spawn(move || {
            for (expected, reply) in script {
                let (mut stream, request) = accept(&listener, expected);
                assert!(request.line.starts_with(expected), "expected {expected}, got {}", request.line);
                sender.send(request).unwrap();
                send(&mut stream, reply);
            }
        });
        Self { base_url, seen, thread: Some(thread) }
    }

    pub fn world(&self) -> World {
        World::on(&self.base_url)
    }

    /// Waits until the next request has come.
    pub fn next(&self) -> Seen {
        self.seen.recv_timeout(Duration::from_secs(20)).expect("no request came")
    }

    /// All requests, once every one of the script has come.
    pub fn requests(mut self) -> Vec<Seen> {
        self.thread.take().unwrap().join().expect("the script was not followed");
        self.seen.try_iter().collect()
    }
}

/// One request a connection: the script's order is the order of arrival.
fn accept(listener: &TcpListener, expected: &str) -> (TcpStream, Seen) {
    let stream = wait_for_connection(listener).unwrap_or_else(|| panic!("{expected} never came"));
    stream.set_nonblocking(false).unwrap();
    let request = read_request(&mut BufReader::new(stream.try_clone().unwrap()));
    (stream, request.unwrap_or_else(|| panic!("{expected} was broken off")))
}

/// The next request of a connection; none where the other side has closed it.
pub fn read_request(reader: &mut impl BufRead) -> Option<Seen> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            text => lines.push(text.to_string()),
        }
    }
    let length = lines.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_string));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    let line = lines.remove(0).trim_end_matches(" HTTP/1.1").to_string();
    Some(Seen { line, headers: lines, body: String::from_utf8(body).unwrap() })
}

/// A request that never comes must fail its test, not hang it.
fn wait_for_connection(listener: &TcpListener) -> Option<TcpStream> {
    listener.set_nonblocking(true).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        match listener.accept() {
            Ok((stream, _)) => return Some(stream),
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    None
}

/// Does with the request what the reply says.
pub fn send(stream: &mut TcpStream, reply: Reply) {
    match reply {
        Reply::Json(status, body) => {
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
        Reply::Raw(text) => stream.write_all(text.as_bytes()).unwrap(),
        Reply::Drop => {}
        Reply::Silence => {
            let _ = stream.read(&mut [0]);
        }
    }
}

/// A page of clients with these ids, as page `page` of a list.
pub fn page(ids: &[&str], page: u32, total_pages: u32, total: u32) -> Reply {
    let clients: Vec<String> = ids.iter().map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
    Reply::Json(
        200,
        format!(
            r#"{{"clients":[{}],"meta":{{"pagination":{{"page":{page},"perPage":2,"totalPages":{total_pages},"totalItems":{total}}}}}}}"#,
            clients.join(",")
        ),
    )
}

/// These clients, all of them on the one page of their list.
pub fn clients(records: &[&str]) -> Reply {
    let total = records.len();
    let pagination = format!(r#"{{"page":1,"perPage":25,"totalPages":1,"totalItems":{total}}}"#);
    Reply::Json(200, format!(r#"{{"clients":[{}],"meta":{{"pagination":{pagination}}}}}"#, records.join(",")))
}
