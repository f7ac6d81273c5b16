//! Every command is in the tables of documents and tests that have a row per command.

use crate::common::{leaf_commands, list_commands};
use std::collections::BTreeSet;

const README: &str = include_str!("../../README.md");
const JSON_OUTPUT: &str = include_str!("../../docs/json-output.md");

/// Commands that print no JSON, or describe it themselves.
const WITHOUT_JSON: [&str; 3] = ["completions", "explain", "sandbox serve"];

fn names_of_commands() -> BTreeSet<String> {
    leaf_commands().into_iter().map(|(name, _)| name).collect()
}

/// Returns the commands in the README's table, in which a noun applies to the verbs after it.
fn commands_in_readme() -> BTreeSet<String> {
    let names = names_of_commands();
    let nouns: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| name.split(' ').next())
        .collect();
    let section = README
        .split("\n## ")
        .find(|section| section.starts_with("Commands\n"));
    let rows = section
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| `"));
    let mut commands = BTreeSet::new();
    for row in rows {
        let mut noun = "";
        for quoted in row
            .split(" | ")
            .next()
            .unwrap()
            .split('`')
            .skip(1)
            .step_by(2)
        {
            // Placeholders of arguments are in capital letters.
            let is_name = |word: &&str| !word.contains(char::is_uppercase);
            let mut words: Vec<&str> = quoted.split(' ').filter(is_name).collect();
            if nouns.contains(words[0]) {
                noun = words[0];
            } else {
                words.insert(0, noun);
            }
            commands.insert(words.join(" "));
        }
    }
    commands
}

#[test]
fn every_command_is_in_the_readme() {
    let (listed, existing) = (commands_in_readme(), names_of_commands());
    let missing: Vec<_> = existing.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "README.md, section 'Commands': add {missing:?} to the table"
    );
    let unknown: Vec<_> = listed.difference(&existing).collect();
    assert!(
        unknown.is_empty(),
        "README.md, section 'Commands': remove {unknown:?} from the table"
    );
}

#[test]
fn every_command_is_in_the_page_about_json() {
    let mut names = names_of_commands();
    names.retain(|name| {
        !WITHOUT_JSON.contains(&name.as_str()) && !JSON_OUTPUT.contains(&format!("sitectl {name}"))
    });
    assert!(
        names.is_empty(),
        "docs/json-output.md: add an example of {names:?}"
    );
}

#[test]
fn every_list_is_tested_with_faults_and_completely() {
    for command in list_commands() {
        let is_list = |line: &str| format!("{line} ").starts_with(&format!("{command} "));
        let mut faults = crate::matrix::COMMANDS.iter();
        assert!(
            faults.any(|(group, line, _)| *group == "list" && is_list(line)),
            "tests/cli/matrix.rs: COMMANDS lacks '{command}' in the group 'list'"
        );
        let lists = include_str!("../corpus/lists/case.md");
        assert!(
            lists.contains(command.trim_end_matches(" list")),
            "tests/corpus/lists/case.md lacks {command}"
        );
    }
}
