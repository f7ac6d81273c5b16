//! `sitectl explain`: its pages are there for every kind, name only what exists, and what they show is what happens.

use crate::examples::run_script;
use crate::listing::{Listing, Quirks, letters};
use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World, steady};
use clap::{Command, CommandFactory};
use regex::Regex;
use snapbox::{assert_data_eq, str};

/// All pages, by their names.
fn pages() -> Vec<(String, String)> {
    let kinds = World::empty().run(&["explain", "-o", "ids"]).stdout;
    let codes = include_str!("../../src/commands/explain/pages/codes.txt");
    let codes = codes.lines().filter_map(|line| line.strip_prefix("== ")?.split(' ').next());
    let names: Vec<&str> = kinds.lines().chain(codes).collect();
    let pages = World::empty().run(&[&["explain", "--json"], &names[..]].concat()).json();
    let page = |(name, page): (&&str, &serde_json::Value)| (name.to_string(), page["page"].as_str().unwrap().into());
    names.iter().zip(pages.as_array().unwrap()).map(page).collect()
}

/// The commands that a page shows to be typed.
fn commands(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("      ")).filter(|line| line.starts_with("sitectl ")).collect()
}

#[test]
fn without_a_word_it_lists_all_kinds() {
    assert_data_eq!(
        World::empty().run(&["explain"]).transcript(),
        str![[r#"
[stdout]
EXIT CODE  KIND             WHEN
1          error            any other error
2          usage            the command line is wrong, or nobody could be asked
3          auth             no token, or one that is not accepted (401, 403)
4          not_found        there is no such thing (404)
5          invalid          values refused, here or by the service (400, 422)
6          conflict         other work is in the way (409)
7          rate_limited     429, still, after waiting
8          unavailable      no usable answer: no connection, timeout, 5xx
9          partial          some items of a bulk operation failed
10         restore_failed   a watched restore ended in failure
11         timed_out        the wait ended first; the task goes on
12         unknown_outcome  a change was sent, and its outcome is not known
13         incomplete       a list could not be read whole
130        interrupted      Ctrl-C, SIGTERM or SIGHUP; what was started goes on
[stderr]
sitectl explain NAME shows a page; codes of details such as already_exists have one too
exit 0

"#]]
    );
    let all = World::empty().run(&["explain", "--json"]).json();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 14);
    for entry in all {
        let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["kind", "exit_code", "when", "page"]);
        assert!(entry["page"].as_str().unwrap().lines().count() >= 20);
    }
    assert_eq!(World::empty().run(&["explain", "-o", "ids"]).stdout.lines().count(), 14);
}

/// What a page says has to be read on a terminal of the usual size, also through a pager.
#[test]
fn the_table_and_the_titles_fit_on_a_terminal() {
    for line in World::empty().run(&["explain"]).stdout.lines() {
        assert!(line.len() <= 80, "{line}");
    }
    for (name, _) in pages() {
        let run = World::empty().run(&["explain", &name]);
        let commands = |line: &&str| !line.starts_with("      sitectl ");
        assert!(run.stdout.lines().filter(commands).all(|line| line.len() <= 80), "{}", run.stdout);
    }
}

#[test]
fn a_code_has_a_page() {
    assert_data_eq!(
        World::empty().run(&["explain", "too-long", "10"]).transcript(),
        str![[r#"
[stdout]
too_long: a detail of invalid (exit 5)

  A text is longer than the service keeps: names and the company name 255
  characters, the address 2000, the note 5000. Shorten it; sitectl cuts nothing
  off.

restore_failed (exit 10): a watched restore ended in failure

What happened
  A restore was started and watched, and the service says that it has failed.

What it means
  The site may be half restored: sitectl cannot see what was written before the
  failure. The journal has it as failed, so nothing of it is in the way of
  another restore.

Usual causes
  sitectl knows only what the task shows. What is wrong is on the side of the
  service or the site: no connection to the site, no room on it, a snapshot that
  cannot be read.

What to do
  See the steps of the task, then look at the site. Start the restore again, or
  one from an older snapshot:

      sitectl tasks show TASK_ID
      sitectl snapshots list site-0001
      sitectl restore start site-0001 SNAPSHOT_ID --full --watch

  Run the failed rows of a plan as a new plan: --failed-to FILE writes it.

In a script
  Tell a person: a live site may be broken. Do not start it over and over.

Example
      error: the restore failed: site-0013 (task-0001)
      hint: see its steps with: sitectl tasks show task-0001
exit 0

"#]]
    );
    let run = World::empty().run(&["explain", "already_exists", "--json"]);
    let entry = run.json();
    assert_eq!(
        (entry["code"].as_str(), entry["kind"].as_str(), entry["exit_code"].as_u64()),
        (Some("already_exists"), Some("invalid"), Some(5))
    );
}

#[test]
fn an_unknown_word_is_told_what_there_is() {
    assert_data_eq!(
        World::empty().run(&["explain", "unknown_outcom"]).transcript(),
        str![[r#"
[stderr]
error: 'unknown_outcom' is no kind of error, no exit code of one and no code of a detail
hint: did you mean 'unknown_outcome'? sitectl explain lists the kinds
exit 2

"#]]
    );
    for (word, message, hint) in [
        ("xyzzy", "'xyzzy' is no kind of error", "sitectl explain lists the kinds"),
        (
            "0",
            "'0' is no error: it means that the command has done what it was asked to",
            "sitectl explain lists the kinds",
        ),
    ] {
        let error = World::empty().run(&["explain", word, "--json"]).error();
        assert_eq!((error["kind"].as_str(), error["hint"].as_str()), (Some("usage"), Some(hint)));
        assert!(error["message"].as_str().unwrap().starts_with(message), "{error}");
    }
}

#[test]
fn it_works_where_nothing_else_does() {
    let world = World::empty().with("SITECTL_PROFILE", "gone").with("SITECTL_OUTPUT", "xml").with("HOME", "");
    let world = world.with("SITECTL_SANDBOX", "perhaps").with("SITECTL_CONFIG", "/dev/zero").with_config("[[[");
    let run = world.run(&["explain", "usage"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.transcript());
    assert!(run.stdout.starts_with("usage (exit 2): "));
    let json = world.with("SITECTL_OUTPUT", "json").run(&["explain", "usage"]);
    assert_eq!(json.json()["exit_code"], 2);
}

#[test]
fn pages_name_only_commands_and_flags_that_exist() {
    fn flags(command: &Command, found: &mut Vec<String>) {
        found.extend(command.get_arguments().filter_map(|arg| arg.get_long()).map(|flag| format!("--{flag}")));
        command.get_subcommands().for_each(|command| flags(command, found));
    }
    let mut root = sitectl::cli::Cli::command();
    root.build();
    let mut known = Vec::new();
    flags(&root, &mut known);
    let mut shown = 0;
    let flag = Regex::new("--[a-z][a-z-]+").unwrap();
    for (name, page) in pages() {
        for flag in flag.find_iter(&page) {
            assert!(known.iter().any(|known| known == flag.as_str()), "{name} names {}", flag.as_str());
        }
        for line in commands(&page) {
            let words = shlex::split(line).unwrap();
            let parsed = root.clone().try_get_matches_from(&words);
            assert!(
                !parsed.as_ref().is_err_and(|error| error.use_stderr()),
                "{name} shows {line}: {}",
                parsed.unwrap_err()
            );
            shown += 1;
        }
        let commands_fit = commands(&page).iter().all(|line| line.len() <= 90);
        assert!(commands_fit, "{name} has a command that is too long for a terminal");
        assert!(page.is_ascii(), "{name}");
    }
    assert!(shown >= 35, "{shown} commands are shown");
}

/// What stands in capitals has to be filled in; everything else can be typed as it is.
#[test]
fn commands_without_blanks_can_be_typed_as_they_are() {
    let blank = Regex::new("[A-Z]{3}").unwrap();
    let server = Server::start(&[]);
    let world = World::empty().with_config(&format!(
        "current_profile = \"live\"\n[profiles.live]\nbase_url = \"{}\"\ntoken_command = [\"echo\", \"sandbox-token\"]\n",
        server.base_url
    ));
    let ada = ["clients", "create", "--first-name", "Ada", "--email", "ada@example.com"];
    assert_eq!(world.run(&ada).code, 0);
    for (name, page) in pages() {
        for line in commands(&page).into_iter().filter(|line| !blank.is_match(line) && !line.contains("auth login")) {
            let run = run_script(&world, line);
            assert_eq!(run.code, 0, "{name} shows {line}\n{}", run.transcript());
        }
    }
}

/// The example that a page shows, with what differs from run to run replaced by its name.
fn example(page: &str) -> String {
    normal(page.split("\nExample\n").nth(1).unwrap())
}

fn normal(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("sitectl --sandbox ", "sitectl ");
    let text = Regex::new("task-[0-9a-f-]{4,36}|task-ID").unwrap().replace_all(&steady(&text), "TASK").into_owned();
    Regex::new(r"20\d\d-\d\d-\d\dT[0-9:]+Z|\bTIME\b").unwrap().replace_all(&text, "NOW").into_owned()
}

/// What happens where a kind is provoked.
fn provoked(kind: &str) -> Run {
    let sandbox = World::sandbox();
    let (_server, quick) = Server::start(&["--restore-time", "0s"]).world_kept();
    let (_server, slow) = Server::start(&["--restore-time", "1h"]).world_kept();
    let start = ["restore", "start", "site-0001", "snap-0001-3", "--full", "--yes"];
    match kind {
        "error" => {
            let answer = r#"{"client":{"id":"client-0001","site_ids":["site-0001","site-0002"]}}"#;
            let service = Scripted::new(vec![
                ("GET", Reply::Json(200, r#"{"client":{"id":"client-0001","site_ids":["site-0001"]}}"#.into())),
                ("POST", Reply::Json(200, answer.into())),
            ]);
            service.world().run(&["clients", "update", "client-0001", "--set-site", "site-0002"])
        }
        "usage" => sandbox.run(&["clients", "list", "--sort", "emial"]),
        "auth" => quick.with("SITECTL_TOKEN", "stranger").run(&["clients", "list"]),
        "not_found" => sandbox.run(&["clients", "show", "client-9999"]),
        "invalid" => {
            let ada = ["clients", "create", "--first-name", "Ada", "--email", "ada@example.com"];
            assert_eq!(quick.run(&ada).code, 0);
            quick.run(&ada)
        }
        "conflict" => {
            assert_eq!(slow.run(&start).code, 0);
            slow.run(&start)
        }
        "rate_limited" => {
            let service = Scripted::new(vec![("GET", Reply::Json(429, "{}".into()))]);
            service.world().run(&["clients", "list", "--retries", "0"])
        }
        "unavailable" => World::on("http://127.0.0.1:1/api/v6").run(&["clients", "list", "--retries", "0"]),
        "partial" => sandbox.run(&["clients", "delete", "client-0060", "client-9999", "--yes"]),
        "restore_failed" => quick.run(&["restore", "start", "site-0013", "snap-0013-3", "--full", "--yes", "--watch"]),
        "timed_out" => slow.run(&[&start[..], &["--watch", "--timeout", "1s"]].concat()),
        "unknown_outcome" => Scripted::new(vec![("POST", Reply::Json(502, "{}".into()))]).world().run(&start),
        "incomplete" => {
            let quirks = Quirks { hidden: Some("c"), ..Quirks::default() };
            Listing::start(letters("abc"), quirks).world().run(&["clients", "list"])
        }
        _ => unreachable!("{kind}"),
    }
}

#[test]
fn examples_are_what_happens() {
    // To be interrupted takes another process: `signals` does that.
    for (kind, page) in pages().into_iter().take(13) {
        let run = provoked(&kind);
        let shown = normal(&run.stderr);
        assert!(shown.ends_with(&example(&page)), "{kind}\npage: {}\nrun:  {shown}", example(&page));
        let code = World::empty().run(&["explain", &kind, "--jq", ".exit_code"]);
        assert_eq!(code.stdout.trim(), run.code.to_string(), "{kind}");
    }
}
