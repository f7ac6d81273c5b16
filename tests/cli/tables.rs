//! Generated tables of the documents: what is retried, the states of tasks, and the defaults and
//! time zones of options.

use crate::common::World;
use clap::{Arg, ArgAction, Command, CommandFactory};
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
         | Changes and restores | No connection, such as an unknown host | `--retries` times |\n\
         | All | 429 | {most} times; with `--retries 0`, not at all |\n"
    )
}

/// Returns the final states of tasks, as Markdown.
pub fn task_state_table() -> String {
    let states = sitectl::TaskStates::default();
    let mut table = String::from("| outcome | task states |\n| --- | --- |\n");
    for (outcome, states) in [("succeeded", states.succeeded), ("failed", states.failed)] {
        table += &format!("| `{outcome}` | `{}` |\n", states.join("`, `"));
    }
    table
}

/// An option of a command that takes one value.
struct ValueOption {
    arg: Arg,
    /// The command, such as `clients list`; `all` for a global option.
    command: String,
    /// Whether the command has `--timezone`.
    has_time_zone: bool,
}

impl ValueOption {
    fn name(&self) -> &str {
        self.arg.get_long().unwrap()
    }
}

/// Returns the options of all commands that take one value and are not hidden.
fn value_options() -> Vec<ValueOption> {
    let mut root = sitectl::cli::Cli::command();
    root.build();
    let mut options = Vec::new();
    add_options(&root, "", &mut options);
    options
}

/// Adds the options of a command and of all commands below it.
fn add_options(command: &Command, path: &str, options: &mut Vec<ValueOption>) {
    let has_time_zone = command
        .get_arguments()
        .any(|arg| arg.get_id() == "timezone");
    for arg in command.get_arguments() {
        let is_global = arg.is_global_set();
        let is_inherited = is_global && !path.is_empty();
        let takes_value = matches!(arg.get_action(), ArgAction::Set);
        if arg.get_long().is_none() || is_inherited || arg.is_hide_set() || !takes_value {
            continue;
        }
        options.push(ValueOption {
            arg: arg.clone(),
            command: if is_global { "all" } else { path }.into(),
            has_time_zone,
        });
    }
    for subcommand in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let path = format!("{path} {}", subcommand.get_name());
        add_options(subcommand, path.trim_start(), options);
    }
}

/// Returns the defaults of all options that limit times, retries or parallel work, as Markdown.
pub fn default_table() -> String {
    let mut rows: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for option in value_options() {
        let [default] = option.arg.get_default_values() else {
            continue;
        };
        let default = default.to_string_lossy();
        if !default.chars().all(|c| c.is_ascii_alphanumeric())
            || !default.contains(|c: char| c.is_ascii_digit())
        {
            continue;
        }
        let row = rows.entry((option.name().into(), default.into_owned()));
        let command = format!("`{}`", option.command);
        row.or_default().push(command.replace("`all`", "all"));
    }
    let mut table = String::from("| option | default | commands |\n| --- | --- | --- |\n");
    for ((option, default), commands) in rows {
        table += &format!("| `--{option}` | {default} | {} |\n", commands.join(", "));
    }
    table
}

/// The rows of the table of times: the commands by option, time zone, and meaning of a date.
type TimeRows = BTreeMap<(String, &'static str, &'static str), Vec<String>>;

const LOCAL: &str = "local";
const LOCAL_OR_SPECIFIED: &str = "`--timezone`, or else local";

fn time_rows() -> TimeRows {
    let mut rows = TimeRows::new();
    for option in value_options() {
        let mut names = option.arg.get_value_names().into_iter().flatten();
        if names.all(|name| name != "TIME") {
            continue;
        }
        let zone = if option.has_time_zone {
            LOCAL_OR_SPECIFIED
        } else {
            LOCAL
        };
        let instant = if option.name().ends_with("until") {
            "end"
        } else {
            "start"
        };
        let row = rows.entry((option.name().into(), zone, instant));
        row.or_default().push(option.command);
    }
    rows
}

/// Returns the time zone and the meaning of a date for each option that takes a time, as Markdown.
pub fn time_table() -> String {
    let mut table = String::from(
        "| option | time zone | a date means | commands |\n| --- | --- | --- | --- |\n",
    );
    for ((option, zone, instant), commands) in time_rows() {
        let commands = commands.join("`, `");
        table += &format!("| `--{option}` | {zone} | its {instant} | `{commands}` |\n");
    }
    table
}

#[test]
fn dates_have_the_time_zone_and_the_meaning_of_the_table() {
    // 11 hours behind UTC, so that another snapshot is the latest.
    let world = World::sandbox().with("TZ", "Pacific/Pago_Pago");
    let nights = "snapshots list site-0001 --limit 2 --fields created_at -o csv --no-header";
    let nights = world.run(nights).stdout;
    let [next_date, date] = nights.lines().map(|night| &night[..10]).collect::<Vec<_>>()[..] else {
        panic!("{nights}");
    };
    for ((option, zone, instant), commands) in time_rows() {
        for command in commands {
            let with_date = format!("{command} --{option} {date}");
            let args = match command.as_str() {
                "clients list" | "managed-accounts list" => format!("{with_date} -v"),
                // The error of a reversed range shows both times.
                "restore history" if instant == "end" => format!("{with_date} --since 2999-01-01"),
                "restore history" => format!("{with_date} --until 1999-01-01"),
                "snapshots list" if instant == "end" => {
                    format!("{with_date} site-0001 --since 2999-01-01")
                }
                "snapshots list" => format!("{with_date} site-0001 --until 1999-01-01"),
                "restore start" => format!("{with_date} site-0001 latest --full --dry-run"),
                other => panic!("{other} is not tested"),
            };
            let expect = |args: &str, time: &str| {
                let run = world.run(args);
                let output = (run.stdout.clone() + &run.stderr).replace("%3A", ":");
                assert!(output.contains(time), "{}", run.transcript());
            };
            match instant {
                "end" => expect(&args, &format!("{next_date}T10:59:59")),
                _ => expect(&args, &format!("{date}T11:00:00Z")),
            }
            let args = format!("{args} --timezone UTC");
            match (zone, instant) {
                (LOCAL, _) => {}
                (_, "end") => expect(&args, &format!("{date}T23:59:59")),
                _ => expect(&args, &format!("{date}T00:00:00Z")),
            }
        }
    }
}
