//! One restore on a terminal: the question, the bar, Ctrl-C. The picture in the README shows how a bar looks.

use crate::common::{Server, World};
use crate::screen::Terminal;
use regex::Regex;
use snapbox::{assert_data_eq, str};

const START: [&str; 5] = ["restore", "start", "site-0001", "latest", "--full"];

fn run(world: &World, args: &[&str]) -> Terminal {
    Terminal::start(world.command(args), 160, 30)
}

/// Returns a terminal that shows the restore's question.
fn asked(world: &World) -> Terminal {
    let terminal = run(world, &START);
    terminal.wait_for("to confirm");
    terminal
}

/// Asserts that neither the journal nor the service has a restore; restores must take long.
#[track_caller]
pub fn assert_nothing_was_sent(server: &Server, world: &World) {
    assert_eq!(world.journal(), "");
    let run = server
        .world()
        .run("restore start site-0001 snap-0001-1 --full --yes");
    assert_eq!(
        run.code,
        0,
        "something was sent before: {}",
        run.transcript()
    );
}

#[test]
fn the_loss_is_shown_before_the_question() {
    let (_server, world) = Server::start("").world_kept();
    let terminal = asked(&world);
    assert_data_eq!(
        terminal.transcript(),
        str![[r#"
latest is snap-0001-4, taken NIGHT 02:01, AGE ago
warning: this overwrites the live site site-0001.example.com (site-0001) with SITECTL_TOKEN on 127.0.0.1:PORT
  restores files, database from snapshot snap-0001-4, taken NIGHT 02:01
  changes of the last AGE are lost
  the scanner calls the snapshot clean
Restore site-0001.example.com with SITECTL_TOKEN on 127.0.0.1:PORT? Type site-0001.example.com to confirm:

"#]]
    );
}

#[test]
fn a_wrong_confirmation_starts_no_restore() {
    let (server, world) = Server::start("--restore-time 60s").world_kept();
    for word in ["yes", "site-000", "example.com"] {
        let mut terminal = asked(&world);
        terminal.press(&format!("{word}\r"));
        terminal.wait_until("the question again", |text| {
            text.matches("to confirm:").count() == 2
        });
        terminal.press("\r");
        assert_eq!(terminal.exit_code(), 1, "{word}: {}", terminal.text());
        terminal.assert_shows("error: canceled; no changes were made$");
    }
    for (key, code) in [("\x04", 1), ("site-0001\x03", 130)] {
        let mut terminal = asked(&world);
        terminal.press(key);
        assert_eq!(terminal.exit_code(), code, "{}", terminal.text());
    }
    assert_nothing_was_sent(&server, &world);
}

#[test]
fn the_host_name_starts_the_restore_and_shows_a_bar() {
    let (_server, world) = Server::start("--restore-time 8s").world_kept();
    let mut terminal = asked(&world);
    // The letter case does not count.
    terminal.press("Site-0001.Example.COM\r");
    let moving = Regex::new(r"(?m)^.*site-0001\.example\.com .*\b\d+%.*running.*$").unwrap();
    terminal.wait_until("a bar that moves", |text| {
        moving.is_match(text) && text.contains("watching")
    });
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    terminal.assert_shows(
        r"to confirm: Site-0001.Example.COM\nrestoring site-0001.example.com from snap-0001-4: task task-",
    );
    terminal
        .assert_shows(r"\nSITE +OUTCOME .*\nsite-0001\.example\.com +succeeded .* \d+s .*task-");
    assert!(
        !terminal.text().contains("running"),
        "the bar left something behind:\n{}",
        terminal.text()
    );
    assert!(!terminal.screen().hide_cursor());
    assert!(
        world.journal().contains(r#""outcome":"succeeded""#),
        "{}",
        world.journal()
    );
}

#[test]
fn a_missing_scope_is_asked_for() {
    let (_server, world) = Server::start("--restore-time 60s").world_kept();
    let mut terminal = run(&world, &[&START[..4], &["--no-watch"]].concat());
    terminal.wait_for("> full ");
    terminal.press("database\r");
    terminal.wait_for("restores database from snapshot snap-0001-4");
    terminal.wait_for("to confirm");
    terminal.press("site-0001\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert!(
        world
            .journal()
            .contains(r#""include_files":false,"include_database":true"#),
        "{}",
        world.journal()
    );
}

#[test]
fn no_input_forbids_questions_on_a_terminal() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    let mut terminal = run(&world, &[&START[..], &["--no-input"]].concat());
    assert_eq!(terminal.exit_code(), 2);
    terminal.assert_shows("or pass --yes if a person has said so$");
}

#[test]
fn ctrl_c_while_watching_shows_how_to_resume() {
    let (_server, world) = Server::start("--restore-time 60s").world_kept();
    let mut terminal = asked(&world);
    terminal.press("site-0001\r");
    terminal.wait_for("queued");
    terminal.press("\x03");
    assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
    terminal.assert_shows(r"hint: resume watching: sitectl restore watch task-[0-9a-f]{16}$");
    assert!(!terminal.screen().hide_cursor());
    let mut again = run(&world, &["restore", "watch", "--timeout", "1s"]);
    assert_eq!(again.exit_code(), 11, "{}", again.text());
}
