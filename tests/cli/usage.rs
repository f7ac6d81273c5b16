//! Help, aliases, and wrong command lines.

use crate::common::World;
use clap::{Command, CommandFactory};
use predicates::str::contains;
use snapbox::{assert_data_eq, str};

/// A world on a terminal of this width.
fn world(width: u16) -> World {
    World::sandbox().with("COLUMNS", &width.to_string())
}

#[test]
fn help_fits_into_80_columns() {
    assert_data_eq!(
        world(80).run("clients show -h").stdout,
        str![[r#"
Show a client

Usage: sitectl clients show [CLIENT_ID|EMAIL]

Examples:
  sitectl clients show client-0001
  sitectl clients show client-0001 --json

Arguments:
  [CLIENT_ID|EMAIL]  Id or email of the client; omit for a menu

Global options: sitectl clients show --help

"#]]
    );
    for (line, lines) in [("clients show -h", 15), ("restore start -h", 45)] {
        let help = world(80).run(line).stdout;
        assert!(
            help.lines().count() <= lines,
            "{line} has {} lines\n{help}",
            help.lines().count()
        );
    }
}

/// Examples are not wrapped, because they are pasted.
#[test]
fn help_wraps_with_the_terminal() {
    fn visit(command: &Command, path: &[&str]) {
        for width in [60, 80, 100] {
            for form in ["-h", "--help"] {
                let help = world(width).run(&[path, &[form]].concat()).stdout;
                let (before, after) = help.split_once("Examples:\n").unwrap();
                let text = before
                    .lines()
                    .chain(after.split_once("\n\n").unwrap().1.lines());
                let is_command = |line: &&str| {
                    line.trim_start().starts_with("sitectl ") || line.starts_with("Usage: ")
                };
                let text = text.filter(|line| !is_command(line));
                let wide: Vec<&str> = text
                    .filter(|line| line.chars().count() > width.into())
                    .collect();
                assert!(
                    wide.is_empty(),
                    "{path:?} {form} at {width}: {wide:#?}\n{help}"
                );
            }
        }
        command
            .get_subcommands()
            .for_each(|verb| visit(verb, &[path, &[verb.get_name()]].concat()));
    }
    visit(&sitectl::cli::Cli::command(), &[]);
}

#[test]
fn summaries_are_short_imperatives() {
    fn visit(command: &Command) {
        let summary = command.get_about().unwrap().to_string();
        assert!(
            summary.len() <= 60 && !summary.contains(['(', ';', '.', ':']),
            "{summary}"
        );
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let text = help.split(" [").next().unwrap();
            assert!(
                text.len() <= 75 && !text.ends_with('.'),
                "{}: {text}",
                command.get_name()
            );
        }
        command.get_subcommands().for_each(visit);
    }
    visit(&sitectl::cli::Cli::command());
}

#[test]
fn short_help_leaves_out_global_options() {
    let help = |args: &[&str]| world(80).run(args).stdout;
    let (short, long) = (
        help(&["clients", "list", "-h"]),
        help(&["clients", "list", "--help"]),
    );
    assert!(
        !short.contains("--profile")
            && short.contains("Global options: sitectl clients list --help"),
        "{short}"
    );
    assert!(
        long.contains("--profile <NAME>") && long.contains("--search <TEXT>"),
        "{long}"
    );
    assert_eq!(help(&["help", "clients", "list"]), long);
    assert_eq!(world(80).run("clients").stderr, help(&["clients", "-h"]));
}

#[test]
fn aliases_of_other_tools_work() {
    let ids = |args: &[&str]| {
        World::sandbox()
            .run(&[args, &["-o", "ids"]].concat())
            .stdout
    };
    for noun in ["clients", "managed-accounts", "sites", "profiles"] {
        assert_eq!(ids(&[noun, "ls"]), ids(&[noun, "list"]), "{noun}");
    }
    assert_eq!(ids(&["clients", "get", "client-0001"]), "client-0001\n");
    assert_eq!(
        ids(&["clients", "rm", "client-0001", "--yes"]),
        "client-0001\n"
    );
}

/// Wrong command lines, and the one that does what was meant.
const CORRECTED: [(&str, &str); 42] = [
    ("clients list --jsn", "clients list --json"),
    ("clients lst", "clients list"),
    ("clients list --format json", "clients list --output json"),
    (
        "clients list --format=json --limit=2",
        "clients list --output=json --limit=2",
    ),
    ("clients list --csv", "clients list --output csv"),
    ("clients list --color alwys", "clients list --color always"),
    ("whoami", "auth status"),
    ("auth switch live", "profiles use live"),
    ("client show 'A B'", "clients show 'A B'"),
    ("completion bash", "completions bash"),
    ("clients list --context live", "clients list --profile live"),
    (
        "restore start site-0001 latest --full --wait",
        "restore start site-0001 latest --full --watch",
    ),
    ("restore resume --follow", "restore resume --watch"),
    ("clients add --note x", "clients create --note x"),
    (
        "clients edit client-0001 --note x",
        "clients update client-0001 --note x",
    ),
    ("clients remove client-0001", "clients delete client-0001"),
    (
        "clients delete client-0001 --force",
        "clients delete client-0001 --yes",
    ),
    ("clients find kowal", "clients list --search kowal"),
    ("clients import new.csv", "clients apply new.csv"),
    ("clients export", "clients list --output csv"),
    ("clients move", "clients update"),
    ("sites move", "clients update"),
    ("sites info site-0001", "sites show site-0001"),
    ("profiles add", "auth login"),
    ("restore list", "restore history"),
    ("restore status", "restore history"),
    ("restore cancel task-1", "tasks cancel task-1"),
    ("restore wait task-1", "restore watch task-1"),
    ("tasks wait task-1", "restore watch task-1"),
    ("accounts list", "managed-accounts list"),
    ("version", "--version"),
    ("get clients", "clients list"),
    ("get client client-0001", "clients show client-0001"),
    ("list clients", "clients list"),
    ("delete client client-0002", "clients delete client-0002"),
    ("add client --note x", "clients create --note x"),
    ("describe site site-0001", "sites show site-0001"),
    (
        "restore run site-0001 latest",
        "restore start site-0001 latest",
    ),
    ("backups list site-0001", "snapshots list site-0001"),
    ("snapshots restore site-0001", "restore start site-0001"),
    (
        "restore start -f plan.csv --full",
        "restore start --plan plan.csv --full",
    ),
    ("clients list -n 3", "clients list --limit 3"),
];

#[test]
fn wrong_command_lines_are_corrected() {
    for (typed, meant) in CORRECTED {
        let words = shlex::split(typed).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = World::empty().run(&words);
        run.assert_stderr(2, contains(format!("did you mean: sitectl {meant}")));
    }
}

/// Nothing is proposed that is merely spelled alike, and never to pass an option as a value.
#[test]
fn other_wrong_command_lines_show_the_help() {
    let world = World::empty();
    for (line, hint) in [
        ("clients list --site x", "see sitectl clients list --help"),
        // It is not clear which argument the word is.
        (
            "restore start latest --site x --full",
            "see sitectl restore start --help",
        ),
        (
            "restore start --snapshot latest site-0001 --full",
            "see sitectl restore start --help",
        ),
        (
            "clients delete --latest",
            "see sitectl clients delete --help",
        ),
        (
            "restore start site-0001 latest --scope full",
            "see sitectl restore start --help",
        ),
        ("clients show --nope", "see sitectl clients show --help"),
        (
            "delete site site-0001",
            "use one of: clients, managed-accounts, restore, tasks, sites, snapshots, api, sandbox, \
             auth, profiles, completions, explain; see sitectl --help",
        ),
        (
            "restore frobnicate",
            "use one of: history, resume, start, watch; see sitectl restore --help",
        ),
        (
            "api POST /x -f password=secret --jsn",
            "see sitectl api --help",
        ),
        (
            "auth login --token-command secret --jsn",
            "see sitectl auth login --help",
        ),
        (
            "tasks secret --token=abc",
            "use one of: list, show, cancel; see sitectl tasks --help",
        ),
        (
            "clients list --token abc",
            "set SITECTL_TOKEN, or save the token: sitectl auth login; see sitectl clients list --help",
        ),
    ] {
        let run = world.run(line);
        assert_eq!(
            (run.code, run.stderr.lines().last()),
            (2, Some(format!("hint: {hint}").as_str())),
            "{line}"
        );
    }
}
