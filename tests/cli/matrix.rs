//! Runs commands for each kind of request with every fault of a service, a proxy or a network. The table shows the exit
//! codes. No command hangs, panics, reports a wrong result, or makes a change twice.

use crate::common::in_parallel;
use crate::service::{Reply, Seen, Service};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A fault of the main request of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    ClosedBefore,
    ClosedAfter,
    CommittedLate,
    Gone,
    ResetInBody,
    Slow,
    LengthTooLong,
    LengthTooShort,
    NotJson,
    TruncatedJson,
    OtherShape,
    Refusal,
    HugeNumber,
    Html,
    EmptyError,
    GarbageHeaders,
    RateLimitOnce,
    RateLimitWithoutWait,
    RateLimitStays,
    Unavailable,
    Redirect,
    Unauthorized,
    Http10,
    ClosedKeepAlive,
    ProxyAuthentication,
    BlockPage,
}
use Fault::*;

/// The group of each command, and the request that has the fault.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("list", "clients list", "GET /clients?"),
    ("list", "managed-accounts list", "GET /managed-accounts?"),
    ("list", "sites list", "GET /sites?"),
    ("list", "snapshots list s1", "GET /sites/s1/snapshots?"),
    ("list", "snapshots files s1 p1", "GET /sites/s1/files?"),
    ("list", "snapshots tables s1 p1", "GET /sites/s1/tables?"),
    ("list", "tasks list", "GET /tasks?"),
    (
        "list, page 2",
        "clients list --per-page 1",
        "GET /clients?page=2&perPage=1",
    ),
    ("show", "clients show c1", "GET /clients/c1"),
    (
        "show",
        "managed-accounts show m1",
        "GET /managed-accounts/m1",
    ),
    ("show", "tasks show t1", "GET /tasks/t1"),
    ("auth status", "auth status", "GET /clients?"),
    ("api GET", "api /things", "GET /things"),
    ("api POST", "api POST /things --yes", "POST /things"),
    (
        "create",
        "clients create --first-name A --email new@example.com",
        "POST /clients",
    ),
    (
        "update",
        "clients update c1 --note new",
        "POST /clients/c1/update",
    ),
    (
        "update",
        "clients update a@example.com --move-site s9",
        "POST /clients/c1/update",
    ),
    ("delete", "clients delete c1 --yes", "POST /clients/delete"),
    ("delete", "tasks cancel t2 --yes", "POST /tasks/t2/cancel"),
    ("apply", "clients apply clients.csv --yes", "POST /clients"),
    ("restore start", "restore start s1 p1 --full --yes", RESTORE),
    (
        "restore start",
        "restore start a.example latest --before 2026-11-20 --files --yes",
        RESTORE,
    ),
    (
        "restore start",
        "restore start --plan sites.txt --full --yes",
        RESTORE,
    ),
    (
        "restore watch",
        "restore watch t1 --timeout 1500ms --interval 200ms",
        "GET /tasks/t1",
    ),
];
const RESTORE: &str = "POST /sites/s1/backups/p1/restore";

/// The groups of `COMMANDS` in the order of the columns.
const GROUPS: [&str; 12] = [
    "list",
    "list, page 2",
    "show",
    "auth status",
    "api GET",
    "api POST",
    "create",
    "update",
    "delete",
    "apply",
    "restore start",
    "restore watch",
];

/// Whether the request is processed.
const DONE: bool = true;
const NOT_DONE: bool = false;

/// The exit codes of the groups for each fault.
#[rustfmt::skip]
const TABLE: &[(Fault, bool, &str, &str)] = &[
    (ClosedBefore, NOT_DONE, "The connection closes before the service processes the request", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (ClosedAfter, DONE, "The connection closes after the service processed the request", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (CommittedLate, NOT_DONE, "The connection closes, and the service processes the request later", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (Gone, DONE, "The service stops after processing the request", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (ResetInBody, DONE, "The connection is reset inside the body", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (Slow, DONE, "The body arrives too slowly for `--request-timeout`", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (LengthTooLong, DONE, "`Content-Length` is larger than the body", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (LengthTooShort, DONE, "`Content-Length` is smaller than the body", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (NotJson, DONE, "The body is not JSON", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (TruncatedJson, DONE, "The JSON is truncated", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (OtherShape, DONE, "The JSON has an unexpected structure", "8 13 8 8 0 0 0 0 0 0 12 11"),
    (Refusal, NOT_DONE, "A 200 response contains an error", "8 13 8 8 0 0 12 12 12 12 12 11"),
    (HugeNumber, DONE, "A number has many digits", "0 0 0 0 0 0 0 0 0 0 0 0"),
    (Html, NOT_DONE, "502 with an HTML page", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (EmptyError, NOT_DONE, "500 without a body", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (GarbageHeaders, DONE, "The headers are not HTTP", "8 13 8 8 8 12 0 0 0 0 12 11"),
    (RateLimitOnce, NOT_DONE, "429 once, with a wait", "0 0 0 0 0 0 0 0 0 0 0 0"),
    (RateLimitWithoutWait, NOT_DONE, "429 once, without a wait", "0 0 0 0 0 0 0 0 0 0 0 0"),
    (RateLimitStays, NOT_DONE, "429 always, with `--retries 0`", "7 7 7 7 7 7 7 7 7 7 7 11"),
    (Unavailable, NOT_DONE, "503 once, with rate limit headers", "0 0 0 0 0 12 12 12 12 12 12 0"),
    (Redirect, NOT_DONE, "A redirect", "8 13 8 8 8 12 12 12 12 12 12 11"),
    (Unauthorized, NOT_DONE, "401", "3 3 3 3 3 3 3 3 3 3 3 11"),
    (Http10, DONE, "HTTP/1.0", "0 0 0 0 0 0 0 0 0 0 0 0"),
    (ClosedKeepAlive, DONE, "The connection closes between two requests", "0 0 0 0 0 0 0 0 0 0 0 0"),
    (ProxyAuthentication, NOT_DONE, "407 from a proxy", "8 13 8 8 8 8 8 8 8 8 8 11"),
    (BlockPage, NOT_DONE, "403 with an HTML page", "8 13 8 8 8 8 8 8 8 8 8 11"),
];

/// The table in Markdown. Groups of commands with the same codes share a column, and faults with the same codes a row.
pub fn table() -> String {
    let codes = |index| {
        TABLE
            .iter()
            .map(move |(.., codes)| codes.split(' ').nth(index).unwrap())
    };
    let mut columns: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (index, group) in GROUPS.iter().enumerate() {
        let codes: Vec<&str> = codes(index).collect();
        match columns.iter_mut().find(|(_, same)| *same == codes) {
            Some((groups, _)) => groups.push(group),
            None => columns.push((vec![group], codes)),
        }
    }
    let mut rows: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (index, (_, _, fault, _)) in TABLE.iter().enumerate() {
        let codes: Vec<&str> = columns.iter().map(|(_, codes)| codes[index]).collect();
        match rows.iter_mut().find(|(_, same)| *same == codes) {
            Some((faults, _)) => faults.push(fault),
            None => rows.push((vec![fault], codes)),
        }
    }
    let row = |first: &str, cells: &[&str]| format!("| {first} | {} |\n", cells.join(" | "));
    let groups: Vec<String> = columns
        .iter()
        .map(|(groups, _)| groups.join(", "))
        .collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let head = row("fault", &groups);
    let line = " --- |".repeat(groups.len() + 1);
    let rows = rows
        .iter()
        .map(|(faults, codes)| row(&faults.join("<br>"), codes));
    format!("{head}|{line}\n{}", rows.collect::<String>())
}

/// The data of the service, and how often the main request of a command was sent and processed.
#[derive(Default)]
struct State {
    clients: BTreeMap<String, Value>,
    /// Whether task t2 was canceled.
    is_canceled: bool,
    requests: usize,
    processed: usize,
}

type Shared = Arc<Mutex<State>>;

impl State {
    /// Processes a request according to the specification, and returns status and body.
    fn process(&mut self, request: &Seen) -> (u16, Value) {
        let line = &request.line;
        let path = line.split('?').next().unwrap();
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let all = |name: &str, mut records: Vec<Value>| {
            let (total, rows) = (
                records.len(),
                if line.ends_with("perPage=1") { 1 } else { 1000 },
            );
            let page = if line.contains("?page=2") { 2 } else { 1 };
            records = records
                .into_iter()
                .skip((page - 1) * rows)
                .take(rows)
                .collect();
            let pagination = json!({"page": page, "perPage": rows, "totalPages": total.div_ceil(rows), "totalItems": total});
            (
                200,
                json!({name: records, "meta": {"pagination": pagination}}),
            )
        };
        match path {
            "GET /clients" => all("clients", self.clients.values().cloned().collect()),
            "GET /clients/c1" | "GET /clients/c9" => self
                .clients
                .get(&path["GET /clients/".len()..])
                .map_or((404, json!({})), |one| (200, json!({"client": one}))),
            "POST /clients" => {
                let mut client = body["client"].clone();
                client["id"] = "c2".into();
                self.clients.insert("c2".into(), client.clone());
                (201, json!({"client": client}))
            }
            "POST /clients/c1/update" | "POST /clients/c9/update" => {
                let fields = body["client"].as_object().unwrap().clone();
                let client = self
                    .clients
                    .get_mut(&path["POST /clients/".len()..][..2])
                    .unwrap();
                fields
                    .into_iter()
                    .for_each(|(name, value)| client[name] = value);
                (200, json!({"client": client}))
            }
            "POST /clients/delete" => {
                self.clients.remove("c1");
                let meta = json!({"requested": 1, "succeeded": 1, "failed": 0});
                (
                    200,
                    json!({"delete": {"ids": ["c1"], "errors": []}, "meta": meta}),
                )
            }
            "GET /managed-accounts" => all("managed_accounts", vec![json!({"id": "m1"})]),
            "GET /managed-accounts/m1" => (200, json!({"managed_account": {"id": "m1"}})),
            "GET /sites" => all(
                "sites",
                vec![json!({"id": "s1", "url": "https://a.example"})],
            ),
            "GET /sites/s1/snapshots" => all(
                "snapshots",
                vec![
                    json!({"id": "p1", "status": "succeeded", "created_at": "2026-11-01T00:00:00Z"}),
                ],
            ),
            "GET /sites/s1/files" => all("files", vec![json!({"path": "./a"})]),
            "GET /sites/s1/tables" => all("tables", vec![json!({"name": "a"})]),
            RESTORE => (201, json!({"task": {"id": "t1", "status": "queued"}})),
            "GET /tasks/t1" => (
                200,
                json!({"task": {"id": "t1", "status": "succeeded", "progress": 100}}),
            ),
            "GET /tasks" => all("tasks", vec![json!({"id": "t1"})]),
            "GET /tasks/t2" | "POST /tasks/t2/cancel" => {
                self.is_canceled |= path.starts_with("POST");
                let status = if self.is_canceled {
                    "canceled"
                } else {
                    "running"
                };
                (200, json!({"task": {"id": "t2", "status": status}}))
            }
            "GET /things" | "POST /things" => (200, json!({"thing": {"id": "x"}})),
            _ => (404, json!({})),
        }
    }
}

fn first_clients() -> BTreeMap<String, Value> {
    let one = json!({"id": "c1", "email": "a@example.com", "note": "old", "site_ids": ["s1"]});
    let other = json!({"id": "c9", "email": "b@example.com", "site_ids": ["s9"]});
    [("c1".into(), one), ("c9".into(), other)].into()
}

fn head(status: u16, headers: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n"
    )
}

impl Fault {
    /// Whether only the first request has the fault.
    fn is_passing(self) -> bool {
        matches!(self, RateLimitOnce | RateLimitWithoutWait | Unavailable)
    }

    fn processes(self) -> bool {
        TABLE
            .iter()
            .any(|(fault, is_processed, ..)| *fault == self && *is_processed)
    }

    /// The reply with the fault.
    fn distort(self, status: u16, body: &str) -> Reply {
        let raw = |status, body: &str| {
            Reply::Raw(
                format!(
                    "{}{body}",
                    head(status, "connection: close\r\n", body.len())
                )
                .into_bytes(),
            )
        };
        let with_length = |length: usize| {
            Reply::Raw(
                format!("{}{body}", head(status, "connection: close\r\n", length)).into_bytes(),
            )
        };
        let limit = "x-ratelimit-limit: 200\r\nx-ratelimit-remaining: 0\r\n";
        match self {
            ClosedBefore | ClosedAfter | CommittedLate | Gone => Reply::Drop,
            ResetInBody => Reply::Reset(format!(
                "{}{}",
                head(status, "", body.len()),
                &body[..body.len() / 2]
            )),
            Slow => Reply::Drip(format!("{}{body}", head(status, "", body.len()))),
            LengthTooLong => with_length(body.len() + 10),
            LengthTooShort => with_length(body.len() - 2),
            NotJson => raw(status, "OK"),
            TruncatedJson => raw(status, &body[..body.len() - 2]),
            OtherShape => raw(status, "[1]"),
            Refusal => raw(
                200,
                r#"{"error":{"status":422,"code":"busy","message":"Not now."}}"#,
            ),
            HugeNumber => raw(status, &huge(body)),
            Html => raw(502, "<!doctype html>\n<h1>Bad Gateway</h1>\n"),
            BlockPage => raw(403, "<!doctype html>\n<h1>Access denied</h1>\n"),
            EmptyError => raw(500, ""),
            GarbageHeaders => Reply::Raw(
                format!("HTTP/1.1 200 OK\r\n\u{1}\u{2} no header\r\n\r\n{body}").into_bytes(),
            ),
            RateLimitOnce | RateLimitStays => Reply::KeepAlive(
                429,
                format!("{limit}x-ratelimit-reset: 1\r\n"),
                String::new(),
            ),
            RateLimitWithoutWait => {
                Reply::KeepAlive(429, "x-ratelimit-reset: soon\r\n".into(), String::new())
            }
            Unavailable => Reply::KeepAlive(
                503,
                format!("{limit}x-ratelimit-reset: 60\r\n"),
                String::new(),
            ),
            Redirect => Reply::KeepAlive(
                302,
                "location: https://other.example/\r\n".into(),
                String::new(),
            ),
            Unauthorized => Reply::KeepAlive(401, String::new(), "{}".into()),
            Http10 => Reply::Raw(format!("HTTP/1.0 {status} X\r\n\r\n{body}").into_bytes()),
            ClosedKeepAlive => Reply::Raw(
                format!(
                    "{}{body}",
                    head(status, "connection: keep-alive\r\n", body.len())
                )
                .into_bytes(),
            ),
            ProxyAuthentication => {
                Reply::KeepAlive(407, "proxy-authenticate: Basic\r\n".into(), String::new())
            }
        }
    }
}

/// The body with many digits as its page, its count or its first id.
fn huge(body: &str) -> String {
    let names = ["\"page\":", "\"requested\":", "\"progress\":", "\"id\":"];
    let (before, after) = names.iter().find_map(|name| body.split_once(name)).unwrap();
    let name = names.iter().find(|name| body.contains(**name)).unwrap();
    let rest = &after[after.find([',', '}']).unwrap()..];
    format!("{before}{name}{}{rest}", "7".repeat(100_000))
}

/// Starts a service with the fault in requests that begin with these words.
fn serve(fault: Fault, target: &'static str) -> (Service, Shared) {
    let state = Arc::new(Mutex::new(State {
        clients: first_clients(),
        ..State::default()
    }));
    let shared = Arc::clone(&state);
    let service = Service::start(move |mut request| {
        request.line = request.line.replace("/api/v6", "");
        let mut state = shared.lock().unwrap();
        let is_target =
            request.line == target || (target.ends_with('?') && request.line.starts_with(target));
        state.requests += usize::from(is_target);
        let is_gone = fault == Gone && state.requests > 0;
        let is_faulty = (is_target && !(fault.is_passing() && state.requests > 1)) || is_gone;
        if is_faulty && fault == CommittedLate {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(1000));
                let mut state = shared.lock().unwrap();
                state.processed += 1;
                state.process(&request);
            });
            return Reply::Drop;
        }
        let is_processed = !is_faulty || fault.processes();
        state.processed += usize::from(is_target && is_processed);
        let (status, body) = if is_processed {
            state.process(&request)
        } else {
            (200, json!({}))
        };
        match is_faulty {
            true => fault.distort(status, &body.to_string()),
            false if fault == ClosedKeepAlive => fault.distort(status, &body.to_string()),
            false => Reply::KeepAlive(status, String::new(), body.to_string()),
        }
    });
    (service, state)
}

/// Runs one command against one fault. Returns its exit code, and the problems of its result.
fn cell(fault: Fault, command: &str, target: &'static str) -> (i32, Vec<String>) {
    let (service, state) = serve(fault, target);
    let world = service.world();
    std::fs::write(
        world.path("clients.csv"),
        "first_name,email\nA,new@example.com\n",
    )
    .unwrap();
    std::fs::write(world.path("sites.txt"), "s1\n").unwrap();
    let retries = if fault == RateLimitStays { "0" } else { "1" };
    let timeout = if fault == Slow { "500ms" } else { "10s" };
    let options = format!("--json --request-timeout {timeout} --retries {retries}");
    let run = world.run(format!("{command} {options}"));
    let state = state.lock().unwrap();
    let is_change = target.starts_with("POST");
    // `api` prints what the service sent and does not judge it.
    let is_reported = is_change && !command.starts_with("api") && run.code == 0;
    let sent = if fault.is_passing() && fault != Unavailable {
        2
    } else {
        1
    };
    let looks_complete =
        command.contains(" list") && serde_json::from_str::<Value>(&run.stdout).is_ok();
    let error = run
        .stderr
        .lines()
        .last()
        .and_then(|line| serde_json::from_str::<Value>(line).ok())
        .unwrap_or_default();
    let error = &error["error"];
    let is_clear = error["exit_code"] == run.code
        && error["message"]
            .as_str()
            .is_some_and(|text| text.len() < 1000);
    let says_so = error["hints"][0]
        .as_str()
        .is_some_and(|hint| hint.starts_with("run the same command again"));
    let checks = [
        (!run.stderr.contains("panicked"), "it panics"),
        (!run.stderr.contains("sandbox-token"), "it prints the token"),
        (
            !is_change || state.requests <= sent,
            "the change was sent too often",
        ),
        (
            !is_reported || state.processed == 1,
            "a change is reported that was not made",
        ),
        (
            run.code == 0 || !looks_complete,
            "an incomplete list looks complete",
        ),
        (
            ![3, 7, 8].contains(&run.code) || state.clients == first_clients(),
            "the error denies a change that was made",
        ),
        (run.code == 0 || is_clear, "its error is unclear"),
        (
            run.code != 12 || says_so == command.starts_with("clients "),
            "its hint must say that running it again is safe, and only then",
        ),
    ];
    let broken = checks.iter().filter(|(is_fine, _)| !is_fine);
    let mut problems: Vec<String> = broken.map(|(_, problem)| (*problem).to_string()).collect();
    if !problems.is_empty() {
        problems.push(run.transcript().chars().take(3000).collect());
    }
    (run.code, problems)
}

#[test]
fn each_command_exits_with_the_code_in_the_table() {
    let mut cells = Vec::new();
    for (fault, _, _, codes) in TABLE {
        let codes: HashMap<&str, &str> = GROUPS.into_iter().zip(codes.split(' ')).collect();
        let commands = COMMANDS.iter();
        cells.extend(commands.map(|(group, command, target)| {
            let code: i32 = codes[group].parse().unwrap();
            (*fault, *command, *target, code)
        }));
    }
    let failure = |(fault, command, target, expected): &(Fault, &str, &'static str, i32)| {
        // The site was released before.
        let is_partial = command.contains("--move-site") && !matches!(*expected, 0 | 12);
        let expected = if is_partial { &9 } else { expected };
        let (code, problems) = cell(*fault, command, target);
        let failure = format!(
            "{fault:?}, {command}: exit {code}, not {expected} {}",
            problems.join("\n")
        );
        (code != *expected || !problems.is_empty()).then_some(failure)
    };
    let failures = in_parallel(&cells, failure);
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        cells.len(),
        failures.join("\n")
    );
}
