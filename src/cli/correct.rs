//! Corrects an invalid command line: a typing error, or a command or option of another tool.

use crate::completion::CommandLine;
use crate::config::OutputFormat;
use crate::resources::most_similar;
use crate::shell::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};

/// Options of other tools, each with sitectl's option. If the command lacks it, the next one counts.
const OPTIONS: [(&str, &str); 10] = [
    ("--format", "--output"),
    ("--url", "--base-url"),
    ("--context", "--profile"),
    ("--debug", "-vv"),
    ("--wait", "--watch"),
    ("--follow", "--watch"),
    ("--force", "--yes"),
    ("-n", "--limit"),
    ("-L", "--limit"),
    ("-f", "--plan"),
];

/// Verbs of other tools, each with sitectl's verb and its options. If the noun lacks the verb, the
/// next one counts.
const VERBS: [(&str, &[&str]); 18] = [
    ("add", &["create"]),
    ("add", &["login"]),
    ("new", &["create"]),
    ("edit", &["update"]),
    ("move", &["update"]),
    ("remove", &["delete"]),
    ("describe", &["show"]),
    ("info", &["show"]),
    ("find", &["list", "--search"]),
    ("search", &["list", "--search"]),
    ("import", &["apply"]),
    ("export", &["list", "--output", "csv"]),
    ("list", &["history"]),
    ("ls", &["history"]),
    ("status", &["history"]),
    ("wait", &["watch"]),
    ("create", &["start"]),
    ("run", &["start"]),
];

/// Commands of other tools, each with sitectl's words.
const COMMANDS: [(&str, &[&str]); 14] = [
    ("whoami", &["auth", "status"]),
    ("version", &["--version"]),
    ("switch", &["profiles", "use"]),
    ("accounts", &["managed-accounts"]),
    ("backup", &["snapshots"]),
    ("backups", &["snapshots"]),
    ("snapshots restore", &["restore", "start"]),
    ("restore cancel", &["tasks", "cancel"]),
    ("tasks wait", &["restore", "watch"]),
    ("sites move", &["clients", "update"]),
    ("auth switch", &["profiles", "use"]),
    ("auth whoami", &["auth", "status"]),
    ("profiles add", &["auth", "login"]),
    ("profiles switch", &["profiles", "use"]),
];

/// The most words of a line that are corrected.
const MAX_CORRECTIONS: usize = 3;

/// An option that does not exist, because the process list would show the token.
pub const TOKEN_FLAG: &str = "--token";

/// Returns the command line that was probably meant. None if there is no correction, or it is
/// invalid too, or it may contain a secret.
pub fn corrected_line(
    error: &clap::Error,
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<String> {
    let mut corrected = correct_words(error, parsed, typed_words)?;
    let mut corrections = 1;
    while let Some(error) = rejection(root, &corrected) {
        if corrections == MAX_CORRECTIONS {
            return None;
        }
        let parsed = CommandLine::parse(root, &corrected);
        corrected = correct_words(&error, &parsed, &corrected)?;
        corrections += 1;
    }
    if may_contain_secret(&CommandLine::parse(root, &corrected)) {
        return None;
    }
    let mut command = String::from("sitectl");
    for word in &corrected {
        command = format!("{command} {}", shell_quoted(word));
    }
    Some(command)
}

/// Returns the parser's error about a word; None if the words are valid so far.
fn rejection(root: &Command, words: &[String]) -> Option<clap::Error> {
    let parser = root.clone().no_binary_name(true);
    let error = parser.try_get_matches_from(words).err()?;
    (!is_valid_so_far(&error)).then_some(error)
}

/// Whether the parser rejected none of the words: the error is a request for help, or an argument
/// that is only missing.
fn is_valid_so_far(error: &clap::Error) -> bool {
    match error.kind() {
        ErrorKind::MissingRequiredArgument
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
        _ => !error.use_stderr(),
    }
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_contain_secret(parsed: &CommandLine<'_>) -> bool {
    if let Some(url) = parsed.last_value("base_url")
        && url.contains('@')
    {
        return true;
    }
    match parsed.path[..] {
        ["api"] => true,
        ["auth", "login"] => {
            let has_command = parsed.last_value("token_command").is_some();
            has_command || !parsed.positionals.is_empty()
        }
        _ => false,
    }
}

/// Returns the words after a correction of the word that the error is about.
fn correct_words(
    error: &clap::Error,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidValue => ContextKind::InvalidValue,
        _ => return None,
    };
    let typed = context_texts(error, kind).pop()?;
    match kind {
        ContextKind::InvalidSubcommand => correct_command(&typed, parsed, typed_words),
        ContextKind::InvalidArg => correct_option(&typed, parsed, typed_words),
        _ => {
            let allowed = context_texts(error, ContextKind::ValidValue);
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            let value = most_similar(&typed, &allowed)?;
            let index = typed_words.iter().position(|word| word.ends_with(&typed))?;
            let before = typed_words[index].strip_suffix(&typed)?;
            Some(replace_word(
                typed_words,
                index,
                &[&format!("{before}{value}")],
            ))
        }
    }
}

/// Corrects the name of a command. At the root, also puts the noun before the verb.
fn correct_command(
    typed: &str,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let index = typed_words.iter().position(|word| word == typed)?;
    let path = &parsed.path[..];
    let command = [path, &[typed]].concat().join(" ");
    if let Some((_, words)) = COMMANDS.iter().find(|(other, _)| *other == command) {
        let mut corrected = typed_words.to_vec();
        let first = index.checked_sub(path.len())?;
        corrected.splice(first..=index, words.iter().map(ToString::to_string));
        return Some(corrected);
    }
    let names: Vec<&str> = parsed
        .command
        .get_subcommands()
        .map(Command::get_name)
        .filter(|name| *name != "help")
        .collect();
    let noun_after = typed_words.get(index + 1).filter(|_| path.is_empty());
    if let Some(noun) = noun_after.and_then(|word| most_similar(word, &names)) {
        let has_id = typed_words
            .get(index + 2)
            .is_some_and(|word| !word.starts_with('-'));
        let verb = match verb_of(parsed.command.find_subcommand(noun)?, typed)? {
            verb if verb == ["show"] && !has_id => vec!["list"],
            verb => verb,
        };
        let mut corrected = replace_word(typed_words, index + 1, &verb);
        corrected[index] = noun.into();
        return Some(corrected);
    }
    let replacement = match verb_of(parsed.command, typed) {
        Some(verb) => verb,
        None => vec![most_similar(typed, &names)?],
    };
    Some(replace_word(typed_words, index, &replacement))
}

/// Returns the verb of the noun's command, and its options, for a verb of sitectl or of another
/// tool.
fn verb_of<'t>(noun: &'t Command, typed: &str) -> Option<Vec<&'t str>> {
    if let Some(command) = noun.find_subcommand(typed) {
        return Some(vec![command.get_name()]);
    }
    let mut verbs = VERBS.iter().filter(|(other, _)| *other == typed);
    let (_, words) = verbs.find(|(_, words)| noun.find_subcommand(words[0]).is_some())?;
    Some(words.to_vec())
}

/// Corrects the name of an option.
fn correct_option(
    typed: &str,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let option_name = |word: &str| word.split('=').next() == Some(typed);
    let index = typed_words.iter().position(|word| option_name(word))?;
    let name = typed.strip_prefix('-')?.trim_start_matches('-');
    if typed == TOKEN_FLAG {
        return None;
    }
    if OutputFormat::from_str(name, false).is_ok() {
        return Some(replace_word(typed_words, index, &["--output", name]));
    }
    let names: Vec<&str> = parsed
        .command
        .get_arguments()
        .filter_map(Arg::get_long)
        .collect();
    let translated = OPTIONS.iter().find(|(other, own)| {
        let own = own.strip_prefix("--");
        *other == typed && own.is_none_or(|own| names.contains(&own))
    });
    let option = match translated {
        Some((_, option)) => (*option).into(),
        None if typed.starts_with("--") => format!("--{}", most_similar(name, &names)?),
        None => return None,
    };
    let word = typed_words[index].replacen(typed, &option, 1);
    Some(replace_word(typed_words, index, &[&word]))
}

/// Returns the words with the word at `index` replaced by `others`.
fn replace_word(typed_words: &[String], index: usize, others: &[&str]) -> Vec<String> {
    let mut replaced = typed_words.to_vec();
    let others = others.iter().map(ToString::to_string);
    replaced.splice(index..=index, others);
    replaced
}

/// Returns the texts that the parser's error has for a kind of context.
pub fn context_texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
