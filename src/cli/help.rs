//! The pages of `-h` and `--help`. Both begin with examples. `-h` leaves out the global options,
//! the options that are hidden from it, and the notes.

use crate::completion::CommandLine;
use clap::{Arg, Command};

/// `{examples}` is not one of clap's tags, because clap would wrap examples, which could not be
/// pasted then.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{examples}{all-args}{after-help}";

/// Returns the help page of the command in the command line.
pub fn page(
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
    color: bool,
) -> String {
    let mut command = root;
    for name in parsed.path.iter().filter(|name| **name != "help") {
        command = command.find_subcommand(name).unwrap_or(command);
    }
    let after_help = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (examples, notes) = after_help.split_once("\n\n").unwrap_or((&after_help, ""));
    let command = command
        .clone()
        .help_template(TEMPLATE)
        .mut_subcommands(|verb| {
            let is_help = verb.get_name() == "help";
            if is_help { verb.hide(true) } else { verb }
        });
    let is_long = parsed.path.contains(&"help") || typed_words.iter().any(|word| word == "--help");
    let mut command = if is_long {
        with_long_help(command, &join_lines_of_paragraphs(notes))
    } else {
        with_short_help(command)
    };
    let page = command.render_help();
    let page = if color {
        page.ansi().to_string()
    } else {
        page.to_string()
    };
    let page = page
        .replace("{examples}", &format!("{examples}\n\n"))
        // Without arguments, the blank lines before and after them follow each other.
        .replace("\n\n\n\n", "\n\n");
    format!("{}\n", page.trim_end())
}

/// Joins the lines of each paragraph, so that it wraps with the terminal. A list keeps its lines.
fn join_lines_of_paragraphs(notes: &str) -> String {
    let mut paragraphs = Vec::new();
    for paragraph in notes.split("\n\n") {
        let is_list = paragraph.contains("\n  ");
        paragraphs.push(if is_list {
            paragraph.into()
        } else {
            paragraph.replace('\n', " ")
        });
    }
    paragraphs.join("\n\n")
}

/// Returns the command with its complete texts, in the compact layout of the short help.
fn with_long_help(command: Command, notes: &str) -> Command {
    let about = command.get_long_about().or(command.get_about());
    let about = about.cloned().unwrap_or_default();
    command
        .about(about)
        .mut_args(|arg| {
            let arg = match arg.get_long_help().map(ToString::to_string) {
                Some(help) => arg.help(help.replace("\n\n", " ")),
                None => arg,
            };
            arg.hide_short_help(false)
        })
        .after_help(notes.to_string())
}

fn with_short_help(command: Command) -> Command {
    let name = command.get_bin_name().unwrap_or("sitectl");
    let more = format!("Global options: {name} --help");
    command
        .mut_args(|arg: Arg| {
            let id = arg.get_id().as_str();
            let is_global = arg.is_global_set() || ["help", "version"].contains(&id);
            if is_global { arg.hide(true) } else { arg }
        })
        .after_help(more)
}
