//! What a resource declares is what help, completion and checks know: a new field or flag needs no other change.

use super::*;
use crate::completion::Shell;
use crate::resources::query::{Filter, Sort, Zone};
use crate::resources::{CLIENTS, Field, FieldKind, Format, LISTS, Operator};

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(String::from).collect()
}

/// What fish is told if this line is typed.
fn completed(line: &str) -> String {
    completion::reply(Shell::Fish, words(line), Cli::command())
}

fn value_name(arg: &clap::Arg) -> &str {
    arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
}

#[test]
fn help_names_every_flag_filter_and_sort_field() {
    let root = Cli::command();
    for resource in LISTS {
        let noun = &resource.noun();
        let list = root.find_subcommand(noun).and_then(|noun| noun.find_subcommand("list"));
        let help = list.map(|list| list.clone().render_long_help().to_string()).unwrap_or_default();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.starts_with(resource.help), "{help}");
        for (_, flag) in resource.flags() {
            assert!(help.contains(&format!("--{} ", flag.name)) && help.contains(&flag.help), "--{}", flag.name);
        }
        for field in resource.filterable() {
            assert!(help.contains(&field.filter_form()), "{noun} {}", field.filter_form());
        }
        assert!(help.contains(&resource.sortable().join(", ")), "{noun}: sort fields");
    }
}

#[test]
fn clients_are_created_and_updated_with_every_declared_field() {
    let root = Cli::command();
    for verb in ["create", "update"] {
        let command = root.find_subcommand("clients").and_then(|noun| noun.find_subcommand(verb));
        let flags: Vec<String> = command
            .into_iter()
            .flat_map(clap::Command::get_arguments)
            .map(|arg| {
                format!("{}: {}", arg.get_long().unwrap_or_default(), arg.get_help().cloned().unwrap_or_default())
            })
            .collect();
        for (field, input) in CLIENTS.inputs().filter(|(_, input)| input.format != Format::Ids) {
            assert!(flags.contains(&format!("{}: {}", field.flag(), input.help())), "{verb} --{}", field.flag());
        }
    }
}

#[test]
fn completion_knows_every_flag_and_its_values() {
    for resource in LISTS {
        let noun = &resource.noun();
        let list = |more: &str| completed(&format!("sitectl {noun} list {more}"));
        let (flags, sorts, fields) = (list("--"), list("--sort "), list("--fields "));
        for field in resource.fields {
            for flag in field.flags() {
                assert!(flags.contains(&format!("--{}", flag.name)), "{noun}: --{}", flag.name);
                if let FieldKind::Choice(allowed) = field.kind {
                    let values = list(&format!("--{} ", flag.name));
                    assert!(allowed.iter().all(|value| values.contains(value)), "--{}: {values}", flag.name);
                }
            }
            let operators = list(&format!("--filter {}:", field.name));
            assert!(field.operators.iter().all(|operator| operators.contains(operator.name())), "{operators}");
            assert!(!field.sortable || sorts.contains(field.name), "{noun}: --sort {}", field.name);
            assert!(!field.recorded || fields.contains(field.name), "{noun}: --fields {}", field.name);
        }
    }
}

#[test]
fn completion_knows_the_values_of_every_choice() {
    let mut root = Cli::command();
    root.build();
    let mut commands = vec![("sitectl".to_string(), &root)];
    while let Some((path, command)) = commands.pop() {
        commands.extend(command.get_subcommands().map(|verb| (format!("{path} {}", verb.get_name()), verb)));
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_action().takes_values()) {
            let line = arg.get_long().map_or_else(|| format!("{path} "), |name| format!("{path} --{name} "));
            if value_name(arg).starts_with("FILE") {
                assert_eq!(completed(&line), "files\n", "{line}");
            } else if ["FORMAT", "OUTCOME", "SHELL", "WHAT", "WHEN", "true|false"].contains(&value_name(arg)) {
                assert!(completed(&line).lines().count() > 2, "{line}: {}", completed(&line));
            }
        }
    }
}

#[test]
fn what_is_declared_is_accepted_and_nothing_else() {
    let zone = Zone::new(None, jiff::Timestamp::UNIX_EPOCH);
    let value = |field: &Field| match field.kind {
        FieldKind::Text => "a",
        FieldKind::Time => "2026-01-31",
        FieldKind::Boolean => "true",
        FieldKind::Choice(allowed) => allowed[0],
    };
    for resource in LISTS {
        let noun = &resource.noun();
        for field in resource.fields {
            for operator in [Operator::Contains, Operator::Eq, Operator::In, Operator::Gte, Operator::Lte] {
                let text = format!("{}:{}={}", field.name, operator.name(), value(field));
                let accepted = Filter::parse(resource, &text, &zone).is_ok();
                assert_eq!(accepted, field.operators.contains(&operator), "{noun} {text}");
            }
            for flag in field.flags() {
                assert!(Filter::flag(field, &flag, value(field), &zone).is_ok(), "{noun} --{}", flag.name);
            }
            assert_eq!(Sort::parse(resource, field.name).is_ok(), field.sortable, "{noun} --sort {}", field.name);
        }
    }
}

#[test]
fn a_wrong_line_still_says_which_help_applies_and_how_to_print() {
    let mut root = Cli::command();
    root.build();
    for (line, command, json) in [
        ("", "sitectl", false),
        ("clients lst", "sitectl clients", false),
        ("clints list --json", "sitectl", true),
        ("--profile clients sites list --nope --json", "sitectl sites list", true),
        ("-qo json clients list", "sitectl clients list", true),
        ("clients list --nope x -ojson", "sitectl clients list", true),
        ("clients list --filter --json", "sitectl clients list", true),
        ("-o ids restore start clients list --jq .", "sitectl restore start", false),
        ("clients show -- --json", "sitectl clients show", false),
        ("help clients", "sitectl", false),
    ] {
        let words = words(line);
        let line = CommandLine::read(&root, &words);
        let wants_json = wants_json(&print_flags(&line), &Environment::default());
        assert_eq!((help_command(&line).as_str(), wants_json), (command, json), "{words:?}");
    }
}
