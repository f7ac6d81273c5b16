//! The errors of the parser in the program's own form: the problem, and the allowed values.

use super::correct::{TOKEN, corrected, texts};
use crate::completion::CommandLine;
use crate::error::Error;
use clap::Command;
use clap::error::{ContextKind, ErrorKind};

/// Returns the parser's error as the program's own. `line` is the typed command line, if it is known.
pub fn error(
    error: &clap::Error,
    root: &Command,
    line: &CommandLine<'_>,
    words: &[String],
) -> Error {
    let help = format!("see {} --help", help_command(line));
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Error::usage("a command is missing").with_hint(help);
    }
    let hint = match corrected(error, root, line, words) {
        Some(command) => format!("did you mean: {command}"),
        None => format!("{}{help}", allowed(error, line.command)),
    };
    Error::usage(message(error)).with_hint(hint)
}

/// Returns the command whose help applies, such as `sitectl clients list`.
pub fn help_command(line: &CommandLine<'_>) -> String {
    let path = line.path.iter().take_while(|name| **name != "help");
    ["sitectl"]
        .iter()
        .chain(path)
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the first paragraph of clap's text in one line.
fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let mut lines = paragraph
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('['));
    let what = lines
        .next()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    format!("{what} {}", lines.collect::<Vec<_>>().join(", "))
        .trim()
        .into()
}

/// Returns the allowed values, if the list is short.
fn allowed(error: &clap::Error, command: &Command) -> String {
    let commands = command
        .get_subcommands()
        .map(Command::get_name)
        .filter(|name| *name != "help");
    let values = texts(error, ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("use one of: {}; ", commands.collect::<Vec<_>>().join(", "))
        }
        ErrorKind::UnknownArgument if texts(error, ContextKind::InvalidArg) == [TOKEN] => {
            "set SITECTL_TOKEN, or save the token: sitectl auth login; ".into()
        }
        _ if !values.is_empty() => format!("use one of: {}; ", values.join(", ")),
        _ => String::new(),
    }
}
