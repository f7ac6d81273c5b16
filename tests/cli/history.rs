//! Tests of `sitectl restore history`.

use crate::common::{Server, wait};
use serde_json::{Value, json};

#[test]
#[cfg(unix)]
fn a_restore_has_the_user_of_the_process_if_no_variable_names_one() {
    let (_server, world) = Server::start("").world_kept();
    let start = ["restore", "start", "site-0001", "latest", "--full", "--yes"];
    let mut command = world.command(&start);
    for name in ["SUDO_USER", "USER", "LOGNAME", "USERNAME"] {
        command.env_remove(name);
    }
    assert_eq!(wait(crate::common::start(&mut command)).code, 0);
    let id = std::process::Command::new("id").arg("-un").output();
    let user = String::from_utf8(id.unwrap().stdout).unwrap();
    let history = world.run("restore history --jq '.[].user'");
    assert_eq!(history.stdout, user);
}

#[test]
fn the_history_has_the_outcomes_of_restores() {
    let (_server, world) = Server::start("--restore-time 1s").world_kept();
    let world = world.with("CI_JOB_URL", "https://ci.example/7");
    let start = |site: &str, more: &[&str]| {
        world
            .run(
                &[
                    &[
                        "restore", "start", site, "latest", "--full", "--yes", "--reason", "why",
                    ],
                    more,
                ]
                .concat(),
            )
            .code
    };
    assert_eq!(start("site-0001", &["--watch"]), 0);
    assert_eq!(start("site-0013", &["--watch"]), 10);
    assert_eq!(start("site-0002", &["--subsite", "2"]), 2);
    assert_eq!(
        world
            .run("restore start site-0002 snap-0002-4 --full --yes")
            .code,
        5
    );
    assert_eq!(start("site-0004", &[]), 0);
    let outcomes = world.run("restore history --jq .[].outcome").stdout;
    assert_eq!(outcomes, "running\nfailed\nsucceeded\n");
    let mut history = world.run("restore history --json").json();
    let oldest = history[2].take();
    let origin = [
        &oldest["user"],
        &oldest["ci_url"],
        &oldest["reason"],
        &oldest["profile"],
    ];
    assert_eq!(
        origin,
        [
            &json!("tester"),
            &json!("https://ci.example/7"),
            &json!("why"),
            &Value::Null
        ]
    );
    assert_eq!(oldest["url"], "https://site-0001.example.com");
    // The times of the service, as it sent them.
    let snapshots = world.run("snapshots list site-0001 --json").json();
    assert_eq!(oldest["taken_at"], snapshots[0]["created_at"]);
    let task_id = oldest["task_id"].as_str().unwrap();
    let task = world.run(&["tasks", "show", task_id, "--json"]).json();
    assert_eq!(oldest["finished_at"], task["updated_at"]);
    assert!(oldest["seconds"].is_u64(), "{oldest}");
    let running = &history[0];
    assert_eq!(
        [&running["finished_at"], &running["seconds"]],
        [&Value::Null; 2]
    );
}
