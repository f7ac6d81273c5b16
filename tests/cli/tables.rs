//! Generated tables of the documents: what is retried, and the defaults of options.

use clap::{Command, CommandFactory};
use std::collections::BTreeMap;

/// Returns what is retried, as Markdown.
pub fn retry_table() -> String {
    let mut statuses = sitectl::RETRIED_STATUSES
        .map(|status| status.to_string())
        .to_vec();
    statuses.retain(|status| status != "429");
    let statuses = statuses.join(", ");
    let most = sitectl::MAX_RATE_LIMIT_RETRIES;
    format!(
        "| request | retried after | at most |\n| --- | --- | --- |\n\
         | Reads | Network error, timeout, invalid response, {statuses} | `--retries` times |\n\
         | Changes and restores | Connection refused, host not found | `--retries` times |\n\
         | All | 429 | {most} times; never with `--retries 0` |\n"
    )
}

/// Returns the defaults of all options that limit times, retries or parallel work, as Markdown.
pub fn default_table() -> String {
    let mut rows = BTreeMap::new();
    let mut root = sitectl::cli::Cli::command();
    root.build();
    add_defaults(&root, "", &mut rows);
    let mut table = String::from("| option | default | commands |\n| --- | --- | --- |\n");
    for ((option, default), commands) in rows {
        table += &format!("| `--{option}` | {default} | {} |\n", commands.join(", "));
    }
    table
}

/// Adds the options of a command and of all commands below it.
fn add_defaults(command: &Command, path: &str, rows: &mut BTreeMap<(String, String), Vec<String>>) {
    for arg in command.get_arguments() {
        let defaults = arg.get_default_values();
        let (Some(option), [default]) = (arg.get_long(), defaults) else {
            continue;
        };
        let inherited = arg.is_global_set() && !path.is_empty();
        if inherited || arg.is_hide_set() || !matches!(arg.get_action(), clap::ArgAction::Set) {
            continue;
        }
        let default = default.to_string_lossy();
        if !default.chars().all(|c| c.is_ascii_alphanumeric())
            || !default.contains(|c: char| c.is_ascii_digit())
        {
            continue;
        }
        let name = if arg.is_global_set() { "all" } else { path };
        let row = rows.entry((option.to_string(), default.into_owned()));
        row.or_default()
            .push(format!("`{name}`").replace("`all`", "all"));
    }
    for subcommand in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let path = format!("{path} {}", subcommand.get_name());
        add_defaults(subcommand, path.trim_start(), rows);
    }
}
