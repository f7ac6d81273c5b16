//! An HTTP service for behavior that the sandbox does not have. It replies by a closure (`Service`), or to the requests of
//! a script in order (`Scripted`).

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crate::common::{World, wait_for, wait_until};
use serde_json::{Value, json};

/// The reply to a request.
#[derive(Clone)]
pub enum Reply {
    /// Responds with a status and a body, and closes the connection.
    Json(u16, String),
    /// Responds with a status, lines of headers and a body, and keeps the connection open.
    KeepAlive(u16, String, String),
    /// Responds with exactly these bytes, and closes the connection.
    Raw(Vec<u8>),
    /// Closes the connection.
    Drop,
    /// Sends these bytes, and resets the connection.
    Reset(String),
    /// Sends these bytes one at a time, slowly.
    Drip(String),
    /// Sends nothing until the other side gives up.
    Silence,
    /// Connects to this port of this machine, as a proxy does.
    Tunnel(u16),
    /// Replies after a delay.
    Late(Duration, Box<Reply>),
}

impl Reply {
    /// Responds with this status and an empty body.
    pub fn status(status: u16) -> Self {
        Self::Json(status, String::new())
    }

    /// Responds with a complete list on one page.
    pub fn list(name: &str, records: &[Value]) -> Self {
        let total = records.len();
        let pagination = json!({"page": 1, "perPage": 1000, "totalPages": 1, "totalItems": total});
        let body = json!({name: records, "meta": {"pagination": pagination}});
        Self::Json(200, body.to_string())
    }

    /// Responds with a task.
    pub fn task(id: &str, status: &str) -> Self {
        let body = json!({"task": {"id": id, "status": status}});
        Self::Json(200, body.to_string())
    }
}

/// A request.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Such as `GET /api/v6/clients`.
    pub line: String,
    pub headers: Vec<String>,
    pub body: String,
}

/// A service that replies by a closure on any number of connections. It ends with the test.
pub struct Service {
    pub base_url: String,
    address: SocketAddr,
    over: Arc<AtomicBool>,
    connections: Arc<AtomicUsize>,
}

impl Service {
    /// Starts the service. The closure receives one request at a time.
    pub fn start(respond: impl FnMut(Seen) -> Reply + Send + 'static) -> Self {
        Self::listen(false, respond)
    }

    /// Starts the service. With `in_order`, the first request of a connection is read before the next connection is accepted.
    fn listen(in_order: bool, respond: impl FnMut(Seen) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (over, connections) = (Arc::default(), Arc::default());
        let service = Self {
            base_url: format!("http://{address}/api/v6"),
            address,
            over,
            connections,
        };
        let (over, connections) = (Arc::clone(&service.over), Arc::clone(&service.connections));
        std::thread::spawn(move || accept(listener, &over, &connections, in_order, respond));
        service
    }

    pub fn world(&self) -> World {
        World::on(&self.base_url)
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the listener, so that it releases its port.
        let _ = TcpStream::connect(self.address);
    }
}

fn accept<F>(
    listener: TcpListener,
    over: &AtomicBool,
    connections: &AtomicUsize,
    in_order: bool,
    respond: F,
) where
    F: FnMut(Seen) -> Reply + Send + 'static,
{
    let respond = Arc::new(Mutex::new(respond));
    while let Ok((stream, _)) = listener.accept() {
        if over.load(Ordering::SeqCst) {
            return;
        }
        connections.fetch_add(1, Ordering::SeqCst);
        stream.set_nodelay(true).unwrap();
        let mut reader = BufReader::new(stream);
        let first = if in_order {
            next_reply(&mut reader, &respond)
        } else {
            None
        };
        let respond = Arc::clone(&respond);
        std::thread::spawn(move || converse(reader, first, &respond));
    }
}

/// Reads a request and returns the reply; `None` if the other side has closed the connection.
fn next_reply(
    reader: &mut impl BufRead,
    respond: &Mutex<impl FnMut(Seen) -> Reply>,
) -> Option<Reply> {
    let request = read_request(reader)?;
    Some(respond.lock().unwrap()(request))
}

/// Sends the first reply, and replies to other requests while the connection stays open.
fn converse(
    mut reader: BufReader<TcpStream>,
    first: Option<Reply>,
    respond: &Mutex<impl FnMut(Seen) -> Reply>,
) {
    let mut next = first;
    while let Some(mut reply) = next.or_else(|| next_reply(&mut reader, respond)) {
        if let Reply::Late(delay, later) = reply {
            std::thread::sleep(delay);
            reply = *later;
        }
        let stays_open = matches!(reply, Reply::KeepAlive(..));
        send(reader.get_mut(), reply);
        if !stays_open {
            return;
        }
        next = None;
    }
}

/// Returns the next request of a connection; `None` if the other side has closed it.
pub fn read_request(reader: &mut impl BufRead) -> Option<Seen> {
    let lines = reader.by_ref().lines().map_while(Result::ok);
    let mut lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let length = lines.iter().find_map(|line| {
        line.to_lowercase()
            .strip_prefix("content-length: ")
            .map(str::to_string)
    });
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    let line = lines.remove(0).trim_end_matches(" HTTP/1.1").to_string();
    Some(Seen {
        line,
        headers: lines,
        body: String::from_utf8(body).unwrap(),
    })
}

/// Sends the reply. The other side may have closed the connection already.
fn send(stream: &mut TcpStream, reply: Reply) {
    let mut respond = |status, headers: &str, body: &str| {
        let length = body.len();
        let head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{headers}");
        let _ =
            stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes());
    };
    match reply {
        Reply::Json(status, body) => respond(status, "connection: close\r\n", &body),
        Reply::KeepAlive(status, headers, body) => respond(status, &headers, &body),
        Reply::Raw(bytes) => drop(stream.write_all(&bytes)),
        Reply::Drop => {}
        Reply::Reset(text) => {
            let _ = stream.write_all(text.as_bytes());
            // The other side reads what has arrived before the reset.
            std::thread::sleep(Duration::from_millis(20));
            rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO)).unwrap();
        }
        Reply::Drip(text) => {
            let slowly = |byte| {
                std::thread::sleep(Duration::from_millis(20));
                stream.write_all(&[byte]).is_ok()
            };
            let _ = text.bytes().all(slowly);
        }
        Reply::Silence => {
            let _ = stream.read(&mut [0]);
        }
        Reply::Tunnel(port) => {
            stream
                .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                .unwrap();
            tunnel(
                stream.try_clone().unwrap(),
                TcpStream::connect(("127.0.0.1", port)).unwrap(),
            );
        }
        Reply::Late(_, reply) => send(stream, *reply),
    }
}

/// Copies the bytes of each connection to the other.
fn tunnel(one: TcpStream, other: TcpStream) {
    for (mut from, mut to) in [
        (one.try_clone().unwrap(), other.try_clone().unwrap()),
        (other, one),
    ] {
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

/// A service that expects the requests of a script, in this order. At its end, it fails the test if a request did not come or
/// another one came.
pub struct Scripted {
    pub base_url: String,
    service: Service,
    seen: Receiver<Seen>,
    script: Arc<Mutex<Script>>,
}

struct Script {
    /// The requests that have not come, with their replies.
    expected: VecDeque<(&'static str, Reply)>,
    /// The sites that are served, each with a snapshot.
    snapshots: Vec<(&'static str, &'static str)>,
    /// What the script does not allow.
    problem: Option<String>,
}

impl Scripted {
    /// Expects requests that begin with these words, and replies to each.
    pub fn new(script: Vec<(&'static str, Reply)>) -> Self {
        Self::start(script, false)
    }

    /// Also serves the sites and the snapshots of the restores in the script, with which a restore begins.
    pub fn with_sites(script: Vec<(&'static str, Reply)>) -> Self {
        Self::start(script, true)
    }

    fn start(script: Vec<(&'static str, Reply)>, serves_sites: bool) -> Self {
        let (sender, seen) = channel();
        let restores = script.iter().filter_map(|(line, _)| {
            let path = line.strip_prefix("POST /api/v6/sites/")?;
            let (site, rest) = path.split_once("/backups/")?;
            Some((site, rest.split('/').next()?))
        });
        let script = Arc::new(Mutex::new(Script {
            snapshots: if serves_sites {
                restores.collect()
            } else {
                Vec::new()
            },
            expected: script.into(),
            problem: None,
        }));
        let shared = Arc::clone(&script);
        let service = Service::listen(true, move |request| {
            let mut script = shared.lock().unwrap();
            if script.is_next(&request) {
                let _ = sender.send(request);
                return script.expected.pop_front().unwrap().1;
            }
            if let Some(reply) = site_reply(&script.snapshots, &request.line) {
                return reply;
            }
            script.note_problem(&request);
            Reply::Drop
        });
        Self {
            base_url: service.base_url.clone(),
            service,
            seen,
            script,
        }
    }

    pub fn world(&self) -> World {
        self.service.world()
    }

    /// Waits for the next request.
    #[track_caller]
    pub fn next(&self) -> Seen {
        wait_for("a request", || {
            self.assert_followed();
            self.seen.try_recv().ok()
        })
    }

    /// Waits for the requests of the script, and returns those that `next` did not.
    #[track_caller]
    pub fn requests(&self) -> Vec<Seen> {
        let missing = || self.script().expected.front().map(|(line, _)| *line);
        let what = format!("the request {}", missing().unwrap_or_default());
        wait_until(&what, || {
            self.assert_followed();
            missing().is_none()
        });
        self.seen.try_iter().collect()
    }

    #[track_caller]
    fn assert_followed(&self) {
        assert_eq!(self.script().problem, None, "the script was not followed");
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.requests();
        }
    }
}

impl Script {
    fn is_next(&self, request: &Seen) -> bool {
        let next = self.expected.front();
        next.is_some_and(|(words, _)| request.line.starts_with(words))
    }

    fn note_problem(&mut self, request: &Seen) {
        let expected = self.expected.front().map_or("nothing", |(words, _)| words);
        let problem = format!("expected {expected}, got {}", request.line);
        self.problem.get_or_insert(problem);
    }
}

/// Returns the reply to a request for the sites of these pairs, for one of them or for its snapshots.
pub fn site_reply(pairs: &[(&str, &str)], line: &str) -> Option<Reply> {
    let path = line.strip_prefix("GET /api/v6/sites")?.split('?').next()?;
    let decoded = |text: &str| {
        let text = percent_encoding::percent_decode_str(text);
        text.decode_utf8_lossy().into_owned()
    };
    let mut pairs: Vec<(String, String)> = pairs
        .iter()
        .map(|(site, snapshot)| (decoded(site), decoded(snapshot)))
        .collect();
    pairs.sort();
    pairs.dedup();
    match path.split('/').map(decoded).collect::<Vec<_>>().as_slice() {
        _ if pairs.is_empty() => None,
        [_] => {
            pairs.dedup_by(|one, other| one.0 == other.0);
            let site = |(id, _): &(String, String)| json!({"id": id});
            let sites: Vec<Value> = pairs.iter().map(site).collect();
            Some(Reply::list("sites", &sites))
        }
        [_, id] => Some(Reply::Json(200, json!({"site": {"id": id}}).to_string())),
        [_, id, _] => {
            let snapshot = |(_, id): &(String, String)| json!({"id": id, "status": "succeeded", "created_at": "2026-11-20T02:00:00Z"});
            let of_site = pairs.iter().filter(|(site, _)| site == id);
            let snapshots: Vec<Value> = of_site.map(snapshot).collect();
            Some(Reply::list("snapshots", &snapshots))
        }
        _ => None,
    }
}

/// Returns page `page` of a list, with clients of these ids.
pub fn page(ids: &[&str], page: u32, total_pages: u32, total: u32) -> Reply {
    let clients: Vec<String> = ids.iter().map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
    listed(&clients, [page, 2, total_pages, total])
}

/// Returns a list with these clients on its only page.
pub fn clients(records: &[&str]) -> Reply {
    listed(records, [1, 25, 1, u32::try_from(records.len()).unwrap()])
}

fn listed(records: &[impl AsRef<str>], [page, rows, total_pages, total]: [u32; 4]) -> Reply {
    let records = records
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(",");
    let pagination = format!(
        r#""page":{page},"perPage":{rows},"totalPages":{total_pages},"totalItems":{total}"#
    );
    Reply::Json(
        200,
        format!(r#"{{"clients":[{records}],"meta":{{"pagination":{{{pagination}}}}}}}"#),
    )
}
