//! A service of tasks that end when a test says so: it answers on as many connections as it is asked on, refuses what is
//! above its rate, and writes down when each request came and what it was told.

use crate::scripted::read_request;
use crate::support::World;
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// A task, and what becomes of it.
#[derive(Clone)]
pub struct Task {
    pub id: String,
    /// So long after the service was started.
    pub ends: Duration,
    /// Its last status; none where its requests are never answered.
    pub end: Option<&'static str>,
}

/// So many requests in a window that begins with one.
#[derive(Clone, Copy)]
pub struct Rate {
    pub requests: usize,
    pub window: Duration,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Poll {
    pub id: String,
    pub at: Instant,
    /// Whether it was refused for its rate.
    pub refused: bool,
    /// Whether it was told that the task has ended.
    pub ended: bool,
}

/// The service of one test.
pub struct TaskService {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

struct State {
    started: Instant,
    tasks: Vec<Task>,
    rate: Rate,
    /// When the requests of this window came.
    window: Vec<Instant>,
    polls: Vec<Poll>,
    over: bool,
}

impl TaskService {
    pub fn start(tasks: Vec<Task>, rate: Rate) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { started: Instant::now(), tasks, rate, window: Vec::new(), polls: Vec::new(), over: false };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        spawn(move || accept(&listener, &shared));
        Self { address, state }
    }

    pub fn world(&self) -> World {
        World::on(&format!("http://{}/api/v6", self.address))
    }

    /// All requests, in the order in which they came.
    pub fn polls(&self) -> Vec<Poll> {
        self.state.lock().unwrap().polls.clone()
    }
}

impl Drop for TaskService {
    fn drop(&mut self) {
        self.state.lock().unwrap().over = true;
        let _ = TcpStream::connect(self.address);
    }
}

fn accept(listener: &TcpListener, state: &Arc<Mutex<State>>) {
    for stream in listener.incoming().map(Result::unwrap) {
        if state.lock().unwrap().over {
            return;
        }
        let state = state.clone();
        spawn(move || converse(stream, &state));
    }
}

/// Answers one connection's requests until the other side closes it.
fn converse(mut stream: TcpStream, state: &Mutex<State>) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = read_request(&mut reader) {
        let id = request.line.rsplit('/').next().unwrap();
        let answer = state.lock().unwrap().answer(id);
        let Some(answer) = answer else { return hang(state) };
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Keeps a connection until the test is over.
fn hang(state: &Mutex<State>) {
    while !state.lock().unwrap().over {
        sleep(Duration::from_millis(20));
    }
}

impl State {
    /// The answer; none where there is to be none.
    fn answer(&mut self, id: &str) -> Option<String> {
        let at = Instant::now();
        let task = self.tasks.iter().find(|task| task.id == id).unwrap().clone();
        if self.window.first().is_some_and(|first| at - *first >= self.rate.window) {
            self.window.clear();
        }
        let refused = self.window.len() == self.rate.requests;
        if !refused {
            self.window.push(at);
        }
        let ended = at - self.started >= task.ends;
        self.polls.push(Poll { id: id.into(), at, refused, ended: ended && !refused });
        let status = if ended { task.end? } else { task.end.map(|_| "running")? };
        let progress = if ended { 100 } else { 0 };
        let body = format!(r#"{{"task":{{"id":"{id}","status":"{status}","progress":{progress}}}}}"#);
        let body = if refused { "{}".into() } else { body };
        Some(format!(
            "HTTP/1.1 {} X\r\n{}content-length: {}\r\n\r\n{body}",
            if refused { 429 } else { 200 },
            self.headers(at),
            body.len()
        ))
    }

    fn headers(&self, at: Instant) -> String {
        format!(
            "x-ratelimit-limit: {}\r\nx-ratelimit-remaining: {}\r\nx-ratelimit-reset: {}\r\n",
            self.rate.requests,
            self.rate.requests - self.window.len(),
            (self.rate.window - (at - self.window[0])).as_secs_f64().ceil()
        )
    }
}
