//! The examples in the help work, and print the output whose beginning is saved in `examples/`, one file per command. One shell runs the
//! examples of a command with a new service.

use crate::after_help::{Paragraph, after_help_paragraphs};
use crate::common::{Run, Server, World, in_parallel, start, wait};
use crate::fresh::check_directory;
use crate::session::{Outcome, Session, settled};
use clap::{Command, CommandFactory};
use std::path::Path;

/// The saved lines of an output.
const MAX_LINES: usize = 7;

/// The examples of a command, which can have several lines.
fn examples(command: &Command) -> Vec<String> {
    let shown = after_help_paragraphs(command)
        .into_iter()
        .filter(Paragraph::is_example)
        .flat_map(|paragraph| paragraph.lines);
    shown.fold(Vec::new(), |mut commands: Vec<String>, line| {
        match commands
            .last_mut()
            .filter(|command| command.ends_with('\\'))
        {
            Some(command) => *command = format!("{command}\n{line}"),
            None => commands.push(line),
        }
        commands
    })
}

fn visit(command: &Command, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    found.push((path.to_string(), examples(command)));
    command
        .get_subcommands()
        .for_each(|sub| visit(sub, &format!("{path} {}", sub.get_name()), found));
}

/// Runs shell commands with the program on the path, until one fails.
pub fn run_script(world: &World, script: &str) -> Run {
    wait(start(&mut world.shell(&["-e", "-c", script])))
}

/// A home directory with the profiles and the token that the examples use.
fn world(base_url: &str) -> World {
    let profile = |name: &str| {
        format!("[profiles.{name}]\nbase_url = \"{base_url}\"\ntoken = \"sandbox-token\"\n")
    };
    let world = World::empty().with_config(&format!(
        "current_profile = \"live\"\n{}{}",
        profile("live"),
        profile("test")
    ));
    std::fs::write(world.path("token.txt"), "sandbox-token\n").unwrap();
    world
}

/// Commands that run before the examples: a finished, a refused and an unfinished restore for the history, and a run of which
/// the service has rejected a restore, because another program was restoring the site.
fn before(path: &str) -> Option<String> {
    let history = "\
set -e
sitectl restore start site-0001 snap-0001-3 --full --watch --yes --quiet -o ids > .done
! sitectl restore start site-0002 no-such-snapshot --full --yes --quiet 2> .done
sitectl restore start site-0003 snap-0003-2 --database --reason 'orders lost' --yes --quiet -o ids > .done
set +e";
    let resume = "\
set -e
printf '%s\\n' site-0001 site-0002 > sites.txt
other() { SITECTL_STATE_DIR=$PWD/other sitectl \"$@\"; }
other restore start site-0002 latest --full --yes --quiet -o ids > .done 2>&1
! sitectl restore start --plan sites.txt --full --yes --quiet -o ids > .done 2>&1
other restore watch --quiet > .done
sitectl restore watch --quiet > .done
run=$(sitectl restore history --limit 1 --jq '.[0].run')
sed -i \"s/$run/20261123-081500/\" $(find ~ -name restores.ndjson)
set +e";
    let undo = "\
set -e
sitectl restore start site-0001 snap-0001-2 --full --watch --yes --quiet > .done
run=$(sitectl restore history --limit 1 --jq '.[0].run')
sed -i \"s/$run/20261123-081500/\" $(find ~ -name restores.ndjson)
set +e";
    match path {
        "sitectl restore undo" => Some(undo.into()),
        "sitectl restore history" => Some(history.into()),
        "sitectl restore" | "sitectl restore resume" => Some(resume.into()),
        _ => None,
    }
}

/// Answers the question of an example, which shows no `--yes`: a test has no terminal.
fn with_yes(example: &str) -> String {
    let asking = "(restore start|restore undo|restore resume|clients delete|clients apply|tasks cancel|profiles remove)";
    let asking = regex::Regex::new(&format!("sitectl( --sandbox)? {asking}")).unwrap();
    asking.replace_all(example, "$0 --yes").into_owned()
}

/// Returns the first lines of an output.
fn beginning(output: &str) -> String {
    match output.match_indices('\n').nth(MAX_LINES) {
        Some((end, _)) => format!("{}\n…\n", &output[..end]),
        None => output.into(),
    }
}

/// The examples of a command with the beginning of their output.
fn transcript(path: &str, examples: &[String]) -> String {
    let before = before(path);
    let examples_with_yes = examples.iter().map(|example| with_yes(example));
    let commands: Vec<String> = before.iter().cloned().chain(examples_with_yes).collect();
    let mut outcomes = Session::of(world).run(&commands);
    if before.is_some() {
        let outcome = outcomes.remove(0);
        assert_eq!(outcome.code, 0, "{path}: {}", outcome.text);
    }
    let typed = |(example, outcome): (&String, &Outcome)| {
        // `sites check` finds sites that need attention.
        let code = if example.contains("sites check") {
            14
        } else {
            0
        };
        assert_eq!(outcome.code, code, "{path}\n{example}\n{}", outcome.text);
        let text = beginning(&settled(&outcome.text));
        format!("$ {}\n{text}", example.replace('\n', "\n> "))
    };
    assert_eq!(
        outcomes.len(),
        examples.len(),
        "{path}: an example ended the shell\n{outcomes:#?}"
    );
    examples.iter().zip(&outcomes).map(typed).collect()
}

#[test]
fn every_command_has_examples_with_the_saved_output() {
    let mut commands = Vec::new();
    visit(&sitectl::cli::Cli::command(), "sitectl", &mut commands);
    for (path, lines) in &commands {
        assert!(lines.len() >= 2, "{path} has {} examples", lines.len());
        assert!(
            lines
                .iter()
                .flat_map(|line| line.lines())
                .all(|line| line.len() <= 96),
            "{path}: help would wrap one"
        );
    }
    // A server runs until it is stopped. `servers_start_as_in_the_examples` starts one.
    commands.retain(|(path, _)| path != "sitectl sandbox serve");
    let wanted = in_parallel(&commands, |(path, lines)| {
        (path.replace(' ', "-") + ".txt", transcript(path, lines))
    });
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/examples");
    check_directory(&directory, &wanted.into_iter().collect());
}

#[test]
fn servers_start_as_in_the_examples() {
    let root = sitectl::cli::Cli::command();
    let serve = root
        .find_subcommand("sandbox")
        .and_then(|sandbox| sandbox.find_subcommand("serve"))
        .unwrap();
    let world = World::empty();
    for line in examples(serve) {
        let mut words: Vec<&str> = line
            .split_whitespace()
            .filter(|word| *word != "\\")
            .skip(1)
            .collect();
        // The default port can be in use.
        if !words.contains(&"--listen") {
            words.extend(["--listen", "127.0.0.1:0"]);
        }
        // This compares its two lines of output.
        let server = Server::of(world.command(&words));
        assert!(server.base_url.ends_with("/api/v6"), "{line}");
    }
}
