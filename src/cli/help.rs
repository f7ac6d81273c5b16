//! The pages of `-h` and `--help`. Both begin with examples. `-h` leaves out the global options, the options that are
//! hidden from it, and the notes.

use crate::completion::CommandLine;
use clap::{Arg, Command};

/// `{examples}` is not one of clap's tags, because clap would wrap examples, which could not be pasted then.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{examples}{all-args}{after-help}";

/// Returns the help of the command that a line leads to, for a line that asks for help or lacks a command.
pub fn page(root: &Command, line: &CommandLine<'_>, words: &[String], color: bool) -> String {
    let names = line.path.iter().filter(|name| **name != "help");
    let command = names.fold(root, |command, name| {
        command.find_subcommand(name).unwrap_or(command)
    });
    let is_long = line.path.contains(&"help") || words.iter().any(|word| word == "--help");
    let after = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (examples, notes) = after.split_once("\n\n").unwrap_or((&after, ""));
    let shown = command.clone().help_template(TEMPLATE);
    let shown = shown.mut_subcommands(|verb| {
        if verb.get_name() == "help" {
            verb.hide(true)
        } else {
            verb
        }
    });
    let page = if is_long {
        long(shown, &flowing(notes))
    } else {
        short(shown)
    }
    .render_help();
    let page = if color {
        page.ansi().to_string()
    } else {
        page.to_string()
    };
    // Without arguments, two gaps meet.
    let page = page
        .replace("{examples}", &format!("{examples}\n\n"))
        .replace("\n\n\n\n", "\n\n");
    format!("{}\n", page.trim_end())
}

/// Joins the lines of each paragraph, so that it wraps with the terminal. A list keeps its lines.
fn flowing(notes: &str) -> String {
    let paragraphs = notes.split("\n\n");
    let joined = paragraphs.map(|text| {
        if text.contains("\n  ") {
            text.into()
        } else {
            text.replace('\n', " ")
        }
    });
    joined.collect::<Vec<_>>().join("\n\n")
}

/// Returns the command with its complete texts, in the compact layout of the short help.
fn long(command: Command, notes: &str) -> Command {
    let about = command
        .get_long_about()
        .or(command.get_about())
        .cloned()
        .unwrap_or_default();
    let complete = |arg: Arg| match arg.get_long_help().map(ToString::to_string) {
        Some(help) => arg.help(help.replace("\n\n", " ")),
        None => arg,
    };
    command
        .about(about)
        .mut_args(|arg| complete(arg).hide_short_help(false))
        .after_help(notes.to_string())
}

fn short(command: Command) -> Command {
    let more = format!(
        "Global options: {} --help",
        command.get_bin_name().unwrap_or("sitectl")
    );
    let is_general =
        |arg: &Arg| arg.is_global_set() || ["help", "version"].contains(&arg.get_id().as_str());
    command
        .mut_args(|arg| {
            if is_general(&arg) {
                arg.hide(true)
            } else {
                arg
            }
        })
        .after_help(more)
}
