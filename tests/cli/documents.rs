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

use crate::common::{World, in_parallel};
use crate::exit_codes::exit_code_table;
use crate::fresh::check_file;
use crate::session::{Outcome, Session, settled};
use crate::tables::{default_table, retry_table, task_state_table, time_table};
use crate::tools::installed;
use regex::{Captures, Regex};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A block of commands. The first group skips it.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?ms)(<!-- not run: [^\n]*\n)?^```(sh|console)\n(.*?)^```$").unwrap()
});

/// A command of a console block, and its output.
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\$ (.*\n(?:> .*\n)*)((?:(?:[^$\n].*)?\n)*)").unwrap());

/// Runs the commands of a page, and replaces their output if it differs in more than what differs from run to run.
/// With `shows_codes`, an exit code other than 0 is the last line of an output.
pub fn refreshed(
    name: &str,
    page: &str,
    shows_codes: bool,
    start: &(dyn Fn() -> Session + Sync),
) -> String {
    let homes = page.split_inclusive("<!-- fresh -->\n");
    std::thread::scope(|scope| {
        let homes: Vec<_> = homes
            .map(|home| scope.spawn(|| refreshed_home(name, home, shows_codes, start())))
            .collect();
        homes.into_iter().map(|home| home.join().unwrap()).collect()
    })
}

fn refreshed_home(name: &str, page: &str, shows_codes: bool, session: Session) -> String {
    let commands: Vec<String> = BLOCK
        .captures_iter(page)
        .flat_map(|block| commands(&block))
        .collect();
    if commands.is_empty() {
        return page.into();
    }
    let outcomes = session.run(&commands);
    let (last, Outcome { text, .. }) = commands.iter().zip(&outcomes).next_back().unwrap();
    assert!(
        outcomes.len() == commands.len(),
        "{name}: {last} ended the shell\n{text}"
    );
    let mut outcomes = outcomes.into_iter();
    let refresh = |block: &Captures| match &block[2] {
        _ if block.get(1).is_some() => block[0].into(),
        "sh" => {
            let outcome = outcomes.next().unwrap();
            assert_eq!(
                outcome.code, 0,
                "{name}: a command failed\n{}\n{}",
                &block[3], outcome.text
            );
            block[0].to_string()
        }
        _ => COMMAND
            .replace_all(&block[0], |command: &Captures| {
                let Outcome { mut text, code } = outcomes.next().unwrap();
                if shows_codes && code != 0 {
                    text += &format!("exit {code}\n");
                }
                refreshed_command(command, text)
            })
            .into(),
    };
    BLOCK.replace_all(page, refresh).into()
}

/// Returns the commands of a block as they are run. In an `sh` block, the first failure ends the shell.
fn commands(block: &Captures) -> Vec<String> {
    match &block[2] {
        _ if block.get(1).is_some() => Vec::new(),
        "sh" => vec![format!("set -e\n{}set +e", &block[3])],
        _ => COMMAND
            .captures_iter(&block[3])
            .map(|command| command[1].replace("\n> ", "\n").trim_end().into())
            .collect(),
    }
}

fn refreshed_command(command: &Captures, now: String) -> String {
    let printed = if settled(&command[2]) == settled(&now) {
        &command[2]
    } else {
        &now
    };
    format!("$ {}{printed}", &command[1])
}

/// Returns the page with the generated tables between their marks.
fn with_tables(page: &str) -> String {
    let page = filled(page, "exit-codes", |only| {
        let only: Vec<u8> = only
            .split_whitespace()
            .map(|code| code.parse().unwrap())
            .collect();
        exit_code_table(&only)
    });
    let page = filled(&page, "retries", |_| retry_table());
    let page = filled(&page, "task-states", |_| task_state_table());
    let page = filled(&page, "times", |_| time_table());
    let page = filled(&page, "defaults", |_| default_table());
    filled(&page, "faults", |_| crate::matrix::table())
}

/// Returns the page with this table between the marks of this name. The table depends on what follows the name.
fn filled(page: &str, name: &str, table: impl Fn(&str) -> String) -> String {
    let marks = Regex::new(&format!(
        r"(?s)(<!-- {name}([ 0-9]*) -->\n).*?(<!-- /{name} -->\n)"
    ))
    .unwrap();
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
    check_file(
        path,
        &with_tables(&refreshed(name, &written, false, &Session::start)),
    );
}

/// Returns the README and the pages in `docs/`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.chain([root.join("README.md")]).collect()
}

#[test]
fn commands_in_documents_print_the_written_output() {
    in_parallel(&documents(), |path| {
        check(path.file_name().unwrap().to_str().unwrap(), path);
    });
    check_skill();
}

/// Fails if the skill is not the page for agents, in the Agent Skills format: after front matter with the name of the
/// directory, and a description.
fn check_skill() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("skills/sitectl/SKILL.md");
    let written = std::fs::read_to_string(&path).unwrap();
    let front_matter =
        Regex::new(r"\A---\nname: sitectl\ndescription: \w[^\n]{1,1000}\n---\n\n").unwrap();
    let front_matter = front_matter.find(&written).unwrap().as_str();
    let page = std::fs::read_to_string(root.join("docs/agents.md")).unwrap();
    assert!(page.lines().count() < 290);
    let page = page
        .replace("<!-- fresh -->\n", "")
        .replace("](", "](../../docs/");
    check_file(&path, &format!("{front_matter}{page}"));
}

#[test]
fn links_in_documents_lead_to_a_file_and_heading() {
    let anchor = |heading: &str| {
        heading
            .to_lowercase()
            .replace(' ', "-")
            .replace(['`', ',', '\'', '.'], "")
    };
    let link = Regex::new(r"\]\(([^)#:]*)(?:#([^)]*))?\)").unwrap();
    let others = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in documents()
        .into_iter()
        .chain(others.map(|name| root.join(name)))
    {
        for found in link.captures_iter(&std::fs::read_to_string(&path).unwrap()) {
            let target = if found[1].is_empty() {
                path.clone()
            } else {
                path.with_file_name(&found[1])
            };
            let page = std::fs::read_to_string(&target)
                .unwrap_or_else(|_| panic!("{path:?}: {}", &found[0]));
            let mut headings = page
                .lines()
                .filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
            let is_heading =
                |mark: regex::Match| headings.any(|heading| anchor(heading) == mark.as_str());
            assert!(
                found.get(2).is_none_or(is_heading),
                "{path:?}: {}",
                &found[0]
            );
        }
    }
}

#[test]
fn the_config_file_in_the_documents_is_valid() {
    let page = include_str!("../../docs/configuration.md");
    let file = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let run = World::empty().with_config(file).run("restore history -q");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (0, ""),
        "{}",
        run.transcript()
    );
}
