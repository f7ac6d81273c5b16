//! `sitectl explain`: the commands on the pages exist.

use crate::common::{World, leaf_commands};
use clap::{Command, CommandFactory};
use regex::Regex;
use snapbox::{assert_data_eq, str};

/// All pages with their names.
fn pages() -> Vec<(&'static str, String)> {
    let kinds = sitectl::EXIT_CODES.iter().filter_map(|row| row.kind);
    kinds
        .map(|name| (name, World::empty().run(&["explain", name]).stdout))
        .collect()
}

/// The commands that a page shows.
fn commands(page: &str) -> Vec<&str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("      "))
        .filter(|line| line.starts_with("sitectl "))
        .collect()
}

#[test]
fn explain_lists_the_exit_codes_and_shows_a_page() {
    let world = World::empty();
    let codes = world.run("explain").stdout;
    assert!(
        codes.contains("\n2          usage            invalid usage, or a missing confirmation\n"),
        "{codes}"
    );
    assert_data_eq!(
        world.run("explain restore-failed").transcript(),
        str![[r#"
[stdout]
restore_failed (exit 10): a restore failed

Effect
  The site may be partly restored.

Causes
  The message shows the task's reason, such as an unreachable site or a full
  disk.

Next steps
  Show the task, and check the site. Then restore an older snapshot:

      sitectl tasks show TASK_ID
      sitectl snapshots list site-0001
      sitectl restore start site-0001 SNAPSHOT_ID --full --watch

Scripts
  Notify a person: a live site may be broken. Do not restore in a loop.
exit 0

"#]]
    );
    let page = world.run("explain 5 --json").json();
    let keys: Vec<&String> = page.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["exit_code", "kind", "when", "page"]);
    assert_eq!(
        (&page["kind"], &page["exit_code"]),
        (&"invalid".into(), &5.into())
    );
    assert!(world.run("explain already_exists").code == 2);
    let steps = |kind: &str| world.run(&["explain", kind]).stdout;
    assert!(steps("12").contains("sitectl tasks list"));
    assert!(!steps("conflict").contains("restore resume"));
}

#[test]
fn programs_can_read_which_commands_exist() {
    let all = World::empty().run("explain --json").json();
    let commands = all["commands"].as_array().unwrap();
    let names = commands
        .iter()
        .map(|command| command["command"].as_str().unwrap());
    let mut leaves: Vec<String> = leaf_commands().into_iter().map(|(name, _)| name).collect();
    leaves.sort();
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    assert_eq!(names, leaves);
    let list = commands
        .iter()
        .find(|command| command["command"] == "sites list")
        .unwrap();
    let has_limit = list["options"]
        .as_array()
        .unwrap()
        .iter()
        .any(|option| option["name"] == "--limit");
    assert!(has_limit && list["fields"][0] == "id", "{list}");
    assert_eq!(all["exit_codes"][12]["kind"], "unknown_outcome");
}

#[test]
fn pages_contain_only_commands_and_flags_that_exist() {
    fn flags(command: &Command, found: &mut Vec<String>) {
        found.extend(
            command
                .get_arguments()
                .filter_map(|arg| arg.get_long())
                .map(|flag| format!("--{flag}")),
        );
        command
            .get_subcommands()
            .for_each(|command| flags(command, found));
    }
    let mut root = sitectl::cli::Cli::command();
    root.build();
    let mut known = Vec::new();
    flags(&root, &mut known);
    let flag = Regex::new("--[a-z][a-z-]+").unwrap();
    for (name, page) in pages() {
        let wrong = flag
            .find_iter(&page)
            .find(|flag| !known.iter().any(|known| known == flag.as_str()));
        assert!(wrong.is_none(), "{name} names {wrong:?}");
        for line in commands(&page) {
            let parsed = root
                .clone()
                .try_get_matches_from(shlex::split(line).unwrap());
            let error = parsed.err().filter(|error| error.use_stderr());
            assert!(error.is_none(), "{name} shows {line}: {error:?}");
        }
        assert!(
            page.lines()
                .all(|line| line.len() <= 80 || line.starts_with("      sitectl ")),
            "{name} is wide\n{page}"
        );
    }
}
