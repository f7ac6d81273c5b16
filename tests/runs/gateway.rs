//! A gateway between the program and the sandbox: it logs each POST of a restore with the sandbox's
//! response, which is the truth, and causes faults. The token of a request says the home and the
//! account, and the host which of the commands that the home runs at the same time has sent it.

use crate::faults::{
    self, Fault, Handler, Received, Sandbox, command_of, header, refusal, signal_when_known,
    token_of,
};
use crate::sequence::{ACCOUNTS, Process, is_other};
use crate::service::{Reply, Seen};
use ring::digest::{SHA256, digest};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// How long a restore takes, in the sandbox.
pub const RESTORE_TIME: Duration = Duration::from_millis(200);
/// The number of polls that fail if polls fail.
const FAILING_POLLS: usize = 2;

/// A POST of a restore.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The number of the command that sent it.
    pub command: usize,
    pub account: usize,
    /// The text that identifies the decision: the path in the scope.
    pub tag: String,
    pub site: String,
    /// The sandbox's status; None if the sandbox did not receive it.
    pub status: Option<u16>,
    /// The task that the sandbox started.
    pub task_id: Option<String>,
    pub received: Received,
    pub at: Instant,
}

impl Attempt {
    /// Whether the program knows that the request was not processed.
    pub fn is_surely_unprocessed(&self) -> bool {
        matches!(self.received, Received::Status(401 | 403 | 409 | 429))
    }

    /// Whether the program received what the sandbox did with it.
    pub fn was_accepted_visibly(&self) -> bool {
        self.task_id.is_some() && matches!(self.received, Received::Status(_))
    }
}

/// The hosts in the addresses of two commands that run at the same time. Both are the same service.
pub const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];

/// What the requests of a running command have in common: its home and its host.
type Origin = (usize, &'static str);

/// A running command.
#[derive(Debug, Default)]
struct Client {
    command: usize,
    process: Option<u32>,
    faults: VecDeque<Fault>,
    failing_polls: usize,
}

#[derive(Debug, Default)]
pub struct State {
    clients: HashMap<Origin, Client>,
    attempts: Vec<Attempt>,
    /// The status of the tasks that have ended.
    ended: HashMap<String, String>,
}

pub type Gateway = faults::Gateway<State>;

impl Gateway {
    pub fn start() -> Self {
        let restore_time = format!("{}ms", RESTORE_TIME.as_millis());
        Self::with_sandbox(&["--restore-time", &restore_time], Handler::respond)
    }

    /// Forgets the attempts of the last sequence, after their restores have ended.
    pub fn reset(&self) {
        let last_attempt = self.attempts().last().map(|attempt| attempt.at);
        if let Some(at) = last_attempt {
            let end = at + RESTORE_TIME + Duration::from_millis(20);
            std::thread::sleep(end.saturating_duration_since(Instant::now()));
        }
        *self.handler.state() = State::default();
    }

    /// Announces a command and its faults.
    pub fn expect_command(&self, origin: Origin, command: usize, process: &Process) {
        let client = Client {
            command,
            process: None,
            faults: process.faults.iter().copied().collect(),
            failing_polls: if process.polls_fail { FAILING_POLLS } else { 0 },
        };
        self.handler.state().clients.insert(origin, client);
    }

    /// Sets the process of a command, which faults kill.
    pub fn set_process(&self, origin: Origin, process: u32) {
        let mut state = self.handler.state();
        state.clients.get_mut(&origin).unwrap().process = Some(process);
    }

    /// Returns the address for the commands with this host.
    pub fn url(&self, host: &str) -> String {
        self.base_url().replace(HOSTS[0], host)
    }

    /// Returns how the journal calls an account.
    pub fn account_digest(&self, home: usize, account: usize) -> String {
        let text = format!("{}\n{}", self.url("localhost"), token(home, account));
        let digest = digest(&SHA256, text.as_bytes());
        let first = digest.as_ref()[..4].iter();
        first.map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn attempts(&self) -> Vec<Attempt> {
        self.handler.state().attempts.clone()
    }

    /// Returns the status of a task in the sandbox.
    pub fn task_status(&self, task_id: &str) -> String {
        if let Some(status) = self.handler.state().ended.get(task_id) {
            return status.clone();
        }
        let mut attempts = self.attempts().into_iter();
        let attempt = attempts.find(|attempt| attempt.task_id.as_deref() == Some(task_id));
        let account = attempt.map_or(0, |attempt| attempt.account);
        let line = format!("GET /tasks/{task_id}");
        let (_, json) = self.handler.sandbox_of(account).send(&line, &Value::Null);
        let status = json["task"]["status"].as_str().unwrap().to_string();
        if ["succeeded", "failed"].contains(&status.as_str()) {
            let mut state = self.handler.state();
            state.ended.insert(task_id.into(), status.clone());
        }
        status
    }
}

/// Returns the token of an account of a home.
pub fn token(home: usize, account: usize) -> String {
    token_of(home * ACCOUNTS + account)
}

impl Handler<State> {
    /// Returns the sandbox, with the token of an account.
    fn sandbox_of(&self, account: usize) -> Sandbox {
        let mut sandbox = self.sandbox.clone();
        if is_other(account) {
            sandbox.token = "sandbox-other-token";
        }
        sandbox
    }

    fn respond(&self, request: &Seen) -> Reply {
        let number = command_of(request);
        let (home, account) = (number / ACCOUNTS, number % ACCOUNTS);
        let host = header(request, "host").split(':').next().unwrap();
        let host = HOSTS.into_iter().find(|known| *known == host).unwrap();
        let origin = (home, host);
        if request.line.starts_with("POST ") && request.line.ends_with("/restore") {
            return self.respond_to_restore(origin, account, request);
        }
        if request.line.contains("/tasks/") && self.takes_failing_poll(origin) {
            return refusal(503);
        }
        let (status, body) = self.sandbox_of(account).forward(request);
        Reply::Json(status, body)
    }

    fn respond_to_restore(&self, origin: Origin, account: usize, request: &Seen) -> Reply {
        let (command, fault) = self.next_fault(origin);
        let forward = || self.sandbox_of(account).forward(request);
        let response = fault.is_forwarded().then(forward);
        let json = response
            .as_ref()
            .and_then(|(_, body)| serde_json::from_str::<Value>(body).ok());
        let task_id = json.and_then(|json| json["task"]["id"].as_str().map(String::from));
        let status = response.as_ref().map(|(status, _)| *status);
        let body: Value = serde_json::from_str(&request.body).unwrap();
        self.state().attempts.push(Attempt {
            command,
            account,
            tag: body["restore"]["scope"]["paths"][0]
                .as_str()
                .unwrap()
                .into(),
            site: request.line.split('/').nth(4).unwrap().into(),
            status,
            task_id,
            received: fault.received(status),
            at: Instant::now(),
        });
        if fault.kills() {
            let process = || self.state().clients[&origin].process;
            signal_when_known(Signal::KILL, process);
        }
        fault.reply(response)
    }

    /// Returns the number of the command, and the fault of its next request.
    fn next_fault(&self, origin: Origin) -> (usize, Fault) {
        let mut state = self.state();
        let client = state.clients.get_mut(&origin).unwrap();
        let fault = client.faults.pop_front();
        (client.command, fault.unwrap_or(Fault::None))
    }

    fn takes_failing_poll(&self, origin: Origin) -> bool {
        let mut state = self.state();
        let Some(client) = state.clients.get_mut(&origin) else {
            return false;
        };
        let fails = client.failing_polls > 0;
        client.failing_polls = client.failing_polls.saturating_sub(1);
        fails
    }
}
