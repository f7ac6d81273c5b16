//! The arguments and options of a command, as its manual tells them.

use crate::page::Page;
use crate::words::{capital, marked, sentence, unbroken};
use clap::{Arg, ArgAction, Command};
use regex::Regex;
use roff::{Inline, bold, italic, roman};

/// What it takes by its place.
pub fn arguments(page: &mut Page, command: &Command) {
    let shown: Vec<&Arg> = command.get_positionals().filter(|arg| !arg.is_hide_set()).collect();
    if !shown.is_empty() {
        page.section("Arguments");
        shown.iter().for_each(|arg| one(page, arg));
    }
}

/// Its own options: those without a heading, then those under each.
pub fn own(page: &mut Page, command: &Command) {
    let shown = options(command, |arg| !arg.is_global_set());
    page.section("Options");
    let mut headings = vec![None];
    for arg in &shown {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        heading.into_iter().for_each(|title| page.subsection(title));
        shown.iter().filter(|arg| arg.get_help_heading() == heading).for_each(|arg| one(page, arg));
    }
}

/// The options that all commands take, whole.
pub fn global(page: &mut Page, root: &Command) {
    page.section("Global options");
    page.say("They stand before or after the command.");
    options(root, Arg::is_global_set).iter().for_each(|arg| one(page, arg));
}

/// The same in a few lines, for a page where they are not what it is about.
pub fn global_in_short(page: &mut Page, command: &Command) {
    page.section("Global options");
    page.say("Every command takes these; sitectl(1) tells what they mean:");
    let mut line = Vec::new();
    for arg in options(command, Arg::is_global_set) {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.extend(term(arg).into_iter().map(unbroken));
    }
    page.paragraph(line);
}

fn options(command: &Command, wanted: impl Fn(&Arg) -> bool) -> Vec<&Arg> {
    let shown = |arg: &&Arg| !arg.is_positional() && !arg.is_hide_set() && wanted(arg);
    let mut options: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    options.sort_by_key(|arg| arg.get_display_order());
    options
}

fn one(page: &mut Page, arg: &Arg) {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut paragraphs = help.split("\n\n").map(|words| words.split_whitespace().collect::<Vec<_>>().join(" "));
    let (words, told) = aside(&paragraphs.next().unwrap_or_default());
    let words = [Some(sentence(&words)), repeats(arg, &help), Some(told), default(arg), plain_values(arg)];
    let words: Vec<String> = words.into_iter().flatten().filter(|words| !words.is_empty()).collect();
    page.tagged(term(arg), marked(&words.join(" ")));
    for words in paragraphs {
        page.control("IP", &[]);
        page.text(marked(&sentence(&words)));
    }
    explained_values(page, arg);
}

/// The words of help, and as sentences what they have in brackets at their end: `[default: 8]`.
fn aside(help: &str) -> (String, String) {
    let pattern = Regex::new(r"\s*\[(default|env|possible [a-z]+): ([^\]]*)\]").unwrap();
    let name = |word: &str| match word {
        "env" => "Environment".into(),
        word => capital(word),
    };
    let told = pattern.captures_iter(help).map(|found| format!("{}: {}.", name(&found[1]), &found[2]));
    (pattern.replace_all(help, "").into_owned(), told.collect::<Vec<_>>().join(" "))
}

/// `-o, --output FORMAT`, or the name of what is taken by its place.
fn term(arg: &Arg) -> Vec<Inline> {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let mut term: Vec<Inline> = Vec::new();
    for name in [short, long].into_iter().flatten() {
        if !term.is_empty() {
            term.push(roman(", "));
        }
        term.push(bold(name));
    }
    if arg.is_positional() || arg.get_action().takes_values() {
        let names = arg.get_value_names().unwrap_or_default();
        let names = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        term.extend((!term.is_empty()).then(|| roman(" ")));
        term.push(italic(if names.is_empty() { arg.get_id().to_string().to_uppercase() } else { names }));
    }
    if arg.get_num_args().is_some_and(|range| range.max_values() > 1) && arg.get_value_delimiter().is_none() {
        term.push(roman("..."));
    }
    term
}

fn repeats(arg: &Arg, help: &str) -> Option<String> {
    let several = matches!(arg.get_action(), ArgAction::Append) && !arg.is_positional();
    let told = help.contains("several times") || arg.get_value_delimiter().is_some();
    (several && !told).then(|| "Can be given several times.".into())
}

fn default(arg: &Arg) -> Option<String> {
    let hidden = arg.is_hide_default_value_set() || !arg.get_action().takes_values();
    let values: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    (!hidden && !values.is_empty()).then(|| format!("Default: {}.", values.join(",")))
}

fn values(arg: &Arg) -> Vec<clap::builder::PossibleValue> {
    let hidden = arg.is_hide_possible_values_set() || !arg.get_action().takes_values();
    let values = if hidden { Vec::new() } else { arg.get_possible_values() };
    values.into_iter().filter(|value| !value.is_hide_set()).collect()
}

fn plain_values(arg: &Arg) -> Option<String> {
    let values = values(arg);
    let plain = !values.is_empty() && values.iter().all(|value| value.get_help().is_none());
    let names: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
    plain.then(|| format!("Possible values: {}.", names.join(", ")))
}

/// Values that each have a line of help, below their option.
fn explained_values(page: &mut Page, arg: &Arg) {
    // Where the help leaves them out to be short, its words name them.
    let values: Vec<_> = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect();
    if values.iter().all(|value| value.get_help().is_none()) {
        return;
    }
    page.control("RS", &[]);
    for value in values {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        page.tagged(vec![bold(value.get_name())], marked(&sentence(&help)));
    }
    page.control("RE", &[]);
}
