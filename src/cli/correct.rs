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
pub const TOKEN_FLAG: &str = "--token";

/// Returns the command line that was probably meant, if it is valid.
pub fn corrected_line(
    error: &clap::Error,
    root: &Command,
    line: &CommandLine<'_>,
    words: &[String],
) -> Option<String> {
    let corrected = correct_words(error, line, words)?;
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

/// Whether the parser rejected no word: the line asks for help, or lacks an argument.
fn is_valid_so_far(error: &clap::Error) -> bool {
    match error.kind() {
        ErrorKind::MissingRequiredArgument
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
        _ => !error.use_stderr(),
    }
}

/// Whether the line may contain a token or password, which must not be printed.
fn may_contain_secret(line: &CommandLine<'_>) -> bool {
    if let Some(url) = line.last_value("base_url")
        && url.contains('@')
    {
        return true;
    }
    match line.path[..] {
        ["api"] => true,
        ["auth", "login"] => {
            let has_command = line.last_value("token_command").is_some();
            has_command || !line.positionals.is_empty()
        }
        _ => false,
    }
}

/// Returns the words without the mistake that the error is about.
fn correct_words(
    error: &clap::Error,
    line: &CommandLine<'_>,
    words: &[String],
) -> Option<Vec<String>> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidValue => ContextKind::InvalidValue,
        _ => return None,
    };
    let typed = context_texts(error, kind).pop()?;
    match kind {
        ContextKind::InvalidSubcommand => correct_command(&typed, line, words),
        ContextKind::InvalidArg => correct_option(&typed, line, words),
        _ => correct_value(&typed, error, words),
    }
}

/// Corrects a name; at the root, a verb or another tool's command; below `restore`, a site.
fn correct_command(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let index = words.iter().position(|word| word == typed)?;
    let mut names = Vec::new();
    let mut noun_of_verb = None;
    for command in line.command.get_subcommands() {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        names.push(name);
        if noun_of_verb.is_none() && command.find_subcommand(typed).is_some() {
            noun_of_verb = Some(name);
        }
    }
    if let Some(name) = most_similar(typed, &names) {
        return Some(replace_word(words, index, &[name]));
    }
    let replacement = match line.path[..] {
        [] if typed == "whoami" => vec!["auth", "status"],
        [] => vec![noun_of_verb?, typed],
        ["restore"] if typed.contains(is_in_site_names) => {
            vec!["start", typed, "latest", "--full"]
        }
        _ => return None,
    };
    Some(replace_word(words, index, &replacement))
}

/// Whether this character occurs in the ids and URLs of sites, and not in verbs.
fn is_in_site_names(c: char) -> bool {
    c.is_ascii_digit() || ".-:".contains(c)
}

fn correct_option(typed: &str, line: &CommandLine<'_>, words: &[String]) -> Option<Vec<String>> {
    let index = words
        .iter()
        .position(|word| word.split('=').next() == Some(typed))?;
    if typed == TOKEN_FLAG {
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
            let mut names = Vec::new();
            for arg in line.command.get_arguments() {
                names.extend(arg.get_long());
            }
            let similar = most_similar(name, &names)?;
            format!("--{similar}")
        }
    };
    let word = words[index].replacen(typed, &option, 1);
    Some(replace_word(words, index, &[&word]))
}

/// Corrects a value of which only some are possible.
fn correct_value(typed: &str, error: &clap::Error, words: &[String]) -> Option<Vec<String>> {
    let allowed = context_texts(error, ContextKind::ValidValue);
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let index = words.iter().position(|word| word.ends_with(typed))?;
    let value = match lookup(&FORMATS, typed) {
        Some(format) if allowed.contains(&format) => format,
        _ => most_similar(typed, &allowed)?,
    };
    let before = words[index].strip_suffix(typed)?;
    let word = format!("{before}{value}");
    Some(replace_word(words, index, &[&word]))
}

/// Returns sitectl's word for the word of another tool.
fn lookup<'t>(table: &[(&str, &'t str)], word: &str) -> Option<&'t str> {
    for (other, own) in table {
        if *other == word {
            return Some(own);
        }
    }
    None
}

/// Returns the words with one of them replaced by others.
fn replace_word(words: &[String], index: usize, others: &[&str]) -> Vec<String> {
    let mut replaced = words.to_vec();
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
