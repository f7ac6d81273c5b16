//! Corrects an invalid command line: a typing error, or a command or option of another tool.

use crate::completion::CommandLine;
use crate::config::OutputFormat;
use crate::resources::most_similar;
use crate::shell::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};

/// Options of other tools, each with sitectl's option. If the command lacks it, the next one counts.
const OPTIONS: [(&str, &str); 18] = [
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
    ("--status", "--outcome"),
    ("-f", "--plan"),
    ("--file", "--plan"),
    ("--db", "--database"),
    ("--all", "--full"),
    ("-n", "--limit"),
    ("-L", "--limit"),
];

/// Options of other tools for an argument of sitectl, each with a name of its value in the help.
const ARGUMENTS: [(&str, &str); 6] = [
    ("--site", "SITE"),
    ("--snapshot", "SNAPSHOT_ID"),
    ("--latest", "latest"),
    ("--run", "RUN"),
    ("-f", "FILE"),
    ("--file", "FILE"),
];

/// Verbs of other tools, each with sitectl's verb and its options. If the noun lacks the verb, or
/// `--search` has no value, the next one counts.
const VERBS: [(&str, &[&str]); 20] = [
    ("add", &["create"]),
    ("new", &["create"]),
    ("edit", &["update"]),
    ("remove", &["delete"]),
    ("describe", &["show"]),
    // For a noun without `show`, of which `get` is an alias.
    ("describe", &["list", "--search"]),
    ("show", &["list", "--search"]),
    ("get", &["list", "--search"]),
    ("get", &["list"]),
    ("find", &["list", "--search"]),
    ("search", &["list", "--search"]),
    ("import", &["apply"]),
    ("export", &["list", "--output", "csv"]),
    ("list", &["history"]),
    ("ls", &["history"]),
    ("status", &["history"]),
    ("create", &["start"]),
    ("run", &["start"]),
    ("backup", &["start"]),
    ("backups", &["start"]),
];

/// Commands of other tools, each with sitectl's words.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("whoami", &["auth", "status"]),
    ("version", &["--version"]),
    ("accounts", &["managed-accounts"]),
    ("backup", &["snapshots"]),
    ("backups", &["snapshots"]),
    ("restore cancel", &["tasks", "cancel"]),
];

/// Output formats of other tools, each with sitectl's format. `yaml` replaces `wide`, because both
/// show all fields.
const FORMATS: [(&str, &str); 3] = [("wide", "yaml"), ("name", "ids"), ("jsonl", "ndjson")];

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
    let mut corrected = correct_words(error, root, parsed, typed_words)?;
    let mut corrections = 1;
    while let Some(error) = rejection(root, &corrected) {
        if corrections == MAX_CORRECTIONS {
            return None;
        }
        let parsed = CommandLine::parse(root, &corrected);
        corrected = correct_words(&error, root, &parsed, &corrected)?;
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
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidValue => ContextKind::InvalidValue,
        // An option for an argument, beside another argument.
        ErrorKind::ArgumentConflict => {
            let is_typed =
                |option: &str| typed_words.iter().any(|word| option_name(word) == option);
            let mut options = ARGUMENTS.iter().map(|(option, _)| *option);
            let option = options.find(|option| is_typed(option))?;
            return correct_argument(option, root, parsed, typed_words);
        }
        _ => return None,
    };
    let typed = context_texts(error, kind).pop()?;
    match kind {
        ContextKind::InvalidSubcommand => correct_command(&typed, parsed, typed_words),
        ContextKind::InvalidArg => correct_option(&typed, root, parsed, typed_words),
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
    let command = [path, &[typed]].concat().join(" ");
    if let Some((_, words)) = COMMANDS.iter().find(|(other, _)| *other == command) {
        let mut corrected = typed_words.to_vec();
        let first = index.checked_sub(path.len())?;
        corrected.splice(first..=index, words.iter().map(ToString::to_string));
        return Some(corrected);
    }
    let words_after = &typed_words[index + 1..];
    let replacement = if let Some(verb) = verb_of(parsed.command, typed, words_after) {
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
    let has_id = words_after
        .first()
        .is_some_and(|word| !word.starts_with('-'));
    let Some(command) = noun.find_subcommand(typed) else {
        let mut verbs = VERBS.iter().filter(|(other, _)| *other == typed);
        let (_, words) = verbs.find(|(_, words)| {
            noun.find_subcommand(words[0]).is_some_and(|verb| {
                let is_option = |arg: &Arg| arg.get_long() == Some("search");
                !words.contains(&"--search") || (has_id && verb.get_arguments().any(is_option))
            })
        })?;
        return Some(words.to_vec());
    };
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
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let index = typed_words
        .iter()
        .position(|word| option_name(word) == typed)?;
    if typed == TOKEN_FLAG {
        return None;
    }
    let mut names = Vec::new();
    for arg in parsed.command.get_arguments() {
        names.extend(arg.get_long());
    }
    if !typed.starts_with('-') {
        if parsed.path == ["snapshots", "list"] {
            let verb = typed_words.iter().position(|word| word == "list")?;
            return Some(replace_word(typed_words, verb, &["latest"]));
        }
        let option = match index
            .checked_sub(1)
            .map(|before| typed_words[before].as_str())
        {
            Some("--json") => "--fields",
            _ if names.contains(&"search") => "--search",
            _ => return None,
        };
        return Some(replace_word(typed_words, index, &[option, typed]));
    }
    let name = typed.trim_start_matches('-');
    if OutputFormat::from_str(name, false).is_ok() {
        return Some(replace_word(typed_words, index, &["--output", name]));
    }
    let translated = OPTIONS.iter().find(|(other, own)| {
        *other == typed
            && own
                .strip_prefix("--")
                .is_none_or(|own| names.contains(&own))
    });
    let option = if let Some((_, option)) = translated {
        (*option).into()
    } else if ARGUMENTS.iter().any(|(other, _)| *other == typed) {
        return correct_argument(typed, root, parsed, typed_words);
    } else if typed.starts_with("--") {
        format!("--{}", most_similar(name, &names)?)
    } else {
        return None;
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

/// Replaces an option by its value, if the argument that it is for comes next.
fn correct_argument(
    typed: &str,
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
) -> Option<Vec<String>> {
    let index = typed_words
        .iter()
        .position(|word| option_name(word) == typed)?;
    let before = CommandLine::parse(root, &typed_words[..index])
        .positionals
        .len();
    let argument = parsed.command.get_positionals().nth(before)?;
    let mut names = argument
        .get_value_names()?
        .iter()
        .flat_map(|name| name.split('|'));
    let (_, name) = ARGUMENTS
        .iter()
        .find(|(other, name)| *other == typed && names.any(|own| own == *name))?;
    let word = &typed_words[index];
    Some(match word.split_once('=') {
        Some((_, value)) => replace_word(typed_words, index, &[value]),
        None if *name == "latest" => replace_word(typed_words, index, &[name]),
        None => replace_word(typed_words, index, &[]),
    })
}

/// Returns the name of an option, which may have its value in the same word.
fn option_name(word: &str) -> &str {
    word.split('=').next().unwrap_or_default()
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
