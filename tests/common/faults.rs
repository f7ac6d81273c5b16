//! The parts of a gateway between the program and a sandbox: it forwards requests and causes faults.

use crate::cases::Random;
use crate::common::{Server, wait_for};
use crate::service::{Reply, Seen, Service};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The program's `--request-timeout`, if responses are late.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);

/// What happens to a request between the program and the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It arrives, and so does the response.
    None,
    /// The connection is closed before the sandbox receives it.
    DropBefore,
    /// The connection is closed after the sandbox has processed it.
    DropAfter,
    /// The sandbox processes it, and the response is cut off.
    CutOff,
    /// The response arrives after the program's timeout.
    Late,
    /// The program is killed before the sandbox receives it.
    KillBefore,
    /// The program is killed after the sandbox has processed it.
    KillAfter,
    /// The sandbox does not receive it, and the program receives this status.
    Refuse(u16),
}

/// What the program received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    Status(u16),
    /// Nothing that shows what became of the request.
    Nothing,
}

impl Random {
    pub fn fault(&mut self) -> Fault {
        match self.below(24) {
            0..=1 => Fault::DropBefore,
            2..=3 => Fault::DropAfter,
            4 => Fault::CutOff,
            5 if self.one_in(3) => Fault::Late,
            6 => Fault::KillBefore,
            7 => Fault::KillAfter,
            8..=13 => Fault::Refuse([401, 403, 409, 422, 429, 503][self.index(6)]),
            _ => Fault::None,
        }
    }
}

impl Fault {
    pub fn kills(self) -> bool {
        matches!(self, Self::KillBefore | Self::KillAfter)
    }

    /// Whether the sandbox receives the request.
    pub fn is_forwarded(self) -> bool {
        !matches!(self, Self::DropBefore | Self::KillBefore | Self::Refuse(_))
    }

    /// Returns what the program receives if the sandbox responds with this status.
    pub fn received(self, status: Option<u16>) -> Received {
        match (self, status) {
            (Self::Refuse(status), _) | (Self::None, Some(status)) => Received::Status(status),
            // The status of a refusal is enough.
            (Self::CutOff, Some(status @ 400..500)) => Received::Status(status),
            _ => Received::Nothing,
        }
    }

    /// Returns the reply to the program. `response` is the sandbox's status and body.
    pub fn reply(self, response: Option<(u16, String)>) -> Reply {
        let (status, body) = response.unwrap_or_default();
        match self {
            Self::None => Reply::Json(status, body),
            Self::DropBefore | Self::DropAfter | Self::KillBefore | Self::KillAfter => Reply::Drop,
            Self::CutOff => {
                let length = body.len();
                let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n");
                Reply::Raw((head + &body[..length / 2]).into_bytes())
            }
            Self::Late => {
                let reply = Reply::Json(status, body);
                Reply::Late(REQUEST_TIMEOUT.mul_f64(1.5), Box::new(reply))
            }
            Self::Refuse(status) => refusal(status),
        }
    }
}

pub fn refusal(status: u16) -> Reply {
    let error =
        format!(r#"{{"error":{{"status":{status},"code":"refused","message":"Refused."}}}}"#);
    Reply::Json(status, error)
}

/// Returns the token of a command. Its number identifies the command's requests.
pub fn token_of(command: usize) -> String {
    format!("token-{command}-of-the-gateway")
}

/// Returns the number of the command that sent a request.
pub fn command_of(request: &Seen) -> usize {
    let token = header(request, "authorization");
    token.split('-').nth(1).unwrap().parse().unwrap()
}

/// Returns the value of a header that every request has.
pub fn header<'r>(request: &'r Seen, name: &str) -> &'r str {
    let lines = request.headers.iter();
    let mut headers = lines.filter_map(|line| line.split_once(": "));
    let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.unwrap().1
}

/// Signals a program as soon as its process is known. The program may have ended.
pub fn signal_when_known(signal: Signal, process: impl Fn() -> Option<u32>) {
    let process = wait_for("the process is announced", process);
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap_or(());
}

/// A service between the program and a sandbox.
pub struct Gateway<S> {
    service: Service,
    _server: Server,
    pub handler: Arc<Handler<S>>,
}

/// Handles the requests, one at a time.
pub struct Handler<S> {
    pub sandbox: Sandbox,
    state: Mutex<S>,
}

impl<S: Default + Send + 'static> Gateway<S> {
    /// Starts a sandbox with these options and without a rate limit, and a service that handles its requests.
    pub fn with_sandbox(options: &[&str], respond: fn(&Handler<S>, &Seen) -> Reply) -> Self {
        let (server, sandbox) = Sandbox::start(options);
        let state = Mutex::default();
        let handler = Arc::new(Handler { sandbox, state });
        let of_service = Arc::clone(&handler);
        Self {
            service: Service::start(move |request| respond(&of_service, &request)),
            _server: server,
            handler,
        }
    }

    pub fn base_url(&self) -> &str {
        &self.service.base_url
    }
}

impl<S> Handler<S> {
    pub fn state(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap()
    }
}

/// The sandbox behind a gateway.
#[derive(Clone)]
pub struct Sandbox {
    /// The token of all requests.
    pub token: &'static str,
    /// The URL without a path.
    origin: String,
    agent: ureq::Agent,
}

impl Sandbox {
    /// Starts a sandbox with these options and without a rate limit. It ends with the server.
    pub fn start(options: &[&str]) -> (Server, Self) {
        let server = Server::start(&[&["--rate-limit", "1000000"], options].concat());
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build()
            .into();
        let origin = server.base_url.trim_end_matches("/api/v6").into();
        let token = "sandbox-token";
        let sandbox = Self {
            token,
            origin,
            agent,
        };
        (server, sandbox)
    }

    /// Forwards the request, and returns the status and the body of the response.
    pub fn forward(&self, request: &Seen) -> (u16, String) {
        let (method, path) = request.line.split_once(' ').unwrap();
        let url = format!("{}{path}", self.origin);
        let token = format!("Bearer {}", self.token);
        let response = if method == "POST" {
            let post = self.agent.post(url).header("authorization", &token);
            post.send(request.body.as_bytes())
        } else {
            self.agent.get(url).header("authorization", &token).call()
        };
        let mut response = response.unwrap();
        let body = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), body)
    }

    /// Sends a request such as `GET /clients`, and returns the status and the body of the response.
    pub fn send(&self, line: &str, body: &Value) -> (u16, Value) {
        let (status, body) = self.forward(&Seen {
            line: line.replacen(' ', " /api/v6", 1),
            headers: Vec::new(),
            body: body.to_string(),
        });
        (status, serde_json::from_str(&body).unwrap())
    }
}
