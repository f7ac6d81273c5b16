//! The commands in README.md and `docs/` work: those in `sh` blocks succeed, and those in `console` blocks print the output
//! below them. One command writes the current output, and the table of exit codes, into the pages:
//!
//!     cargo regenerate
//!
//! In a `console` block each command follows `$ `, its further lines follow `> `, and its output below it, stdout and
//! stderr as they come. One shell runs the blocks of a page in their order. After a line `<!-- fresh -->`, the home
//! directory is empty again. A line `<!-- not run: why -->` skips the next block. `https://service.example/api/v6` is a
//! service of the test, with the sandbox's tokens, one of which `pass` prints. Generated tables are between marks: the table
//! of exit codes, or some of its rows, between `<!-- exit-codes 0 2 -->` and `<!-- /exit-codes -->`.

use crate::exit_codes::exit_codes;
use crate::fresh::check_file;
use crate::session::{Outcome, Session, settled};
use crate::support::World;
use crate::tools::installed;
use regex::{Captures, Regex};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A part of a page.
#[derive(Debug)]
enum Part {
    /// A line, or a block that is not run.
    Text(String),
    /// Here the home directory is emptied.
    Fresh,
    /// Commands that succeed.
    Script(String),
    /// Commands, each with its output.
    Console(Vec<(String, String)>),
}

fn parts(page: &str) -> Vec<Part> {
    let mut lines = page.lines();
    let (mut parts, mut is_run) = (Vec::new(), true);
    while let Some(line) = lines.next() {
        is_run &= !line.starts_with("<!-- not run: ");
        if !line.starts_with("```") {
            parts.push(if line == FRESH { Part::Fresh } else { Part::Text(line.into()) });
            continue;
        }
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        parts.push(match line {
            "```sh" if is_run => Part::Script(body.join("\n")),
            "```console" if is_run => console(&body),
            _ => Part::Text([&[line], &body[..], &["```"]].concat().join("\n")),
        });
        is_run = true;
    }
    parts
}

const FRESH: &str = "<!-- fresh -->";

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
        Part::Text(text) => text.clone(),
        Part::Fresh => FRESH.into(),
        Part::Script(script) => format!("```sh\n{script}\n```"),
        Part::Console(commands) => {
            let typed = |command: &str| command.replace('\n', "\n> ");
            let block = |(command, printed): &(String, String)| format!("$ {}\n{printed}", typed(command));
            format!("```console\n{}```", commands.iter().map(block).collect::<String>())
        }
    }
}

/// Runs the commands of a page, and replaces their output if it differs in more than what differs from run to run.
fn refreshed(name: &str, mut parts: Vec<Part>) -> Vec<Part> {
    let homes = parts.split_mut(|part| matches!(part, Part::Fresh));
    std::thread::scope(|scope| homes.for_each(|home| drop(scope.spawn(|| refresh_home(name, home)))));
    parts
}

fn refresh_home(name: &str, home: &mut [Part]) {
    let commands: Vec<String> = home.iter().flat_map(commands).collect();
    if commands.is_empty() {
        return;
    }
    let outcomes = Session::start().run(&commands);
    let last = outcomes.last().unwrap();
    assert!(
        outcomes.len() == commands.len(),
        "{name}: {} ended the shell\n{}",
        commands[outcomes.len() - 1],
        last.text
    );
    let mut outcomes = outcomes.into_iter();
    home.iter_mut().for_each(|part| refresh(name, part, &mut outcomes));
}

fn commands(part: &Part) -> Vec<String> {
    match part {
        Part::Text(_) | Part::Fresh => Vec::new(),
        // The first failure ends the shell.
        Part::Script(script) => vec![format!("set -e\n{script}\nset +e")],
        Part::Console(commands) => commands.iter().map(|(command, _)| command.clone()).collect(),
    }
}

fn refresh(name: &str, part: &mut Part, outcomes: &mut impl Iterator<Item = Outcome>) {
    match part {
        Part::Text(_) | Part::Fresh => {}
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

/// Returns the page with the generated tables between their marks.
fn with_tables(page: &str) -> String {
    let page = filled(page, "exit-codes", |only| {
        let only: Vec<u8> = only.split_whitespace().map(|code| code.parse().unwrap()).collect();
        exit_codes(&only)
    });
    filled(&page, "faults", |_| crate::matrix::table())
}

/// Returns the page with this table between the marks of this name. The table depends on what follows the name.
fn filled(page: &str, name: &str, table: impl Fn(&str) -> String) -> String {
    let marks = Regex::new(&format!(r"(?s)(<!-- {name}([ 0-9]*) -->\n).*?(<!-- /{name} -->\n)")).unwrap();
    let fill = |found: &Captures| format!("{}\n{}\n{}", &found[1], table(&found[2]), &found[3]);
    marks.replace_all(page, fill).into_owned()
}

/// Fails if the page is not up to date.
fn check(name: &str, path: &Path) {
    let written = std::fs::read_to_string(path).unwrap();
    // Building and testing needs only a toolchain.
    if written.contains(" | jq ") && !installed("jq") {
        return;
    }
    check_file(path, &with_tables(&text(&refreshed(name, parts(&written)))));
}

/// Returns the README and the pages in `docs/`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.chain([root.join("README.md")]).collect()
}

#[test]
fn commands_in_documents_print_the_written_output() {
    std::thread::scope(|scope| {
        for path in documents() {
            scope.spawn(move || check(path.file_name().unwrap().to_str().unwrap(), &path));
        }
    });
}

#[test]
fn links_in_documents_lead_to_a_file_and_heading() {
    let anchor = |heading: &str| heading.to_lowercase().replace(' ', "-").replace(['`', ',', '\'', '.'], "");
    let link = Regex::new(r"\]\(([^)#:]*)(?:#([^)]*))?\)").unwrap();
    let others = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in documents().into_iter().chain(others.map(|name| root.join(name))) {
        for found in link.captures_iter(&std::fs::read_to_string(&path).unwrap()) {
            let target = if found[1].is_empty() { path.clone() } else { path.with_file_name(&found[1]) };
            let page = std::fs::read_to_string(&target).unwrap_or_else(|_| panic!("{path:?}: {}", &found[0]));
            let mut headings = page.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
            let is_heading = |mark: regex::Match| headings.any(|heading| anchor(heading) == mark.as_str());
            assert!(found.get(2).is_none_or(is_heading), "{path:?}: {}", &found[0]);
        }
    }
}

#[test]
fn files_in_the_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = Regex::new(r"`([a-z_/]+\.rs|[a-z_]+/[a-z_/]*)`").unwrap();
    for found in file.captures_iter(include_str!("../../ARCHITECTURE.md")) {
        assert!(root.join(&found[1]).exists() || root.join("src").join(&found[1]).exists(), "{}", &found[1]);
    }
}

#[test]
fn the_config_file_in_the_documents_is_valid() {
    let page = include_str!("../../docs/configuration.md");
    let file = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let run = World::empty().with_config(file).run(&["auth", "status", "--offline", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.transcript());
}
