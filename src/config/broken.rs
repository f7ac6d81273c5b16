//! What is said of a config file that is broken: where, and never what it holds there, since that may be a token.

use super::file::{ConfigFile, Profile};
use crate::error::Error;
use std::string::FromUtf8Error;
use toml_edit::Document;

/// That a text is no TOML, or not that of a config file.
pub fn unreadable(text: &str, error: &toml_edit::de::Error) -> Error {
    at(text, error.span().map_or(0, |span| span.start), &silent(error.message()))
}

/// That a file is no text.
pub fn no_text(error: &FromUtf8Error) -> Error {
    let end = error.utf8_error().valid_up_to();
    let before = String::from_utf8_lossy(&error.as_bytes()[..end]);
    at(&before, end, "here is something that is no UTF-8 text")
}

/// That two settings of a profile do not go together, or one of them says nothing.
pub fn contradiction(text: &str, file: &ConfigFile) -> Option<Error> {
    let (name, what) = file.profiles.iter().find_map(|(name, profile)| Some((name, wrong_command(profile)?)))?;
    let root = Document::parse(text).ok()?;
    let profile = root.get("profiles").and_then(|profiles| profiles.get(name.as_str())?.as_table_like());
    let place = profile.and_then(|profile| profile.key("token_command")?.span()).map(|span| span.start);
    Some(at(text, place.unwrap_or_default(), what))
}

fn wrong_command(profile: &Profile) -> Option<&'static str> {
    let command = profile.token_command.as_ref()?;
    if profile.token.is_some() {
        return Some("a profile has a token or a token_command, not both");
    }
    let is_empty = command.first().is_none_or(|program| program.trim().is_empty());
    is_empty.then_some("a token_command begins with the name of a program")
}

fn at(text: &str, offset: usize, what: &str) -> Error {
    let (line, column) = position(text, offset);
    Error::usage(format!("line {line}, column {column}: {what}"))
        .hint("mend the file by hand; sitectl has not changed it")
}

/// What serde says without the value that it quotes: what was expected comes last, and is sitectl's own.
fn silent(message: &str) -> String {
    let expected = message.starts_with("invalid ").then(|| message.rsplit_once(", expected ")).flatten();
    match expected {
        Some((found, expected)) if found.contains(": ") => format!("expected {expected}"),
        _ => message.replace('\n', "; "),
    }
}

/// The line and column, both from 1, of a byte offset.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ConfigFile::parse(text).err().map(|error| error.message.clone()).unwrap_or_default()
    }

    #[test]
    fn says_where_it_is_broken() {
        let cases = [
            ("[profiles.a]\ntoken = \"s3cret\n", "line 2"),
            ("[profiles.a]\nper_page = \"many\"\n", "line 2, column 12: expected u32"),
            ("[profiles.a]\nper_page = 0\n", "line 2, column 12: expected a number from 1 to 1000000"),
            ("[profiles.a]\nper_page = 1000001\n", "line 2, column 12: expected a number from 1 to 1000000"),
            ("[profiles.a]\nper_page = -1\n", "line 2, column 12: expected u32"),
            ("[profiles.a]\n\ncolour = 1\n", "line 3, column 1: unknown field `colour`"),
            ("[profiles.a]\ntoken = \"a\"\ntoken_command = [\"b\"]\n", "line 3, column 1: a profile has a token or"),
            ("[profiles.a]\ntoken_command = []\n", "line 2, column 1: a token_command begins with"),
            ("profiles.a.token_command = [' ']\n", "line 1, column 12: a token_command begins with"),
        ];
        for (text, place) in cases {
            assert!(message(text).contains(place), "{text}: {}", message(text));
        }
    }

    #[test]
    fn never_shows_what_it_holds() {
        let keys = ["current_profile", "profiles", "profiles.a", "profiles.a.token", "profiles.a.token_command"];
        let more = ["protected", "output", "per_page", "ca_cert", "base_url", "endpoints", "task_states"];
        let deeper = ["endpoints.task", "task_states.failed", "nothing"];
        let more = more.iter().chain(&deeper).map(|key| format!("profiles.a.{key}"));
        let values = [
            "\"s3cret\"",
            "\"x, expected s3cret\"",
            "'s3cret",
            "s3cret",
            "[\"s3cret\"]",
            "[[\"s3cret\"]]",
            "{ x = \"s3cret\" }",
            "{ task = [\"s3cret\"] }",
            "73937",
            "-73937",
            "73937.5",
            "7393773937739377393773937",
            "1973-09-03",
            "\"\"\"\ns3cret\n",
            "\"a s3cret\"",
            "\"s3cret\\q\"",
            "\"s3cret\" s3cret",
        ];
        let mut refused = 0;
        for key in keys.map(String::from).into_iter().chain(more) {
            for value in values {
                let message = message(&format!("{key} = {value}\n"));
                let shown = ["s3cret", "73937", "1973"].iter().any(|part| message.contains(part));
                assert!(!shown, "{key} = {value}: {message}");
                refused += usize::from(!message.is_empty());
            }
        }
        assert!(refused > 200, "{refused}");
    }
}
