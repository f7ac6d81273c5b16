//! Corrects an invalid command line: a typing error, or a command of another tool.

use crate::completion::CommandLine;
use crate::resources::most_similar;
use crate::shell::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::ops::RangeInclusive;

/// Commands of other tools, each with sitectl's words. Those that mean the same without other words
/// are aliases in the parser.
const COMMANDS: &[(&str, &str)] = &[
    ("abort", "tasks cancel"),
    ("backups", "snapshots list"),
    ("backups list", "snapshots list"),
    ("cancel", "tasks cancel"),
    ("clients export", "clients list -o csv"),
    ("clients import", "clients apply"),
    ("login", "auth login"),
    ("logout", "auth logout"),
    ("restore abort", "tasks cancel"),
    ("restore create", "restore start"),
    ("restore status", "restore watch"),
    ("restore stop", "tasks cancel"),
    ("sites restore", "restore start"),
    ("stop", "tasks cancel"),
    ("tasks abort", "tasks cancel"),
    ("tasks stop", "tasks cancel"),
    ("version", "--version"),
    ("wait", "restore watch"),
    ("status", "auth status"),
    ("whoami", "auth status"),
    ("switch", "profiles use"),
    ("auth switch", "profiles use"),
    ("profiles add", "auth login --profile"),
    ("clients find", "clients list --search"),
    ("sites find", "sites list --search"),
    ("clients move", "clients update CLIENT --move-site"),
    ("sites move", "clients update CLIENT --move-site"),
    ("restore cancel", "tasks cancel"),
    ("tasks wait", "restore watch"),
];

/// An option that does not exist, because the process list would show the token.
pub const TOKEN_FLAG: &str = "--token";

/// Words of the command line, and those that replace them.
type Correction = (RangeInclusive<usize>, Vec<String>);

/// Returns the command line with a correction of the word that the error is about. None if there is
/// none, or the line may contain a secret.
pub fn corrected_line(
    error: &clap::Error,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<String> {
    let correction = match error.kind() {
        ErrorKind::InvalidSubcommand => correct_command(error, parsed, typed_words),
        ErrorKind::UnknownArgument => correct_option(error, parsed, typed_words),
        ErrorKind::InvalidValue => correct_value(error, typed_words),
        _ => None,
    };
    let (range, words) = correction.filter(|_| !may_contain_secret(parsed))?;
    let mut corrected = typed_words.to_vec();
    corrected.splice(range, words);
    let quoted: Vec<String> = corrected.iter().map(|word| shell_quoted(word)).collect();
    Some(format!("sitectl {}", quoted.join(" ")))
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_contain_secret(parsed: &CommandLine<'_>) -> bool {
    let base_url = parsed.last_value("base_url").unwrap_or_default();
    base_url.contains('@') || matches!(parsed.path[..], ["api"] | ["auth", "login"])
}

/// Corrects the name of a command. At the root, also puts the noun before the verb.
fn correct_command(
    error: &clap::Error,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Correction> {
    let typed = context_texts(error, ContextKind::InvalidSubcommand).pop()?;
    let index = typed_words.iter().position(|word| *word == typed)?;
    let path = &parsed.path[..];
    let command = [path, &[&typed]].concat().join(" ");
    let next = typed_words.get(index + 1).map(String::as_str);
    let longer = format!("{command} {}", next.unwrap_or_default());
    for (last, command) in [(index + 1, longer), (index, command)] {
        if let Some((_, words)) = COMMANDS.iter().find(|(other, _)| *other == command) {
            let first = index.checked_sub(path.len())?;
            return Some((first..=last, words.split(' ').map(String::from).collect()));
        }
    }
    let names: Vec<&str> = parsed
        .command
        .get_subcommands()
        .map(Command::get_name)
        .collect();
    let noun = typed_words.get(index + 1).filter(|_| path.is_empty());
    if let Some(noun) = noun.and_then(|word| most_similar(word, &names))
        && let Some(verb) = parsed
            .command
            .find_subcommand(noun)?
            .find_subcommand(&typed)
    {
        let has_id = typed_words
            .get(index + 2)
            .is_some_and(|word| !word.starts_with('-'));
        let verb = match verb.get_name() {
            "show" if !has_id => "list",
            verb => verb,
        };
        return Some((index..=index + 1, vec![noun.into(), verb.into()]));
    }
    match most_similar(&typed, &names) {
        Some(name) => Some((index..=index, vec![name.into()])),
        // A site.
        None if path == ["restore"] => Some((index..=index, vec!["start".into(), typed])),
        None => None,
    }
}

/// Corrects the name of an option.
fn correct_option(
    error: &clap::Error,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Correction> {
    let typed = context_texts(error, ContextKind::InvalidArg).pop()?;
    let name = typed.strip_prefix("--").filter(|_| typed != TOKEN_FLAG)?;
    let index = typed_words
        .iter()
        .position(|word| word.split('=').next() == Some(&typed))?;
    let names: Vec<&str> = parsed
        .command
        .get_arguments()
        .filter_map(Arg::get_long)
        .collect();
    let word = typed_words[index].replacen(name, most_similar(name, &names)?, 1);
    Some((index..=index, vec![word]))
}

/// Corrects one of several values that an option allows.
fn correct_value(error: &clap::Error, typed_words: &[String]) -> Option<Correction> {
    let typed = context_texts(error, ContextKind::InvalidValue).pop()?;
    let allowed = context_texts(error, ContextKind::ValidValue);
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let value = most_similar(&typed, &allowed)?;
    let index = typed_words.iter().position(|word| word.ends_with(&typed))?;
    let before = typed_words[index].strip_suffix(&typed)?;
    Some((index..=index, vec![format!("{before}{value}")]))
}

/// Returns the texts that the parser's error has for a kind of context.
pub fn context_texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
