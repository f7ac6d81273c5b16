//! Restores and syncs: scopes, errors, conflicts and the progress of tasks.

use crate::support::{OTHER_TOKEN, Response, Sandbox, full_restore_body, wait_until};
use serde_json::{Value, json};

fn restore_path(site: &str, snapshot: &str) -> String {
    format!("/sites/{site}/backups/{snapshot}/restore")
}

/// Returns the body of a restore with these flags and more members in its scope.
fn restore_body(files: bool, database: bool, more: Value) -> Value {
    let mut scope = json!({ "include_files": files, "include_database": database });
    let more = more.as_object().unwrap().clone();
    scope.as_object_mut().unwrap().extend(more);
    json!({ "restore": { "scope": scope } })
}

/// Returns the member `name` of each step.
fn step_values<'t>(task: &'t Value, name: &str) -> Vec<&'t str> {
    task["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step[name].as_str().unwrap())
        .collect()
}

#[test]
fn valid_scopes_start_a_task() {
    let sandbox = Sandbox::start(&["--restore-time", "0s"]);
    let files = ["prepare", "restore_files", "finish"];
    let database = ["prepare", "restore_database", "finish"];
    let both = ["prepare", "restore_files", "restore_database", "finish"];
    let all = json!({ "paths": ["./a/"], "tables": ["b"], "subsite_ids": ["2"], "more": 1 });
    let empty = json!({ "paths": [], "tables": [], "subsite_ids": [] });
    for (site, body, steps) in [
        ("0031", restore_body(true, true, json!({})), &both[..]),
        ("0031", restore_body(false, true, json!({})), &database),
        ("0031", restore_body(true, true, all), &both),
        ("0001", restore_body(true, false, empty), &files),
    ] {
        let snapshot = format!("snap-{site}-2");
        let site = format!("site-{site}");
        let task = sandbox
            .post(&restore_path(&site, &snapshot), &body)
            .expect_status(201)["task"]
            .clone();
        let fields: Vec<_> = task.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            [
                "id",
                "type",
                "status",
                "progress",
                "message",
                "error_message",
                "site_id",
                "snapshot_id",
                "steps",
                "created_at",
                "updated_at",
                "started_at",
                "finished_at"
            ]
        );
        assert_eq!(task["type"], "restore");
        assert_eq!(task["site_id"], site);
        assert_eq!(task["snapshot_id"], snapshot);
        assert_eq!(step_values(&task, "name"), steps);
        // A restore with a duration of zero ends at once.
        assert_eq!(task["status"], "succeeded");
        assert_eq!(task["progress"], 100);
    }
}

#[test]
fn malformed_scopes_are_400() {
    let sandbox = Sandbox::start(&[]);
    let path = restore_path("site-0031", "snap-0031-1");
    for (body, expected) in [
        (json!({}), &["invalid_type restore"][..]),
        (
            json!({ "restore": { "scope": {} } }),
            &["blank include_database", "blank include_files"],
        ),
        (
            restore_body(true, true, json!({ "include_files": 1 })),
            &["invalid_type include_files"],
        ),
        (
            restore_body(true, true, json!({ "paths": null })),
            &["invalid_type paths"],
        ),
        (
            restore_body(true, true, json!({ "subsite_ids": [2] })),
            &["invalid_type subsite_ids"],
        ),
    ] {
        let response = sandbox.post(&path, &body);
        assert_eq!(response.error_codes(400), expected, "{body}");
    }
}

#[test]
fn all_violated_rules_are_reported_in_one_422() {
    let sandbox = Sandbox::start(&[]);
    let all = json!({ "paths": ["./a", "a"], "tables": ["b"], "subsite_ids": ["c"] });
    let path = restore_path("site-0037", "snap-0037-4");
    let response = sandbox.post(&path, &restore_body(false, false, all));
    let expected = [
        "database_excluded tables",
        "empty_scope scope",
        "files_excluded paths",
        "invalid_path paths",
        "not_multisite subsite_ids",
        "not_succeeded snapshot_id",
    ];
    assert_eq!(response.error_codes(422), expected);
}

#[test]
fn an_unknown_site_snapshot_or_task_is_a_404_whatever_the_body() {
    let sandbox = Sandbox::start(&[]);
    for (site, snapshot) in [
        ("site-0041", "snap-0001-1"),
        ("site-0001", "snap-0002-1"),
        ("site-1001", "snap-1001-1"),
    ] {
        let path = restore_path(site, snapshot);
        let response = sandbox.post(&path, &full_restore_body());
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(sandbox.post_bytes(&path, b"{").status, 404, "{path}");
    }
    let path = restore_path("site-1001", "snap-1001-1");
    sandbox
        .post_as(OTHER_TOKEN, &path, &full_restore_body())
        .expect_status(201);
}

fn read_task(sandbox: &Sandbox, task: &Value) -> Value {
    let response = sandbox.get(&format!("/tasks/{}", task["id"].as_str().unwrap()));
    response.expect_status(200)["task"].clone()
}

/// Polls until the task has succeeded or failed, and returns its different states.
fn poll_until_final(sandbox: &Sandbox, task: &Value) -> Vec<Value> {
    let mut states = vec![task.clone()];
    wait_until("the task succeeds or fails", || {
        let task = read_task(sandbox, task);
        let is_final = task["status"] == "succeeded" || task["status"] == "failed";
        if states.last() != Some(&task) {
            states.push(task);
        }
        is_final
    });
    states
}

#[test]
fn a_site_has_one_restore_at_a_time() {
    let sandbox = Sandbox::start(&["--restore-time", "800ms"]);
    let task = sandbox.start_restore(2, 1).expect_status(201)["task"].clone();
    let refused = sandbox.start_restore(2, 2).expect_status(409);
    assert_eq!(refused["error"]["code"], "conflict");
    assert_eq!(
        sandbox.start_restore(2, 4).status,
        422,
        "an invalid request is reported first"
    );
    sandbox.start_restore(1, 1).expect_status(201);
    poll_until_final(&sandbox, &task);
    sandbox.start_restore(2, 1).expect_status(201);
}

#[test]
fn a_canceled_task_has_failed_and_does_not_block_the_site() {
    let sandbox = Sandbox::start(&["--restore-time", "1h"]);
    let task = sandbox.start_restore(1, 1).expect_status(201)["task"].clone();
    let cancel = format!("/tasks/{}/cancel", task["id"].as_str().unwrap());
    let canceled = sandbox.post(&cancel, &json!({})).expect_status(200)["task"].clone();
    assert_eq!(read_task(&sandbox, &task), canceled);
    assert_eq!(canceled["status"], "failed");
    assert_eq!(canceled["message"], "The restore was canceled.");
    assert_eq!(canceled["error_message"], Value::Null);
    assert_eq!(canceled["finished_at"], canceled["updated_at"]);
    let refused = sandbox.post(&cancel, &json!({})).expect_status(409);
    assert_eq!(refused["error"]["code"], "conflict");
    assert_eq!(sandbox.post("/tasks/none/cancel", &json!({})).status, 404);
    sandbox.start_restore(1, 1).expect_status(201);
    assert_eq!(read_task(&sandbox, &task), canceled);
}

#[test]
fn a_task_advances_from_queued_to_a_final_state() {
    let sandbox = Sandbox::start(&["--restore-time", "1s"]);
    for (site, end, steps, percent) in [
        (1, "succeeded", ["succeeded"; 4], 100),
        (
            13,
            "failed",
            ["succeeded", "succeeded", "failed", "queued"],
            60,
        ),
    ] {
        let created = sandbox.start_restore(site, 3).expect_status(201);
        let states = poll_until_final(&sandbox, &created["task"]);
        let mut statuses: Vec<_> = states.iter().map(|task| &task["status"]).collect();
        statuses.dedup();
        assert_eq!(statuses, ["queued", "running", end]);
        assert!(states.is_sorted_by_key(|task| task["progress"].as_i64()));
        let last = states.last().unwrap();
        for state in &states {
            let status = state["status"].as_str().unwrap();
            assert_eq!(state["started_at"].is_null(), status == "queued");
            assert_eq!(state["finished_at"].is_null(), status != end);
            assert_eq!(state["error_message"].is_null(), status != "failed");
        }
        assert_eq!(last["progress"], percent);
        assert_eq!(step_values(last, "status"), steps);
    }
}

#[test]
fn a_task_continues_without_a_server() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tasks.db");
    let first = Sandbox::on_file(&file, &["--restore-time", "600ms"]);
    let task = first.start_restore(1, 3).expect_status(201)["task"].clone();
    drop(first);
    // The duration is set when the task starts.
    let second = Sandbox::on_file(&file, &["--restore-time", "1h"]);
    assert_eq!(
        poll_until_final(&second, &task).pop().unwrap()["status"],
        "succeeded"
    );
}

fn start_sync(sandbox: &Sandbox, site: &str) -> Response {
    sandbox.post(&format!("/sites/{site}/sync"), &json!({}))
}

fn snapshots(sandbox: &Sandbox, site: &str) -> Vec<Value> {
    sandbox.all_records(&format!("/sites/{site}/snapshots"))
}

#[test]
fn a_sync_that_succeeds_ends_with_a_snapshot_of_the_site_as_it_is() {
    let sandbox = Sandbox::start(&["--restore-time", "1s"]);
    for (site, end, scanner) in [
        ("site-0001", "succeeded", "clean"),
        ("site-0021", "succeeded", "hacked"),
        ("site-0013", "failed", ""),
    ] {
        let before = snapshots(&sandbox, site);
        let task = start_sync(&sandbox, site).expect_status(201)["task"].clone();
        assert_eq!(task["type"], "sync");
        assert_eq!(task["site_id"], site);
        let steps = ["prepare", "sync_files", "sync_database", "finish"];
        assert_eq!(step_values(&task, "name"), steps);
        assert_eq!(snapshots(&sandbox, site), before);
        let last = poll_until_final(&sandbox, &task).pop().unwrap();
        assert_eq!(last["status"], end);
        let mut after = snapshots(&sandbox, site);
        if end == "succeeded" {
            let new = after.remove(0);
            assert_eq!(new["status"], "succeeded");
            assert_eq!(new["security"]["scanner"]["status"], scanner);
            let path = restore_path(site, new["id"].as_str().unwrap());
            sandbox.post(&path, &full_restore_body()).expect_status(201);
        }
        assert_eq!(after, before);
    }
}

#[test]
fn a_sync_needs_a_connected_site_without_another_task() {
    let sandbox = Sandbox::start(&["--restore-time", "1h"]);
    start_sync(&sandbox, "site-9999").expect_status(404);
    let refused = start_sync(&sandbox, "site-0018").expect_status(409);
    assert_eq!(refused["error"]["message"], "The site is disconnected.");
    let task = start_sync(&sandbox, "site-0001").expect_status(201)["task"].clone();
    start_sync(&sandbox, "site-0001").expect_status(409);
    sandbox.start_restore(1, 1).expect_status(409);
    let cancel = format!("/tasks/{}/cancel", task["id"].as_str().unwrap());
    sandbox.post(&cancel, &json!({})).expect_status(200);
    sandbox.start_restore(1, 1).expect_status(201);
    start_sync(&sandbox, "site-0001").expect_status(409);
}
