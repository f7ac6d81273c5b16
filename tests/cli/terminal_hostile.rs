//! Tests that no response drives a terminal.

use crate::common::World;
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, Service, clients};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Sequences that set the title, color the text, clear or switch the screen, move the cursor, or reverse the text.
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

/// The first sequences, escaped.
const ESCAPED: &str = r"\u{1b}]0;owned\u{7}\u{1b}[31mred";

/// Returns all sequences and a second line.
fn hostile() -> String {
    format!("{}\nnext", HOSTILE.concat())
}

/// Sequences that sitectl itself may send: colors, cursor moves, erased lines, the cursor shown or hidden.
const OWN: &str = r"\x1b\[(\d*[ABCDGJK]|[\d;]*m|\?25[hl])";

/// Fails if a control character reached the terminal, or its escape is missing.
#[track_caller]
fn assert_harmless(terminal: &Terminal, escaped: &str) {
    let sent = String::from_utf8(terminal.bytes()).unwrap();
    for hostile in HOSTILE {
        assert!(!sent.contains(hostile), "{hostile:?} in {sent:?}");
    }
    assert!(
        !terminal.history().contains("\nnext"),
        "{}",
        terminal.history()
    );
    let rest = Regex::new(OWN)
        .unwrap()
        .replace_all(&sent, "")
        .replace(['\r', '\n'], "");
    assert!(
        !rest.contains(|c: char| c.is_control() || c == '\u{202e}'),
        "{rest:?}"
    );
    assert!(
        terminal.text().contains(escaped),
        "no {escaped} in:\n{}",
        terminal.text()
    );
}

#[test]
fn no_record_sends_control_characters_to_the_terminal() {
    let record = |text: String| {
        json!({"id": text, "first_name": text, "email": text, "note": text, "site_ids": [text]})
            .to_string()
    };
    for (format, escaped) in [
        ("table", r"\u{1b}]0;owned\u{7}"),
        ("csv", r"\u{1b}]0;owned\u{7}"),
        ("ids", r"\u{1b}]0;owned\u{7}"),
        ("yaml", "owned"),
        ("json", r"\u001b]0;owned\u0007"),
        ("ndjson", r"\u001b]0;owned\u0007"),
    ] {
        for command in [
            &["clients", "list", "-o", format][..],
            &["api", "/clients", "-o", format],
        ] {
            let service = Scripted::new(vec![("GET", clients(&[&record(HOSTILE.concat())]))]);
            let world = service.world();
            let mut terminal = Terminal::start(world.command(command), 500, 30);
            assert_eq!(terminal.exit_code(), 0, "{command:?}: {}", terminal.text());
            assert_harmless(&terminal, escaped);
        }
    }
}

/// Watches two tasks with this text, until both have failed.
fn watched(text: &str, (columns, rows): (u16, u16)) -> (Service, World, Terminal) {
    let hostile = text.to_string();
    let mut polls = HashMap::new();
    let service = Service::start(move |seen| {
        let id = seen.line.rsplit('/').next().unwrap().to_string();
        let poll: &mut u32 = polls.entry(id.clone()).or_default();
        *poll += 1;
        let (status, progress) = if *poll == 1 {
            (&*hostile, 10)
        } else {
            ("failed", 60)
        };
        let steps = json!([{"site_id": hostile, "name": hostile, "status": "running"}]);
        let task = json!({"id": id, "status": status, "progress": progress, "site_id": hostile, "steps": steps});
        Reply::Json(200, task.to_string())
    });
    let world = service.world();
    let watch = "restore watch task-1 task-2 --interval 3s";
    let terminal = Terminal::start(world.command(watch), columns, rows);
    (service, world, terminal)
}

#[test]
fn no_task_sends_control_characters_to_the_terminal() {
    let (_service, _world, mut terminal) = watched(&hostile(), (900, 30));
    terminal.wait_for("0 of 2 finished");
    terminal.wait_for("10% ");
    assert_harmless(&terminal, ESCAPED);
    assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
    assert_harmless(&terminal, ESCAPED);
}

#[test]
fn no_menu_and_no_error_sends_control_characters_to_the_terminal() {
    let text = hostile();
    let list = |name: &str, record: fn(&str, &str) -> Value| {
        Reply::list(name, &[record(&text, "1"), record(&text, "2")])
    };
    let site = |text: &str, number: &str| {
        let field = format!("{number}{text}");
        json!({"id": field, "url": field, "name": field})
    };
    let snapshot = |text: &str, number: &str| {
        let field = format!("{number}{text}");
        json!({"id": field, "status": "succeeded", "created_at": field, "label": field, "kind": field, "size": field})
    };
    let problem = json!({"code": text, "param": text, "message": text});
    let refusal = Reply::Json(
        422,
        json!({"message": text, "errors": [problem]}).to_string(),
    );
    let service = Scripted::new(vec![
        ("GET /api/v6/sites?", list("sites", site)),
        ("GET /api/v6/sites/", list("snapshots", snapshot)),
        ("POST", refusal),
    ]);
    let world = service.world();
    let mut terminal = Terminal::start(world.command("restore start --full"), 900, 30);
    for (shown, keys) in [
        ("> 1", "\x1b[B"),
        ("> 2", "own"),
        ("own|", "\r"),
        ("Snapshot (2 of 2, type to search): |", "own"),
        ("own|", "\r"),
    ] {
        terminal.wait_for(shown);
        // The menu cuts long cells.
        assert_harmless(&terminal, r"\u{1b}]0;owned\u{7}");
        terminal.press(keys);
    }
    terminal.wait_for("to confirm");
    assert_harmless(&terminal, ESCAPED);
    let id = terminal
        .text()
        .rsplit_once("? Type ")
        .unwrap()
        .1
        .split_once(" to confirm:")
        .unwrap()
        .0
        .replace('\n', "");
    terminal.press(&format!("{id}\r"));
    assert_eq!(terminal.exit_code(), 5, "{}", terminal.text());
    assert_harmless(&terminal, r"\u{8}back");
}
