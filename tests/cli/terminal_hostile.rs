//! Nothing that the service sends drives a terminal, wherever it is shown.

use crate::screen::Terminal;
use crate::scripted::{Reply, Scripted, clients};
use regex::Regex;
use serde_json::json;

const START: [&str; 6] = ["restore", "start", "site-0001", "latest", "--full", "--watch"];

/// What would set the window's title, colour the text, wipe the screen, leave it for another, move up, turn the text
/// round, go back to the start of the line, or back by one.
const HOSTILE: [&str; 8] = [
    "\x1b]0;owned\x07",
    "\x1b[31mred",
    "\x1b[2Jwiped",
    "\x1b[?1049hother",
    "\u{9b}5Aup",
    "\u{202e}round",
    "\rstart",
    "\x08back",
];

/// What sitectl may send of its own: colours, moves between its lines, the erasing of lines, the cursor shown or hidden.
const OWN: &str = r"\x1b\[(\d*[ABCDGJK]|[\d;]*m|\?25[hl])";

/// Fails where a control character came through, although it is told that it was there.
#[track_caller]
fn assert_harmless(terminal: &Terminal, told: &str) {
    let sent = String::from_utf8(terminal.bytes()).unwrap();
    for hostile in HOSTILE {
        assert!(!sent.contains(hostile), "{hostile:?} in {sent:?}");
    }
    let rest = Regex::new(OWN).unwrap().replace_all(&sent, "").replace(['\r', '\n'], "");
    assert!(!rest.contains(|c: char| c.is_control() || c == '\u{202e}'), "{rest:?}");
    assert!(terminal.text().contains(told), "no {told} in:\n{}", terminal.text());
}

#[test]
fn no_record_drives_the_terminal() {
    let record = |text: String| {
        json!({"id": text, "first_name": text, "email": text, "note": text, "site_ids": [text]}).to_string()
    };
    for (format, told) in [
        ("table", r"\u{1b}]0;owned\u{7}"),
        ("csv", r"\u{1b}]0;owned\u{7}"),
        ("ids", r"\u{1b}]0;owned\u{7}"),
        ("yaml", "owned"),
        ("json", r"\u001b]0;owned\u0007"),
        ("ndjson", r"\u001b]0;owned\u0007"),
    ] {
        // JSON stays as it was sent, where it may hold these two as they are.
        let unescaped = if format.ends_with("json") { &['\u{9b}', '\u{202e}'][..] } else { &[] };
        let service = Scripted::new(vec![("GET", clients(&[&record(HOSTILE.concat().replace(unescaped, ""))]))]);
        let world = service.world();
        let mut terminal = Terminal::start(world.command(&["clients", "list", "-o", format]), 500, 30);
        assert_eq!(terminal.exit_code(), 0, "{format}: {}", terminal.text());
        assert_harmless(&terminal, told);
        service.requests();
    }
}

#[test]
fn no_task_drives_the_terminal() {
    let text = HOSTILE.concat();
    let task = |status: &str, progress: u8| {
        let steps = json!([{"site_id": text, "name": text, "status": "running"}]);
        json!({"id": "t1", "status": status, "progress": progress, "site_id": text, "steps": steps}).to_string()
    };
    let service = Scripted::new(vec![
        ("GET", Reply::Json(200, task(&text, 10))),
        ("GET", Reply::Json(200, task(&text, 60))),
        ("GET", Reply::Json(200, task("failed", 60))),
    ]);
    let world = service.world();
    let mut terminal = Terminal::start(world.command(&["restore", "watch", "t1", "--interval", "300ms"]), 600, 30);
    terminal.wait_for("60%");
    assert_harmless(&terminal, r"\u{1b}[31mred");
    assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
    assert_harmless(&terminal, r"\u{1b}[31mred");
    service.requests();
}

#[test]
fn no_snapshot_and_no_error_drives_the_terminal() {
    let text = HOSTILE.concat();
    let snapshot = json!({"id": text, "status": "succeeded", "created_at": "2026-01-01T00:00:00Z"});
    let pagination = json!({"page": 1, "perPage": 25, "totalPages": 1, "totalItems": 1});
    let snapshots = json!({"snapshots": [snapshot], "meta": {"pagination": pagination}}).to_string();
    let sites = json!({"sites": [{"id": "site-0001", "url": text}], "meta": {"pagination": pagination}}).to_string();
    let problem = json!({"code": text, "param": text, "message": text});
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/site-0001/snapshots", Reply::Json(200, snapshots)),
        ("GET /api/v6/sites?", Reply::Json(200, sites)),
        ("POST", Reply::Json(422, json!({"message": text, "errors": [problem]}).to_string())),
    ]);
    let world = service.world();
    let mut terminal = Terminal::start(world.command(&START), 600, 30);
    terminal.wait_for("to go on");
    assert_harmless(&terminal, r"latest is \u{1b}]0;owned");
    terminal.press("site-0001\r");
    assert_eq!(terminal.exit_code(), 5, "{}", terminal.text());
    assert_harmless(&terminal, r"\u{8}back");
    service.requests();
}
