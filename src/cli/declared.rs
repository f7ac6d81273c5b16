//! One declaration a resource feeds everything that a person or a script sees of a list: its help, its manual, its
//! completions, and what is checked before a request. Whoever adds a field or a flag finds here that all of them know.

use super::Cli;
use crate::query::{Filter, Sort, Zone};
use crate::resource::{CLIENTS, Field, FieldKind, MANAGED_ACCOUNTS, Operator, Resource, SITES, SNAPSHOTS};
use clap::CommandFactory;

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

#[test]
fn every_shell_completes_every_flag() {
    for script in ["sitectl.bash", "_sitectl", "sitectl.fish", "_sitectl.ps1", "sitectl.elv"] {
        let text = file(&format!("completions/{script}"));
        for flag in LISTS.iter().flat_map(|(_, resource)| resource.fields).flat_map(|field| field.flags) {
            assert!(text.contains(flag.name), "{script}: --{}", flag.name);
        }
        if script == "sitectl.elv" || script == "_sitectl.ps1" {
            continue; // Their scripts complete no values.
        }
        for field in LISTS.iter().flat_map(|(_, resource)| resource.fields) {
            let FieldKind::Choice(allowed) = field.kind else { continue };
            assert!(
                text.contains(&allowed.join(" ")) || text.contains(&allowed.join("\\t''\n")),
                "{script}: {}",
                field.name
            );
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
