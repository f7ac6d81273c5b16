//! Runs commands in one shell, so that files, exports and the directory persist. The output of each command is separate,
//! with stdout and stderr in order.

use crate::common::{PATIENCE, Server, World, hinted_commands, regex, steady, wait_up_to};
use ::regex::Captures;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// The address in documents and examples; the service has another one.
const SERVICE: &str = "https://service.example/api/v6";

/// The mark before the exit code after each command, which no command prints.
const MARK: char = '\u{1e}';

/// The output and exit code of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub text: String,
    pub code: i32,
}

/// A home and a service.
pub struct Session {
    world: World,
    server: Server,
}

impl Session {
    /// Starts a service, with an empty home and a password manager that has its token.
    pub fn start() -> Self {
        Self::of(|_| World::empty())
    }

    /// Does the same in a world that is made for the address of the service.
    pub fn of(world: impl FnOnce(&str) -> World) -> Self {
        // Long enough that a second restore of a site is rejected, also on a busy machine.
        let server = Server::start("--restore-time 3s");
        let world = world(&server.base_url);
        let pass = world.path(".bin/pass");
        std::fs::create_dir(world.path(".bin")).unwrap();
        std::fs::write(&pass, "#!/bin/sh\necho sandbox-token\n").unwrap();
        std::fs::set_permissions(&pass, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { world, server }
    }

    /// Runs the commands in one shell. A command that ends the shell has the last outcome.
    pub fn run(&self, commands: &[String]) -> Vec<Outcome> {
        // The next command can read `$?`.
        let ended = format!("__ended=$?; printf '{MARK}%s\\n' \"$__ended\"; (exit \"$__ended\")\n");
        let script: String = commands
            .iter()
            .map(|command| format!("{command}\n{ended}"))
            .collect();
        let setup = "exec > .printed 2>&1; export USER=ada PATH=\"$HOME/.bin:$PATH\"";
        let script = format!("{setup}\n{}", self.with_address(&script));
        let mut shell = self
            .world
            .shell(&["-c", &script])
            .process_group(0)
            .spawn()
            .unwrap();
        let status = wait_up_to(PATIENCE * 10, "the shell ends", || {
            shell.try_wait().unwrap()
        });
        end_group(shell.id());
        let text = std::fs::read_to_string(self.world.path(".printed")).unwrap();
        hinted_commands(&text);
        let mut outcomes = outcomes(&self.with_names(&text), status.code().unwrap_or(-1));
        outcomes.truncate(commands.len());
        outcomes
    }

    /// Returns a written command with the real address and program.
    fn with_address(&self, text: &str) -> String {
        text.replace(SERVICE, &self.server.base_url)
            .replace("cargo run --", "sitectl")
    }

    /// Returns the output with the names of the documents. The columns of a table keep their width.
    fn with_names(&self, text: &str) -> String {
        let address = &self.server.base_url;
        let column = regex(&format!("{} {{3,}}", ::regex::escape(address)));
        let text = column.replace_all(text, |found: &Captures| {
            format!("{SERVICE:<0$}", found[0].len())
        });
        let host = address
            .trim_start_matches("http://")
            .trim_end_matches("/api/v6");
        let home = self.world.path("");
        let home = home.to_str().unwrap().trim_end_matches('/');
        text.replace(address, SERVICE)
            .replace(host, "service.example")
            .replace(home, "/home/ada")
    }
}

/// Ends background processes of the shell.
fn end_group(id: u32) {
    let _ = Command::new("kill")
        .args(["--", &format!("-{id}")])
        .stderr(Stdio::null())
        .status();
}

/// Returns the outcome of each command, and the output before the shell exited.
fn outcomes(text: &str, last: i32) -> Vec<Outcome> {
    let mark = regex(&format!("{MARK}(\\d+)\n"));
    let codes = mark
        .captures_iter(text)
        .map(|found| found[1].parse().unwrap())
        .chain([last]);
    mark.split(text)
        .zip(codes)
        .map(|(text, code)| Outcome {
            text: whole_lines(text),
            code,
        })
        .collect()
}

fn whole_lines(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{text}{end}")
}

/// Replaces variable parts by names, and the space between columns by two blanks.
pub fn settled(text: &str) -> String {
    let rules = [
        (r"/home/ada\b", "HOME"),
        (
            r"\b(20\d\d-\d\d-\d\d|NIGHT)T\d\d:\d\d:\d\d(\.\d+)?Z",
            "TIME",
        ),
        (r"\b\d+ of (\d+) requests left", "SOME of $1 requests left"),
        (r#""(remaining|reset)": ?\d+"#, r#""$1": SOME"#),
        // The progress of a restore at the time of a request.
        (
            r#"("name": ?"[a-z_]+",\s*"status": ?)"(queued|running|succeeded)""#,
            r#"$1"STATUS""#,
        ),
        (
            r#"("status": ?")(queued|running|succeeded)(",\s*"progress": ?)\d+"#,
            "${1}STATUS${3}SOME",
        ),
        (
            r"\bstatus +(queued|running|succeeded)\nprogress +",
            "status  STATUS\nprogress  ",
        ),
        (r"(?m)^progress +\d+$", "progress  SOME"),
        (r"The restore (has not started|is running)\.", "MESSAGE"),
        (r#"("started_at": ?)(null|"TIME")"#, r#"$1"TIME""#),
        (r"(?m)^started_at +TIME\n", ""),
        (
            r"(?m)^(site-\d+ +(?:prepare|restore_files|restore_database|finish)) +(queued|running|succeeded|failed)$",
            "$1  STATUS",
        ),
        // The ages of snapshots depend on the day.
        (r#"("age_seconds": ?)\d+"#, "${1}SOME"),
        (r",TIME,\d+,", ",TIME,SOME,"),
        (r"\b(succeeded|failed) +\d+[smh]\b", "$1  SPAN"),
        (r"(?m)(succeeded|failed)( \d+%)? \(\d+s\)$", "$1$2 (SPAN)"),
        (r"  \d+s +(files|database)", "  SPAN  $1"),
        (r"(\S)  +", "$1  "),
    ];
    let replace = |text: String, (pattern, name): &(&str, &str)| {
        regex(pattern).replace_all(&text, *name).into_owned()
    };
    without_pace(&rules.iter().fold(steady(text), replace))
}

/// Removes the lines about a running restore, and sorts started and finished restores, because they depend on the machine's
/// speed.
fn without_pace(text: &str) -> String {
    let under_way = regex(r#"^\S+ \(task-ID\): (queued|running)|"outcome": ?"running""#);
    let about = regex(r"^\S+ \(task-ID\): |^restoring ");
    let mut lines = Vec::new();
    let mut run = BTreeSet::new();
    for line in text.lines().filter(|line| !under_way.is_match(line)) {
        if about.is_match(line) {
            run.insert(line);
        } else {
            lines.extend(std::mem::take(&mut run));
            lines.push(line);
        }
    }
    lines.extend(run);
    lines.iter().map(|line| format!("{line}\n")).collect()
}
