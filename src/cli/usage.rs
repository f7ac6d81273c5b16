//! The errors of the parser in the program's own form: what is wrong, and what is allowed.

use crate::completion::CommandLine;
use crate::error::Error;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Returns the parser's error as the program's own. `line` is what was typed, as far as it is known.
pub fn error(error: &clap::Error, line: &CommandLine<'_>) -> Error {
    let help = format!("see {} --help", help_command(line));
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Error::usage("a command is missing").hint(help);
    }
    Error::usage(message(error)).hint(format!("{}{help}", allowed(error, line.command)))
}

/// Returns the command whose help applies, such as `sitectl clients list`.
pub fn help_command(line: &CommandLine<'_>) -> String {
    let path = line.path.iter().take_while(|name| **name != "help");
    ["sitectl"].iter().chain(path).copied().collect::<Vec<_>>().join(" ")
}

/// Returns the first paragraph of clap's text in one line.
fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let mut lines = paragraph.lines().map(str::trim).filter(|line| !line.starts_with('['));
    let what = lines.next().unwrap_or_default().trim_start_matches("error: ");
    format!("{what} {}", lines.collect::<Vec<_>>().join(", ")).trim().into()
}

/// Returns the nearest of the words that are allowed, or all of them if they are few.
fn allowed(error: &clap::Error, command: &Command) -> String {
    let commands = command.get_subcommands().map(Command::get_name).filter(|name| *name != "help");
    let commands = || commands.map(String::from).collect();
    let options = || command.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let (typed, allowed, few) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, options(), None),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, commands(), Some("commands")),
        _ => (ContextKind::InvalidValue, texts(error, ContextKind::ValidValue), Some("possible values")),
    };
    let typed = texts(error, typed).pop().unwrap_or_default().to_lowercase();
    match (nearest(&typed, &allowed), few) {
        (Some(word), _) => format!("did you mean '{word}'? "),
        (None, Some(name)) if !allowed.is_empty() => format!("{name}: {}; ", allowed.join(", ")),
        _ => String::new(),
    }
}

/// Returns the word that a slip of the finger or a missing end turns into what was typed.
fn nearest<'a>(typed: &str, allowed: &'a [String]) -> Option<&'a String> {
    let letters = typed.trim_start_matches('-').chars().count();
    let begins = |word: &str| letters > 2 && word.starts_with(typed);
    let distance = |word: &str| if begins(word) { 1 } else { strsim::damerau_levenshtein(typed, word) };
    let near = allowed.iter().map(|word| (distance(word), word));
    let near = near.filter(|(distance, _)| *distance <= if letters > 4 { 2 } else { 1 });
    near.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
