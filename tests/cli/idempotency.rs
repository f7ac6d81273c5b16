//! `sitectl restore start --idempotency-key`: one run per key. `tests/runs/` plays keys of several accounts at once.

use crate::plan::{snapshots, task};
use crate::resume::{START, age_runs, run_id, second_refused_once};
use crate::service::{Reply, Scripted};
use predicates::str::contains;

const KEY: [&str; 2] = ["--idempotency-key", "pipeline-7"];

#[test]
fn a_key_is_refused_for_other_restores() {
    let running = || ("GET /api/v6/tasks/t1", Reply::task("t1", "running"));
    let service = Scripted::with_sites(vec![
        (
            "GET /api/v6/sites/s1/snapshots",
            snapshots(&["p1", "p2", "p3"]),
        ),
        ("POST /api/v6/sites/s1/backups/p2/restore", task("t1")),
        running(),
        running(),
        running(),
    ]);
    let world = service.world();
    std::fs::write(world.path("plan.csv"), "s1\ns2\n").unwrap();
    let mut first = None;
    for (line, code, said) in [
        (
            "s1 latest --before 2026-01-03T00:00:00Z --full --reason a",
            0,
            "",
        ),
        ("s2 p2 --full", 6, "RUN"),
        ("s1 p3 --full", 6, "RUN"),
        ("s1 p2 --files", 6, "RUN"),
        ("--plan plan.csv --full", 6, "RUN"),
        ("s1 p2 --full --force", 2, "--force"),
        ("s1 p2 --full", 0, "run RUN of 20"),
        ("s1 latest --full --reason b", 0, "run RUN of 20"),
        ("s1 latest --before 1d --full", 0, "run RUN of 20"),
    ] {
        let start = format!("restore start {line} --yes --json -q {}", KEY.join(" "));
        let run = world.run(start);
        let id = first.get_or_insert_with(|| run_id(&run));
        run.assert_stderr(code, contains(said.replace("RUN", id)));
        // A single restore is one object each time.
        assert!(
            code != 0 || run.json()["run"] == *id,
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn the_key_of_a_run_older_than_a_day_is_refused() {
    let (_service, world) = second_refused_once(vec![]);
    let start = [&START[..], &KEY].concat();
    let id = run_id(&world.run(&start));
    age_runs(&world);
    let run = world.run(&start);
    let [message, hint] =
        [&run.error()["message"], &run.error()["hints"][0]].map(|text| text.to_string());
    assert!(
        message.contains(&id) && hint.contains("new key"),
        "{message} {hint}"
    );
    assert_eq!((run.code, &*run.stdout), (6, ""));
    assert_eq!(world.run(&["restore", "resume", &id, "--yes"]).code, 0);
}
