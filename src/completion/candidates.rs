//! Finds the candidates for the word at the cursor. The type of an argument's values decides their
//! source: a value of the type `NameOf<Sites>` is completed with sites.

use super::command_line::CommandLine;
use super::local::{Candidate, LocalData};
use crate::client::Task;
use crate::commands::explain::Topic;
use crate::commands::list::{FilterText, SortText};
use crate::config::{Flags, NameOf, Profile, RecordField};
use crate::journal::Run;
use crate::resources::{
    Clients, ManagedAccounts, Sites, Snapshots, Table, is_hidden, table_of_command,
};
use crate::terminal::visible;
use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command, ValueHint};
use std::any::TypeId;

/// Returns the candidates for the word at the cursor; none if it is a file, which the shell
/// completes.
pub fn find_candidates(line: &CommandLine<'_>, current: &str) -> Option<Vec<Candidate>> {
    if !line.is_known {
        return Some(Vec::new());
    }
    if let Some((option, typed)) = line.option_value(current) {
        let before = &current[..current.len() - typed.len()];
        return Some(complete_word(
            value_candidates(line, option, typed)?,
            before,
            typed,
        ));
    }
    let candidates = if current.starts_with('-') && !line.options_ended {
        option_candidates(line)
    } else if line.command.has_subcommands() {
        subcommand_candidates(line.command)
    } else if let Some(positional) = line.next_positional() {
        value_candidates(line, positional, current)?
    } else if line.options_ended {
        Vec::new()
    } else {
        option_candidates(line)
    };
    Some(complete_word(candidates, "", current))
}

/// Returns the candidates that begin with the typed text and are safe in shells, as complete words:
/// `before` is the part of the word in front of the typed text, such as `--sort=`.
fn complete_word(mut candidates: Vec<Candidate>, before: &str, typed: &str) -> Vec<Candidate> {
    candidates.retain(|candidate| {
        candidate.value.starts_with(typed) && is_safe_in_shells(&candidate.value)
    });
    for candidate in &mut candidates {
        candidate.value.insert_str(0, before);
        candidate.description = visible(&candidate.description).into_owned();
    }
    candidates
}

/// Whether no shell gives any character of the word a meaning, quoted or not. Other words are never
/// completed, because an id that a service sends could contain a command.
fn is_safe_in_shells(word: &str) -> bool {
    if word.is_empty() || word.starts_with(['@', '=']) {
        return false;
    }
    let is_safe = |c: char| c.is_alphanumeric() && !is_hidden(c) || "-_.,:=/@+".contains(c);
    word.chars().all(is_safe)
}

fn subcommand_candidates(command: &Command) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for command in command.get_subcommands() {
        if !command.is_hide_set() {
            let about = first_line(command.get_about());
            candidates.push(Candidate::new(command.get_name(), about));
        }
    }
    candidates
}

fn option_candidates(line: &CommandLine<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for arg in line.command.get_arguments() {
        if let Some(name) = arg.get_long()
            && !arg.is_hide_set()
        {
            let help = first_line(arg.get_help());
            candidates.push(Candidate::new(format!("--{name}"), help));
        }
    }
    candidates
}

/// Returns the first line of a help text without the text in brackets.
fn first_line(help: Option<&StyledStr>) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    let line = help.lines().next().unwrap_or_default();
    line.split(" [").next().unwrap_or_default().to_string()
}

/// A function that finds the candidates for a value, of which `typed` is the beginning. None if the
/// command has no such values, or if a setting is invalid.
type FindValues = fn(&CommandLine<'_>, typed: &str) -> Option<Vec<Candidate>>;

fn name_type<T: 'static>() -> TypeId {
    TypeId::of::<NameOf<T>>()
}

/// Returns the function that finds the values of an argument's type; none for other types.
fn find_values_of_type(arg: &Arg) -> Option<FindValues> {
    let functions: [(TypeId, FindValues); 11] = [
        (TypeId::of::<FilterText>(), |line, _| {
            table_of_command(&line.path).map(filter_candidates)
        }),
        (TypeId::of::<SortText>(), |line, _| {
            table_of_command(&line.path).map(sort_candidates)
        }),
        (name_type::<RecordField>(), |line, typed| {
            Some(complete_last(
                typed,
                table_of_command(&line.path)?.record_fields(),
            ))
        }),
        (name_type::<Topic>(), |_, _| Some(topic_candidates())),
        (name_type::<Profile>(), |line, _| {
            Some(local_data(line)?.profiles())
        }),
        (name_type::<Clients>(), |line, _| {
            Some(local_data(line)?.clients())
        }),
        (name_type::<ManagedAccounts>(), |line, _| {
            Some(local_data(line)?.managed_accounts())
        }),
        (name_type::<Sites>(), |line, typed| {
            Some(local_data(line)?.sites(typed))
        }),
        (name_type::<Snapshots>(), |line, _| {
            let with_latest = line.path[0] == "restore";
            Some(local_data(line)?.snapshots(line.positionals.first(), with_latest))
        }),
        (name_type::<Run>(), |line, _| Some(local_data(line)?.runs())),
        (name_type::<Task>(), |line, _| {
            Some(local_data(line)?.tasks())
        }),
    ];
    let value_type = arg.get_value_parser().type_id();
    for (known, find) in functions {
        if value_type == known {
            return Some(find);
        }
    }
    None
}

fn is_file(arg: &Arg) -> bool {
    matches!(
        arg.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath
    )
}

/// Returns the candidates for a value of an argument; none if it is a file.
fn value_candidates(line: &CommandLine<'_>, arg: &Arg, typed: &str) -> Option<Vec<Candidate>> {
    if is_file(arg) {
        return None;
    }
    let mut candidates = match find_values_of_type(arg) {
        Some(find) => find(line, typed).unwrap_or_default(),
        None => possible_values(arg, typed),
    };
    // A value that begins with a dash would be read as an option.
    candidates.retain(|candidate| !candidate.value.starts_with('-'));
    Some(candidates)
}

fn possible_values(arg: &Arg, typed: &str) -> Vec<Candidate> {
    let mut values = arg.get_possible_values();
    values.retain(|value| !value.is_hide_set());
    if arg.get_value_delimiter().is_some() {
        return complete_last(typed, values.iter().map(PossibleValue::get_name));
    }
    let mut candidates = Vec::new();
    for value in &values {
        let help = first_line(value.get_help());
        candidates.push(Candidate::new(value.get_name(), help));
    }
    candidates
}

/// Returns the local files of the service that the options select; none if a setting is invalid.
fn local_data(line: &CommandLine<'_>) -> Option<LocalData> {
    let profile = line.last_value("profile").map(String::from);
    LocalData::read(Flags {
        profile: profile.map(NameOf::from),
        base_url: line.last_value("base_url").map(String::from),
        sandbox: line.last_value("sandbox").is_some(),
        quiet: true,
        ..Flags::default()
    })
}

/// Returns the candidates for `FIELD:OP=` in `FIELD:OP=VALUE`.
fn filter_candidates(table: &Table) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for field in table.fields {
        for operator in field.operators {
            let start = format!("{}:{operator}=", field.name);
            candidates.push(Candidate::prefix(start));
        }
    }
    candidates
}

/// Returns the candidates for `FIELD[,asc|desc]`.
fn sort_candidates(table: &Table) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for name in table.sort_fields() {
        for direction in ["asc", "desc"] {
            candidates.push(Candidate::new(format!("{name},{direction}"), ""));
        }
    }
    candidates
}

fn topic_candidates() -> Vec<Candidate> {
    Topic::all()
        .map(|topic| Candidate::new(topic.name(), topic.title()))
        .collect()
}

/// Returns the candidates for the last of several names with commas between them. Names that are
/// typed already are left out.
fn complete_last<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<Candidate> {
    let start = typed.rfind(',').map_or(0, |comma| comma + 1);
    let (before, last) = typed.split_at(start);
    let mut candidates = Vec::new();
    for name in names {
        let is_typed = before.split(',').any(|typed| typed == name);
        if name.starts_with(last) && !is_typed {
            candidates.push(Candidate::prefix(format!("{before}{name}")));
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Adds the names of the values that have no candidates, of a command and those below it.
    fn add_uncompleted(command: &Command, names: &mut BTreeSet<String>) {
        let arguments = command.get_arguments().filter(|arg| {
            let takes_values = arg
                .get_num_args()
                .is_some_and(|number| number.takes_values());
            let is_completed = is_file(arg)
                || !arg.get_possible_values().is_empty()
                || find_values_of_type(arg).is_some();
            takes_values && !arg.is_hide_set() && !is_completed
        });
        for arg in arguments {
            let name = arg
                .get_value_names()
                .map_or(arg.get_id().as_str(), |names| &names[0]);
            names.insert(name.to_string());
        }
        for subcommand in command.get_subcommands() {
            add_uncompleted(subcommand, names);
        }
    }

    #[test]
    fn all_values_except_free_text_are_completed() {
        let mut root = Cli::command();
        root.build();
        let mut names = BTreeSet::new();
        add_uncompleted(&root, &mut names);
        #[rustfmt::skip]
        let free_text = [
            "ADDRESS", "AGE", "CMD ARGS", "DUR", "EMAIL", "FILTER",
            "ID", "ID|latest", "JSON", "KEY", "KEY=JSON", "KEY=VALUE", "KIND:SHARE", "N", "NAME", "PATH",
            "TABLE", "TEXT", "TIME", "TZ", "URL",
        ];
        assert_eq!(
            names.iter().map(String::as_str).collect::<Vec<_>>(),
            free_text,
            "give the argument a type such as NameOf<Sites>, or list it here if it is free text"
        );
    }

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
            assert!(is_safe_in_shells(word), "{word}");
        }
        let specials = " \t\n\r!\"#$%&'()*;<>?[\\]^`{|}~\0\u{1b}\u{a0}\u{202e}\u{200b}\u{3164}‘’“”";
        for word in specials
            .chars()
            .map(|c| format!("a{c}b"))
            .chain(["", "@a", "=ls"].map(String::from))
        {
            assert!(!is_safe_in_shells(&word), "{word:?}");
        }
    }
}
