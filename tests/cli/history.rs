//! Tests of `sitectl restore history`.

use crate::common::{Server, World, wait};
use predicates::str::starts_with;
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

/// Returns the lines of a run with one restore: the decision, with these changes of its details and
/// of its restore, and what was seen after the request. Null is a restore that was not sent.
fn lines(number: u32, details: &Value, restore: &Value, seen: &Value) -> String {
    let time = format!("2026-10-0{number}T08:00:00.5Z");
    let mut all_details = json!({
        "started_at": time, "user": "ada", "ci_url": null, "profile": "live", "reason": null,
        "base_url": "https://service.example/api/v6", "idempotency_key": null,
    });
    let mut decided = json!({
        "site_id": format!("site-000{number}"), "url": null, "snapshot_id": "snap-1", "taken_at": null,
        "scope": {"include_files": true, "include_database": true},
    });
    extend(&mut all_details, details);
    extend(&mut decided, restore);
    let id = json!({"run": format!("run-{number}"), "index": 0});
    let mut events =
        vec![json!({"decided": {"run": id["run"], "details": all_details, "restores": [decided]}})];
    if !seen.is_null() {
        events.push(json!({"sent": {"restore": id, "at": time, "response_due": time}}));
    }
    if seen.is_object() {
        let mut observation =
            json!({"restore": id, "task_id": null, "finished_at": null, "seconds": null});
        extend(&mut observation, seen);
        events.push(json!({"seen": observation}));
    }
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn extend(object: &mut Value, changes: &Value) {
    let changes = changes.as_object().unwrap().clone();
    object.as_object_mut().unwrap().extend(changes);
}

/// Returns a world with this journal and no configured service.
fn with_journal(text: &str) -> World {
    let world = World::empty();
    std::fs::create_dir_all(world.path(".local/state/sitectl")).unwrap();
    std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), text).unwrap();
    world
}

fn every_outcome() -> String {
    let none = json!({});
    [
        lines(
            1,
            &json!({"reason": "Hacked on Monday"}),
            &json!({"url": "https://one.example", "taken_at": "2026-09-30T03:00:00Z"}),
            &json!({"outcome": "succeeded", "task_id": "task-1", "seconds": 15,
                "finished_at": "2026-10-01T08:01:31Z"}),
        ),
        lines(
            2,
            &json!({"profile": null, "base_url": "https://other.example/api/v6",
                "ci_url": "https://ci.example/7"}),
            &json!({"scope": {"include_files": false, "include_database": true, "tables": ["wp_posts"]}}),
            &json!({"outcome": "running", "task_id": "task-2"}),
        ),
        lines(3, &json!({"user": null}), &none, &json!({"outcome": "rejected"})),
        // A request without a response.
        lines(4, &none, &json!({"scope": {"x": 1}}), &json!(true)),
        lines(
            5,
            &json!({"reason": "\u{1b}[31mred"}),
            &none,
            &json!({"outcome": "failed", "task_id": "task-5"}),
        ),
        // Supersedes the restore of site-0004.
        lines(
            6,
            &none,
            &json!({"site_id": "site-0004"}),
            &json!({"outcome": "running", "task_id": "task-6"}),
        ),
        lines(7, &none, &json!({"site_id": "site-0001"}), &json!({"outcome": "unknown"})),
        lines(8, &none, &none, &Value::Null),
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
        world.run("restore history").transcript(),
        str![[r#"
[stdout]
SITE                 OUTCOME    STARTED               TAKEN                 TOOK  SCOPE               USER  REASON            PROFILE  CI JOB                SNAPSHOT  TASK    RUN    SITE ID
site-0008            not_sent   2026-10-08T08:00:00Z                              files, database     ada                     live                           snap-1            run-8  site-0008
site-0001            unknown    2026-10-07T08:00:00Z                              files, database     ada                     live                           snap-1            run-7  site-0001
site-0004            running    2026-10-06T08:00:00Z                              files, database     ada                     live                           snap-1    task-6  run-6  site-0004
site-0005            failed     2026-10-05T08:00:00Z                              files, database     ada   /u{1b}[31mred     live                           snap-1    task-5  run-5  site-0005
site-0004            unknown    2026-10-04T08:00:00Z                              {"x":1}             ada                     live                           snap-1            run-4  site-0004
site-0003            rejected   2026-10-03T08:00:00Z                              files, database                             live                           snap-1            run-3  site-0003
site-0002            running    2026-10-02T08:00:00Z                              database: wp_posts  ada                              https://ci.example/7  snap-1    task-2  run-2  site-0002
https://one.example  succeeded  2026-10-01T08:00:00Z  2026-09-30T03:00:00Z  15s   files, database     ada   Hacked on Monday  live                           snap-1    task-1  run-1  site-0001
exit 0

"#]]
    );
}

#[test]
fn json_and_csv_have_every_field() {
    let world = with_journal(&every_outcome());
    assert_data_eq!(
        world.run("restore history --run run-2 --json").transcript(),
        str![[r#"
[stdout]
[
{"run":"run-2","site_id":"site-0002","url":null,"snapshot_id":"snap-1","taken_at":null,"scope":{"include_files":false,"include_database":true,"tables":["wp_posts"]},"reason":null,"outcome":"running","task_id":"task-2","status":null,"progress":null,"started_at":"2026-10-02T08:00:00.5Z","finished_at":null,"seconds":null,"user":"ada","ci_url":"https://ci.example/7","profile":null,"base_url":"https://other.example/api/v6","error":null,"task":null}
]
exit 0

"#]]
    );
    assert_data_eq!(
        world.run("restore history --run run-1 -o csv").transcript(),
        str![[r#"
[stdout]
run,site_id,url,snapshot_id,taken_at,scope,reason,outcome,task_id,status,progress,started_at,finished_at,seconds,user,ci_url,profile,base_url,error,task
run-1,site-0001,https://one.example,snap-1,2026-09-30T03:00:00Z,"{""include_files"":true,""include_database"":true}",Hacked on Monday,succeeded,task-1,,,2026-10-01T08:00:00.5Z,2026-10-01T08:01:31Z,15,ada,,live,https://service.example/api/v6,,
exit 0

"#]]
    );
    assert_eq!(
        world.run("restore history -o ids").stdout,
        "task-6\ntask-5\ntask-2\ntask-1\n"
    );
}

#[test]
fn filters_are_joined_by_and() {
    let world = with_journal(&every_outcome());
    let all = [
        "site-0008 not_sent",
        "site-0001 unknown",
        "site-0004 running",
        "site-0005 failed",
        "site-0004 unknown",
        "site-0003 rejected",
        "site-0002 running",
        "site-0001 succeeded",
    ];
    assert_eq!(sites(&world, &[]), all);
    assert_eq!(
        sites(&world, &["--site", "site-0001", "--site", "site-0002"]),
        [all[1], all[6], all[7]]
    );
    assert_eq!(sites(&world, &["--site", "www.One.example"]), [all[7]]);
    assert_eq!(
        sites(&world, &["--outcome", "failed,rejected"]),
        [all[3], all[5]]
    );
    assert_eq!(
        sites(&world, &["--outcome", "running", "--site", "site-0004"]),
        [all[2]]
    );
    assert_eq!(sites(&world, &["--reason", "hacked ON"]), [all[7]]);
    assert_eq!(sites(&world, &["--run", "run-4"]), [all[4]]);
    assert_eq!(
        sites(
            &world,
            &["--since", "2026-10-03T08:00:00.5Z", "--until", "2026-10-06"]
        ),
        all[2..6],
        "a date until which restores are shown means its last instant"
    );
    assert_eq!(sites(&world, &["--limit", "2"]), all[..2]);
}

#[test]
#[cfg(unix)]
fn a_restore_has_the_user_of_the_process_if_no_variable_names_one() {
    let (_server, world) = Server::start("").world_kept();
    let start = ["restore", "start", "site-0001", "latest", "--full", "--yes"];
    let mut command = world.command(&start);
    for name in ["SUDO_USER", "USER", "LOGNAME", "USERNAME"] {
        command.env_remove(name);
    }
    assert_eq!(wait(crate::common::start(&mut command)).code, 0);
    let id = std::process::Command::new("id").arg("-un").output();
    let user = String::from_utf8(id.unwrap().stdout).unwrap();
    let history = world.run("restore history --jq '.[].user'");
    assert_eq!(history.stdout, user);
}

#[test]
fn a_reversed_range_is_refused_with_both_times() {
    let range = ["--since", "2026-10-06", "--until", "2026-10-03T08:00:00Z"];
    let run = World::empty().run(&[&["restore", "history"], &range[..]].concat());
    let message = "error: --since 2026-10-06T00:00:00Z is after --until 2026-10-03T08:00:00Z\n";
    run.assert_stderr(2, starts_with(message));
}

#[test]
fn an_empty_history_is_an_empty_list() {
    let run = World::empty().run("restore history --json");
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "[]\n", "no restores found\n")
    );
}

#[test]
fn the_history_has_the_outcomes_of_restores() {
    let (_server, world) = Server::start("--restore-time 1s").world_kept();
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
            .run("restore start site-0002 snap-0002-4 --full --yes")
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
    let mut history = world.run("restore history --json").json();
    let oldest = history[2].take();
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
    assert_eq!(oldest["url"], "https://site-0001.example.com");
    // The times of the service, as it sent them.
    let snapshots = world.run("snapshots list site-0001 --json").json();
    assert_eq!(oldest["taken_at"], snapshots[0]["created_at"]);
    let task_id = oldest["task_id"].as_str().unwrap();
    let task = world.run(&["tasks", "show", task_id, "--json"]).json();
    assert_eq!(oldest["finished_at"], task["updated_at"]);
    assert!(oldest["seconds"].is_u64(), "{oldest}");
    let running = &history[0];
    assert_eq!(
        [&running["finished_at"], &running["seconds"]],
        [&Value::Null; 2]
    );
}
