//! `sitectl restore start` with one restore.

use crate::common::{Lines, Server, interrupt, steady, wait};
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::ord::eq;
use predicates::str::{contains, ends_with};
use snapbox::{assert_data_eq, str};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_second_restore_of_a_site_is_refused_until_the_first_ends() {
    let server = Server::start("--restore-time 30s");
    let world = server.world();
    let start = "restore start site-0001 snap-0001-2 --full --yes";
    assert_data_eq!(
        world
            .run(format!("{start} -o csv --fields site_id,outcome"))
            .transcript(),
        str![[r#"
[stdout]
site_id,outcome
site-0001,running
[stderr]
restoring site-0001.example.com from snap-0001-2: task task-ID
hint: watch the restore: sitectl restore watch task-ID
exit 0

"#]]
    );
    assert_data_eq!(
        world.run(start).transcript(),
        str![[r#"
[stderr]
error: site-0001.example.com cannot be restored: a restore is running (queued 0%), sent TIME as task task-ID
hint: watch the restore: sitectl restore watch task-ID
exit 6

"#]]
    );
    let journal = world.journal();
    let run = world.run("restore start site-0001 snap-0001-2 --full --dry-run --json -q");
    assert_eq!(
        (run.code, run.error()["kind"].as_str()),
        (6, Some("conflict")),
        "{}",
        run.transcript()
    );
    assert_eq!(world.journal(), journal);
    // Without the journal of the first restore, the service refuses the second.
    let run = server
        .world()
        .run("restore start site-0001 snap-0001-2 --full --yes --json");
    assert_eq!(
        (run.code, run.error()["status"].as_u64()),
        (6, Some(409)),
        "{}",
        run.transcript()
    );
}

#[test]
fn the_request_body_is_exactly_the_scope() {
    let both = r#"{"include_files":true,"include_database":true"#;
    let files = r#"{"include_files":true,"include_database":false"#;
    let database = r#"{"include_files":false,"include_database":true"#;
    let cases: [(&[&str], String); 10] = [
        (&["--full"], format!("{both}}}")),
        (&["--files", "--database"], format!("{both}}}")),
        (&["--files"], format!("{files}}}")),
        (&["--database"], format!("{database}}}")),
        (
            &["--path", "x/y", "--path", "a b"],
            format!(r#"{files},"paths":["x/y","a b"]}}"#),
        ),
        (
            &["--files", "--path", "x,y"],
            format!(r#"{files},"paths":["x,y"]}}"#),
        ),
        (
            &["--table", "t,v", "--table", "\"u\""],
            format!(r#"{database},"tables":["t","v","\"u\""]}}"#),
        ),
        (
            &["--database", "--subsite", "2,3"],
            format!(r#"{database},"subsite_ids":["2","3"]}}"#),
        ),
        (
            &["--path", "ü", "--subsite", "2"],
            format!(r#"{files},"paths":["ü"],"subsite_ids":["2"]}}"#),
        ),
        (
            &["--scope-json", r#"{"paths": ["x"], "include_files": true}"#],
            format!(r#"{files},"paths":["x"]}}"#),
        ),
    ];
    for (flags, scope) in cases {
        let task = Reply::Json(202, r#"{"task":{"id":"t1","status":"queued"}}"#.into());
        let service = Scripted::with_sites(vec![(
            "POST /api/v6/sites/a%2Fb/backups/s%201/restore",
            task,
        )]);
        let start = ["restore", "start", "a/b", "s 1", "--yes", "-o", "ids"];
        let run = service.world().run(&[&start[..], flags].concat());
        assert_eq!(
            (run.stdout.as_str(), run.code),
            ("t1\n", 0),
            "{}",
            run.transcript()
        );
        let requests = service.requests();
        assert_eq!(
            requests[0].body,
            format!(r#"{{"restore":{{"scope":{scope}}}}}"#),
            "{flags:?}"
        );
        assert!(
            requests[0]
                .headers
                .iter()
                .any(|header| header == "authorization: Bearer sandbox-token")
        );
    }
}

/// Returns a service that has site-1 with a snapshot, and gives this reply to each start of a
/// restore, with the number of starts.
fn replying_to_starts(reply: Reply) -> (Service, Arc<AtomicUsize>) {
    let starts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&starts);
    let service = Service::start(move |request| {
        if request.line.starts_with("POST ") {
            counted.fetch_add(1, Ordering::SeqCst);
            return reply.clone();
        }
        site_reply(&[("site-1", "s1")], &request.line).unwrap_or(Reply::status(404))
    });
    (service, starts)
}

#[test]
fn a_lost_response_is_not_retried_and_stays_in_the_journal() {
    let redirect =
        "HTTP/1.1 302 X\r\nlocation: /\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    for reply in [
        Reply::Drop,
        Reply::Json(200, "{".into()),
        Reply::Raw(redirect.into()),
        Reply::Silence,
        // Without the id of a task.
        Reply::status(202),
        Reply::Json(202, r#"{"task":{"status":"queued"}}"#.into()),
    ] {
        let (service, starts) = replying_to_starts(reply);
        let world = service.world();
        let run = world.run("restore start site-1 latest --full --yes --json --request-timeout=2s");
        assert_eq!(
            (run.code, run.error()["kind"].as_str()),
            (12, Some("unknown_outcome")),
            "{}",
            run.transcript()
        );
        assert!(
            world.journal().contains(r#""outcome":"unknown""#),
            "{}",
            world.journal()
        );
        let again = world.run("restore start site-1 s1 --full --yes");
        again.assert_stderr(6, ends_with("sitectl explain unknown_outcome\n"));
        assert_eq!(starts.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn a_refusal_of_the_restore_is_final_and_one_of_the_sender_leaves_it_to_send() {
    for (status, outcome) in [
        (400, "rejected"),
        (404, "rejected"),
        (422, "rejected"),
        (403, "not_sent"),
        (409, "not_sent"),
    ] {
        let (service, _) = replying_to_starts(Reply::Json(status, "{}".into()));
        let world = service.world();
        assert_ne!(world.run("restore start site-1 s1 --full --yes").code, 0);
        let history = world.run("restore history --jq .[].outcome");
        assert_eq!(history.stdout, format!("{outcome}\n"), "{status}");
    }
}

#[test]
fn nothing_is_started_without_a_journal() {
    let server = Server::start("--restore-time 1s");
    let world = server.world().with("SITECTL_STATE_DIR", "/dev/null/state");
    let run = world.run("restore start site-0001 snap-0001-1 --full --yes");
    run.assert_stderr(1, contains("could not read the journal"));
    // No restore is running, so a start with a journal succeeds.
    assert_eq!(
        server
            .world()
            .run("restore start site-0001 snap-0001-1 --full --yes")
            .code,
        0
    );
}

#[test]
fn ctrl_c_before_the_request_sends_nothing() {
    let server = Server::start("--restore-time 60s");
    let world = server.world();
    let state_dir = world.path("state").display().to_string();
    let world = world.with("SITECTL_STATE_DIR", &state_dir);
    std::fs::create_dir(world.path("state")).unwrap();
    let journal = std::fs::File::create(world.path("state/restores.ndjson")).unwrap();
    journal.lock().unwrap();
    let mut child = world.start("restore start site-0001 latest --full --yes");
    Lines::of(child.stderr.take().unwrap()).wait_for("latest is");
    interrupt(&child);
    assert_eq!(wait(child).code, 130);
    journal.unlock().unwrap();
    let other = server
        .world()
        .run("restore start site-0001 latest --full --yes");
    assert_eq!(other.code, 0, "the first was sent: {}", other.transcript());
}

#[test]
fn a_snapshot_of_another_site_is_never_restored() {
    let foreign = [
        r#"{"id":"b","status":"succeeded","created_at":"2026-11-20T02:00:00Z","site_id":"site-0099"}"#,
        r#"{"id":"b","status":"succeeded","created_at":"2026-11-20T02:00:00Z","site":{"id":"site-0099"}}"#,
    ];
    for snapshot in foreign {
        for snapshot_id in ["latest", "b"] {
            let service = Service::start(move |seen| {
                let own = r#"{"id":"a","status":"succeeded","created_at":"2026-11-19T02:00:00Z","site_id":"site-0001"}"#;
                assert!(seen.line.starts_with("GET "), "{}", seen.line);
                if seen.line.contains("/snapshots") {
                    Reply::Json(200, format!(r#"{{"snapshots":[{own},{snapshot}]}}"#))
                } else {
                    site_reply(&[("site-0001", "a")], &seen.line).unwrap()
                }
            });
            let start = [
                "restore",
                "start",
                "site-0001",
                snapshot_id,
                "--full",
                "--yes",
            ];
            let run = service.world().run(&start);
            assert_eq!(run.code, 5, "{}", run.transcript());
            assert!(
                run.stderr.contains("belongs to site 'site-0099'"),
                "{}",
                run.transcript()
            );
        }
    }
}

#[test]
fn another_spelling_of_the_base_url_is_the_same_service() {
    let (service, starts) = replying_to_starts(Reply::Drop);
    let world = service.world();
    let start = "restore start site-1 s1 --full --yes";
    assert_eq!(world.run(start).code, 12);
    let other = service
        .base_url
        .replace("127.0.0.1", "LOCALHOST")
        .replace("/api/v6", "/api/v6/");
    let world = world.with("SITECTL_BASE_URL", &other);
    let run = world.run(start);
    run.assert_stderr(6, contains("is unknown"));
    let run = world.run("restore watch --json");
    assert_eq!(
        (run.code, &run.json()[0]["site_id"]),
        (12, &"site-1".into()),
        "{}",
        run.transcript()
    );
    assert_eq!(starts.load(Ordering::SeqCst), 1);
}

#[test]
fn an_unknown_outcome_lasts_until_a_later_restore_has_ended() {
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p1/restore", Reply::Drop),
        (
            "POST /api/v6/sites/s1/backups/p1/restore",
            Reply::status(409),
        ),
        (
            "POST /api/v6/sites/s1/backups/p1/restore",
            Reply::Json(201, r#"{"task":{"id":"t1"}}"#.into()),
        ),
        (
            "GET /api/v6/tasks/",
            Reply::Json(200, r#"{"task":{"id":"t1","status":"succeeded"}}"#.into()),
        ),
        (
            "POST /api/v6/sites/s1/backups/p1/restore",
            Reply::Json(201, r#"{"task":{"id":"t2"}}"#.into()),
        ),
    ]);
    let world = service.world();
    let start = |more: &[&str]| {
        world
            .run(&[&["restore", "start", "s1", "p1", "--full", "--yes"], more].concat())
            .code
    };
    assert_eq!(start(&[]), 12);
    let in_doubt = "error: s1 cannot be restored: the outcome of a restore is unknown, sent ";
    let refused = world.run("restore start s1 p1 --full --yes");
    refused.assert_stderr(6, contains(in_doubt));
    assert_eq!(start(&["--force"]), 6);
    assert_eq!(world.run("restore watch").code, 12);
    assert_eq!(start(&["--force", "--watch"]), 0);
    assert_eq!(world.run("restore watch").code, 0);
    assert_eq!(start(&[]), 0);
}

/// A service of which the window of the rate limit is used up by this number of lists of snapshots.
fn used_up_by(lists: u32) -> Service {
    let mut listed = 0;
    Service::start(move |request| {
        let pairs = [("site-1", "s1"), ("site-2", "s1")];
        let Some(Reply::Json(status, body)) = site_reply(&pairs, &request.line) else {
            panic!("{}", request.line);
        };
        listed += u32::from(request.line.contains("/snapshots"));
        let remaining = if listed == lists { 0 } else { 8 };
        let headers = format!(
            "x-ratelimit-limit: 9\r\nx-ratelimit-remaining: {remaining}\r\nx-ratelimit-reset: 90\r\n"
        );
        Reply::KeepAlive(status, headers, body)
    })
}

#[test]
fn ctrl_c_before_the_rate_limit_allows_a_start_says_that_nothing_was_started() {
    for (lists, target, said) in [
        (
            1,
            &["site-1", "latest"][..],
            "interrupted; no changes were made\n",
        ),
        (
            2,
            &["--plan", "sites.txt"],
            "error: interrupted: 2 of 2 restores not sent\n",
        ),
    ] {
        let service = used_up_by(lists);
        let world = service.world();
        std::fs::write(world.path("sites.txt"), "site-1\nsite-2\n").unwrap();
        let args = [&["restore", "start", "--full", "--yes", "-v"], target].concat();
        let mut child = world.start(&args);
        let mut lines = Lines::of(child.stderr.take().unwrap());
        lines.wait_for("rate limit");
        interrupt(&child);
        let rest = lines.collect::<Vec<_>>().join("\n");
        assert_eq!(wait(child).code, 130, "{rest}");
        assert!(rest.contains(said), "{rest}");
        assert!(!rest.contains("continue"), "{rest}");
    }
}

#[test]
fn the_question_names_what_the_scope_overwrites() {
    let (_server, world) = Server::start("").world_kept();
    for (scope, said, lost) in [
        (
            "--table wp_options",
            "database: wp_options",
            "changes in database: wp_options of",
        ),
        (
            r#"--scope-json '{"include_files":true,"include_database":true}'"#,
            "files, database",
            "changes of",
        ),
    ] {
        let run = world.run(format!(
            "restore start site-0001 snap-0001-2 --dry-run {scope}"
        ));
        let stderr = steady(&run.stderr);
        let sentence = format!("  restores {said} from snapshot snap-0001-2, taken ");
        assert!(stderr.contains(&sentence), "{}", run.transcript());
        let sentence = format!("  {lost} the last AGE are lost\n");
        assert!(stderr.contains(&sentence), "{}", run.transcript());
    }
}

#[test]
fn an_empty_scope_is_refused_before_the_question() {
    let (_server, world) = Server::start("").world_kept();
    let scope = r#"{"include_files":false,"include_database":false}"#;
    for more in ["--dry-run", "--yes"] {
        let start = ["restore", "start", "site-0001", "latest", "--scope-json"];
        let run = world.run(&[&start[..], &[scope, more]].concat());
        assert_data_eq!(
            run.transcript(),
            str![[r#"
[stderr]
error: invalid value '{"include_files":false,"include_database":false}' for '--scope-json <JSON>': at least one of include_files and include_database must be true
hint: see sitectl restore start --help
exit 2

"#]]
        );
    }
    assert_eq!(world.journal(), "");
}

#[test]
fn latest_names_the_newer_snapshots_that_it_passes_over() {
    let (_server, world) = Server::start("").world_kept();
    std::fs::write(world.path("sites.txt"), "site-0022\nsite-0007\n").unwrap();
    let ids = "newer snapshots were passed over: snap-0022-4, taken NIGHTT02:22:00Z (failed); \
               snap-0022-3, taken NIGHTT02:22:00Z (hacked)\n";
    let dry_run = |target: &str| {
        let run = world.run(format!("restore start --full --dry-run {target}"));
        run.assert_stdout(0, contains("snap-0022-2"));
        (steady(&run.stderr), run.stdout)
    };
    assert!(dry_run("site-0022 latest").0.contains(ids));
    let (stderr, table) = dry_run("--plan sites.txt");
    assert!(!stderr.contains("passed over"), "{stderr}");
    let counts = ["passed over: 1 failed, 1 hacked", "passed over: 1 failed"];
    assert!(counts.iter().all(|count| table.contains(count)), "{table}");
    // A snapshot by its id is a choice.
    assert!(!dry_run("site-0022 snap-0022-2").0.contains("passed over"));
}

#[test]
fn an_infected_snapshot_is_not_restored_with_yes_alone() {
    let (_server, world) = Server::start("--restore-time 1s").world_kept();
    let start = |options: &str| {
        world.run(format!(
            "restore start site-0021 snap-0021-4 --full {options}"
        ))
    };
    start("--yes").assert_stderr(5, contains("the scanner calls the snapshot hacked"));
    start("--yes --dry-run").assert_stdout(5, contains("left out: the scanner calls"));
    start("--dry-run").assert_stdout(0, contains("hacked"));
    assert_eq!(world.journal(), "");
    start("--yes --force --watch").assert_stdout(0, contains("succeeded"));
}

#[test]
fn problems_with_a_restore_name_the_option() {
    let problem = r#"{"error":{"details":[{"code":"a","param":"restore.scope.paths[0]","message":"m"},
        {"code":"b","param":"restore.scope.subsite_ids"}]}}"#;
    let service = Scripted::with_sites(vec![(
        "POST /api/v6/sites/s1/backups/p1/restore",
        Reply::Json(422, problem.into()),
    )]);
    let start = "restore start s1 p1 --yes --path x";
    let run = service.world().run(start);
    assert!(
        run.stderr.contains("--path: m (a)") && run.stderr.contains("--subsite: b (b)"),
        "{}",
        run.transcript()
    );
}

#[test]
fn only_a_start_records_that_an_earlier_restore_has_ended() {
    let service = Service::start(|request| match request.line.as_str() {
        "POST /api/v6/sites/s1/backups/p1/restore" => Reply::task("t1", "running"),
        "POST /api/v6/sites/s1/backups/p2/restore" => Reply::task("t2", "running"),
        "GET /api/v6/tasks/t1" => Reply::task("t1", "succeeded"),
        line => site_reply(&[("s1", "p1"), ("s1", "p2")], line).unwrap(),
    });
    let world = service.world();
    let start = |snapshot: &str, option: &str| {
        let run = world.run(format!("restore start s1 {snapshot} --full {option}"));
        assert_eq!(run.code, 0, "{}", run.transcript());
    };
    start("p1", "--yes");
    let journal = world.journal();
    start("p2", "--dry-run");
    assert_eq!(world.journal(), journal);
    start("p2", "--yes");
    let history = world.run("restore history --jq .[].outcome");
    history.assert_stdout(0, eq("running\nsucceeded\n"));
}
