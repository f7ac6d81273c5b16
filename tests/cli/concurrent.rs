//! Several processes that restore the same site: each restore is sent once. `tests/runs/` plays commands at once.

use crate::common::{wait, wait_until};
use crate::plan::task;
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::str::contains;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_restore_that_another_command_has_finished_during_the_question_is_not_sent_again() {
    for target in ["--plan plan.csv", "s1 p"] {
        let restores = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&restores);
        let service = Service::start(move |request| match request.line.as_str() {
            line if line.starts_with("POST ") => {
                counter.fetch_add(1, Ordering::SeqCst);
                task("t1")
            }
            line if line.contains("/tasks/") => task("t1"),
            line => site_reply(&[("s1", "p")], line).unwrap(),
        });
        let world = service.world();
        std::fs::write(world.path("plan.csv"), "site_id,snapshot_id\ns1,p\n").unwrap();
        let start = format!("restore start {target} --files");
        let mut terminal = Terminal::start(world.command(&*start), 100, 20);
        terminal.wait_for("to confirm");
        let run = world.run(format!("{start} --yes --watch"));
        assert_eq!(run.code, 0, "{}", run.transcript());
        terminal.press("s1\r");
        assert_eq!(terminal.exit_code(), 6, "{}", terminal.text());
        assert_eq!(restores.load(Ordering::SeqCst), 1, "{target}");
    }
}

#[test]
fn a_restore_that_another_command_has_sent_during_a_wait_for_the_rate_limit_is_not_sent_again() {
    let refused = Reply::KeepAlive(429, "retry-after: 8\r\n".into(), String::new());
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", refused),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
    ]);
    let world = service.world();
    let waiting = world.start("restore start s1 p --files --yes");
    wait_until("the request was refused", || {
        world.journal().contains("not_sent")
    });
    let run = world.run("restore history --jq .[].run").stdout;
    let resume = format!("restore resume {} --yes", run.trim());
    // The restore ends before the wait, so that it prevents no other restore of the site.
    let watched = format!("{resume} --watch");
    world.run(watched).assert_stderr(0, contains("1 unsent"));
    wait(waiting).assert_stdout(0, contains("t1"));
    world.run(resume).assert_stderr(0, contains("0 unsent"));
}
