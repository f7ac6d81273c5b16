//! Signals during waits that may never end: for a pipe, a token command, or a response.

use crate::common::{Args, Run, Signal, World, interrupt, signal, start, wait, wait_until};
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, clients};
use predicates::str::contains;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const ADDRESS: &str = "http://127.0.0.1:1/api/v6";
/// A program that ignores Ctrl-C.
const DEAF: &str = "trap '' INT; echo $$ > here; exec sleep 97";

/// Sends Ctrl-C, which must end the program during its wait.
fn assert_ends_when_interrupted(child: Child) {
    interrupt(&child);
    let run = wait(child);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (130, "error: interrupted; no changes were made\n")
    );
}

/// Whether this process is running.
fn is_alive(id: &str) -> bool {
    let listed = wait(start(Command::new("ps").args(["-o", "stat=", "-p", id])));
    let state = listed.stdout.trim();
    !state.is_empty() && !state.starts_with('Z')
}

fn written(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .trim()
        .into()
}

#[test]
fn ctrl_c_works_while_stdin_is_read() {
    let world = World::empty();
    let mut command = world.command(&["auth", "login", "--base-url", ADDRESS, "--with-token"]);
    let mut child = start(command.stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"s3cret").unwrap();
    wait_until("the token is read", || {
        rustix::io::ioctl_fionread(&pipe).unwrap() == 0
    });
    assert_ends_when_interrupted(child);
    drop(pipe);
    assert!(!world.config_path().exists());
}

#[test]
fn ctrl_c_ends_a_token_command_that_ignores_it() {
    let config = format!(
        "current_profile = \"a\"\n[profiles.a]\nbase_url = \"{ADDRESS}\"\ntoken_command = [\"sh\", \"-c\", \"{DEAF}\"]\n"
    );
    let command = format!("sh -c \"{DEAF}\"").replace('$', "\\$");
    let login = [
        "auth",
        "login",
        "--base-url",
        ADDRESS,
        "--token-command",
        &command,
    ];
    for (world, args) in [
        (World::empty(), &login[..]),
        (World::empty().with_config(&config), &["clients", "list"]),
    ] {
        let child = world.start(args);
        let here = world.path("here");
        wait_until("the token command starts", || !written(&here).is_empty());
        assert_ends_when_interrupted(child);
        wait_until("the token command ends", || !is_alive(&written(&here)));
    }
}

#[test]
fn a_signal_at_a_prompt_changes_nothing_and_restores_the_terminal() {
    let login = format!("auth login --base-url {ADDRESS}");
    let config = format!("[profiles.a]\nbase_url = \"{ADDRESS}\"\n");
    for (args, question) in [
        (login.as_str(), "API token"),
        ("auth login", "API base URL"),
        ("profiles remove a", "[y/N]"),
    ] {
        for sent in [Signal::INT, Signal::TERM, Signal::HUP] {
            let world = World::empty().with_config(&config);
            let script = format!(
                "trap : INT; stty -a > before; sh -c 'echo $$ > here; exec sitectl {args}'; echo \"code $?\"; stty -a > after"
            );
            let mut shell = world.shell(&["-c", &script]);
            shell.stdin(Stdio::inherit());
            receive_hang_up();
            let mut terminal = Terminal::start(shell, 100, 20);
            terminal.wait_for(question);
            let id = written(&world.path("here"));
            signal(sent, id.parse().unwrap());
            assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
            let code = 128 + sent.as_raw();
            let shown = format!("error: interrupted; no changes were made\n(.*\n)?code {code}$");
            terminal.assert_shows(&shown);
            assert!(!terminal.screen().hide_cursor(), "{args} {sent:?}");
            assert_eq!(
                written(&world.path("before")),
                written(&world.path("after")),
                "{args} {sent:?}"
            );
            assert_eq!(world.config(), config);
        }
    }
}

/// Lets the programs that a test starts receive SIGHUP, also if `nohup` started the test: they
/// inherit that a signal is ignored, but not that it has a handler.
fn receive_hang_up() {
    if ignores_hang_up(std::process::id()) {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().unwrap();
        let _context = runtime.enter();
        drop(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).unwrap());
    }
}

/// Starts the program, sends the signal after this many requests, and returns the result.
fn signalled(
    service: Scripted,
    args: impl Args,
    files: &[(&str, &str)],
    asked: usize,
    sent: Signal,
) -> Run {
    let world = service.world();
    for (name, text) in files {
        std::fs::write(world.path(name), text).unwrap();
    }
    receive_hang_up();
    let child = world.start(args);
    for _ in 0..asked {
        service.next();
    }
    signal(sent, child.id());
    wait(child)
}

/// A canceled job gets SIGTERM, and a job whose terminal was closed gets SIGHUP.
#[test]
fn sigterm_and_sighup_are_handled_like_ctrl_c() {
    let running = r#"{"task":{"id":"task-1","status":"running"}}"#.to_string();
    let restore = ["restore", "start", "s", "1", "--full", "--yes", "--watch"];
    for sent in [Signal::INT, Signal::TERM, Signal::HUP] {
        let service = Scripted::with_sites(vec![
            (
                "POST /api/v6/sites/s/backups/1/restore",
                Reply::Json(202, running.clone()),
            ),
            ("GET /api/v6/tasks/task-1", Reply::Silence),
        ]);
        let run = signalled(service, &restore, &[], 2, sent);
        assert_eq!(
            run.code,
            128 + sent.as_raw(),
            "{sent:?}\n{}",
            run.transcript()
        );
        assert!(
            run.stderr.contains("error: interrupted: the restore of s"),
            "{}",
            run.transcript()
        );
        assert!(
            run.stderr.contains("restore watch task-1\n"),
            "{}",
            run.transcript()
        );

        let service = Scripted::new(vec![("GET", clients(&[])), ("POST", Reply::Silence)]);
        let files = [("clients.csv", "email,first_name\na@example.com,A\n")];
        let run = signalled(
            service,
            "clients apply clients.csv --yes --json",
            &files,
            2,
            sent,
        );
        assert_eq!(
            run.code,
            128 + sent.as_raw(),
            "{sent:?}\n{}",
            run.transcript()
        );
        assert_eq!(run.error()["kind"], "interrupted");
    }
}

#[test]
fn an_interrupted_move_reports_the_site_that_was_released() {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let shown =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let before_release = vec![
        (
            "GET /api/v6/clients?",
            clients(&[&client("c1", r#""s1""#), &client("c2", "")]),
        ),
        ("GET /api/v6/clients/c2", shown("c2", "")),
        ("GET /api/v6/clients/c1", shown("c1", r#""s1""#)),
    ];
    let release = vec![("POST /api/v6/clients/c1/update", Reply::Silence)];
    let claim = vec![
        ("POST /api/v6/clients/c1/update", shown("c1", "")),
        ("GET /api/v6/clients/c2", shown("c2", "")),
        ("POST /api/v6/clients/c2/update", Reply::Silence),
    ];
    for (rest, released) in [
        (release, "; c1 may have released s1\n"),
        (claim, "; c1 released s1\n"),
    ] {
        let script = [before_release.clone(), rest].concat();
        let requests = script.len();
        let args = ["clients", "update", "c2", "--move-site", "s1"];
        let run = signalled(Scripted::new(script), &args, &[], requests, Signal::INT);
        run.assert_stderr(130, contains(released));
    }
}

/// Whether the process ignores SIGHUP.
fn ignores_hang_up(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}
