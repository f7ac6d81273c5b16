//! Every example in the help works as it is printed: each block is run as one script on a fresh service.

use crate::support::{Run, Server, World};
use clap::{Command, CommandFactory};

/// The example lines of a command's help.
fn examples(command: &Command) -> Vec<String> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = after.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string()).collect()
}

fn visit(command: &Command, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    for sub in command.get_subcommands() {
        let path = format!("{path} {}", sub.get_name());
        found.push((path.clone(), examples(sub)));
        visit(sub, &path, found);
    }
}

/// Runs shell commands with the program on the path; the first that fails ends them.
pub fn run_script(world: &World, script: &str) -> Run {
    Run::of(world.shell(&["-e", "-c", script]).output().unwrap())
}

/// A service, and a world in which what the examples name is there: two profiles and a token.
fn world() -> (Server, World) {
    let server = Server::start(&[]);
    let profile =
        |name: &str| format!("[profiles.{name}]\nbase_url = \"{}\"\ntoken = \"sandbox-token\"\n", server.base_url);
    let world =
        World::empty().with_config(&format!("current_profile = \"live\"\n{}{}", profile("live"), profile("test")));
    std::fs::write(world.path("token.txt"), "sandbox-token\n").unwrap();
    (server, world)
}

#[test]
fn every_command_has_examples_that_work() {
    let mut commands = vec![("sitectl".to_string(), examples(&sitectl::cli::Cli::command()))];
    visit(&sitectl::cli::Cli::command(), "sitectl", &mut commands);
    for (path, lines) in commands {
        assert!(lines.len() >= 2, "{path} has {} examples", lines.len());
        assert!(lines.iter().all(|line| line.len() <= 96), "{path}: an example that help would wrap");
        // A server runs until it is stopped: `servers_start_as_the_examples_say` starts it.
        if path != "sitectl sandbox serve" {
            let (server, world) = world();
            let script = lines.join("\n").replace("https://service.example/api/v6", &server.base_url);
            let run = run_script(&world, &script.replace("pass show sitectl/test", "cat token.txt"));
            assert_eq!(run.code, 0, "{path}\n{}", run.transcript());
        }
    }
}

#[test]
fn servers_start_as_the_examples_say() {
    let root = sitectl::cli::Cli::command();
    let serve = root.find_subcommand("sandbox").and_then(|sandbox| sandbox.find_subcommand("serve")).unwrap();
    let world = World::empty();
    for line in examples(serve) {
        let mut words: Vec<&str> = line.split(' ').skip(1).collect();
        // The usual port may be taken on this machine.
        if !words.contains(&"--listen") {
            words.extend(["--listen", "127.0.0.1:0"]);
        }
        let server = Server::of(world.command(&words));
        assert!(server.base_url.ends_with("/api/v6"), "{line}");
    }
}
