//! Several processes that restore the same sites at once: each restore is sent once.

use crate::common::{PATIENCE, Server, World, wait, wait_until};
use crate::plan::task;
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::str::contains;
use std::collections::HashMap;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Starts three processes with these arguments, and returns their exit codes.
fn codes_of_three(world: &World, args: &[&str]) -> Vec<i32> {
    let children: Vec<Child> = (0..3).map(|_| world.start(args)).collect();
    let mut codes: Vec<i32> = children.into_iter().map(|child| wait(child).code).collect();
    codes.sort_unstable();
    codes
}

/// Returns a sandbox whose only limit is its latency, and a world with a plan of all sites.
fn sandbox_with_plan(restore_time: &str) -> (Server, World) {
    let options = [
        "--rate-limit",
        "1000000",
        "--latency",
        "5ms",
        "--restore-time",
        restore_time,
    ];
    let (server, world) = Server::on_file(&options);
    let rows: String = (1..=ROWS)
        .map(|number| format!("site-{number:04},latest,\"{{\"\"include_files\"\":true}}\"\n"))
        .collect();
    let plan = format!("site_id,snapshot_id,scope\n{rows}");
    std::fs::write(world.path("plan.csv"), plan).unwrap();
    (server, world)
}

const PLAN: [&str; 5] = ["restore", "start", "--plan", "plan.csv", "--yes"];

/// The number of sites of the sandbox.
const ROWS: usize = 40;

/// Returns the number of tasks of each site.
fn tasks(world: &World) -> HashMap<String, u32> {
    let database = rusqlite::Connection::open(world.path("sandbox.db")).unwrap();
    let mut counts = database
        .prepare("SELECT site_id, count(*) FROM tasks GROUP BY site_id")
        .unwrap();
    counts
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn commands_with_one_plan_start_each_restore_once() {
    let (_server, world) = sandbox_with_plan("3s");
    let codes = codes_of_three(&world, &[&PLAN[..], &["--watch"]].concat());
    // The restores of one site always fail. Other commands are refused as a whole, or for each site
    // if they begin in the same instant.
    let refused = |code: &i32| [6, 9].contains(code);
    assert!(
        codes[..2].iter().all(refused) && codes[2] == 10,
        "{codes:?}"
    );
    let tasks = tasks(&world);
    assert_eq!((tasks.len(), tasks.values().max()), (ROWS, Some(&1)));
}

#[test]
fn commands_with_one_idempotency_key_start_each_restore_once() {
    let (_server, world) = sandbox_with_plan("1s");
    let key = ["--watch", "--idempotency-key", "pipeline-7"];
    let codes = codes_of_three(&world, &[&PLAN[..], &key].concat());
    // Each command watches the run, in which the restores of one site always fail.
    assert_eq!(codes, [10, 10, 10]);
    let tasks = tasks(&world);
    assert_eq!((tasks.len(), tasks.values().max()), (ROWS, Some(&1)));
}

/// The same restores as a plan and without one.
const SAME: [&[&str]; 2] = [
    &["restore", "start", "--plan", "plan.csv"],
    &["restore", "start", "s1", "p", "--files"],
];

/// A command waits while another one restores its site, whose earlier restore has just ended.
/// Returns how often the site was restored from the snapshot.
fn restored_while_waiting(args: &[&str], waiting: impl FnOnce(&World, &dyn Fn())) -> usize {
    let restores = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&restores);
    let (sender, list_requested) = channel();
    let mut lists = 0;
    let pairs = [("s1", "old"), ("s1", "p")];
    let service = Service::start(move |request| match request.line.as_str() {
        "POST /api/v6/sites/s1/backups/p/restore" => {
            let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
            task(&format!("t{number}"))
        }
        "POST /api/v6/sites/s1/backups/old/restore" => task("t0"),
        "GET /api/v6/tasks/t0" => task("t0"),
        "GET /api/v6/tasks/t1" => task("t1"),
        line if line.starts_with("GET /api/v6/sites/s1/snapshots") => {
            lists += 1;
            let list = site_reply(&pairs, line).unwrap();
            if lists == 2 {
                sender.send(()).unwrap();
            }
            match lists {
                2 => Reply::Late(Duration::from_secs(4), Box::new(list)),
                _ => list,
            }
        }
        line => site_reply(&pairs, line).unwrap(),
    });
    let world = service.world();
    std::fs::write(
        world.path("plan.csv"),
        "site_id,snapshot_id,scope\ns1,p,\"{\"\"include_files\"\":true}\"\n",
    )
    .unwrap();
    let earlier = "restore start s1 old --files --yes";
    assert_eq!(world.run(earlier).code, 0);
    let restore_meanwhile = || {
        let requested = list_requested.recv_timeout(PATIENCE);
        requested.expect("the list was requested");
        let run = world.run(&[args, &["--yes", "--watch"]].concat());
        assert_eq!(run.code, 0, "{}", run.transcript());
    };
    waiting(&world, &restore_meanwhile);
    restores.load(Ordering::SeqCst)
}

#[test]
fn a_restore_that_another_command_has_finished_during_the_question_is_not_sent_again() {
    for args in SAME {
        let restored = restored_while_waiting(args, |world, restore_meanwhile| {
            let mut terminal = Terminal::start(world.command(args), 100, 20);
            terminal.wait_for("to confirm");
            restore_meanwhile();
            terminal.press("s1\r");
            assert_eq!(terminal.exit_code(), 6, "{}", terminal.text());
        });
        assert_eq!(restored, 1, "{args:?}");
    }
}

#[test]
fn a_restore_that_another_command_has_finished_during_the_checks_is_not_sent_again() {
    for args in SAME {
        let restored = restored_while_waiting(args, |world, restore_meanwhile| {
            let child = world.start(&[args, &["--yes"]].concat());
            restore_meanwhile();
            let run = wait(child);
            assert_eq!(run.code, 6, "{}", run.transcript());
        });
        assert_eq!(restored, 1, "{args:?}");
    }
}

#[test]
fn a_restore_that_another_command_could_not_send_is_sent_after_the_question() {
    let service = Scripted::with_sites(vec![
        (
            "POST /api/v6/sites/s1/backups/p/restore",
            Reply::status(403),
        ),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
    ]);
    let world = service.world();
    let start = [SAME[1], &["--no-watch"]].concat();
    let mut terminal = Terminal::start(world.command(&start), 100, 20);
    terminal.wait_for("to confirm");
    assert_eq!(world.run(&[SAME[1], &["--yes"]].concat()).code, 3);
    terminal.press("s1\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
}

#[test]
fn a_restore_that_another_command_has_sent_during_a_wait_for_the_rate_limit_is_not_sent_again() {
    let refused = Reply::KeepAlive(429, "retry-after: 4\r\n".into(), String::new());
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", refused),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
    ]);
    let world = service.world();
    let waiting = world.start(&[SAME[1], &["--yes"]].concat());
    wait_until("the request was refused", || {
        world.journal().contains("not_sent")
    });
    let run = world.run("restore history --jq .[].run").stdout;
    let resume = format!("restore resume {} --yes", run.trim());
    // The restore ends before the wait, so that it prevents no other restore of the site.
    let watched = format!("{resume} --watch");
    world
        .run(watched)
        .assert_stderr(0, contains("1 left to send"));
    wait(waiting).assert_stdout(0, contains("t1"));
    world
        .run(resume)
        .assert_stderr(0, contains("0 left to send"));
}

#[test]
fn a_command_that_ends_early_reports_what_another_command_has_sent() {
    let refused = Reply::Late(Duration::from_secs(3), Box::new(Reply::status(403)));
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", refused),
        ("POST /api/v6/sites/s2/backups/p/restore", task("t2")),
    ]);
    let world = service.world();
    let start = "restore start --plan - --snapshot p --full --concurrency 1 --yes --json";
    let waiting = world.start_with(start, "s1\ns2\n");
    service.next();
    let run = world.run("restore history --limit 1 --jq .[].run").stdout;
    let resumed = world.run(format!("restore resume {} --yes", run.trim()));
    resumed.assert_stderr(12, contains("1 left to send"));
    let rows = wait(waiting).json();
    assert_eq!(rows[1]["task_id"], "t2", "{rows}");
}
