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

#[test]
fn every_command_is_in_the_readme() {
    let mut sections = README.split("\n## ");
    let section = sections.find(|section| section.starts_with("Commands\n"));
    let mut names = names_of_commands();
    names.retain(|name| {
        let (noun, verb) = name.split_once(' ').unwrap_or((name, ""));
        let mut rows = section.unwrap().lines();
        !rows.any(|row| row.contains(&format!("`{noun}")) && row.contains(verb))
    });
    assert!(
        names.is_empty(),
        "README.md, section 'Commands': add {names:?} to the table"
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
fn every_list_is_tested_with_faults() {
    for command in list_commands() {
        let is_list = |line: &str| format!("{line} ").starts_with(&format!("{command} "));
        let mut faults = crate::matrix::COMMANDS.iter();
        assert!(
            faults.any(|(group, line, _)| *group == "list" && is_list(line)),
            "tests/cli/matrix.rs: COMMANDS lacks '{command}' in the group 'list'"
        );
    }
}
