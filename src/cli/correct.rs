//! Corrects an invalid command line: a typing error, or a command or option of another tool.

use crate::completion::CommandLine;
use crate::config::OutputFormat;
use crate::resources::most_similar;
use crate::terminal::shell_quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, ValueEnum};

/// Options of other tools, and sitectl's.
const OPTIONS: [(&str, &str); 6] = [
    ("--format", "--output"),
    ("--url", "--base-url"),
    ("--context", "--profile"),
    ("--debug", "-vv"),
    ("--non-interactive", "--no-input"),
    // Not --scope-json, which is merely spelled alike.
    ("--scope", "--full"),
];

/// Output formats of other tools, and sitectl's. YAML has all fields, as a wide table elsewhere.
const FORMATS: [(&str, &str); 3] = [("wide", "yaml"), ("name", "ids"), ("jsonl", "ndjson")];

/// This option does not exist, because the process list shows options.
pub const TOKEN: &str = "--token";

/// Returns the command line that was probably meant, if it is valid.
pub fn corrected_line(
    error: &clap::Error,
    root: &Command,
    line: &CommandLine<'_>,
    words: &[String],
) -> Option<String> {
    let corrected = correct_words(error, line, words)?;
    let parser = root.clone().no_binary_name(true);
    let parsed = parser.try_get_matches_from(&corrected);
    if parsed.is_err_and(|error| !is_valid_so_far(&error))
        || may_contain_secret(&CommandLine::parse(root, &corrected))
    {
        return None;
    }
    let mut command = String::from("sitectl");
    for word in &corrected {
        command = format!("{command} {}", shell_quoted(word));
    }
    Some(command)
}

/// Whether the parser rejected no word: the line asks for help, or lacks an argument.
fn is_valid_so_far(error: &clap::Error) -> bool {
    let incomplete = [
        ErrorKind::MissingRequiredArgument,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ];
    !error.use_stderr() || incomplete.contains(&error.kind())
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_contain_secret(line: &CommandLine<'_>) -> bool {
    let has_credentials = line
        .last_value("base_url")
        .is_some_and(|url| url.contains('@'));
    let has_token = line.path == ["auth", "login"]
        && (!line.positionals.is_empty() || line.last_value("token_command").is_some());
    has_credentials || has_token || line.path == ["api"]
}

/// Returns the words without the mistake that the error is about.
fn correct_words(
    error: &clap::Error,
    line: &CommandLine<'_>,
    words: &[String],
) -> Option<Vec<String>> {
    let typed = |kind| context_texts(error, kind).pop();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            correct_command(&typed(ContextKind::InvalidSubcommand)?, line, words)
        }
        ErrorKind::UnknownArgument => correct_option(&typed(ContextKind::InvalidArg)?, line, words),
        ErrorKind::InvalidValue => correct_value(error, words),
        _ => None,
    }
}

/// Corrects a name; at the root, a verb or another tool's command; below `restore`, a site.
fn correct_command(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let index = words.iter().position(|word| word == typed)?;
    let commands = || {
        let commands = line.command.get_subcommands();
        commands.filter(|command| command.get_name() != "help")
    };
    let names: Vec<&str> = commands().map(Command::get_name).collect();
    if let Some(name) = most_similar(typed, &names) {
        return Some(replace_word(words, index, &[name]));
    }
    match line.path[..] {
        [] if typed == "whoami" => Some(replace_word(words, index, &["auth", "status"])),
        [] => {
            let noun = commands().find(|noun| noun.find_subcommand(typed).is_some())?;
            Some(replace_word(words, index, &[noun.get_name(), typed]))
        }
        ["restore"] if typed.contains(is_in_site_names) => {
            let start = ["start", typed, "latest", "--full"];
            Some(replace_word(words, index, &start))
        }
        _ => None,
    }
}

/// Whether this character occurs in the ids and URLs of sites, and not in verbs.
fn is_in_site_names(c: char) -> bool {
    c.is_ascii_digit() || ".-:".contains(c)
}

fn correct_option(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let index = words
        .iter()
        .position(|word| word.split('=').next() == Some(typed))?;
    if typed == TOKEN {
        return None;
    }
    let Some(name) = typed.strip_prefix("--") else {
        let is_fields = index > 0 && words[index - 1] == "--json";
        return is_fields.then(|| replace_word(words, index, &["--fields", typed]));
    };
    if OutputFormat::from_str(name, false).is_ok() {
        return Some(replace_word(words, index, &["--output", name]));
    }
    let option = match lookup(&OPTIONS, typed) {
        Some(option) => option.into(),
        None => {
            let arguments = line.command.get_arguments();
            let names: Vec<&str> = arguments.filter_map(|arg| arg.get_long()).collect();
            format!("--{}", most_similar(name, &names)?)
        }
    };
    let word = words[index].replacen(typed, &option, 1);
    Some(replace_word(words, index, &[&word]))
}

/// Corrects a value of which only some are possible.
fn correct_value(error: &clap::Error, words: &[String]) -> Option<Vec<String>> {
    let typed = context_texts(error, ContextKind::InvalidValue).pop()?;
    let allowed = context_texts(error, ContextKind::ValidValue);
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let index = words.iter().position(|word| word.ends_with(&typed))?;
    let format = lookup(&FORMATS, &typed).filter(|format| allowed.contains(format));
    let value = format.or_else(|| most_similar(&typed, &allowed))?;
    let word = format!("{}{value}", words[index].strip_suffix(&typed)?);
    Some(replace_word(words, index, &[&word]))
}

/// Returns sitectl's word for the word of another tool.
fn lookup<'t>(table: &[(&str, &'t str)], word: &str) -> Option<&'t str> {
    let (_, own) = table.iter().find(|(other, _)| *other == word)?;
    Some(own)
}

/// Returns the words with one of them replaced by others.
fn replace_word(words: &[String], index: usize, others: &[&str]) -> Vec<String> {
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    [&words[..index], &others, &words[index + 1..]].concat()
}

/// Returns the texts that the parser's error has for a kind of context.
pub fn context_texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
