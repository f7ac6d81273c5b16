//! Corrects an invalid command line: a typing error, or a command or option of another tool.

use crate::completion::CommandLine;
use crate::config::OutputFormat;
use crate::resources::most_similar;
use crate::terminal::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, ValueEnum};

/// Options of other tools.
const OPTIONS: [(&str, &str); 6] = [
    ("--format", "--output"),
    ("--url", "--base-url"),
    ("--context", "--profile"),
    ("--debug", "-vv"),
    ("--non-interactive", "--no-input"),
    // Not --scope-json, which is merely spelled alike.
    ("--scope", "--full"),
];

/// Output formats of other tools. YAML has all fields, as a wide table has elsewhere.
const FORMATS: [(&str, &str); 3] = [("wide", "yaml"), ("name", "ids"), ("jsonl", "ndjson")];

/// This option does not exist, because the process list shows options.
pub const TOKEN: &str = "--token";

/// Returns the command line that was probably meant, if it is valid.
pub fn corrected(
    error: &clap::Error,
    root: &Command,
    line: &CommandLine<'_>,
    words: &[String],
) -> Option<String> {
    let meant = rewritten(error, line, words)?;
    let parsed = root
        .clone()
        .no_binary_name(true)
        .try_get_matches_from(&meant);
    if parsed.is_err_and(|error| !is_incomplete(&error))
        || may_hold_a_secret(&CommandLine::parse(root, &meant))
    {
        return None;
    }
    Some(meant.iter().fold("sitectl".into(), |line, word| {
        format!("{line} {}", shell_quoted(word))
    }))
}

/// Whether all words so far are valid.
fn is_incomplete(error: &clap::Error) -> bool {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    !error.use_stderr() || [ErrorKind::MissingRequiredArgument, help].contains(&error.kind())
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_hold_a_secret(line: &CommandLine<'_>) -> bool {
    let has_credentials = line
        .last_value("base_url")
        .is_some_and(|url| url.contains('@'));
    let is_login = line.path == ["auth", "login"];
    let has_token =
        is_login && (!line.positionals.is_empty() || line.last_value("token_command").is_some());
    has_credentials || has_token || line.path == ["api"]
}

/// Returns the words without the mistake that the error is about.
fn rewritten(error: &clap::Error, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let typed = |kind| texts(error, kind).pop();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            command(&typed(ContextKind::InvalidSubcommand)?, line, words)
        }
        ErrorKind::UnknownArgument => correct_option(&typed(ContextKind::InvalidArg)?, line, words),
        ErrorKind::InvalidValue => value(error, words),
        _ => None,
    }
}

/// Corrects a name; at the root, a verb or another tool's command; below `restore`, a site.
fn command(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let place = words.iter().position(|word| word == typed)?;
    let known = || {
        line.command
            .get_subcommands()
            .filter(|command| command.get_name() != "help")
    };
    if let Some(name) = most_similar(typed, &known().map(Command::get_name).collect::<Vec<_>>()) {
        return Some(replaced(words, place, &[name]));
    }
    match line.path[..] {
        [] if typed == "whoami" => Some(replaced(words, place, &["auth", "status"])),
        [] => {
            let noun = known().find(|noun| noun.find_subcommand(typed).is_some())?;
            Some(replaced(words, place, &[noun.get_name(), typed]))
        }
        ["restore"] if typed.contains(is_of_an_address) => Some(replaced(
            words,
            place,
            &["start", typed, "latest", "--full"],
        )),
        _ => None,
    }
}

/// Whether this character occurs in the ids and URLs of sites, and not in verbs.
fn is_of_an_address(c: char) -> bool {
    c.is_ascii_digit() || ".-:".contains(c)
}

fn correct_option(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let place = words
        .iter()
        .position(|word| word.split('=').next() == Some(typed))?;
    if typed == TOKEN {
        return None;
    }
    let Some(name) = typed.strip_prefix("--") else {
        let is_fields = place > 0 && words[place - 1] == "--json";
        return is_fields.then(|| replaced(words, place, &["--fields", typed]));
    };
    if OutputFormat::from_str(name, false).is_ok() {
        return Some(replaced(words, place, &["--output", name]));
    }
    let known = line
        .command
        .get_arguments()
        .filter_map(|arg| arg.get_long());
    let here = match lookup(&OPTIONS, typed) {
        Some(here) => here.into(),
        None => format!("--{}", most_similar(name, &known.collect::<Vec<_>>())?),
    };
    Some(replaced(
        words,
        place,
        &[&words[place].replacen(typed, &here, 1)],
    ))
}

/// Corrects a value of which only some are possible.
fn value(error: &clap::Error, words: &[String]) -> Option<Vec<String>> {
    let typed = texts(error, ContextKind::InvalidValue).pop()?;
    let possible = texts(error, ContextKind::ValidValue);
    let place = words.iter().position(|word| word.ends_with(&typed))?;
    let possible: Vec<&str> = possible.iter().map(String::as_str).collect();
    let format = lookup(&FORMATS, &typed).filter(|format| possible.contains(format));
    let here = format.or_else(|| most_similar(&typed, &possible))?;
    Some(replaced(
        words,
        place,
        &[&format!("{}{here}", words[place].strip_suffix(&typed)?)],
    ))
}

fn lookup<'t>(table: &[(&str, &'t str)], word: &str) -> Option<&'t str> {
    table
        .iter()
        .find(|(other, _)| *other == word)
        .map(|(_, here)| *here)
}

/// Replaces the word at a place by others.
fn replaced(words: &[String], place: usize, others: &[&str]) -> Vec<String> {
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    [&words[..place], &others, &words[place + 1..]].concat()
}

/// Returns a part of the error.
pub fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
