//! What each argument takes. The name of its value, which help shows, says what that is: whoever gives an argument a
//! value that is named here has it completed.

use super::candidates::{Answer, Candidate, one_of_many};
use super::known::Known;
use super::lists;
use super::words::{Place, Point};
use crate::api::{CLIENTS_PATH, MANAGED_ACCOUNTS_PATH};
use crate::config::Flags;
use crate::resource::{CLIENTS, Field, MANAGED_ACCOUNTS, OUTCOMES, PROFILES, RESTORES, Resource, SITES, SNAPSHOTS};
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// What can be typed there.
pub fn answer(point: &Point<'_>) -> Answer {
    match &point.place {
        Place::Value { option, before, typed } => beginning(values(point, option, typed), typed, before),
        Place::Option(typed) => beginning(Answer::Values(options(point)), typed, ""),
        Place::Word { typed, options: true } if typed == "-" => Answer::Values(options(point)),
        Place::Word { typed, options } => word(point, typed, *options),
    }
}

/// A command where there are any, else what the command works on. Where it works on nothing, options are all there is.
fn word(point: &Point<'_>, typed: &str, may_be_option: bool) -> Answer {
    let found = match point.positional() {
        _ if point.command.has_subcommands() => Answer::Values(commands(point.command)),
        Some(positional) => values(point, positional, typed),
        None if may_be_option => Answer::Values(options(point)),
        None => Answer::default(),
    };
    beginning(found, typed, "")
}

/// Those that begin with what is typed, with what comes before that in the same word.
fn beginning(answer: Answer, typed: &str, before: &str) -> Answer {
    let Answer::Values(mut candidates) = answer else { return answer };
    candidates.retain(|candidate| candidate.value.starts_with(typed));
    Answer::Values(candidates.into_iter().map(|candidate| candidate.behind(before)).collect())
}

fn commands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.map(|command| Candidate::new(command.get_name(), first_line(command.get_about()))).collect()
}

fn options(point: &Point<'_>) -> Vec<Candidate> {
    let shown = point.command.get_arguments().filter(|arg| !arg.is_hide_set() && point.may_come(arg));
    let named = shown.filter_map(|arg| Some((arg.get_long()?, first_line(arg.get_help()))));
    named.map(|(name, help)| Candidate::new(format!("--{name}"), help)).collect()
}

/// What an argument is, without what help adds in brackets.
fn first_line(help: Option<&StyledStr>) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    let line = help.lines().next().unwrap_or_default();
    line.split(" [").next().unwrap_or_default().to_string()
}

fn values(point: &Point<'_>, arg: &Arg, typed: &str) -> Answer {
    let resource = resource(point);
    let of_list = |values: fn(&Resource, &str) -> Vec<Candidate>| {
        resource.map(|resource| values(resource, typed)).unwrap_or_default()
    };
    let known = || Known::new(flags(point));
    let found = match value_name(arg) {
        "FILE" | "FILE|-" => return Answer::Files,
        "METHOD" => possible(arg).into_iter().chain(paths(point)).collect(),
        "PATH" => paths(point),
        "FIELD:OP=VALUE" => of_list(lists::filters),
        "FIELD[,asc|desc]" => of_list(lists::sorts),
        "A,B,C" => of_list(lists::fields),
        "OUTCOME" => one_of_many(typed, OUTCOMES.iter().copied()),
        "TZ" => jiff::tz::db().available().map(|name| Candidate::new(name.as_str(), "")).collect(),
        "NAME" | "PROFILE" => known().profiles(),
        "SITE_ID" => known().sites(),
        "SITE_ID|URL" => known().sites_and_addresses(typed),
        "SNAPSHOT_ID|latest" => known().snapshots(point.words.first()),
        "TASK_ID" if point.path.ends_with(&["watch"]) => known().tasks_open_first(),
        "TASK_ID" => known().tasks(),
        "CLIENT_ID|EMAIL" => known().clients(),
        "MANAGED_ACCOUNT_ID" => known().managed_accounts(),
        _ => match resource.and_then(|resource| named(resource, arg)) {
            Some(field) => lists::named(field, typed),
            None => possible(arg),
        },
    };
    Answer::Values(without_given(point, arg, found))
}

fn value_name(arg: &Arg) -> &str {
    arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
}

/// The values that the parser itself knows.
fn possible(arg: &Arg) -> Vec<Candidate> {
    let shown = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
    shown.map(|value| Candidate::new(value.get_name(), first_line(value.get_help()))).collect()
}

/// The field that a named flag filters by.
fn named(resource: &'static Resource, arg: &Arg) -> Option<&'static Field> {
    resource.fields.iter().find(|field| field.flags.iter().any(|flag| arg.get_id() == flag.name))
}

/// What an argument that takes several was given before is not offered again.
fn without_given(point: &Point<'_>, arg: &Arg, mut found: Vec<Candidate>) -> Vec<Candidate> {
    let given = |value: &String| match arg.is_positional() {
        true => point.words.contains(value),
        false => point.given.iter().any(|(option, known)| option.get_id() == arg.get_id() && known == value),
    };
    found.retain(|candidate| !given(&candidate.value));
    found
}

/// The lists that can be asked for by their path alone, and where these are.
fn lists(point: &Point<'_>) -> impl Iterator<Item = (String, &'static Resource)> {
    let sites = Known::new(flags(point)).path_of_sites().map(|path| (path.as_str().into(), &SITES));
    [(CLIENTS_PATH.into(), &CLIENTS), (MANAGED_ACCOUNTS_PATH.into(), &MANAGED_ACCOUNTS)].into_iter().chain(sites)
}

/// Their paths; other paths go on behind these.
fn paths(point: &Point<'_>) -> Vec<Candidate> {
    lists(point).map(|(path, list)| Candidate::open(path, format!("the list of {}", list.plural))).collect()
}

/// What a command lists or shows; one by hand, by the path that is typed.
fn resource(point: &Point<'_>) -> Option<&'static Resource> {
    let is_asked_for = |path: &str| {
        let asked =
            |word: &String| word.split('?').next().is_some_and(|word| path.trim_matches('/') == word.trim_matches('/'));
        point.words.iter().any(asked)
    };
    match point.path[..] {
        ["api"] => lists(point).find(|(path, _)| is_asked_for(path)).map(|(_, list)| list),
        ["clients", "create" | "list" | "show" | "update"] => Some(&CLIENTS),
        ["managed-accounts", _] => Some(&MANAGED_ACCOUNTS),
        ["sites", _] => Some(&SITES),
        ["snapshots", _] => Some(&SNAPSHOTS),
        ["profiles", "list"] => Some(&PROFILES),
        ["restore", "history"] => Some(&RESTORES),
        _ => None,
    }
}

/// What says which service is meant.
fn flags(point: &Point<'_>) -> Flags {
    let text = |id| point.value(id).map(String::from);
    let sandbox = point.value("sandbox").is_some();
    Flags { profile: text("profile"), base_url: text("base_url"), sandbox, quiet: true, ..Flags::default() }
}
