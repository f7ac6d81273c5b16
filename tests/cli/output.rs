//! Tests of every output format.

use crate::common::{Run, World, wait};
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, clients, page};
use snapbox::{IntoData, assert_data_eq, str};

/// A record that is hard to print: unknown fields, another order, long numbers, and text that drives a terminal.
const ODD: &str = r#"{"zeta":1.10,"id":"a\u202e","big":123456789012345678901234567890,"new":{"b":[1e400],"a":null},"email":"\u001b[31m\u202e\u200b=1+1","note":"one\r\ntwo, \"three\"","site_ids":["s1","s2"]}"#;

/// Lists the clients of a service that has only this one.
fn list(record: &str, args: &[&str]) -> Run {
    let service = Scripted::new(vec![("GET", clients(&[record]))]);
    service.world().run(&[&["clients", "list"], args].concat())
}

/// Checks what a command prints on stdout with each of these arguments.
#[track_caller]
fn assert_prints(run: impl Fn(&[&str]) -> Run, cases: &[(&[&str], &str)]) {
    for (args, text) in cases {
        let run = run(args);
        assert_eq!(
            (run.stdout.as_str(), run.code),
            (*text, 0),
            "{args:?}\n{}",
            run.transcript()
        );
    }
}

#[test]
fn only_a_table_escapes_data_in_a_pipe() {
    let run = |args: &[&str]| list(ODD, args);
    assert_prints(
        run,
        &[
            (&["--json"], &format!("[\n{ODD}\n]\n")),
            (&["-o", "ndjson"], &format!("{ODD}\n")),
            (&["-o", "ids"], "a\u{202e}\n"),
            (
                &["-o", "csv"],
                "id,first_name,last_name,email,company_name,address,note,site_ids,created_at,updated_at\n\
                 a\u{202e},,,\u{1b}[31m\u{202e}\u{200b}=1+1,,,\"one\r\ntwo, \"\"three\"\"\",s1;s2,,\n",
            ),
            (
                &["--jq", ".[] | .big, .zeta, .email"],
                "123456789012345678901234567890\n1.10\n\u{1b}[31m\u{202e}\u{200b}=1+1\n",
            ),
        ],
    );
    let yaml = run(&["-o", "yaml"]).stdout;
    assert!(
        yaml.starts_with(
            "- zeta: 1.10\n  id: \"a\\U0000202e\"\n  big: 123456789012345678901234567890\n  new:\n    b:\n"
        )
    );
    assert_data_eq!(
        run(&[]).transcript(),
        str![[r#"
[stdout]
ID         EMAIL                           SITES
a\u{202e}  \u{1b}[31m\u{202e}\u{200b}=1+1  s1, s2
exit 0

"#]]
        .raw()
    );
}

#[test]
fn the_steps_of_a_task_are_a_table() {
    let steps = r#"[{"site_id":"s1","name":"files","status":"succeeded"},{"site_id":"s1","name":"database","status":"running"}]"#;
    let task =
        format!(r#"{{"task":{{"id":"t1","status":"running","progress":40,"steps":{steps}}}}}"#);
    let service = Scripted::new(vec![("GET", Reply::Json(200, task))]);
    assert_data_eq!(
        service.world().run("tasks show t1").transcript(),
        str![[r#"
[stdout]
id        t1
status    running
progress  40

steps:
SITE ID  NAME      STATUS
s1       files     succeeded
s1       database  running
exit 0

"#]]
    );
}

#[test]
fn an_incomplete_list_does_not_look_complete() {
    for (args, text) in [
        (&["--jq", "length"][..], ""),
        (&["-o", "ndjson", "--jq", ".id"], "a\nb\n"),
        (&["-o", "csv", "--fields", "id"], "id\na\nb\n"),
        (&["-o", "yaml"], "- id: a\n- id: b\n"),
        (&["--json"], "[\n{\"id\":\"a\"},\n{\"id\":\"b\"}"),
        (&["--fields", "id"], "ID\na\nb\n"),
    ] {
        let service = Scripted::new(vec![
            ("GET", page(&["a", "b"], 1, 2, 4)),
            ("GET", Reply::Json(401, "{}".into())),
        ]);
        let run = service.world().run(&[&["clients", "list"], args].concat());
        assert_eq!((run.stdout.as_str(), run.code), (text, 3), "{args:?}");
    }
}

#[test]
fn records_without_an_id_are_reported() {
    let body = r#"{"sites":[{"id":"a"},{"id":null},{"name":"x"},{"id":7}]}"#.to_string();
    let service = Scripted::new(vec![("GET", Reply::Json(200, body))]);
    let run = service.world().run("sites list -o ids --page 1");
    assert_eq!((run.stdout.as_str(), run.code), ("a\n7\n", 13));
    assert!(
        run.stderr
            .contains("error: left out 2 records without an id"),
        "{}",
        run.transcript()
    );
}

#[test]
fn color_follows_options_and_environment() {
    let list = "clients list --limit 1";
    for (variables, line, is_colored) in [
        ("", list, false),
        ("", "--color always clients list --limit 1", true),
        ("CLICOLOR_FORCE=1", list, true),
        ("CLICOLOR_FORCE=1", "--help", true),
        (
            "CLICOLOR_FORCE=1",
            "--color never clients list --limit 1",
            false,
        ),
        ("CLICOLOR_FORCE=1 NO_COLOR=1", list, false),
        ("CLICOLOR_FORCE=1", "clients list --limit 1 -o json", false),
    ] {
        let variables = variables
            .split(' ')
            .filter_map(|variable| variable.split_once('='));
        let set = |world: World, (name, value)| world.with(name, value);
        let run = variables.fold(World::sandbox(), set).run(line);
        let printed = run.stdout + &run.stderr;
        assert_eq!(printed.contains('\u{1b}'), is_colored, "{line}");
    }
}

#[test]
fn color_on_a_terminal_follows_the_environment() {
    for (variables, is_colored) in [
        ("TERM=xterm", true),
        ("TERM=dumb", false),
        ("-u TERM", false),
        ("CLICOLOR=1", true),
        ("CLICOLOR=0", false),
        ("CLICOLOR=0 CLICOLOR_FORCE=1", true),
        ("TERM=dumb CLICOLOR_FORCE=1", true),
        ("NO_COLOR=1 CLICOLOR_FORCE=1", false),
        ("NO_COLOR= CLICOLOR=", true),
    ] {
        let command = format!("env {variables} sitectl clients --nope");
        let mut terminal = Terminal::start(World::empty().shell(&["-c", &command]), 80, 10);
        assert_eq!(terminal.exit_code(), 2);
        let is_painted = terminal.bytes().contains(&b'\x1b');
        assert_eq!(is_painted, is_colored, "{variables}");
    }
}

#[test]
fn the_exit_code_of_a_change_survives_a_failed_output() {
    let world = World::sandbox();
    let restore = "restore start site-0013 latest --full --yes --watch";
    for (line, kind, code) in [
        ("clients delete nope --yes", "not_found", 4),
        (restore, "restore_failed", 10),
    ] {
        let filtered = world.run(format!("{line} --jq error(1)"));
        let mut child = world.start(format!("{line} --json"));
        drop(child.stdout.take());
        for run in [filtered, wait(child)] {
            let printed = (run.code, run.error()["kind"].as_str().map(String::from));
            assert_eq!(printed, (code, Some(kind.into())), "{}", run.transcript());
        }
    }
}

#[test]
fn an_error_of_a_filter_names_the_record() {
    let records = clients(&[r#"{"id":"a","x":{}}"#, r#"{"id":"b","x":1}"#]);
    let service = Scripted::new(vec![("GET", records)]);
    let args = "clients list -o ndjson --jq .x.y";
    let run = service.world().run(args);
    let message = run.error()["message"].clone();
    assert_eq!(
        (&*run.stdout, message.as_str()),
        (
            "null\n",
            Some("--jq: record 2 (b): cannot index 1 with \"y\"")
        )
    );
}

/// A command prints the same columns in each format that has columns.
#[test]
fn columns_do_not_depend_on_the_format() {
    let world = World::sandbox().with_config("[profiles.a]\n");
    std::fs::write(world.path("plan.txt"), "site-0001\nsite-0002\n").unwrap();
    for line in [
        "clients list",
        "managed-accounts list",
        "sites list",
        "sites check",
        "snapshots list site-0001",
        "restore start --plan plan.txt --full --dry-run",
        "restore start --plan plan.txt --full --yes --force",
        "restore watch site-0001",
        "restore history",
        "tasks list",
        "profiles list",
        "explain",
    ] {
        let csv = world.run(format!("{line} -o csv")).stdout;
        let names: Vec<&str> = csv.lines().next().unwrap_or_default().split(',').collect();
        let fields = names.join(",");
        let table = world
            .run(format!("{line} -o table --fields {fields}"))
            .stdout;
        let headings = table.lines().next().unwrap_or_default().split("  ");
        let headings = headings.filter(|heading| !heading.trim().is_empty());
        assert_eq!(headings.count(), names.len(), "{line}: {fields}\n{table}");
    }
}
