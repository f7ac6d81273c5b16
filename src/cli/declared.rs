//! One declaration a resource feeds everything that a person or a script sees of a list: its help, its manual, its
//! completions, and what is checked before a request. Whoever adds a field or a flag finds here that all of them know.

use super::Cli;
use crate::complete::{self, Shell};
use crate::query::{Filter, Sort, Zone};
use crate::resource::{CLIENTS, Field, FieldKind, MANAGED_ACCOUNTS, Operator, Resource, SITES, SNAPSHOTS};
use clap::{CommandFactory, ValueEnum};

const LISTS: [(&str, &Resource); 4] =
    [("clients", &CLIENTS), ("managed-accounts", &MANAGED_ACCOUNTS), ("sites", &SITES), ("snapshots", &SNAPSHOTS)];

fn file(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| unreachable!("{path}: {error}"))
}

/// Everything that is written about a list command, with its name.
fn texts(noun: &str) -> Vec<(String, String)> {
    let root = Cli::command();
    let list = root.find_subcommand(noun).and_then(|noun| noun.find_subcommand("list"));
    let help = list.map(|list| list.clone().render_long_help().to_string()).unwrap_or_default();
    let manual = file(&format!("man/sitectl-{noun}-list.1")).replace("\\-", "-");
    let manual = ["\\fB", "\\fI", "\\fR"].iter().fold(manual, |text, font| text.replace(font, ""));
    let manual = manual.replace("\\*(Aq", "'");
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    vec![("help".into(), words(help)), ("manual".into(), words(manual))]
}

fn operators(field: &Field) -> String {
    let names: Vec<&str> = field.operators.iter().map(|operator| operator.name()).collect();
    format!("{}:{}", field.name, names.join("|"))
}

#[test]
fn help_and_manual_name_every_flag_filter_and_sort_field() {
    for (noun, resource) in LISTS {
        let sortable: Vec<&str> =
            resource.fields.iter().filter(|field| field.sortable).map(|field| field.name).collect();
        for (what, text) in texts(noun) {
            for field in resource.fields {
                for flag in field.flags {
                    assert!(text.contains(&format!("--{} ", flag.name)), "{noun} {what}: --{}", flag.name);
                    assert!(text.contains(flag.help), "{noun} {what}: {}", flag.help);
                }
                assert!(
                    field.operators.is_empty() || text.contains(&operators(field)),
                    "{noun} {what}: {}",
                    field.name
                );
                if let (FieldKind::Choice(allowed), false) = (field.kind, field.flags.is_empty()) {
                    assert!(text.contains(&allowed.join(", ")), "{noun} {what}: values of {}", field.name);
                }
            }
            assert_eq!(text.contains("--sort"), !sortable.is_empty(), "{noun} {what}");
            assert!(text.contains(&sortable.join(", ")), "{noun} {what}: sort fields");
        }
    }
}

/// What a shell is told where this is typed, in which no word is quoted.
fn completed(shell: Shell, typed: &str) -> String {
    let words = typed.split(' ').map(String::from);
    let asked = match shell {
        Shell::Bash => vec![typed.into(), typed.rsplit([' ', '=', ':']).next().unwrap_or_default().into()],
        Shell::Powershell => words.map(|word| format!("={word}")).collect(),
        Shell::Elvish | Shell::Fish | Shell::Zsh => words.collect(),
    };
    complete::told(shell, asked, Cli::command())
}

#[test]
fn every_shell_completes_every_flag_and_what_it_takes() {
    for (shell, (noun, resource)) in Shell::value_variants().iter().flat_map(|shell| LISTS.map(|list| (*shell, list))) {
        let list = format!("sitectl {noun} list");
        let flags = completed(shell, &format!("{list} --"));
        let values = |name: &str| completed(shell, &format!("{list} --{name} "));
        for field in resource.fields {
            for flag in field.flags {
                assert!(flags.contains(&format!("--{}", flag.name)), "{shell:?} {noun}: --{}", flag.name);
                if let FieldKind::Choice(allowed) = field.kind {
                    let told = values(flag.name);
                    assert!(allowed.iter().all(|value| told.contains(value)), "{shell:?} --{}: {told}", flag.name);
                }
            }
            for operator in field.operators {
                let told = completed(shell, &format!("{list} --filter {}:", field.name)).replace('\\', "");
                assert!(told.contains(&format!("{}=", operator.name())), "{shell:?} {noun} {}: {told}", field.name);
            }
            let (sorts, fields) = (values("sort"), values("fields"));
            assert!(!field.sortable || sorts.contains(field.name), "{shell:?} {noun}: --sort {}", field.name);
            assert!(!field.recorded || fields.contains(field.name), "{shell:?} {noun}: --fields {}", field.name);
        }
    }
}

#[test]
fn every_word_that_takes_a_known_value_has_it_completed() {
    let named = ["FORMAT", "OUTCOME", "SHELL", "WHAT", "WHEN", "true|false"];
    let mut root = Cli::command();
    root.build();
    let mut commands = vec![("sitectl".to_string(), &root)];
    while let Some((path, command)) = commands.pop() {
        commands.extend(command.get_subcommands().map(|verb| (format!("{path} {}", verb.get_name()), verb)));
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
            let typed = arg.get_long().map_or_else(|| format!("{path} "), |name| format!("{path} --{name} "));
            let told = completed(Shell::Fish, &typed);
            if !arg.get_num_args().is_some_and(|number| number.takes_values()) {
                continue;
            }
            if value.starts_with("FILE") {
                assert_eq!(told, "files\n", "{typed}");
            } else if named.contains(&value) {
                assert!(told.lines().count() > 2, "{typed}: {told}");
            }
        }
    }
}

#[test]
fn what_is_declared_is_taken_and_nothing_else_is() {
    let zone = Zone::new(None, jiff::Timestamp::UNIX_EPOCH);
    for (noun, resource) in LISTS {
        for field in resource.fields {
            let value = match field.kind {
                FieldKind::Text => "a",
                FieldKind::Time => "2026-01-31",
                FieldKind::Boolean => "true",
                FieldKind::Choice(allowed) => allowed[0],
            };
            for operator in Operator::ALL {
                let text = format!("{}:{}={value}", field.name, operator.name());
                let taken = Filter::parse(resource, &text, &zone).is_ok();
                assert_eq!(taken, field.operators.contains(&operator), "{noun} {text}");
            }
            for flag in field.flags {
                assert!(field.operators.contains(&flag.operator), "{noun} --{}", flag.name);
                assert!(Filter::flag(field, flag, value, &zone).is_ok(), "{noun} --{} {value}", flag.name);
            }
            assert_eq!(Sort::parse(resource, field.name).is_ok(), field.sortable, "{noun} --sort {}", field.name);
        }
    }
}
