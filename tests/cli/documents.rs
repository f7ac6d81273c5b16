//! Runs the commands in the README and in `docs/`: those in `sh` blocks succeed, and those in `console` blocks print what is
//! shown below them. To write what they print now into the pages:
//!
//!     SITECTL_REGENERATE=1 cargo test --test cli documents
//!
//! In a `console` block, a command follows `$ `, its further lines follow `> `, and its output, stdout and stderr, follows on
//! the next lines. One shell runs all blocks of a page, in order. A line `<!-- fresh -->` starts a new shell in an empty home.
//! A line `<!-- not run: why -->` skips the next block. `https://service.example/api/v6` is a sandbox that the test serves,
//! and `pass` prints its token.

use crate::session::{Outcome, Session, Step, difference, settled};
use crate::support::World;
use crate::tools::installed;
use clap::CommandFactory;
use regex::Regex;
use std::fmt::Write;
use std::path::PathBuf;

const README: &str = "README.md";

/// Returns the README and the pages in `docs/`, from the root of the repository.
fn documents() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("docs")).unwrap();
    let names = entries.map(|entry| format!("docs/{}", entry.unwrap().file_name().into_string().unwrap()));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.push(README.into());
    names
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

const MEND: &str = "run: SITECTL_REGENERATE=1 cargo test --test cli documents";

/// A part of a page.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Words, and blocks that are not run, line by line.
    Line(String),
    /// Here a new home begins.
    Fresh(String),
    /// Commands that succeed.
    Script(String),
    /// Commands, each with what it prints.
    Console(Vec<(String, String)>),
}

fn parts(page: &str) -> Vec<Part> {
    let mut lines = page.lines();
    let mut parts = Vec::new();
    let mut left_alone = false;
    while let Some(line) = lines.next() {
        left_alone |= line.starts_with("<!-- not run: ");
        match line {
            "<!-- fresh -->" => parts.push(Part::Fresh(line.into())),
            "```sh" | "```console" if !left_alone => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                parts.push(if line == "```sh" { Part::Script(body.join("\n")) } else { console(&body) });
            }
            _ if line.starts_with("```") => {
                parts.push(Part::Line(line.into()));
                for line in lines.by_ref() {
                    parts.push(Part::Line(line.into()));
                    if line == "```" {
                        break;
                    }
                }
                left_alone = false;
            }
            _ => parts.push(Part::Line(line.into())),
        }
    }
    parts
}

fn console(body: &[&str]) -> Part {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in body {
        match (line.strip_prefix("$ "), line.strip_prefix("> "), commands.last_mut()) {
            (Some(command), _, _) => commands.push((command.into(), String::new())),
            (None, Some(more), Some((command, printed))) if printed.is_empty() => {
                let _ = write!(command, "\n{more}");
            }
            (_, _, Some((_, printed))) => {
                let _ = writeln!(printed, "{line}");
            }
            (_, _, None) => panic!("a console block begins with '{line}', not with a command behind '$ '"),
        }
    }
    Part::Console(commands)
}

fn text(parts: &[Part]) -> String {
    parts.iter().map(|part| format!("{}\n", part_text(part))).collect()
}

fn part_text(part: &Part) -> String {
    match part {
        Part::Line(line) | Part::Fresh(line) => line.clone(),
        Part::Script(script) => format!("```sh\n{script}\n```"),
        Part::Console(commands) => {
            let typed = |command: &str| command.replace('\n', "\n> ");
            let block = |(command, printed): &(String, String)| format!("$ {}\n{printed}", typed(command));
            format!("```console\n{}```", commands.iter().map(block).collect::<String>())
        }
    }
}

/// The page as it should be: what is printed now in place of what stands there, where that differs in more than what
/// differs from run to run.
fn refreshed(name: &str, mut parts: Vec<Part>) -> Vec<Part> {
    let homes = parts.split_mut(|part| matches!(part, Part::Fresh(_)));
    // They know nothing of each other, and restores take their time.
    std::thread::scope(|scope| homes.for_each(|home| drop(scope.spawn(|| refresh_home(name, home)))));
    parts
}

fn refresh_home(name: &str, home: &mut [Part]) {
    let steps: Vec<Step> = home.iter().flat_map(steps).collect();
    if steps.is_empty() {
        return;
    }
    let outcomes = Session::start().run(&steps);
    let last = outcomes.last().unwrap();
    assert!(outcomes.len() == steps.len(), "{name}: {:?} ended the shell\n{}", steps[outcomes.len() - 1], last.text);
    let mut outcomes = outcomes.into_iter();
    home.iter_mut().for_each(|part| refresh(name, part, &mut outcomes));
}

fn steps(part: &Part) -> Vec<Step> {
    match part {
        Part::Line(_) | Part::Fresh(_) => Vec::new(),
        Part::Script(script) => vec![Step::Script(script.clone())],
        Part::Console(commands) => commands.iter().map(|(command, _)| Step::Command(command.clone())).collect(),
    }
}

fn refresh(name: &str, part: &mut Part, outcomes: &mut impl Iterator<Item = Outcome>) {
    match part {
        Part::Line(_) | Part::Fresh(_) => {}
        Part::Script(script) => {
            let outcome = outcomes.next().unwrap();
            assert_eq!(outcome.code, 0, "{name}: a command failed\n{script}\n{}", outcome.text);
        }
        Part::Console(commands) => {
            for ((_, printed), outcome) in commands.iter_mut().zip(outcomes) {
                if settled(printed) != settled(&outcome.text) {
                    *printed = outcome.text;
                }
            }
        }
    }
}

/// Returns the difference if the page shows something else than what the commands print now.
fn difference_of(name: &str) -> Option<String> {
    let written = read(name);
    let wanted = text(&refreshed(name, parts(&written)));
    if std::env::var_os("SITECTL_REGENERATE").is_some() {
        std::fs::write(root().join(name), &wanted).unwrap();
        return None;
    }
    (written != wanted).then(|| format!("{name} is stale; {MEND}\n{}", difference(&written, &wanted)))
}

#[test]
fn commands_in_documents_print_what_is_shown() {
    let names = documents();
    // The README promises that its tests need nothing but a toolchain.
    let names: Vec<&String> = names.iter().filter(|name| !read(name).contains("| jq ") || installed("jq")).collect();
    let stale: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = names.iter().map(|name| scope.spawn(|| difference_of(name))).collect();
        running.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn links_in_documents_lead_somewhere() {
    let anchor = |heading: &str| heading.to_lowercase().replace(' ', "-").replace(['`', ',', '\'', '.'], "");
    let anchors = |page: &str| -> Vec<String> {
        page.lines().filter_map(|line| Some(anchor(line.trim_start_matches('#').strip_prefix(' ')?))).collect()
    };
    let link = Regex::new(r"\]\(([^)#:]*)(?:#([^)]*))?\)").unwrap();
    for name in documents() {
        let page = read(&name);
        for found in link.captures_iter(&page) {
            let target =
                if found[1].is_empty() { root().join(&name) } else { root().join(&name).with_file_name(&found[1]) };
            let text = std::fs::read_to_string(&target);
            let leads =
                text.is_ok_and(|text| found.get(2).is_none_or(|mark| anchors(&text).contains(&mark.as_str().into())));
            assert!(leads, "{name}: {}", &found[0]);
        }
    }
}

#[test]
fn the_page_on_scripts_has_every_exit_code() {
    let page = include_str!("../../docs/scripting.md");
    for exit in sitectl::reference::exit_codes() {
        let kind = exit.kind.map(|kind| format!("`{kind}` ")).unwrap_or_default();
        let row = format!("| {} | {kind}|", exit.code);
        assert!(page.contains(&row), "docs/scripting.md lacks {row}");
    }
}

/// Commands that print no JSON of their own, or whose help tells all of it.
const WITHOUT_SHAPE: [&str; 3] = ["completions", "explain", "sandbox serve"];

#[test]
fn the_page_on_json_shows_what_every_command_prints() {
    let page = include_str!("../../docs/json-output.md");
    let root = sitectl::cli::Cli::command();
    let below = |noun: &clap::Command| {
        let name = |verb: &clap::Command| format!("{} {}", noun.get_name(), verb.get_name());
        let verbs: Vec<String> = noun.get_subcommands().map(name).collect();
        if verbs.is_empty() { vec![noun.get_name().to_string()] } else { verbs }
    };
    let commands: Vec<String> = root.get_subcommands().filter(|noun| !noun.is_hide_set()).flat_map(below).collect();
    let lost = commands.iter().filter(|command| !WITHOUT_SHAPE.contains(&command.as_str()));
    let lost: Vec<_> = lost.filter(|command| !page.contains(&format!("sitectl {command} "))).collect();
    assert!(lost.is_empty(), "docs/json-output.md has no example of {lost:?}");
}

#[test]
fn the_config_file_in_the_documents_is_one() {
    let page = include_str!("../../docs/configuration.md");
    let file = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let run = World::empty().with_config(file).run(&["auth", "status", "--offline", "--json"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert_eq!(run.stderr, "");
}

#[test]
fn yaml_in_documents_is_yaml() {
    for name in documents() {
        let page = read(&name);
        for block in page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let wrong = saphyr_parser::Parser::new_from_str(block).find_map(Result::err);
            assert_eq!(wrong, None, "{name}\n{block}");
        }
    }
}

#[test]
fn a_page_is_its_parts() {
    let page = "# A\n\n<!-- fresh -->\n```sh\na\nb\n```\n<!-- not run: no -->\n```sh\nc\n```\n```console\n$ d \\\n> e\nf\n\n> g\n$ h\n```\n```yaml\n$ i\n```\n";
    let found = parts(page);
    assert_eq!(text(&found), page);
    let given: Vec<String> = found.iter().flat_map(steps).map(|step| format!("{step:?}")).collect();
    assert_eq!(given, [r#"Script("a\nb")"#, r#"Command("d \\\ne")"#, r#"Command("h")"#]);
    let told = |printed: &str| Part::Console(vec![("d".into(), printed.into())]);
    let came = |text: &str| vec![Outcome { text: text.into(), code: 1 }].into_iter();
    let mut part = told("task-0123456789abcdef\n");
    refresh("page", &mut part, &mut came("task-0123456789abcd00\n"));
    assert_eq!(part, told("task-0123456789abcdef\n"));
    refresh("page", &mut part, &mut came("something else\n"));
    assert_eq!(part, told("something else\n"));
}
