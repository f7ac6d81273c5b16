//! Corrects an invalid command line: typing errors, and the commands and options of other tools.

use crate::completion::CommandLine;
use crate::config::Format;
use crate::terminal::quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, ValueEnum};

/// Commands of other tools.
const COMMANDS: [(&str, &str); 9] = [
    ("login", "auth login"),
    ("logout", "auth logout"),
    ("whoami", "auth status"),
    ("status", "auth status"),
    ("configure", "auth login"),
    ("config", "profiles list"),
    ("contexts", "profiles list"),
    ("backups", "snapshots"),
    ("version", "--version"),
];

/// Verbs of other tools.
const VERBS: [(&str, &str); 11] = [
    ("add", "create"),
    ("new", "create"),
    ("edit", "update"),
    ("set", "update"),
    ("remove", "delete"),
    ("describe", "show"),
    ("view", "show"),
    ("import", "apply"),
    ("run", "start"),
    ("list", "history"),
    ("ls", "history"),
];

/// Options of other tools.
const OPTIONS: [(&str, &str); 8] = [
    ("--format", "--output"),
    ("--columns", "--fields"),
    ("--url", "--base-url"),
    ("--host", "--base-url"),
    ("--context", "--profile"),
    ("--debug", "-vv"),
    ("--non-interactive", "--no-input"),
    // Not --scope-json, which is merely spelled alike.
    ("--scope", "--full"),
];

/// Output formats of other tools. YAML has all fields, as a wide table has elsewhere.
const FORMATS: [(&str, &str); 5] =
    [("wide", "yaml"), ("name", "ids"), ("jsonl", "ndjson"), ("text", "table"), ("tsv", "csv")];

/// This option does not exist, because the process list shows options.
pub const TOKEN: &str = "--token";

/// Returns the command line that was probably meant, if it is valid.
pub fn corrected(root: &Command, words: &[String]) -> Option<String> {
    let (typed, mut words) = (words, words.to_vec());
    // A line can have several mistakes.
    for _ in 0..4 {
        match root.clone().no_binary_name(true).try_get_matches_from(&words) {
            Err(error) if !is_incomplete(&error) => words = rewritten(&error, root, &words)?,
            _ if words == typed || may_hold_a_secret(&CommandLine::read(root, &words)) => return None,
            _ => return Some(words.iter().fold("sitectl".into(), |line, word| format!("{line} {}", quoted(word)))),
        }
    }
    None
}

/// Whether all words so far are valid.
fn is_incomplete(error: &clap::Error) -> bool {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    !error.use_stderr() || [ErrorKind::MissingRequiredArgument, help].contains(&error.kind())
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_hold_a_secret(line: &CommandLine<'_>) -> bool {
    let has_credentials = line.value("base_url").is_some_and(|url| url.contains('@'));
    let is_login = line.path == ["auth", "login"];
    let has_token = is_login && (!line.positionals.is_empty() || line.value("token_command").is_some());
    has_credentials || has_token || line.path == ["api"]
}

/// Returns the words without the mistake that the error is about.
fn rewritten(error: &clap::Error, root: &Command, words: &[String]) -> Option<Vec<String>> {
    let line = CommandLine::read(root, words);
    let typed = |kind| texts(error, kind).pop();
    match error.kind() {
        ErrorKind::InvalidSubcommand => command(&typed(ContextKind::InvalidSubcommand)?, &line, words),
        ErrorKind::UnknownArgument => option(&typed(ContextKind::InvalidArg)?, &line, words),
        ErrorKind::TooManyValues => {
            let fields = typed(ContextKind::InvalidValue)?;
            let place = words.iter().position(|word| *word == format!("--json={fields}"))?;
            Some(replaced(words, place, &["--json", "--fields", &fields]))
        }
        ErrorKind::InvalidValue => value(error, words),
        _ => None,
    }
}

fn command(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let place = words.iter().position(|word| word == typed)?;
    let names: Vec<&str> =
        line.command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
    let is_root = line.path.is_empty();
    if let Some(here) = lookup(&COMMANDS, typed).filter(|_| is_root) {
        return Some(replaced(words, place, &here.split(' ').collect::<Vec<_>>()));
    }
    if is_root && let Some(swapped) = noun_first(place, line, words) {
        return Some(swapped);
    }
    let nouns = line.command.get_subcommands().filter(|noun| is_root && noun.get_name() != "help");
    if let Some(noun) = nouns.into_iter().find(|noun| noun.find_subcommand(typed).is_some()) {
        return Some(replaced(words, place, &[noun.get_name(), typed]));
    }
    let verbs = VERBS.iter().filter(|(other, _)| *other == typed).map(|(_, here)| *here);
    let verb = verbs.into_iter().find(|verb| names.contains(verb));
    match (verb.or_else(|| nearest(typed, names.iter().copied())), &names[..]) {
        (Some(name), _) => Some(replaced(words, place, &[name])),
        (None, [only]) => Some(replaced(words, place, &[only, typed])),
        (None, _) => (line.path == ["restore"] && typed.contains(is_of_an_address)).then(|| restore(place, words)),
    }
}

/// Returns `get clients` and `delete client ID` with the noun first. Without an id, `get` is `list`.
fn noun_first(place: usize, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let is_named = |noun: &&Command, word: &str| noun.get_name() == word || noun.get_name() == format!("{word}s");
    let noun =
        line.command.get_subcommands().find(|noun| words.get(place + 1).is_some_and(|word| is_named(noun, word)))?;
    let has_id = words.get(place + 2).is_some_and(|word| !word.starts_with('-'));
    let verb = if words[place] == "get" && !has_id { "list" } else { &words[place] };
    noun.has_subcommands()
        .then(|| [&replaced(words, place, &[noun.get_name(), verb])[..place + 2], &words[place + 2..]].concat())
}

/// Whether this character occurs in the ids and URLs of sites, and not in verbs.
fn is_of_an_address(c: char) -> bool {
    c.is_ascii_digit() || ".-:".contains(c)
}

/// Returns `restore SITE` as `restore start SITE latest --full`, with the snapshot and the scope that were typed.
fn restore(place: usize, words: &[String]) -> Vec<String> {
    let has_snapshot = words.get(place + 1).is_some_and(|word| !word.starts_with('-'));
    let has_scope = words.iter().any(|word| ["--full", "--files", "--database"].contains(&word.as_str()));
    let mut start = vec!["start", &words[place]];
    start.extend((!has_snapshot).then_some("latest"));
    let mut words = replaced(words, place, &start);
    words.extend((!has_scope).then(|| "--full".to_string()));
    words
}

fn option(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let place = words.iter().position(|word| word.split('=').next() == Some(typed))?;
    if typed == TOKEN {
        return None;
    }
    let Some(name) = typed.strip_prefix("--") else {
        let is_fields = place > 0 && words[place - 1] == "--json";
        return is_fields.then(|| replaced(words, place, &["--fields", typed]));
    };
    if Format::from_str(name, false).is_ok() {
        return Some(replaced(words, place, &["--output", name]));
    }
    let names: Vec<String> =
        line.command.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let here = lookup(&OPTIONS, typed).or_else(|| nearest(typed, names.iter().map(String::as_str)))?;
    Some(replaced(words, place, &[&words[place].replacen(typed, here, 1)]))
}

/// Corrects a value of which only some are possible.
fn value(error: &clap::Error, words: &[String]) -> Option<Vec<String>> {
    let typed = texts(error, ContextKind::InvalidValue).pop()?;
    let possible = texts(error, ContextKind::ValidValue);
    let place = words.iter().position(|word| word.ends_with(&typed))?;
    let format = lookup(&FORMATS, &typed).filter(|format| possible.iter().any(|value| value == format));
    let here = format.or_else(|| nearest(&typed, possible.iter().map(String::as_str)))?;
    Some(replaced(words, place, &[&format!("{}{here}", words[place].strip_suffix(&typed)?)]))
}

fn lookup<'t>(table: &[(&str, &'t str)], word: &str) -> Option<&'t str> {
    table.iter().find(|(other, _)| *other == word).map(|(_, here)| *here)
}

/// Replaces the word at a place by others.
fn replaced(words: &[String], place: usize, others: &[&str]) -> Vec<String> {
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    [&words[..place], &others, &words[place + 1..]].concat()
}

/// Returns the word that was probably meant by a misspelled or incomplete word.
fn nearest<'a>(typed: &str, allowed: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let letters = typed.trim_start_matches('-').chars().count();
    let begins = |word: &str| letters > 2 && word.starts_with(&typed);
    let distance = |word: &str| if begins(word) { 1 } else { strsim::damerau_levenshtein(&typed, word) };
    let near =
        allowed.map(|word| (distance(word), word)).filter(|(distance, _)| *distance <= if letters > 4 { 2 } else { 1 });
    near.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// Returns a part of the error.
pub fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
