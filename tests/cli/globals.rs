//! Global options and settings.

use crate::common::{Server, World};
use predicates::str::contains;

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
fn a_token_and_a_base_url_need_no_config_file() {
    let server = Server::start("");
    let world = server.world().with("HOME", "/proc/sitectl");
    let run = world.run("clients list --limit 1 -o ids");
    run.assert_stdout(0, contains("client-0060"));
    let start = "restore start site-0001 latest --full --yes";
    let run = world.with("SITECTL_STATE_DIR", "/proc/sitectl").run(start);
    run.assert_stderr(1, contains("journal"));
}

#[test]
fn a_relative_state_directory_is_refused_because_it_would_be_another_journal_elsewhere() {
    let world = World::sandbox().with("SITECTL_STATE_DIR", "state");
    let run = world.run("restore history");
    run.assert_stderr(2, contains("is not an absolute path: state"));
    assert!(!world.path("state").exists());
}
