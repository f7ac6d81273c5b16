//! A gateway between the program and the sandbox: it logs each request with the account before and
//! after it, which is the truth, causes faults, and makes the changes of a colleague.

use crate::case::{ApplyCase, Change, Event, NORMALIZED_NOTE, NewClient};
use crate::faults::{
    self, Fault, Handler, Received, Sandbox, command_of, signal_when_known, token_of,
};
use crate::service::{Reply, Seen};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub email: String,
    pub note: String,
    pub sites: BTreeSet<String>,
}

impl Client {
    pub fn new(client: &Value) -> Self {
        let text = |field: &str| client[field].as_str().unwrap_or_default().to_string();
        let sites = client["site_ids"].as_array().into_iter().flatten();
        Self {
            email: text("email"),
            note: text("note"),
            sites: sites
                .map(|site| site.as_str().unwrap().to_string())
                .collect(),
        }
    }
}

/// The clients by their ids.
pub type Account = BTreeMap<String, Client>;

/// Returns the id of the client that has the site.
pub fn owner_of<'a>(account: &'a Account, site: &str) -> Option<&'a str> {
    let mut clients = account.iter();
    let (id, _) = clients.find(|(_, client)| client.sites.contains(site))?;
    Some(id)
}

/// A request of the program, or a change of the colleague.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Such as `POST /clients/client-1/update`.
    pub line: String,
    pub body: Value,
    /// What the program received; None for the colleague.
    pub received: Option<Received>,
    pub before: Account,
    pub after: Account,
}

#[derive(Default)]
pub struct State {
    /// The number of the run. Requests of a program that was killed have an earlier number.
    run: usize,
    process: Option<u32>,
    lists_sites: bool,
    normalizes: bool,
    /// The events that have not happened, with the numbers of their requests.
    events: Vec<(u64, Event)>,
    /// The number of requests so far.
    requests: u64,
    was_interrupted: bool,
    exchanges: Vec<Exchange>,
    account: Account,
}

pub type Gateway = faults::Gateway<State>;

impl Gateway {
    pub fn start() -> Self {
        Self::with_sandbox(&[], Handler::respond)
    }

    /// Makes these the account's only clients, and returns their ids.
    pub fn set_clients(&self, clients: &[NewClient]) -> Vec<String> {
        let old: Vec<String> = read_account(&self.handler.sandbox).into_keys().collect();
        if !old.is_empty() {
            self.handler
                .sandbox
                .send("POST /clients/delete", &json!({ "ids": old }));
        }
        let create = |client: &NewClient| {
            let fields = json!({
                "first_name": "F", "email": client.email, "note": client.note,
                "site_ids": client.sites,
            });
            let (_, created) = self
                .handler
                .sandbox
                .send("POST /clients", &json!({ "client": fields }));
            created["client"]["id"].as_str().unwrap().to_string()
        };
        clients.iter().map(create).collect()
    }

    /// Announces a run with these events, and returns its token.
    pub fn begin_run(&self, events: &[(u64, Event)], case: &ApplyCase) -> String {
        let mut state = self.handler.state();
        let run = state.run + 1;
        *state = State {
            run,
            lists_sites: case.lists_sites,
            normalizes: case.normalizes,
            events: events.to_vec(),
            account: read_account(&self.handler.sandbox),
            ..State::default()
        };
        token_of(run)
    }

    /// Sets the process of the run, which events kill or interrupt.
    pub fn set_process(&self, process: u32) {
        self.handler.state().process = Some(process);
    }

    /// Returns the requests of the run.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.handler.state().exchanges.clone()
    }

    pub fn account(&self) -> Account {
        self.handler.state().account.clone()
    }
}

fn read_account(sandbox: &Sandbox) -> Account {
    let (_, list) = sandbox.send("GET /clients?perPage=100", &Value::Null);
    let clients = list["clients"].as_array().unwrap().iter();
    clients
        .map(|client| (client["id"].as_str().unwrap().into(), Client::new(client)))
        .collect()
}

impl Handler<State> {
    fn respond(&self, request: &Seen) -> Reply {
        let run = command_of(request);
        let fault = self.fault_after_other_events(run);
        let mut state = self.state();
        if state.run != run {
            return Reply::Drop;
        }
        let before = state.account.clone();
        let line = request.line.replacen("/api/v6", "", 1);
        let fault = if line.starts_with("GET /sites") && !state.lists_sites {
            Fault::Refuse(404)
        } else {
            fault
        };
        let mut normalized = request.clone();
        if state.normalizes {
            let note = |note: &str| format!(r#""note":"{note}""#);
            let stored = note(&NORMALIZED_NOTE.to_uppercase());
            normalized.body = request.body.replace(&note(NORMALIZED_NOTE), &stored);
        }
        let response = fault
            .is_forwarded()
            .then(|| self.sandbox.forward(&normalized));
        if line.starts_with("POST") {
            state.account = read_account(&self.sandbox);
        }
        let status = response.as_ref().map(|(status, _)| *status);
        let received = match fault.received(status) {
            // The program may have ended before it received the response.
            _ if state.was_interrupted && line.starts_with("POST") => Received::Nothing,
            received => received,
        };
        let after = state.account.clone();
        state.exchanges.push(Exchange {
            line,
            body: serde_json::from_str(&request.body).unwrap_or_default(),
            received: Some(received),
            before,
            after,
        });
        drop(state);
        if fault.kills() {
            self.signal(Signal::KILL);
        }
        fault.reply(response)
    }

    /// Makes the events of the next request happen, and returns its fault.
    fn fault_after_other_events(&self, run: usize) -> Fault {
        let mut state = self.state();
        if state.run != run {
            return Fault::None;
        }
        let number = state.requests;
        state.requests += 1;
        let mut events = state.events.clone();
        drop(state);
        events.retain(|(request, _)| *request == number);
        let mut fault = Fault::None;
        for (_, event) in events {
            match event {
                Event::Fault(other) => fault = other,
                Event::Colleague(change) => self.make_change(&change),
                Event::Interrupt => {
                    self.signal(Signal::INT);
                    self.state().was_interrupted = true;
                }
            }
        }
        fault
    }

    fn signal(&self, signal: Signal) {
        signal_when_known(signal, || self.state().process);
    }

    /// Makes a change of the colleague, which the sandbox may refuse.
    fn make_change(&self, change: &Change) {
        let mut state = self.state();
        let Some((line, body)) = colleague_request(&state.account, change) else {
            return;
        };
        let before = state.account.clone();
        self.sandbox.send(&line, &body);
        state.account = read_account(&self.sandbox);
        let after = state.account.clone();
        state.exchanges.push(Exchange {
            line,
            body,
            received: None,
            before,
            after,
        });
    }
}

/// Returns the request of a change; None if there is no client for it.
fn colleague_request(account: &Account, change: &Change) -> Option<(String, Value)> {
    let nth_client = |number: &usize| account.iter().nth(number % account.len().max(1));
    let update = |id: &str, fields: Value| {
        let line = format!("POST /clients/{id}/update");
        Some((line, json!({ "client": fields })))
    };
    match change {
        Change::AddSite { client, site } => {
            let (id, client) = nth_client(client)?;
            let mut sites = client.sites.clone();
            sites.insert((*site).into());
            update(id, json!({ "site_ids": sites }))
        }
        Change::RemoveSite { site } => {
            let id = owner_of(account, site)?;
            let mut sites = account[id].sites.clone();
            sites.remove(*site);
            update(id, json!({ "site_ids": sites }))
        }
        Change::SetNote { client } => {
            update(nth_client(client)?.0, json!({ "note": "by the colleague" }))
        }
        Change::Delete { client } => {
            let ids = json!([nth_client(client)?.0]);
            Some(("POST /clients/delete".into(), json!({ "ids": ids })))
        }
    }
}
