//! A gateway between the program and the sandbox: it logs each POST of a restore with the sandbox's
//! response, which is the truth, and causes faults. It tells commands apart by their tokens.

use crate::faults::{self, Fault, Handler, Received, command_of, refusal, signal_when_known};
use crate::service::{Reply, Seen};
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

/// A running command.
#[derive(Debug, Default)]
struct Client {
    process: Option<u32>,
    faults: VecDeque<Fault>,
    failing_polls: usize,
}

#[derive(Debug, Default)]
pub struct State {
    clients: HashMap<usize, Client>,
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
    pub fn expect_command(&self, command: usize, faults: &[Fault], polls_fail: bool) {
        let client = Client {
            process: None,
            faults: faults.iter().copied().collect(),
            failing_polls: if polls_fail { FAILING_POLLS } else { 0 },
        };
        self.handler.state().clients.insert(command, client);
    }

    /// Sets the process of a command, which faults kill.
    pub fn set_process(&self, command: usize, process: u32) {
        let mut state = self.handler.state();
        state.clients.get_mut(&command).unwrap().process = Some(process);
    }

    pub fn attempts(&self) -> Vec<Attempt> {
        self.handler.state().attempts.clone()
    }

    /// Returns the status of a task in the sandbox.
    pub fn task_status(&self, task_id: &str) -> String {
        if let Some(status) = self.handler.state().ended.get(task_id) {
            return status.clone();
        }
        let line = format!("GET /tasks/{task_id}");
        let (_, json) = self.handler.sandbox.send(&line, &Value::Null);
        let status = json["task"]["status"].as_str().unwrap().to_string();
        if ["succeeded", "failed"].contains(&status.as_str()) {
            let mut state = self.handler.state();
            state.ended.insert(task_id.into(), status.clone());
        }
        status
    }
}

impl Handler<State> {
    fn respond(&self, request: &Seen) -> Reply {
        let command = command_of(request);
        if request.line.starts_with("POST ") && request.line.ends_with("/restore") {
            return self.respond_to_restore(command, request);
        }
        if request.line.contains("/tasks/") && self.takes_failing_poll(command) {
            return refusal(503);
        }
        let (status, body) = self.sandbox.forward(request);
        Reply::Json(status, body)
    }

    fn respond_to_restore(&self, command: usize, request: &Seen) -> Reply {
        let fault = self.next_fault(command);
        let response = fault.is_forwarded().then(|| self.sandbox.forward(request));
        let json = response
            .as_ref()
            .and_then(|(_, body)| serde_json::from_str::<Value>(body).ok());
        let task_id = json.and_then(|json| json["task"]["id"].as_str().map(String::from));
        let status = response.as_ref().map(|(status, _)| *status);
        let body: Value = serde_json::from_str(&request.body).unwrap();
        self.state().attempts.push(Attempt {
            command,
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
            let process = || self.state().clients[&command].process;
            signal_when_known(Signal::KILL, process);
        }
        fault.reply(response)
    }

    fn next_fault(&self, command: usize) -> Fault {
        let mut state = self.state();
        let client = state.clients.get_mut(&command);
        client
            .and_then(|client| client.faults.pop_front())
            .unwrap_or(Fault::None)
    }

    fn takes_failing_poll(&self, command: usize) -> bool {
        let mut state = self.state();
        let Some(client) = state.clients.get_mut(&command) else {
            return false;
        };
        let fails = client.failing_polls > 0;
        client.failing_polls = client.failing_polls.saturating_sub(1);
        fails
    }
}
