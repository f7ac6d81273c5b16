//! Corrects an invalid command line: a typing error, or a command or option of another tool.

use crate::completion::CommandLine;
use crate::config::OutputFormat;
use crate::resources::most_similar;
use crate::terminal::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, ValueEnum};

/// Options of other tools, each with sitectl's option. If the command lacks it, the next one counts.
const OPTIONS: [(&str, &str); 11] = [
    ("--format", "--output"),
    ("--url", "--base-url"),
    ("--context", "--profile"),
    ("--debug", "-vv"),
    ("--non-interactive", "--no-input"),
    // Not --scope-json, which is merely spelled alike.
    ("--scope", "--full"),
    ("--name", "--search"),
    ("--name", "--first-name"),
    ("--site", "--add-site"),
    ("--wait", "--watch"),
    ("--follow", "--watch"),
];

/// Verbs of other tools, each with sitectl's verb and its options.
const VERBS: [(&str, &[&str]); 11] = [
    ("add", &["create"]),
    ("new", &["create"]),
    ("edit", &["update"]),
    ("remove", &["delete"]),
    ("describe", &["show"]),
    // For a noun without `show`, of which `get` is an alias.
    ("get", &["list"]),
    ("find", &["list", "--search"]),
    ("search", &["list", "--search"]),
    ("import", &["apply"]),
    ("export", &["list", "--output", "csv"]),
    ("list", &["history"]),
];

/// Commands of other tools, each with sitectl's words.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("whoami", &["auth", "status"]),
    ("version", &["--version"]),
    ("accounts", &["managed-accounts"]),
];

/// Output formats of other tools, each with sitectl's format. `yaml` replaces `wide`, because both
/// show all fields.
const FORMATS: [(&str, &str); 3] = [("wide", "yaml"), ("name", "ids"), ("jsonl", "ndjson")];

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
    let corrected = correct_words(error, parsed, typed_words)?;
    let parser = root.clone().no_binary_name(true);
    if let Err(error) = parser.try_get_matches_from(&corrected)
        && !is_valid_so_far(&error)
    {
        return None;
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
        _ => correct_value(&typed, error, typed_words),
    }
}

/// Corrects the name of a command. At the root, also adds the noun to a verb, and puts it before the
/// verb; below a noun, translates the verb, and adds it to an id.
fn correct_command(
    typed: &str,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let index = typed_words.iter().position(|word| word == typed)?;
    let mut names = Vec::new();
    let mut noun_of_verb = None;
    for command in parsed.command.get_subcommands() {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        names.push(name);
        if noun_of_verb.is_none() && command.find_subcommand(typed).is_some() {
            noun_of_verb = Some(name);
        }
    }
    let noun_after = typed_words
        .get(index + 1)
        .filter(|_| parsed.path.is_empty());
    if let Some(noun) = noun_after.and_then(|word| most_similar(word, &names)) {
        let words_after = &typed_words[index + 2..];
        let verb = verb_of(parsed.command.find_subcommand(noun)?, typed, words_after)?;
        let mut corrected = replace_word(typed_words, index + 1, &verb);
        corrected[index] = noun.into();
        return Some(corrected);
    }
    let path = &parsed.path[..];
    let replacement = if let Some((_, words)) = COMMANDS.iter().find(|(other, _)| *other == typed)
        && path.is_empty()
    {
        words.to_vec()
    } else if let Some(verb) = verb_of(parsed.command, typed, &[]) {
        verb
    } else if let Some(name) = most_similar(typed, &names) {
        vec![name]
    } else if path.is_empty() {
        vec![noun_of_verb?, typed]
    } else if !typed.contains(is_in_ids) {
        return None;
    } else {
        match path {
            ["restore"] => vec!["start", typed, "latest", "--full"],
            ["sites"] => vec!["list", "--search", typed],
            ["snapshots"] => vec!["list", typed],
            _ => vec!["show", typed],
        }
    };
    Some(replace_word(typed_words, index, &replacement))
}

/// Returns the verb of the noun's command, and its options, for a verb of sitectl or of another
/// tool. Without an id, `show` becomes `list`.
fn verb_of<'t>(noun: &'t Command, typed: &str, words_after: &[String]) -> Option<Vec<&'t str>> {
    let Some(command) = noun.find_subcommand(typed) else {
        let (_, words) = VERBS.iter().find(|(other, _)| *other == typed)?;
        noun.find_subcommand(words[0])?;
        return Some(words.to_vec());
    };
    let has_id = words_after
        .first()
        .is_some_and(|word| !word.starts_with('-'));
    Some(match command.get_name() {
        "show" if !has_id => vec!["list"],
        name => vec![name],
    })
}

/// Whether this character occurs in ids, emails and URLs, and not in verbs.
fn is_in_ids(c: char) -> bool {
    c.is_ascii_digit() || ".-:@".contains(c)
}

/// Corrects the name of an option. A word that is not an option may be what to search for or, after
/// `--json`, a list of fields, as in another tool.
fn correct_option(
    typed: &str,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let index = typed_words
        .iter()
        .position(|word| word.split('=').next() == Some(typed))?;
    if typed == TOKEN_FLAG {
        return None;
    }
    let mut names = Vec::new();
    for arg in parsed.command.get_arguments() {
        names.extend(arg.get_long());
    }
    let Some(name) = typed.strip_prefix("--") else {
        let option = match index
            .checked_sub(1)
            .map(|before| typed_words[before].as_str())
        {
            Some("--json") => "--fields",
            _ if names.contains(&"search") => "--search",
            _ => return None,
        };
        return Some(replace_word(typed_words, index, &[option, typed]));
    };
    if OutputFormat::from_str(name, false).is_ok() {
        return Some(replace_word(typed_words, index, &["--output", name]));
    }
    let translated = OPTIONS.iter().find(|(other, own)| {
        *other == typed
            && own
                .strip_prefix("--")
                .is_none_or(|own| names.contains(&own))
    });
    let option = match translated {
        Some((_, option)) => (*option).into(),
        None => format!("--{}", most_similar(name, &names)?),
    };
    let word = typed_words[index].replacen(typed, &option, 1);
    let mut corrected = replace_word(typed_words, index, &[&word]);
    if word == "--first-name"
        && let Some((first, last)) = typed_words.get(index + 1)?.split_once(' ')
    {
        corrected = replace_word(&corrected, index + 1, &[first, "--last-name", last]);
    }
    Some(corrected)
}

/// Corrects the value of an argument that has a list of allowed values.
fn correct_value(typed: &str, error: &clap::Error, typed_words: &[String]) -> Option<Vec<String>> {
    let allowed = context_texts(error, ContextKind::ValidValue);
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let index = typed_words.iter().position(|word| word.ends_with(typed))?;
    let value = match FORMATS.iter().find(|(other, _)| *other == typed) {
        Some((_, format)) if allowed.contains(format) => format,
        _ => most_similar(typed, &allowed)?,
    };
    let before = typed_words[index].strip_suffix(typed)?;
    let word = format!("{before}{value}");
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
