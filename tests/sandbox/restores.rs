//! Restores: scopes, errors, conflicts and the progress of tasks.

use crate::support::{OTHER, Served, eventually, full_restore};
use serde_json::{Value, json};

fn path(site: &str, snapshot: &str) -> String {
    format!("/sites/{site}/backups/{snapshot}/restore")
}

/// Returns the body of a restore with these flags and more members.
fn scope(files: bool, database: bool, more: Value) -> Value {
    let mut scope = json!({ "include_files": files, "include_database": database });
    scope
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    json!({ "restore": { "scope": scope } })
}

/// Returns this member of each step.
fn members<'t>(task: &'t Value, name: &str) -> Vec<&'t str> {
    task["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step[name].as_str().unwrap())
        .collect()
}

#[test]
fn valid_scopes_start_a_task() {
    let sandbox = Served::start(&["--restore-time", "0s"]);
    let (files, database) = (
        ["prepare", "restore_files", "finish"],
        ["prepare", "restore_database", "finish"],
    );
    let both = ["prepare", "restore_files", "restore_database", "finish"];
    let all = json!({ "paths": ["a"], "tables": ["b"], "subsite_ids": ["2"], "more": 1 });
    let empty = json!({ "paths": [], "tables": [], "subsite_ids": [] });
    for (site, body, steps) in [
        ("0031", scope(true, true, json!({})), &both[..]),
        ("0031", scope(true, false, json!({})), &files),
        ("0031", scope(false, true, json!({})), &database),
        ("0031", scope(true, true, all), &both),
        ("0001", scope(true, false, empty), &files),
    ] {
        let (site, snapshot) = (format!("site-{site}"), format!("snap-{site}-2"));
        let task = sandbox.post(&path(&site, &snapshot), &body).expect(201)["task"].clone();
        assert!(task["id"].as_str().unwrap().starts_with("task-"));
        let fields: Vec<_> = task.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            [
                "id",
                "type",
                "status",
                "progress",
                "site_id",
                "snapshot_id",
                "steps",
                "created_at",
                "updated_at"
            ]
        );
        assert_eq!(
            (&task["type"], &task["site_id"]),
            (&json!("restore"), &json!(site))
        );
        assert_eq!(task["snapshot_id"], snapshot);
        assert_eq!(members(&task, "name"), steps);
        // A restore with a duration of zero ends at once.
        assert_eq!(
            (&task["status"], &task["progress"]),
            (&json!("succeeded"), &json!(100))
        );
    }
}

#[test]
fn invalid_bodies_are_400() {
    let sandbox = Served::start(&[]);
    for (body, wanted) in [
        (json!({}), &["invalid_type restore"][..]),
        (json!({ "restore": {} }), &["invalid_type scope"]),
        (
            json!({ "restore": { "scope": "full" } }),
            &["invalid_type scope"],
        ),
        (
            json!({ "restore": { "scope": {} } }),
            &["blank include_database", "blank include_files"],
        ),
        (
            scope(true, true, json!({ "include_files": 1 })),
            &["invalid_type include_files"],
        ),
        (
            scope(true, true, json!({ "paths": null })),
            &["invalid_type paths"],
        ),
        (
            scope(true, true, json!({ "tables": {} })),
            &["invalid_type tables"],
        ),
        (
            scope(true, true, json!({ "subsite_ids": [2] })),
            &["invalid_type subsite_ids"],
        ),
    ] {
        assert_eq!(
            sandbox
                .post(&path("site-0031", "snap-0031-1"), &body)
                .reasons(400),
            wanted,
            "{body}"
        );
    }
    assert_eq!(
        sandbox
            .post_bytes(&path("site-0031", "snap-0031-1"), b"")
            .reasons(400),
        ["invalid_type restore"]
    );
    sandbox.restore(31, 1).expect(201);
}

#[test]
fn all_violated_rules_are_reported_in_one_422() {
    let sandbox = Served::start(&[]);
    let all = json!({ "paths": ["a"], "tables": ["b"], "subsite_ids": ["c"] });
    let reasons = sandbox
        .post(&path("site-0036", "snap-0036-4"), &scope(false, false, all))
        .reasons(422);
    let wanted = [
        "database_excluded tables",
        "empty_scope scope",
        "files_excluded paths",
        "not_multisite subsite_ids",
        "not_succeeded snapshot_id",
    ];
    assert_eq!(reasons, wanted);
    for site in 31..=35 {
        let (site, snapshot) = (format!("site-{site:04}"), format!("snap-{site:04}-1"));
        sandbox
            .post(
                &path(&site, &snapshot),
                &scope(true, true, json!({ "subsite_ids": ["1"] })),
            )
            .expect(201);
    }
}

#[test]
fn an_unknown_site_snapshot_or_task_is_a_404_whatever_the_body() {
    let sandbox = Served::start(&[]);
    for (site, snapshot) in [
        ("site-0041", "snap-0001-1"),
        ("site-0001", "snap-0002-1"),
        ("site-1001", "snap-1001-1"),
    ] {
        assert_eq!(
            sandbox.post(&path(site, snapshot), &full_restore()).status,
            404,
            "{site} {snapshot}"
        );
        assert_eq!(sandbox.post_bytes(&path(site, snapshot), b"{").status, 404);
    }
    for id in ["task-1", "%FF"] {
        assert_eq!(
            sandbox.get(&format!("/tasks/{id}")).expect(404)["error"]["code"],
            "not_found"
        );
    }
    sandbox
        .post_as(OTHER, &path("site-1001", "snap-1001-1"), &full_restore())
        .expect(201);
}

fn show(sandbox: &Served, task: &Value) -> Value {
    sandbox
        .get(&format!("/tasks/{}", task["id"].as_str().unwrap()))
        .expect(200)["task"]
        .clone()
}

/// Polls until the task ends, and returns the different states.
fn watch(sandbox: &Served, task: &Value) -> Vec<Value> {
    let mut seen = vec![task.clone()];
    eventually(|| {
        let now = show(sandbox, task);
        if seen.last() != Some(&now) {
            seen.push(now.clone());
        }
        ["succeeded", "failed"]
            .contains(&now["status"].as_str().unwrap())
            .then_some(())
    });
    seen
}

#[test]
fn a_site_has_one_restore_at_a_time() {
    let sandbox = Served::start(&["--restore-time", "800ms"]);
    let task = sandbox.restore(1, 1).expect(201)["task"].clone();
    let refused = sandbox.restore(1, 2).expect(409);
    assert_eq!(
        (&refused["error"]["status"], &refused["error"]["code"]),
        (&json!(409), &json!("conflict"))
    );
    assert_eq!(
        sandbox.restore(1, 4).status,
        422,
        "an invalid request is reported first"
    );
    sandbox.restore(2, 1).expect(201);
    watch(&sandbox, &task);
    sandbox.restore(1, 1).expect(201);
}

#[test]
fn a_task_advances_from_queued_to_a_final_state() {
    let sandbox = Served::start(&["--restore-time", "1s"]);
    for (site, end, steps, percent) in [
        (1, "succeeded", ["succeeded"; 4], 100),
        (
            13,
            "failed",
            ["succeeded", "succeeded", "failed", "queued"],
            60,
        ),
    ] {
        let seen = watch(&sandbox, &sandbox.restore(site, 3).expect(201)["task"]);
        let mut statuses: Vec<_> = seen.iter().map(|task| &task["status"]).collect();
        statuses.dedup();
        assert_eq!(statuses, ["queued", "running", end]);
        assert!(
            seen.iter()
                .map(|task| task["progress"].as_i64())
                .is_sorted()
        );
        assert!(
            seen.iter()
                .map(|task| task["updated_at"].as_str())
                .is_sorted()
        );
        let last = seen.last().unwrap();
        assert_eq!(
            (&seen[0]["progress"], &last["progress"]),
            (&json!(0), &json!(percent))
        );
        assert_eq!(members(last, "status"), steps);
    }
}

#[test]
fn a_task_continues_without_a_server() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tasks.db");
    let first = Served::on(&file, &["--restore-time", "600ms"]);
    let task = first.restore(1, 3).expect(201)["task"].clone();
    drop(first);
    // The duration is set when the task starts.
    let second = Served::on(&file, &["--restore-time", "1h"]);
    assert_eq!(watch(&second, &task).pop().unwrap()["status"], "succeeded");
}
