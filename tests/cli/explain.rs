//! `sitectl explain`: every exit code and detail code has a page, and the commands on the pages work.

use crate::examples::run_script;
use crate::support::{Server, World};
use clap::{Command, CommandFactory};
use regex::Regex;
use snapbox::{assert_data_eq, str};

/// All pages, by their names.
fn pages() -> Vec<(String, String)> {
    let kinds = World::empty().run(&["explain", "-o", "ids"]).stdout;
    let codes = include_str!("../../src/commands/explain/pages.txt");
    let codes = codes.lines().filter_map(|line| Some(line.strip_prefix("== ")?.split_once(' ')?.0));
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
2          usage            invalid usage, or a missing confirmation
3          auth             missing or rejected token (401, 403)
4          not_found        resource not found (404)
5          invalid          values rejected by sitectl or the service (400, 422)
6          conflict         conflict with other work (409)
7          rate_limited     rate limit still exceeded after retries (429)
8          unavailable      no valid response: connection error, timeout, 5xx
9          partial          some items of a bulk operation failed
10         restore_failed   a watched restore failed
11         timed_out        the wait timed out; the restore continues
12         unknown_outcome  a change was sent, but its outcome is unknown
13         incomplete       the list is incomplete
130        interrupted      interrupted by Ctrl-C, SIGTERM or SIGHUP
[stderr]
show a page: sitectl explain NAME; codes of details such as already_exists have pages too
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

#[test]
fn the_table_and_the_pages_fit_on_a_terminal() {
    let pages = pages().into_iter().map(|(name, _)| World::empty().run(&["explain", &name]).stdout);
    for page in pages.chain([World::empty().run(&["explain"]).stdout]) {
        let text = page.lines().filter(|line| !line.starts_with("      sitectl "));
        assert!(text.clone().all(|line| line.len() <= 80), "{page}");
    }
}

#[test]
fn a_code_has_a_page() {
    assert_data_eq!(
        World::empty().run(&["explain", "too-long"]).transcript(),
        str![[r#"
[stdout]
too_long: a detail of invalid (exit 5)

  A text is too long. The limits are 255 characters for names and the company
  name, 2000 for the address and 5000 for the note. sitectl never truncates.
exit 0

"#]]
    );
    let pages = World::empty().run(&["explain", "10", "already_exists", "--json"]).json();
    assert_eq!(pages[0]["kind"], "restore_failed");
    assert_eq!((&pages[1]["code"], &pages[1]["kind"]), (&"already_exists".into(), &"invalid".into()));
}

#[test]
fn an_unknown_word_is_told_what_there_is() {
    assert_data_eq!(
        World::empty().run(&["explain", "unknown_outcom"]).transcript(),
        str![[r#"
[stderr]
error: unknown error code 'unknown_outcom'
hint: did you mean 'unknown_outcome'? list the error codes: sitectl explain
exit 2

"#]]
    );
    let error = World::empty().run(&["explain", "xyzzy", "--json"]).error();
    assert_eq!(
        (error["kind"].as_str(), error["hint"].as_str()),
        (Some("usage"), Some("list the error codes: sitectl explain"))
    );
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
