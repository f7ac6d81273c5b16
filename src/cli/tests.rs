//! Help, completion and validation follow the resource declarations: a new field or flag needs no
//! other change.

use super::*;
use crate::completion::Shell;
use crate::resources::{FieldKind, LISTS};

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(String::from).collect()
}

/// Returns the reply of completion to fish for this line.
fn completed(line: &str) -> String {
    completion::reply(Shell::Fish, words(line), Cli::command())
}

/// Returns the help of a list with single spaces.
fn list_help(noun: &str, verb: &str) -> String {
    let root = Cli::command();
    let list = root
        .find_subcommand(noun)
        .and_then(|command| command.find_subcommand(verb))
        .unwrap_or_else(|| unreachable!("commands/mod.rs has no command '{noun} {verb}'"));
    let help = list.clone().render_long_help().to_string();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_and_completion_have_every_flag_filter_and_sort_field() {
    for resource in LISTS {
        let name = &resource.command_name();
        let (noun, verb) = match resource.plural {
            "files" | "tables" => ("snapshots", name.as_str()),
            _ => (name.as_str(), "list"),
        };
        let help = list_help(noun, verb);
        assert!(
            help.starts_with(&format!("List {} ", resource.plural)),
            "'{noun} {verb}' has another resource: {help}"
        );
        let list = |more: &str| completed(&format!("sitectl {noun} {verb} {more}"));
        let (flags, sorts, fields) = (list("--"), list("--sort "), list("--fields "));
        for field in resource.fields {
            for flag in field.filter_flags() {
                let name = flag.name();
                assert!(
                    help.contains(&format!("--{name} ")) && help.contains(&flag.help()),
                    "--{name}"
                );
                assert!(flags.contains(&format!("--{name}")), "{noun}: --{name}");
                if let FieldKind::Choice(allowed) | FieldKind::State(allowed) = field.kind {
                    let values = list(&format!("--{name} "));
                    assert!(
                        allowed.iter().all(|value| values.contains(value)),
                        "--{name}: {values}"
                    );
                }
            }
            let operators = list(&format!("--filter {}:", field.name));
            assert!(
                field
                    .operators
                    .iter()
                    .all(|operator| operators.contains(operator)),
                "{operators}"
            );
            assert!(
                field.operators.is_empty() || help.contains(&field.filter_syntax()),
                "{noun} {}",
                field.name
            );
            assert!(
                !field.sortable || sorts.contains(field.name),
                "{noun}: --sort {}",
                field.name
            );
            assert!(
                !field.in_records || fields.contains(field.name),
                "{noun}: --fields {}",
                field.name
            );
        }
        assert!(
            help.contains(&resource.sort_fields().join(", ")),
            "{noun}: sort fields"
        );
    }
}
