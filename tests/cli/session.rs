//! A shell that somebody types commands into, one after the other: what one leaves (files, exports, the directory) the
//! next finds. Each command's output is told apart, stdout and stderr as they come, as on a terminal without colour.

use crate::support::{Server, World, steady};
use regex::{Captures, Regex};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// The service that documents and examples speak of; it is there, at another address.
const SERVICE: &str = "https://service.example/api/v6";

/// What the shell prints after each step, before its exit code: no command prints this.
const MARK: char = '\u{1e}';

/// Something that is given to the shell.
#[derive(Debug, Clone)]
pub enum Step {
    /// A command, which may fail.
    Command(String),
    /// Commands of which the first that fails ends the session.
    Script(String),
}

/// What a step printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub text: String,
    pub code: i32,
}

/// A home, a service, and what they are called in print.
pub struct Session {
    world: World,
    server: Server,
}

impl Session {
    /// An empty home, beside it a service, and a password manager that knows its token.
    pub fn start() -> Self {
        Self::of(|_| World::empty())
    }

    /// The same in a world of one's own, which is made for the address of the service.
    pub fn of(world: impl FnOnce(&str) -> World) -> Self {
        let server = Server::start(&["--restore-time", "1s"]);
        let world = world(&server.base_url);
        let pass = world.path(".bin/pass");
        std::fs::create_dir(world.path(".bin")).unwrap();
        std::fs::write(&pass, "#!/bin/sh\necho sandbox-token\n").unwrap();
        std::fs::set_permissions(&pass, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { world, server }
    }

    /// Gives the steps to one shell. Where one ends it, its outcome is the last.
    pub fn run(&self, steps: &[Step]) -> Vec<Outcome> {
        let script: String = steps.iter().map(lines).collect();
        let printed = self.world.path(".printed");
        let (stdout, stderr) = shared(&printed);
        let mut shell = self.world.shell(&["-c", &self.heard(&script)]);
        let path = shell.get_envs().find_map(|(name, value)| value.filter(|_| name == "PATH"));
        let path = format!("{}:{}", self.world.path(".bin").display(), path.unwrap().to_str().unwrap());
        shell.env("PATH", path).env("USER", "ada").stdout(stdout).stderr(stderr).process_group(0);
        let mut shell = shell.spawn().unwrap();
        let status = shell.wait().unwrap();
        end_group(shell.id());
        let text = std::fs::read_to_string(printed).unwrap();
        let mut outcomes = outcomes(&self.told(&text), status.code().unwrap_or(-1));
        outcomes.truncate(steps.len());
        outcomes
    }

    /// What is written, with the address and the program that are there.
    fn heard(&self, text: &str) -> String {
        text.replace(SERVICE, &self.server.base_url).replace("cargo run --", "sitectl")
    }

    /// What was printed, with the names that are written. A table's columns keep their width.
    fn told(&self, text: &str) -> String {
        let address = &self.server.base_url;
        let column = Regex::new(&format!("{} {{3,}}", regex::escape(address))).unwrap();
        let text = column.replace_all(text, |found: &Captures| format!("{SERVICE:<0$}", found[0].len()));
        let host = address.trim_start_matches("http://").trim_end_matches("/api/v6");
        let home = self.world.path("");
        let home = home.to_str().unwrap().trim_end_matches('/');
        text.replace(address, SERVICE).replace(host, "service.example").replace(home, "/home/ada")
    }
}

/// A step as the shell gets it: afterwards `$?` is what the step left there.
fn lines(step: &Step) -> String {
    let ended = format!("__ended=$?; printf '{MARK}%s\\n' \"$__ended\"; (exit \"$__ended\")\n");
    match step {
        Step::Command(text) => format!("{text}\n{ended}"),
        Step::Script(text) => format!("set -e\n{text}\nset +e\n{ended}"),
    }
}

/// A new file that both streams are appended to, so that what they print stands in the order in which it came.
fn shared(path: &std::path::Path) -> (Stdio, Stdio) {
    let _ = std::fs::remove_file(path);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    (file.try_clone().unwrap().into(), file.into())
}

/// Ends what the shell has left in the background.
fn end_group(id: u32) {
    let _ = Command::new("kill").args(["--", &format!("-{id}")]).stderr(Stdio::null()).status();
}

/// What each step printed, and at last what came after all of them, before the shell ended.
fn outcomes(text: &str, last: i32) -> Vec<Outcome> {
    let mut parts = text.split(MARK);
    let mut text = parts.next().unwrap_or_default();
    let mut found = Vec::new();
    for part in parts {
        let (code, rest) = part.split_once('\n').unwrap();
        found.push(Outcome { text: whole_lines(text), code: code.parse().unwrap() });
        text = rest;
    }
    found.push(Outcome { text: whole_lines(text), code: last });
    found
}

fn whole_lines(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

/// What was printed, with what differs from run to run replaced by its name, and with as much space between columns as
/// there is between names.
pub fn settled(text: &str) -> String {
    let rules = [
        (r"/home/ada\b", "HOME"),
        (r"\btask-[0-9a-f]{16}\b", "task-ID"),
        (r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
        (r"\b\d+ ms\b", "SPAN"),
        (r"\b\d+ of (\d+) requests left", "SOME of $1 requests left"),
        (r#""(remaining|reset)": ?\d+"#, r#""$1": SOME"#),
        // How far a restore is when it is looked at.
        (r#"("name": ?"[a-z_]+",\s*"status": ?)"(queued|running|succeeded)""#, r#"$1"STATUS""#),
        (r#"("status": ?")(queued|running|succeeded)(",\s*"progress": ?)\d+"#, "${1}STATUS${3}SOME"),
        (r"\bstatus +(queued|running|succeeded)\nprogress +\d+", "status  STATUS\nprogress  SOME"),
        (
            r"(?m)^(site-\d+ +(?:prepare|restore_files|restore_database|finish)) +(queued|running|succeeded)$",
            "$1  STATUS",
        ),
        (r"\b(succeeded|failed) +\d+[smh]\b", "$1  SPAN"),
        (r"(\S)  +", "$1  "),
    ];
    let replace = |text: String, (pattern, name): &(&str, &str)| {
        Regex::new(pattern).unwrap().replace_all(&text, *name).into_owned()
    };
    without_pace(&rules.iter().fold(steady(text), replace))
}

/// Without the lines that tell of a restore under way: whether it is seen so at all depends on how fast the machine is. Of
/// several restores, which of them ended first does too.
fn without_pace(text: &str) -> String {
    let under_way = Regex::new(r#"^\S+ \(task-ID\): (queued|running)|"outcome": ?"running""#).unwrap();
    let told = Regex::new(r"^\S+ \(task-ID\): ").unwrap();
    let mut lines = Vec::new();
    let mut run = BTreeSet::new();
    for line in text.lines().filter(|line| !under_way.is_match(line)) {
        if told.is_match(line) {
            run.insert(line);
        } else {
            lines.extend(std::mem::take(&mut run));
            lines.push(line);
        }
    }
    lines.extend(run);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What is written, line by line beside what should be.
pub fn difference(written: &str, wanted: &str) -> String {
    let (written, wanted) = (snapbox::Data::text(written), snapbox::Data::text(wanted));
    let mut text = String::new();
    let palette = snapbox::report::Palette::plain();
    snapbox::report::write_diff(&mut text, &written, &wanted, Some(&"written"), Some(&"now"), palette).unwrap();
    text
}
