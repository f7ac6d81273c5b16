//! The life of a task, watched until it ends.

use crate::support::{Served, eventually};
use serde_json::{Value, json};

fn start(sandbox: &Served, site: u32) -> Value {
    let body = json!({ "restore": { "scope": { "include_files": true, "include_database": true } } });
    sandbox.post(&format!("/sites/site-{site:04}/backups/snap-{site:04}-3/restore"), &body).expect(201)["task"].clone()
}

fn show(sandbox: &Served, task: &Value) -> Value {
    sandbox.get(&format!("/tasks/{}", task["id"].as_str().unwrap())).expect(200)["task"].clone()
}

/// Every different state that polling sees, the last one final.
fn watch(sandbox: &Served, task: &Value) -> Vec<Value> {
    let mut seen = vec![task.clone()];
    eventually(|| {
        let now = show(sandbox, task);
        if seen.last() != Some(&now) {
            seen.push(now.clone());
        }
        ["succeeded", "failed"].contains(&now["status"].as_str().unwrap()).then_some(())
    });
    seen
}

fn statuses(task: &Value) -> Vec<&str> {
    task["steps"].as_array().unwrap().iter().map(|step| step["status"].as_str().unwrap()).collect()
}

/// What holds for each state and from one to the next.
fn check_life(seen: &[Value]) {
    let rank = |task: &Value| {
        ["queued", "running", "succeeded", "failed"]
            .iter()
            .position(|known| task["status"] == *known)
            .expect("a known status")
    };
    for task in seen {
        let fields: Vec<_> = task.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            ["id", "type", "status", "progress", "site_id", "snapshot_id", "steps", "created_at", "updated_at"]
        );
        for step in task["steps"].as_array().unwrap() {
            assert_eq!(step.as_object().unwrap().keys().collect::<Vec<_>>(), ["site_id", "name", "status"]);
            assert_eq!(step["site_id"], task["site_id"]);
        }
        assert!(statuses(task).iter().filter(|status| **status == "running").count() <= 1, "{task}");
        assert!((0..=100).contains(&task["progress"].as_i64().unwrap()));
        assert!(task["updated_at"].as_str() >= task["created_at"].as_str());
    }
    for pair in seen.windows(2) {
        assert!(rank(&pair[0]) <= rank(&pair[1]));
        assert!(pair[0]["progress"].as_i64() <= pair[1]["progress"].as_i64());
        assert!(pair[0]["updated_at"].as_str() <= pair[1]["updated_at"].as_str());
        for field in ["id", "type", "site_id", "snapshot_id", "created_at"] {
            assert_eq!(pair[0][field], pair[1][field]);
        }
    }
}

#[test]
fn a_restore_goes_from_queued_over_running_to_succeeded() {
    let sandbox = Served::start(&["--restore-time", "3s"]);
    let task = start(&sandbox, 1);
    assert_eq!((&task["status"], &task["progress"]), (&json!("queued"), &json!(0)));
    let seen = watch(&sandbox, &task);
    check_life(&seen);
    for status in ["queued", "running", "succeeded"] {
        assert!(seen.iter().any(|task| task["status"] == status), "never {status}");
    }
    let last = seen.last().unwrap();
    assert_eq!((&last["progress"], statuses(last)), (&json!(100), vec!["succeeded"; 4]));
    assert_eq!(show(&sandbox, &task), *last, "what has ended stays as it is");
}

#[test]
fn site_0013_always_fails_midway() {
    let sandbox = Served::start(&["--restore-time", "1s"]);
    for _ in 0..2 {
        let task = start(&sandbox, 13);
        assert_eq!(task["status"], "queued");
        let seen = watch(&sandbox, &task);
        check_life(&seen);
        let last = seen.last().unwrap();
        assert_eq!(last["status"], "failed");
        assert!((1..100).contains(&last["progress"].as_i64().unwrap()));
        assert_eq!(statuses(last), ["succeeded", "succeeded", "failed", "queued"]);
        assert_eq!(show(&sandbox, &task), *last);
    }
}

#[test]
fn a_task_goes_on_while_no_server_runs() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tasks.db");
    let first = Served::on(&file, &["--restore-time", "600ms"]);
    let (good, bad) = (start(&first, 1), start(&first, 13));
    first.kill();
    // The time that it takes was settled when it started.
    let second = Served::on(&file, &["--restore-time", "1h"]);
    let (good, bad) = (watch(&second, &good), watch(&second, &bad));
    check_life(&good);
    check_life(&bad);
    assert_eq!(
        (&good.last().unwrap()["status"], &bad.last().unwrap()["status"]),
        (&json!("succeeded"), &json!("failed"))
    );
    let long = start(&second, 1);
    assert_eq!(show(&second, &long)["status"], "queued");
}

#[test]
fn a_task_that_is_not_there_is_a_404() {
    let sandbox = Served::start(&[]);
    for id in ["task-1", "site-0001", "%FF", "task-%00"] {
        assert_eq!(sandbox.get(&format!("/tasks/{id}")).expect(404)["error"]["code"], "not_found");
    }
}
