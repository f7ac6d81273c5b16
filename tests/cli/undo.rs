//! `--backup-first` and `sitectl restore undo` with services that the sandbox is not.

use crate::common::{World, in_parallel, interrupt, kill, wait, wait_until};
use crate::plan::snapshots;
use crate::service::{Reply, Service, site_reply};
use predicates::str::contains;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const START: &str =
    "restore start s1 p --full --backup-first --yes --json --retries 0 --interval 10ms";

/// A service with one site, which has the snapshot p, w in progress, and one of the future, and after
/// the sync these.
/// Returns it with the number of restores that it has accepted, on which the reply about the task of
/// the sync may depend.
fn service(
    sync: Reply,
    polled: impl Fn(usize) -> Reply + Send + 'static,
    made: &'static [(&'static str, &'static str)],
) -> (Service, Arc<AtomicUsize>) {
    let restores = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&restores);
    let mut is_synced = false;
    let service = Service::start(move |request| match request.line.as_str() {
        "GET /api/v6/sites/s1" if request.headers.iter().any(|line| line.contains("other")) => {
            Reply::status(404)
        }
        line if line.starts_with("GET /api/v6/sites?") => Reply::list("sites", &[]),
        "POST /api/v6/sites/s1/sync" => sync.clone(),
        "POST /api/v6/sites/s1/backups/p/restore" => {
            counter.fetch_add(1, Ordering::SeqCst);
            Reply::task("t1", "running")
        }
        "GET /api/v6/tasks/b1" => {
            let reply = polled(counter.load(Ordering::SeqCst));
            is_synced = matches!(&reply, Reply::Json(_, body) if body.contains("succeeded"));
            reply
        }
        "GET /api/v6/sites/s1" => Reply::Json(200, r#"{"site":{"id":"s1"}}"#.into()),
        line if line.starts_with("GET /api/v6/sites/s1/snapshots") => {
            let listed = [("p", "succeeded"), ("w", "running"), ("later", "succeeded")];
            let listed = if is_synced { made } else { &listed[..] };
            // The clock of the service is behind: a new snapshot looks older than the others.
            let record = |(number, (id, status)): (usize, &(&str, &str))| {
                let year = if *id == "later" { 2099 } else { 2026 };
                let created_at = format!("{year}-01-{:02}T00:00:00Z", 20 - number);
                json!({"id": id, "status": status, "created_at": created_at})
            };
            let records: Vec<_> = listed.iter().enumerate().map(record).collect();
            Reply::list("snapshots", &records)
        }
        _ => Reply::status(404),
    });
    (service, restores)
}

const MADE: &[(&str, &str)] = &[("p", "succeeded"), ("w", "succeeded"), ("n", "succeeded")];
const NOT_MADE: &[(&str, &str)] = &[("p", "succeeded"), ("w", "succeeded"), ("n", "failed")];

#[test]
fn a_restore_is_sent_only_after_a_new_snapshot() {
    let json = |body: &str| Reply::Json(200, body.into());
    let [running, done] = ["running", "succeeded"].map(|status| Reply::task("b1", status));
    let failed = json(r#"{"task":{"id":"b1","status":"failed","message":"disk full"}}"#);
    let other = json(r#"{"task":{"id":"b1","status":"succeeded","site_id":"s5"}}"#);
    let refused = |status| (Reply::status(status), done.clone(), MADE);
    let cases = [
        ("", 0, (running.clone(), done.clone(), MADE)),
        ("set sync in", 4, refused(404)),
        ("conflict", 6, refused(409)),
        ("401", 3, refused(401)),
        ("connection closed", 8, (Reply::Drop, done.clone(), MADE)),
        ("is empty", 8, (Reply::status(202), done.clone(), MADE)),
        ("disk full", 9, (running.clone(), failed, MADE)),
        ("s5", 9, (running.clone(), other, MADE)),
        (
            "no result within 300ms",
            9,
            (running.clone(), running.clone(), MADE),
        ),
        ("no result within 300ms", 9, (running, done, NOT_MADE)),
    ];
    in_parallel(&cases, |(reason, code, (sync, polled, made))| {
        let polled = polled.clone();
        let (service, restores) = service(sync.clone(), move |_| polled.clone(), made);
        let world = service.world();
        let timeout = if reason.starts_with("no result") {
            "300ms"
        } else {
            "1m"
        };
        let run = world.run(format!("{START} --timeout {timeout}"));
        let row = run.json();
        let is_sent = *code == 0;
        assert_eq!(run.code, *code, "{}", run.transcript());
        assert_eq!(
            restores.load(Ordering::SeqCst),
            usize::from(is_sent),
            "{reason}"
        );
        if is_sent {
            assert_eq!(row["backup_id"], "n");
            let run = world
                .with("SITECTL_TOKEN", "other")
                .run("restore undo s1 --yes");
            run.assert_stderr(6, contains("to this token"));
            return;
        }
        assert_eq!(row["outcome"], "not_sent");
        let printed = format!("{}{}", row["error"]["message"], run.stderr);
        assert!(printed.contains("not backed up"), "{reason}: {printed}");
        assert!(printed.contains(reason), "{reason}: {printed}");
        // The row is left to send, with the same reason.
        let history = world.run("restore history --json").json();
        assert_eq!(history[0]["error"], row["error"], "{reason}");
        let again = world.run("restore resume --dry-run --json --retries 0");
        assert_eq!(again.json().as_array().unwrap().len(), 1, "{reason}");
    });
}

#[test]
fn ctrl_c_kill_and_another_process_prevent_a_restore_that_is_being_backed_up() {
    // The backup has succeeded once the site was restored.
    let polled = |restores| Reply::task("b1", ["running", "succeeded"][restores]);
    let (service, restores) = service(Reply::task("b1", "running"), polled, MADE);
    let world = service.world();
    let backed_up = world.start(START);
    wait_until("the run", || world.journal().contains("decided"));
    interrupt(&backed_up);
    let run = wait(backed_up);
    run.assert_stderr(130, contains("restore resume"));
    let killed = world.start(START);
    wait_until("the second run", || {
        world.journal().matches("decided").count() == 2
    });
    kill(killed);
    let history = world.run("restore history --fields outcome -o csv --no-header");
    assert_eq!(history.stdout, "not_sent\nnot_sent\n");
    assert_eq!(restores.load(Ordering::SeqCst), 0);
    let syncs = || world.journal().matches("sync_requested").count();
    let before = syncs();
    let resumed = world.start("restore resume --yes --json --interval 10ms --retries 0");
    wait_until("another sync", || syncs() > before);
    let other = "restore start s1 p --full --yes --json";
    assert_eq!(world.run(other).code, 0);
    let run = wait(resumed);
    assert_eq!(
        run.json()[0]["error"]["kind"],
        "conflict",
        "{}",
        run.transcript()
    );
    assert_eq!(restores.load(Ordering::SeqCst), 1);
    assert!(
        !run.stderr.contains("restore resume"),
        "{}",
        run.transcript()
    );
}

#[test]
fn latest_passes_over_what_a_sync_without_an_answer_may_have_made() {
    let failed = Reply::task("b1", "failed");
    for (sync, snapshot) in [(Reply::Drop, "p"), (Reply::status(409), "n"), (failed, "n")] {
        let mut is_asked = false;
        let service = Service::start(move |request| match request.line.as_str() {
            "POST /api/v6/sites/s1/sync" => {
                is_asked = true;
                sync.clone()
            }
            line if line.contains("/snapshots") => {
                let ids: &[&str] = if is_asked { &["p", "n"] } else { &["p"] };
                snapshots(ids)
            }
            line => site_reply(&[("s1", "p")], line).unwrap_or(Reply::status(404)),
        });
        let world = service.world();
        assert_ne!(world.run(START).code, 0);
        let run = world.run("restore start s1 latest --full --dry-run --json");
        assert_eq!(run.json()["snapshot_id"], snapshot, "{}", run.transcript());
        let says_so = run.stderr.contains("perhaps made by --backup-first");
        assert_eq!(says_so, snapshot == "p", "{}", run.transcript());
    }
}

#[test]
fn an_undo_of_a_scope_that_is_not_allowed_or_of_a_snapshot_after_the_restore_is_refused() {
    let cases = [
        (START, r#","paths":["./a"]"#, "invalid"),
        ("restore start s1 p --full --yes", "", "not_found"),
    ];
    for (start, paths, kind) in cases {
        let polled = |_| Reply::task("b1", "succeeded");
        let (service, _) = service(Reply::task("b1", "running"), polled, MADE);
        let world = service.world();
        assert_eq!(world.run(start).code, 0);
        let database = r#""include_database":true"#;
        let journal = world
            .journal()
            .replace(database, &format!("{database}{paths}"));
        let ended = journal.replace(r#""outcome":"running""#, r#""outcome":"succeeded""#);
        std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), ended).unwrap();
        let run = world.run("restore undo s1 --dry-run --json");
        assert_eq!(run.error()["kind"], kind, "{}", run.transcript());
    }
}

#[test]
fn the_last_restore_is_of_the_site_that_has_the_address_and_was_not_left_out() {
    let world = World::sandbox();
    world.run("restore start site-0001 latest --files --yes");
    std::fs::write(world.path("plan.txt"), "site-0001\nsite-0002\n").unwrap();
    world.run("restore start --plan plan.txt --files --yes --keep-going");
    let run = world.run("restore watch site-0001 --jq .[].outcome");
    run.assert_stdout(0, contains("succeeded"));
    let journal = world.journal().replace("site-0001.", "site-0003.");
    let path = ".local/state/sitectl/sandbox/restores.ndjson";
    std::fs::write(world.path(path), journal).unwrap();
    let undo = world.run("restore undo site-0003.example.com --yes");
    undo.assert_stderr(4, contains("no restore of"));
}
