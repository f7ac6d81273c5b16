//! Tests of `sitectl restore history`.

use crate::support::{Server, World};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

/// Returns the lines of a restore in the journal: its intent and its events.
fn lines(number: u32, intent: Value, events: &[Value]) -> String {
    let mut intended = json!({
        "started_at": format!("2026-10-0{number}T08:00:00.5Z"), "user": "ada", "ci_url": null, "profile": "live",
        "base_url": "https://service.example/api/v6", "site_id": format!("site-000{number}"), "snapshot_id": "snap-1",
        "scope": {"include_files": true, "include_database": true}, "reason": null,
    });
    let changes = intent.as_object().unwrap().clone();
    intended.as_object_mut().unwrap().extend(changes);
    let events = std::iter::once(json!({"intended": intended})).chain(events.iter().cloned());
    events
        .map(|event| {
            format!(
                "{}\n",
                json!({"restore": format!("{number}-{number}"), "event": event})
            )
        })
        .collect()
}

fn accepted(task_id: Value) -> Value {
    json!({"accepted": {"task_id": task_id}})
}

fn ended(outcome: &str) -> Value {
    json!({"ended": {"outcome": outcome, "at": "2026-10-09T09:00:00Z"}})
}

/// Returns a world with this journal and no configured service.
fn with_journal(text: &str) -> World {
    let world = World::empty();
    std::fs::create_dir_all(world.path(".local/state/sitectl")).unwrap();
    std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), text).unwrap();
    world
}

fn every_outcome() -> String {
    [
        // Fields that only earlier versions wrote are ignored.
        lines(
            1,
            json!({"reason": "hacked", "latest": true, "plan": {"file": "/plan.csv", "sha256": "0"}}),
            &[accepted("task-1".into()), ended("succeeded")],
        ),
        lines(
            2,
            json!({"profile": null, "base_url": "https://other.example/api/v6", "ci_url": "https://ci.example/7",
                "scope": {"include_files": false, "include_database": true, "tables": ["wp_posts"]}}),
            &[accepted("task-2".into())],
        ),
        lines(3, json!({"user": null}), &[ended("refused")]),
        lines(4, json!({"scope": {"x": 1}}), &[ended("unknown")]),
        lines(5, json!({"reason": "\u{1b}[31mred"}), &[accepted("task-5".into()), ended("failed")]),
        lines(6, json!({"site_id": "site-0001"}), &[]),
    ]
    .concat()
}

fn sites(world: &World, flags: &[&str]) -> Vec<String> {
    let run = world.run(&[&["restore", "history", "--json"], flags].concat());
    assert_eq!(run.code, 0, "{}", run.transcript());
    let text = |row: &Value| {
        format!(
            "{} {}",
            row["site_id"].as_str().unwrap(),
            row["outcome"].as_str().unwrap()
        )
    };
    run.json().as_array().unwrap().iter().map(text).collect()
}

#[test]
fn the_newest_restore_is_first() {
    let world = with_journal(&every_outcome());
    assert_data_eq!(
        world.run(&["restore", "history"]).transcript(),
        str![[r#"
[stdout]
STARTED               SITE       OUTCOME    TOOK    SNAPSHOT  SCOPE               REASON         TASK    USER  CI JOB                PROFILE
2026-10-06T08:00:00Z  site-0001  unknown            snap-1    files, database                            ada                         live
2026-10-05T08:00:00Z  site-0005  failed     4d 59m  snap-1    files, database     /u{1b}[31mred  task-5  ada                         live
2026-10-04T08:00:00Z  site-0004  unknown            snap-1    {"x":1}                                    ada                         live
2026-10-03T08:00:00Z  site-0003  refused            snap-1    files, database                                                        live
2026-10-02T08:00:00Z  site-0002  running            snap-1    database: wp_posts                 task-2  ada   https://ci.example/7
2026-10-01T08:00:00Z  site-0001  succeeded  8d 59m  snap-1    files, database     hacked         task-1  ada                         live
[stderr]
hint: watch the running restores: sitectl restore watch
exit 0

"#]]
    );
}

#[test]
fn json_and_csv_have_every_field() {
    let world = with_journal(&every_outcome());
    assert_data_eq!(
        world
            .run(&[
                "restore",
                "history",
                "--limit",
                "1",
                "--outcome",
                "running",
                "--json"
            ])
            .transcript(),
        str![[r#"
[stdout]
[
{"started_at":"2026-10-02T08:00:00.5Z","user":"ada","ci_url":"https://ci.example/7","profile":null,"base_url":"https://other.example/api/v6","site_id":"site-0002","snapshot_id":"snap-1","scope":{"include_files":false,"include_database":true,"tables":["wp_posts"]},"reason":null,"task_id":"task-2","outcome":"running","finished_at":null}
]
exit 0

"#]]
    );
    assert_data_eq!(
        world
            .run(&["restore", "history", "--site", "site-0001", "-o", "csv"])
            .transcript(),
        str![[r#"
[stdout]
started_at,user,ci_url,profile,base_url,site_id,snapshot_id,scope,reason,task_id,outcome,finished_at
2026-10-06T08:00:00.5Z,ada,,live,https://service.example/api/v6,site-0001,snap-1,"{""include_files"":true,""include_database"":true}",,,unknown,
2026-10-01T08:00:00.5Z,ada,,live,https://service.example/api/v6,site-0001,snap-1,"{""include_files"":true,""include_database"":true}",hacked,task-1,succeeded,2026-10-09T09:00:00Z
exit 0

"#]]
    );
    assert_eq!(
        world.run(&["restore", "history", "-o", "ids"]).stdout,
        "task-5\ntask-2\ntask-1\n"
    );
    let run = world.run(&[
        "restore",
        "history",
        "--fields",
        "site_id,scope",
        "--no-header",
        "--since",
        "2026-10-04",
    ]);
    let rows = [
        "site-0001  files, database",
        "site-0005  files, database",
        r#"site-0004  {"x":1}"#,
    ];
    assert_eq!(
        run.stdout.lines().collect::<Vec<_>>(),
        rows,
        "{}",
        run.transcript()
    );
}

#[test]
fn filters_are_joined_by_and() {
    let world = with_journal(&every_outcome());
    let all = [
        "site-0001 unknown",
        "site-0005 failed",
        "site-0004 unknown",
        "site-0003 refused",
        "site-0002 running",
        "site-0001 succeeded",
    ];
    assert_eq!(sites(&world, &[]), all);
    assert_eq!(
        sites(&world, &["--site", "site-0001", "--site", "site-0002"]),
        [all[0], all[4], all[5]]
    );
    assert_eq!(
        sites(&world, &["--outcome", "failed,refused"]),
        [all[1], all[3]]
    );
    assert_eq!(
        sites(&world, &["--outcome", "unknown", "--site", "site-0001"]),
        [all[0]]
    );
    assert_eq!(
        sites(
            &world,
            &["--since", "2026-10-03T08:00:00.5Z", "--limit", "3"]
        ),
        all[..3]
    );
}

#[test]
fn an_empty_history_is_an_empty_list() {
    let run = World::empty().run(&["restore", "history", "--json"]);
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "[]\n", "no restores found\n")
    );
}

#[test]
fn the_history_has_the_outcomes_of_restores() {
    let (_server, world) = Server::start(&["--restore-time", "1s"]).world_kept();
    let world = world.with("CI_JOB_URL", "https://ci.example/7");
    let start = |site: &str, more: &[&str]| {
        world
            .run(
                &[
                    &[
                        "restore", "start", site, "latest", "--full", "--yes", "--reason", "why",
                    ],
                    more,
                ]
                .concat(),
            )
            .code
    };
    assert_eq!(start("site-0001", &["--watch"]), 0);
    assert_eq!(start("site-0013", &["--watch"]), 10);
    assert_eq!(start("site-0002", &["--subsite", "2"]), 2);
    assert_eq!(
        world
            .run(&[
                "restore",
                "start",
                "site-0003",
                "snap-0003-4",
                "--full",
                "--yes"
            ])
            .code,
        5
    );
    assert_eq!(start("site-0004", &[]), 0);
    let expected = [
        "site-0004 running",
        "site-0013 failed",
        "site-0001 succeeded",
    ];
    assert_eq!(sites(&world, &[]), expected);
    let oldest = world.run(&["restore", "history", "--json"]).json()[2].take();
    let origin = [
        &oldest["user"],
        &oldest["ci_url"],
        &oldest["reason"],
        &oldest["profile"],
    ];
    assert_eq!(
        origin,
        [
            &json!("tester"),
            &json!("https://ci.example/7"),
            &json!("why"),
            &Value::Null
        ]
    );
    assert!(
        oldest["finished_at"].as_str() > oldest["started_at"].as_str(),
        "{oldest}"
    );
    let run = world.run(&["restore", "history"]);
    assert!(
        run.stderr
            .ends_with("watch the running restores: sitectl restore watch\n"),
        "{}",
        run.transcript()
    );
}
