//! Tests of `sitectl tasks`, whose paths and fields are assumed.

use crate::common::{Run, World};
use crate::service::{Reply, Scripted, Service};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

const RUNNING: &str = r#"{"task":{"id":"t1","type":"update","status":"running"}}"#;

fn running() -> (&'static str, Reply) {
    ("GET /api/v6/tasks/t1", Reply::Json(200, RUNNING.into()))
}

/// Cancels task t1 of a service that replies to the POST and to the next requests so.
fn cancel(replies: Vec<(&'static str, Reply)>, options: &str) -> Run {
    let service = Scripted::new([vec![running()], replies].concat());
    let command = format!("tasks cancel t1 --yes {options}");
    service.world().run(command.trim())
}

#[test]
fn an_accepted_cancellation_prints_the_task() {
    let canceling = r#"{"task":{"id":"t1","status":"canceling"}}"#;
    for (body, status) in [
        ("", "running"),
        (r#"{"message":"ok"}"#, "running"),
        (canceling, "canceling"),
    ] {
        let post = || {
            (
                "POST /api/v6/tasks/t1/cancel",
                Reply::Json(202, body.into()),
            )
        };
        let run = cancel(vec![post()], "--json");
        assert_eq!(
            (run.code, &run.json()["status"]),
            (0, &json!(status)),
            "{}",
            run.transcript()
        );
        let run = cancel(vec![post()], "-o ids");
        run.assert_stderr(
            0,
            contains("the service accepted the cancellation of task t1\n"),
        );
        assert_eq!(run.stdout, "t1\n");
    }
}

#[test]
fn a_lost_answer_to_a_cancellation_is_looked_up_once() {
    for (state, code) in [("canceled", 0), ("succeeded", 12), ("running", 12)] {
        for lost in [
            Reply::Drop,
            Reply::status(502),
            Reply::Json(200, "<p>".into()),
        ] {
            let replies = vec![
                ("POST /api/v6/tasks/t1/cancel", lost),
                ("GET /api/v6/tasks/t1", Reply::task("t1", state)),
            ];
            let run = cancel(replies, "-o ids");
            assert_eq!(run.code, code, "{state} {}", run.transcript());
        }
    }
}

#[test]
fn a_task_that_has_ended_is_not_canceled() {
    for state in ["succeeded", "failed", "canceled"] {
        let script = vec![("GET", Reply::task("t1", state))];
        let run = Scripted::new(script).world().run("tasks cancel t1 --yes");
        run.assert_stderr(6, contains(format!("task 't1' has ended ({state})")));
    }
    let refused = Reply::status(409);
    let run = cancel(vec![("POST", refused)], "");
    assert_eq!(run.code, 6, "{}", run.transcript());
}

#[test]
fn a_missing_path_is_named_with_its_setting() {
    for command in ["tasks show t1", "tasks cancel t1 --yes"] {
        let run = Scripted::new(vec![("GET", Reply::status(404))])
            .world()
            .run(command);
        let message = contains("error: task 't1' not found\n");
        run.assert_stderr(
            4,
            message.and(contains("set task in [profiles.NAME.endpoints]")),
        );
    }
    let run = cancel(vec![("POST", Reply::status(404))], "");
    let setting = "set task_cancel in [profiles.NAME.endpoints]";
    run.assert_stderr(
        4,
        contains("task 't1' was not canceled").and(contains(setting)),
    );
}

#[test]
fn a_canceled_restore_can_leave_its_site_half_restored() {
    let warning = "warning: a canceled restore can leave the site half restored\n";
    let run = cancel(vec![("POST", Reply::status(202))], "");
    run.assert_stderr(0, contains(warning).not());
    let restore = r#"{"id":"t1","type":"backup_restore","status":"running"}"#;
    let service = Scripted::new(vec![
        ("GET", Reply::Json(200, restore.into())),
        ("POST", Reply::status(202)),
    ]);
    let run = service.world().run("tasks cancel t1 -y");
    run.assert_stderr(0, contains(warning));
    // Without a person, nothing is sent.
    let run = Scripted::new(vec![]).world().run("tasks cancel t1");
    assert_eq!(run.code, 2, "{}", run.transcript());
}

#[test]
fn tasks_use_the_paths_of_the_profile() {
    let tasks = [json!({"id": "t1", "type": "restore", "status": "running", "progress": 40})];
    let service = Scripted::new(vec![
        ("GET /api/v6/jobs?", Reply::list("tasks", &tasks)),
        ("GET /api/v6/jobs/t1", Reply::Json(200, RUNNING.into())),
        ("POST /api/v6/jobs/t1/stop", Reply::status(202)),
    ]);
    let profile = format!(
        "[profiles.p]\nbase_url = \"{}\"\n[profiles.p.endpoints]\ntasks = \"jobs\"\n\
         task = \"jobs/{{task_id}}\"\ntask_cancel = \"jobs/{{task_id}}/stop\"\n",
        service.base_url
    );
    let world = World::empty()
        .with("SITECTL_TOKEN", "x")
        .with_config(&profile);
    let list = world.run("tasks list --profile p -o csv --fields id,type,progress");
    assert_eq!(
        list.stdout,
        "id,type,progress\nt1,restore,40\n",
        "{}",
        list.transcript()
    );
    let cancel = world.run("tasks cancel t1 --yes --profile p");
    assert_eq!(cancel.code, 0, "{}", cancel.transcript());
}

#[test]
fn the_restore_of_a_site_is_canceled_and_the_journal_says_so() {
    let (_server, world) = crate::common::Server::start("--restore-time 60s").world_kept();
    let start = "restore start site-0005 latest --full --yes -o ids";
    let task = world.run(start).stdout;
    let run = world.run("tasks cancel site-0005.example.com --yes -o ids");
    assert_eq!((run.code, &run.stdout), (0, &task), "{}", run.transcript());
    let history = world.run("restore history --jq .[].outcome");
    history.assert_stdout(0, predicates::ord::eq("failed\n"));
    let run = world.run("tasks cancel site-0005 --yes");
    run.assert_stderr(
        4,
        contains("no unfinished restore of site-0005.example.com"),
    );
}

#[test]
fn the_site_of_a_task_is_found_in_each_form() {
    let tasks = [
        json!({"id": "a", "site_id": "s1"}),
        json!({"id": "b", "site": "s2"}),
        json!({"id": "c", "site": {"id": "s3", "url": "https://s3.example"}}),
        json!({"id": "d", "site": {"id": "s4"}}),
        json!({"id": "e"}),
    ];
    let service = Service::start(move |_| Reply::list("tasks", &tasks));
    let run = service
        .world()
        .run("tasks list -o csv --no-header --fields site_id");
    run.assert_stdout(0, predicate::eq("s1\ns2\nhttps://s3.example\ns4\n\"\"\n"));
}

#[test]
fn the_steps_of_the_sites_of_a_task_are_shown() {
    let steps = json!([{"name": "restore_files", "status": "failed", "message": "No access."}]);
    let task =
        json!({"task": {"id": "t1", "status": "failed", "sites": [{"id": "s1", "steps": steps}]}});
    let service = Service::start(move |_| Reply::Json(200, task.to_string()));
    let run = service.world().run("tasks show t1");
    run.assert_stdout(0, contains("sites.steps:").and(contains("No access.")));
}
