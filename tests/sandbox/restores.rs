//! Starting a restore: what is accepted, what each refusal says, and what conflicts.

use crate::support::{OTHER, Served, eventually};
use serde_json::{Value, json};

fn path(site: &str, snapshot: &str) -> String {
    format!("/sites/{site}/backups/{snapshot}/restore")
}

fn scope(scope: Value) -> Value {
    json!({ "restore": { "scope": scope } })
}

fn full() -> Value {
    scope(json!({ "include_files": true, "include_database": true }))
}

#[test]
fn every_scope_that_makes_sense_starts_a_task() {
    let sandbox = Served::start(&["--restore-time", "0s"]);
    let scopes = [
        (
            json!({ "include_files": true, "include_database": true }),
            vec!["prepare", "restore_files", "restore_database", "finish"],
        ),
        (json!({ "include_files": true, "include_database": false }), vec!["prepare", "restore_files", "finish"]),
        (json!({ "include_files": false, "include_database": true }), vec!["prepare", "restore_database", "finish"]),
        (
            json!({ "include_files": true, "include_database": false, "paths": ["wp-content/uploads"] }),
            vec!["prepare", "restore_files", "finish"],
        ),
        (
            json!({ "include_files": false, "include_database": true, "tables": ["wp_posts", "wp_options"] }),
            vec!["prepare", "restore_database", "finish"],
        ),
        (
            json!({ "include_files": true, "include_database": true, "paths": ["a"], "tables": ["b"], "subsite_ids": ["2"], "more": 1 }),
            vec!["prepare", "restore_files", "restore_database", "finish"],
        ),
    ];
    for (wanted, steps) in scopes {
        let task = sandbox.post(&path("site-0031", "snap-0031-2"), &scope(wanted)).expect(201)["task"].clone();
        assert!(task["id"].as_str().unwrap().starts_with("task-"));
        assert_eq!(
            (&task["type"], &task["site_id"], &task["snapshot_id"]),
            (&json!("restore"), &json!("site-0031"), &json!("snap-0031-2"))
        );
        let names: Vec<_> =
            task["steps"].as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap()).collect();
        assert_eq!(names, steps);
        // With no time to take, it is over at once.
        assert_eq!((&task["status"], &task["progress"]), (&json!("succeeded"), &json!(100)));
    }
}

#[test]
fn an_empty_list_narrows_nothing() {
    let sandbox = Served::start(&["--restore-time", "0s"]);
    for site in ["site-0001", "site-0031"] {
        for (files, database) in [(true, true), (true, false), (false, true)] {
            let body = scope(json!({
                "include_files": files, "include_database": database, "paths": [], "tables": [], "subsite_ids": [],
            }));
            sandbox.post(&path(site, &format!("{}-1", site.replace("site", "snap"))), &body).expect(201);
        }
    }
}

#[test]
fn wrong_shapes_are_400() {
    let sandbox = Served::start(&[]);
    let on = |more: Value| {
        let mut all = json!({ "include_files": true, "include_database": true });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        scope(all)
    };
    let cases = [
        (json!({}), vec!["invalid_type restore"]),
        (json!({ "restore": null }), vec!["invalid_type restore"]),
        (json!({ "restore": [] }), vec!["invalid_type restore"]),
        (json!({ "restore": {} }), vec!["invalid_type scope"]),
        (json!({ "restore": { "scope": "full" } }), vec!["invalid_type scope"]),
        (scope(json!({})), vec!["blank include_database", "blank include_files"]),
        (scope(json!({ "include_files": true })), vec!["blank include_database"]),
        (
            scope(json!({ "include_files": null, "include_database": 1 })),
            vec!["blank include_files", "invalid_type include_database"],
        ),
        (
            scope(json!({ "include_files": "true", "include_database": [] })),
            vec!["invalid_type include_database", "invalid_type include_files"],
        ),
        (on(json!({ "paths": "a" })), vec!["invalid_type paths"]),
        (
            on(json!({ "paths": null, "tables": {}, "subsite_ids": 2 })),
            vec!["invalid_type paths", "invalid_type subsite_ids", "invalid_type tables"],
        ),
        (on(json!({ "paths": [1], "subsite_ids": [2] })), vec!["invalid_type paths", "invalid_type subsite_ids"]),
        (on(json!({ "paths": [], "tables": [[]] })), vec!["invalid_type tables"]),
    ];
    for (body, wanted) in cases {
        assert_eq!(sandbox.post(&path("site-0031", "snap-0031-1"), &body).reasons(400), wanted, "{body}");
    }
    assert_eq!(sandbox.post_bytes(&path("site-0031", "snap-0031-1"), b"").reasons(400), ["invalid_type restore"]);
    sandbox.post(&path("site-0031", "snap-0031-1"), &full()).expect(201);
}

#[test]
fn broken_rules_are_422_all_together() {
    let sandbox = Served::start(&[]);
    let cases = [
        ("site-0001", 4, json!({ "include_files": true, "include_database": true }), vec!["not_succeeded snapshot_id"]),
        ("site-0005", 4, json!({ "include_files": true, "include_database": true }), vec!["not_succeeded snapshot_id"]),
        ("site-0001", 1, json!({ "include_files": false, "include_database": false }), vec!["empty_scope scope"]),
        (
            "site-0001",
            1,
            json!({ "include_files": false, "include_database": true, "paths": ["a"] }),
            vec!["files_excluded paths"],
        ),
        (
            "site-0001",
            1,
            json!({ "include_files": true, "include_database": false, "tables": ["a"] }),
            vec!["database_excluded tables"],
        ),
        (
            "site-0030",
            1,
            json!({ "include_files": true, "include_database": true, "subsite_ids": ["1"] }),
            vec!["not_multisite subsite_ids"],
        ),
        (
            "site-0036",
            4,
            json!({ "include_files": false, "include_database": false, "paths": ["a"], "tables": ["b"], "subsite_ids": ["c"] }),
            vec![
                "database_excluded tables",
                "empty_scope scope",
                "files_excluded paths",
                "not_multisite subsite_ids",
                "not_succeeded snapshot_id",
            ],
        ),
    ];
    for (site, nth, wanted, reasons) in cases {
        let snapshot = format!("{}-{nth}", site.replace("site", "snap"));
        assert_eq!(sandbox.post(&path(site, &snapshot), &scope(wanted)).reasons(422), reasons);
    }
    for site in 31..=35 {
        let body = scope(json!({ "include_files": true, "include_database": true, "subsite_ids": ["1"] }));
        sandbox.post(&path(&format!("site-{site:04}"), &format!("snap-{site:04}-1")), &body).expect(201);
    }
}

#[test]
fn what_is_not_there_is_404_whatever_the_body() {
    let sandbox = Served::start(&[]);
    for (site, snapshot) in [
        ("site-0041", "snap-0001-1"),
        ("site-0001", "snap-0001-5"),
        ("site-0001", "snap-0002-1"),
        ("site-1001", "snap-1001-1"),
        ("", "snap-0001-1"),
        ("site-0001", "latest"),
        ("%00", "%00"),
    ] {
        assert_eq!(sandbox.post(&path(site, snapshot), &full()).status, 404, "{site} {snapshot}");
        assert_eq!(sandbox.post_bytes(&path(site, snapshot), b"{").status, 404);
    }
    sandbox.post_as(OTHER, &path("site-1001", "snap-1001-1"), &full()).expect(201);
}

#[test]
fn a_site_is_restored_by_one_at_a_time() {
    let sandbox = Served::start(&["--restore-time", "1500ms"]);
    let task = sandbox.post(&path("site-0001", "snap-0001-1"), &full()).expect(201)["task"].clone();
    for snapshot in ["snap-0001-1", "snap-0001-2"] {
        let refused = sandbox.post(&path("site-0001", snapshot), &full()).expect(409);
        assert_eq!((&refused["error"]["status"], &refused["error"]["code"]), (&json!(409), &json!("conflict")));
    }
    // A request that is wrong in itself is told that first.
    assert_eq!(sandbox.post(&path("site-0001", "snap-0001-4"), &full()).status, 422);
    // Other sites are not concerned.
    sandbox.post(&path("site-0002", "snap-0002-1"), &full()).expect(201);
    let show = format!("/tasks/{}", task["id"].as_str().unwrap());
    let status = || sandbox.get(&show).expect(200)["task"]["status"].clone();
    eventually(|| (status() == "running").then_some(()));
    assert_eq!(sandbox.post(&path("site-0001", "snap-0001-1"), &full()).status, 409);
    eventually(|| (status() == "succeeded").then_some(()));
    sandbox.post(&path("site-0001", "snap-0001-1"), &full()).expect(201);
}
