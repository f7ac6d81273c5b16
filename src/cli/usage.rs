//! The errors of the parser in the program's own form: the problem, and the allowed values.

use super::correct::{TOKEN_FLAG, context_texts, corrected_line};
use crate::completion::CommandLine;
use crate::error::Error;
use clap::Command;
use clap::error::{ContextKind, ErrorKind};

/// Options that sitectl does not have, each with what to do instead.
const ADVICE: [(&str, &str); 6] = [
    (
        TOKEN_FLAG,
        "set SITECTL_TOKEN, or save the token: sitectl auth login; ",
    ),
    ("--force", "--yes skips the question; "),
    ("-d", BODY),
    ("--data", BODY),
    ("-H", HEADERS),
    ("--header", HEADERS),
];
const BODY: &str = "send a body with -f KEY=VALUE, -F KEY=JSON or --input FILE; ";
const HEADERS: &str = "sitectl sets the headers itself; ";

/// Returns the parser's error as the program's own, with the corrected command line as a hint if
/// there is one. `parsed` is the command line as far as the parser's tree knows `typed_words`.
pub fn usage_error(error: &clap::Error, parsed: &CommandLine<'_>, typed_words: &[String]) -> Error {
    let see_help = format!("see {} --help", help_command(parsed));
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Error::usage("a command is missing").with_hint(see_help);
    }
    if context_texts(error, ContextKind::InvalidArg) == ["--with-token"]
        && error.kind() == ErrorKind::TooManyValues
    {
        return Error::usage(
            "--with-token has a value, which is not shown because it may be a token",
        )
        .with_hint("pipe the token in: sitectl auth login --with-token < token.txt");
    }
    let is_empty = |word: &String| word.is_empty() || word.ends_with('=');
    if error.kind() == ErrorKind::InvalidValue
        && context_texts(error, ContextKind::InvalidValue) == [""]
        && typed_words.iter().any(is_empty)
    {
        let name = context_texts(error, ContextKind::InvalidArg).concat();
        return Error::usage(format!("the value of '{name}' is empty"))
            .with_hint("check that the variables in the command line are set");
    }
    let hint = match corrected_line(error, parsed, typed_words) {
        _ if parsed.path == ["restore", "start"]
            && error.kind() == ErrorKind::UnknownArgument
            && !context_texts(error, ContextKind::InvalidArg)
                .concat()
                .starts_with('-') =>
        {
            "write several sites to a file, one per line: sitectl restore start --plan FILE".into()
        }
        Some(command) => format!("did you mean: {command}"),
        None => format!("{}{see_help}", allowed_words(error, parsed.command)),
    };
    Error::usage(message_in_one_line(error)).with_hint(hint)
}

/// Returns the command whose help applies, such as `sitectl clients list`.
pub fn help_command(parsed: &CommandLine<'_>) -> String {
    let mut command = String::from("sitectl");
    for name in parsed.path.iter().take_while(|name| **name != "help") {
        command = format!("{command} {name}");
    }
    command
}

/// Returns the first paragraph of clap's text in one line, without lists of values such as
/// `[possible values: …]`.
fn message_in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let mut lines = paragraph
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('['));
    let first = lines.next().unwrap_or_default();
    let others: Vec<&str> = lines.collect();
    format!(
        "{} {}",
        first.trim_start_matches("error: "),
        others.join(", ")
    )
    .trim()
    .into()
}

/// Returns the allowed words as the beginning of a hint; empty if there are none. `--token` gets
/// its own advice.
fn allowed_words(error: &clap::Error, command: &Command) -> String {
    let values = context_texts(error, ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let names: Vec<&str> = command
                .get_subcommands()
                .map(Command::get_name)
                .filter(|name| *name != "help")
                .collect();
            format!("use one of: {}; ", names.join(", "))
        }
        ErrorKind::UnknownArgument => {
            let typed = context_texts(error, ContextKind::InvalidArg);
            let mut advice = ADVICE.iter();
            let advice = advice.find(|(option, _)| typed == [*option]);
            advice.map_or("", |(_, advice)| advice).into()
        }
        _ if !values.is_empty() => format!("use one of: {}; ", values.join(", ")),
        _ => String::new(),
    }
}
