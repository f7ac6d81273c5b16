//! Global options and settings.

use crate::common::{Server, World};
use predicates::str::{contains, is_empty};

#[test]
fn global_options_work_before_and_after_the_command() {
    let world = World::empty();
    let before = world.run("--sandbox --json clients list --limit 2");
    let after = world.run("clients list --limit 2 --json --sandbox");
    assert_eq!(before.json().as_array().unwrap().len(), 2);
    assert_eq!((before.code, before.stdout), (0, after.stdout));
    let confirm = "-y --confirm live --sandbox clients delete client-0001";
    world
        .run(confirm)
        .assert_stderr(2, contains("--confirm has 'live'"));
}

#[test]
fn completion_scripts_work_with_invalid_settings() {
    // Because an invalid setting must not prevent a shell from starting.
    let world = World::empty()
        .with("SITECTL_PROFILE", "gone")
        .with("SITECTL_OUTPUT", "xml");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let command = world.command(&["completions", shell]);
        let run = assert_cmd::Command::from_std(command).assert().success();
        run.stdout(contains("__complete")).stderr(is_empty());
    }
}

#[test]
fn a_token_and_a_base_url_need_no_config_file() {
    let server = Server::start("");
    let world = server.world().with("HOME", "/proc/sitectl");
    let run = world.run("clients list --limit 1 -o ids");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "client-0060\n"),
        "{}",
        run.transcript()
    );
    let start = ["restore", "start", "site-0001", "latest", "--full", "--yes"];
    let run = world.with("SITECTL_STATE_DIR", "/proc/sitectl").run(&start);
    run.assert_stderr(1, contains("journal"));
}

#[test]
fn a_relative_state_directory_is_refused_because_it_would_be_another_journal_elsewhere() {
    let world = World::sandbox().with("SITECTL_STATE_DIR", "state");
    let run = world.run("restore history");
    assert_eq!(run.code, 2, "{}", run.transcript());
    assert!(run.stderr.contains("is not an absolute path: state"));
    assert!(!world.path("state").exists());
}
