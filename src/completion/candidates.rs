//! Finds the candidates for the word at the cursor. The name of an argument's value in the help selects the
//! candidates: an argument whose value is called `SITE_ID` is completed with sites.

use super::command_line::CommandLine;
use super::local::{Candidate, LocalData};
use crate::commands::explain::Topic;
use crate::config::Flags;
use crate::resources::{Field, LISTS, PROFILES, RESTORES, Resource};
use crate::terminal::{is_hidden, visible};
use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command};

/// Returns the candidates for the word at the cursor; none if it is a file, which the shell completes.
pub fn reply(line: &CommandLine<'_>, current: &str) -> Option<Vec<Candidate>> {
    let (found, typed) = match (line.value_at(current), line.next_positional()) {
        _ if !line.is_known => (Some(Vec::new()), current),
        (Some((option, typed)), _) => (values(line, option, typed), typed),
        _ if current.starts_with('-') && !line.escaped => (Some(options(line)), current),
        _ if line.command.has_subcommands() => (Some(subcommands(line.command)), current),
        (None, Some(positional)) => (values(line, positional, current), current),
        (None, None) => (
            Some(if !line.escaped {
                options(line)
            } else {
                Vec::new()
            }),
            current,
        ),
    };
    let before = &current[..current.len() - typed.len()];
    found.map(|candidates| usable(candidates, before, typed))
}

/// Returns the candidates that begin with the typed text. `before` is the part of the word in front of it.
fn usable(candidates: Vec<Candidate>, before: &str, typed: &str) -> Vec<Candidate> {
    let matching = candidates
        .into_iter()
        .filter(|one| one.value.starts_with(typed) && is_plain(&one.value));
    let finished = |one: Candidate| {
        let (value, about) = (
            format!("{before}{}", one.value),
            visible(&one.about).into_owned(),
        );
        Candidate {
            value,
            about,
            ..one
        }
    };
    matching.map(finished).collect()
}

/// Whether no shell gives any character of the word a meaning, quoted or not. Other words are never completed, because
/// an id that a service sends could contain a command.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() && !is_hidden(c) || "-_.,:=/@+".contains(c);
    !word.is_empty() && !word.starts_with(['@', '=']) && word.chars().all(plain)
}

fn subcommands(command: &Command) -> Vec<Candidate> {
    let shown = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    shown
        .map(|command| Candidate::new(command.get_name(), summary(command.get_about())))
        .collect()
}

fn options(line: &CommandLine<'_>) -> Vec<Candidate> {
    let shown = line
        .command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set());
    let named = shown.filter_map(|arg| Some((arg.get_long()?, summary(arg.get_help()))));
    named
        .map(|(name, help)| Candidate::new(format!("--{name}"), help))
        .collect()
}

/// Returns the first line of a help text without the text in brackets.
fn summary(help: Option<&StyledStr>) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    let line = help.lines().next().unwrap_or_default();
    line.split(" [").next().unwrap_or_default().to_string()
}

/// Returns the values that an argument takes; none if they are files.
fn values(line: &CommandLine<'_>, arg: &Arg, typed: &str) -> Option<Vec<Candidate>> {
    let resource = resource(&line.path);
    let local = |of: &dyn Fn(&LocalData) -> Vec<Candidate>| {
        LocalData::read(service_flags(line))
            .map(|data| of(&data))
            .unwrap_or_default()
    };
    let mut found = match arg
        .get_value_names()
        .and_then(|names| names.first())
        .map_or("", |name| name.as_str())
    {
        name if name.starts_with("FILE") => return None,
        "FIELD:OP=VALUE" => resource.map(filters).unwrap_or_default(),
        "FIELD[,asc|desc]" => resource.map(sorts).unwrap_or_default(),
        "A,B,C" => comma_separated(
            typed,
            resource
                .iter()
                .flat_map(|resource| resource.record_fields()),
        ),
        "KIND|CODE" => Topic::all()
            .map(|topic| Candidate::new(topic.name(), topic.title()))
            .collect(),
        "NAME" | "PROFILE" => local(&LocalData::profiles),
        name if name.starts_with("SITE") => local(&LocalData::sites),
        name if name.starts_with("SNAPSHOT_ID") => {
            local(&|data| data.snapshots(line.positionals.first()))
        }
        name if name.starts_with("CLIENT_ID") => local(&LocalData::clients),
        name if name.starts_with("MANAGED_ACCOUNT_ID") => local(&LocalData::managed_accounts),
        name if name.starts_with("TASK_ID") => local(&LocalData::tasks),
        _ => possible_values(arg, typed),
    };
    // A value that begins with a dash would be read as an option.
    found.retain(|candidate| !candidate.value.starts_with('-'));
    Some(found)
}

fn possible_values(arg: &Arg, typed: &str) -> Vec<Candidate> {
    let values = arg.get_possible_values();
    let shown = values.iter().filter(|value| !value.is_hide_set());
    match arg.get_value_delimiter() {
        Some(_) => comma_separated(typed, shown.map(PossibleValue::get_name)),
        None => shown
            .map(|value| Candidate::new(value.get_name(), summary(value.get_help())))
            .collect(),
    }
}

/// Returns the resource that a command lists, shows or changes.
fn resource(path: &[&str]) -> Option<&'static Resource> {
    match path {
        ["profiles", "list"] => Some(&PROFILES),
        ["restore", "history"] => Some(&RESTORES),
        [noun, "create" | "list" | "show" | "update"] => {
            LISTS.into_iter().find(|one| one.noun() == *noun)
        }
        _ => None,
    }
}

/// Returns the options that choose the service.
fn service_flags(line: &CommandLine<'_>) -> Flags {
    let text = |id| line.value(id).map(String::from);
    let sandbox = line.value("sandbox").is_some();
    Flags {
        profile: text("profile"),
        base_url: text("base_url"),
        sandbox,
        quiet: true,
        ..Flags::default()
    }
}

/// Completes the field and operator of `FIELD:OP=VALUE`.
fn filters(resource: &Resource) -> Vec<Candidate> {
    let forms = |field: &'static Field| {
        field
            .operators
            .iter()
            .map(|operator| format!("{}:{operator}=", field.name))
    };
    resource
        .fields
        .iter()
        .flat_map(forms)
        .map(Candidate::prefix)
        .collect()
}

/// Completes `FIELD[,asc|desc]`.
fn sorts(resource: &Resource) -> Vec<Candidate> {
    let orders = |name| ["asc", "desc"].map(|order| Candidate::new(format!("{name},{order}"), ""));
    resource.sortable().into_iter().flat_map(orders).collect()
}

/// Completes the last of several names with commas between them.
fn comma_separated<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<Candidate> {
    let (before, last) = typed
        .rfind(',')
        .map_or(("", typed), |comma| typed.split_at(comma + 1));
    let fresh = names
        .filter(|name| name.starts_with(last) && !before.split(',').any(|known| known == *name));
    fresh
        .map(|name| Candidate::prefix(format!("{before}{name}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_no_shell_interprets_are_completed() {
        for word in [
            "site-1",
            "a@b.example",
            "https://a.example/b",
            "email:in=x,y",
            "Etc/GMT+5",
            "Łódź",
        ] {
            assert!(is_plain(word), "{word}");
        }
        let specials = " \t\n\r!\"#$%&'()*;<>?[\\]^`{|}~\0\u{1b}\u{a0}\u{202e}\u{200b}\u{3164}‘’“”";
        for word in specials
            .chars()
            .map(|c| format!("a{c}b"))
            .chain(["", "@a", "=ls"].map(String::from))
        {
            assert!(!is_plain(&word), "{word:?}");
        }
    }
}
