//! What a person at a terminal meets: questions, bars, tables that fit, Ctrl-C; and that none of it is driven by what
//! the service sends. How a bar looks is left open here; the picture in the README shows it.

use crate::screen::Terminal;
use crate::scripted::{Reply, Scripted, clients};
use crate::support::{Server, World};
use regex::Regex;
use serde_json::json;
use snapbox::{assert_data_eq, str};

const START: [&str; 6] = ["restore", "start", "site-0001", "latest", "--full", "--watch"];

fn run(world: &World, args: &[&str]) -> Terminal {
    Terminal::start(world.command(args), 160, 30)
}

/// A terminal on which the restore's question is waiting for its answer.
fn asked(world: &World) -> Terminal {
    let terminal = run(world, &START);
    terminal.wait_for("to go on");
    terminal
}

#[track_caller]
fn assert_shows(terminal: &Terminal, pattern: &str) {
    assert!(Regex::new(pattern).unwrap().is_match(&terminal.text()), "no {pattern} in:\n{}", terminal.text());
}

#[track_caller]
fn assert_nothing_was_sent(server: &Server, world: &World) {
    assert_eq!(world.journal(), "");
    let run = server.world().run(&["restore", "start", "site-0001", "snap-0001-1", "--full", "--yes"]);
    assert_eq!(run.code, 0, "something was sent before: {}", run.transcript());
}

#[test]
fn what_would_be_lost_is_shown_before_the_site_s_id_is_asked_for() {
    let (_server, world) = Server::start(&[]).world_kept();
    let terminal = asked(&world);
    assert_data_eq!(
        terminal.transcript(),
        str![[r#"
latest is snap-0001-3, taken TIME, AGE ago
warning: this overwrites the live site site-0001 (https://site-0001.example.com) on http://127.0.0.1:PORT/api/v6
  restores all files and all database tables from snapshot snap-0001-3, taken TIME, AGE ago
  everything that changed there in the last AGE is lost
Restore? (type site-0001 to go on):

"#]]
    );
}

#[test]
fn any_other_word_starts_nothing() {
    let (server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    for word in ["", "yes", "site-000", "site-00011", "SITE-0001"] {
        let mut terminal = asked(&world);
        terminal.press(&format!("{word}\r"));
        assert_eq!(terminal.exit_code(), 1, "{word}: {}", terminal.text());
        assert_shows(&terminal, "error: not confirmed; nothing was changed$");
    }
    assert_nothing_was_sent(&server, &world);
}

#[test]
fn the_site_s_id_starts_it_and_a_bar_goes_to_the_end() {
    let (_server, world) = Server::start(&["--restore-time", "3s"]).world_kept();
    let mut terminal = asked(&world);
    terminal.press("site-0001\r");
    let moving = Regex::new(r"(?m)^.*site-0001 .*\b\d+%.*running.*$").unwrap();
    terminal.wait_until("a bar that moves", |text| moving.is_match(text));
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_shows(&terminal, r"to go on\): site-0001\nrestoring site-0001 from snap-0001-3: task task-");
    assert_shows(&terminal, r"\nTASK ID +SITE ID +OUTCOME .*\ntask-[0-9a-f]+ +site-0001 +succeeded .*$");
    assert!(!terminal.text().contains("running"), "the bar left something behind:\n{}", terminal.text());
    assert!(!terminal.screen().hide_cursor());
    assert!(world.journal().contains(r#""outcome":"succeeded""#), "{}", world.journal());
}

#[test]
fn a_file_takes_the_data_while_the_terminal_asks_and_shows_the_rest() {
    let (_server, world) = Server::start(&["--restore-time", "1s"]).world_kept();
    let command = format!("sitectl {} --json > out.json", START.join(" "));
    let mut terminal = Terminal::start(world.shell(&["-c", &command]), 160, 30);
    terminal.wait_for("to go on");
    terminal.press("site-0001\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_shows(&terminal, r"site-0001 .*succeeded");
    let out: serde_json::Value = serde_json::from_slice(&std::fs::read(world.path("out.json")).unwrap()).unwrap();
    assert_eq!(out[0]["outcome"], "succeeded");
}

#[test]
fn where_nothing_may_be_asked_a_terminal_does_not_help() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    let mut terminal = run(&world, &[&START[..], &["--no-input"]].concat());
    assert_eq!(terminal.exit_code(), 2);
    assert_shows(&terminal, "hint: add --yes to go on without being asked$");
}

#[test]
fn ctrl_c_at_the_question_changes_nothing() {
    let (server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    for typed in ["\x03", "site-0001\x03"] {
        let mut terminal = asked(&world);
        terminal.press(typed);
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
        assert_shows(&terminal, "error: interrupted; nothing was changed$");
        assert!(!terminal.screen().hide_cursor());
    }
    assert_nothing_was_sent(&server, &world);
}

#[test]
fn ctrl_c_while_watching_says_how_to_pick_it_up() {
    let (_server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    let mut terminal = asked(&world);
    terminal.press("site-0001\r");
    terminal.wait_for("queued");
    terminal.press("\x03");
    assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
    assert_shows(&terminal, r"hint: pick it up again with: sitectl restore watch task-[0-9a-f]{16}$");
    assert!(!terminal.screen().hide_cursor());
    let mut again = run(&world, &["restore", "watch", "--timeout", "1s"]);
    assert_eq!(again.exit_code(), 11, "{}", again.text());
}

#[test]
fn the_terminal_is_left_as_it_was() {
    let (_server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    let command = format!("trap : INT; stty -a > before; sitectl {}; stty -a > after", START.join(" "));
    for (typed, then) in [("\x03", ""), ("no\r", ""), ("site-0001\r", "\x03")] {
        let mut terminal = Terminal::start(world.shell(&["-c", &command]), 160, 30);
        terminal.wait_for("to go on");
        terminal.press(typed);
        if !then.is_empty() {
            terminal.wait_for("queued");
            terminal.press(then);
        }
        assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
        let settings = |name: &str| std::fs::read_to_string(world.path(name)).unwrap();
        assert_eq!(settings("before"), settings("after"), "{typed:?}");
        assert!(settings("before").contains(" echo "));
    }
}

#[test]
fn one_key_answers_whether_to_delete() {
    let (_server, world) = Server::start(&[]).world_kept();
    for (key, code) in [("n", 1), ("\r", 1), ("\x03", 130), ("y", 0)] {
        assert_eq!(world.run(&["clients", "show", "client-0001"]).code, 0, "{key:?}");
        let mut terminal = run(&world, &["clients", "delete", "client-0001"]);
        terminal.wait_for("Delete 1 client?");
        terminal.press(key);
        assert_eq!(terminal.exit_code(), code, "{key:?}: {}", terminal.text());
        assert!(!terminal.screen().hide_cursor(), "{key:?}");
    }
    assert_eq!(world.run(&["clients", "show", "client-0001"]).code, 4);
}

#[test]
fn what_a_new_client_lacks_is_asked_for() {
    let (_server, world) = Server::start(&[]).world_kept();
    let mut terminal = run(&world, &["clients", "create", "--first-name", "Ada", "-o", "ids"]);
    terminal.wait_for("mail");
    terminal.press(" \r");
    terminal.wait_for("it can't be blank");
    terminal.press("ada@example.com\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_eq!(world.run(&["clients", "show", "ada@example.com", "--json"]).json()["first_name"], "Ada");
}

#[test]
fn a_table_keeps_to_the_terminal_s_width() {
    let (_server, world) = Server::start(&[]).world_kept();
    let list = ["clients", "list", "--limit", "5"];
    let shown = |columns| {
        let mut terminal = Terminal::start(world.command(&list), columns, 12);
        assert_eq!(terminal.exit_code(), 0);
        let screen = terminal.screen();
        assert!((0..6).all(|row| !screen.row_wrapped(row)), "{columns} columns:\n{}", terminal.text());
        terminal.transcript()
    };
    assert_data_eq!(
        shown(40),
        str![[r#"
ID           FIRST NAME  LAST NAME
client-0060  李
client-0059  Quentin     Very-Long-Surn…
client-0058  Marek       Nowak
client-0057  Elif        Demir
client-0056  Nadia       Bensaïd
left out at this width: EMAIL, COMPANY,
SITES, CREATED (--fields names columns,
-o csv has all)
the first 5 of 60 clients

"#]]
    );
    assert_data_eq!(
        shown(80),
        str![[r#"
ID           FIRST NAME  LAST NAME        EMAIL            COMPANY         SITES
client-0060  李                           li@single-name…
client-0059  Quentin     Very-Long-Surn…  quentin@long-n…  The Company W…
client-0058  Marek       Nowak            marek+sites@no…  Nowak IT
client-0057  Elif        Demir            elif@demir.exa…  Demir Çelik
client-0056  Nadia       Bensaïd          nadia@bensaid.…  Bensaïd Tapis
left out at this width: CREATED (--fields names columns, -o csv has all)
the first 5 of 60 clients

"#]]
    );
    // In a pipe nothing is cut.
    assert!(!world.run(&list).stdout.contains('…'));
}

#[test]
fn a_slow_list_says_how_far_it_has_come_and_leaves_no_trace_of_that() {
    let (_server, world) = Server::start(&["--latency", "1s"]).world_kept();
    let command = "sitectl clients list --per-page 20 --json > out.json";
    let mut terminal = Terminal::start(world.shell(&["-c", command]), 80, 10);
    terminal.wait_for("of 60 clients");
    assert_eq!((terminal.exit_code(), terminal.text().as_str()), (0, ""));
    assert!(!terminal.screen().hide_cursor());
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let colour = vt100::Color::Idx(3);
    let (server, world) = Server::start(&[]).world_kept();
    let of_the_warning = |world: &World| {
        let screen = asked(world).screen();
        screen.cell(1, 0).filter(|cell| cell.contents() == "w").unwrap().fgcolor()
    };
    assert_eq!(of_the_warning(&world), colour);
    assert_eq!(of_the_warning(&server.world().with("NO_COLOR", "1")), vt100::Color::Default);
}

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
