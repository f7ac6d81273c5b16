//! The tree of commands with their options and fields, so that programs can read what exists.

use crate::error::EXIT_CODES;
use crate::resources::table_of_command;
use clap::builder::PossibleValue;
use clap::{Arg, Command};
use serde_json::{Value, json};

/// Returns the exit codes, the global options and the commands.
pub fn describe_all(root: &Command) -> Value {
    let mut commands = Vec::new();
    add_commands(root, &mut Vec::new(), &mut commands);
    json!({
        "exit_codes": EXIT_CODES,
        "global_options": describe_args(root.get_arguments()),
        "commands": commands,
    })
}

/// Adds the commands that have no subcommands.
fn add_commands<'c>(command: &'c Command, path: &mut Vec<&'c str>, commands: &mut Vec<Value>) {
    for subcommand in command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        path.push(subcommand.get_name());
        add_commands(subcommand, path, commands);
        path.pop();
    }
    if !command.has_subcommands() {
        let resource = table_of_command(path);
        let fields = resource.map(|resource| resource.record_fields().collect::<Vec<_>>());
        commands.push(json!({
            "command": path.join(" "),
            "about": command.get_about().map(ToString::to_string),
            "arguments": describe_args(command.get_positionals()),
            "options": describe_args(command.get_arguments().filter(|arg| !arg.is_positional())),
            "fields": fields,
        }));
    }
}

fn describe_args<'a>(args: impl Iterator<Item = &'a Arg>) -> Vec<Value> {
    let shown = args.filter(|arg| !arg.is_hide_set());
    let describe = |arg: &Arg| {
        let takes_value = arg.get_action().takes_values();
        let values = arg.get_possible_values();
        let values = values.iter().filter(|_| takes_value);
        let values: Vec<&str> = values.map(PossibleValue::get_name).collect();
        json!({
            "name": arg.get_long().map(|name| format!("--{name}")),
            "value": arg.get_value_names().filter(|_| takes_value).map(|names| names.join(" ")),
            "values": values,
            "about": arg.get_help().map(ToString::to_string),
        })
    };
    shown.map(describe).collect()
}
