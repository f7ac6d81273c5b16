//! Tests of stdout: only data, closed early, slow or full.

use crate::common::{PATIENCE, World, interrupt, wait};
use crate::listing::{Listing, Quirks, numbered};
use predicates::str::contains;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::channel;

#[test]
fn a_closed_stdout_is_not_an_error() {
    let world = World::sandbox();
    for line in [
        "clients list",
        "clients list -o csv",
        "clients list -o ids",
        "clients show client-0001",
        "--help",
        "completions bash",
        "api /clients --json",
    ] {
        assert_ne!(world.run(line).stdout, "", "{line}");
        let mut child = world.start(line);
        drop(child.stdout.take());
        let run = wait(child);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    }
}

#[test]
fn an_endless_filter_ends_when_its_output_is_closed() {
    let world = World::sandbox();
    let mut child = world.start(&["clients", "list", "--jq", ".[0] | repeat(.id)"]);
    drop(read_first_bytes(&mut child));
    let run = wait(child);
    assert_eq!((run.code, &*run.stderr), (0, ""));
}

/// Lists pages that are larger than the buffer of a pipe.
fn list_large_pages(world: &World) -> Child {
    let args = "clients list -o ndjson --per-page 6000 --request-timeout 1s --retries 0";
    world.start(args)
}

/// Waits for more than the buffer of a pipe has, and returns stdout.
fn read_first_bytes(child: &mut Child) -> ChildStdout {
    let mut stdout = child.stdout.take().unwrap();
    let (sender, read) = channel();
    std::thread::spawn(move || {
        stdout.read_exact(&mut [0; 100_000]).unwrap();
        sender.send(stdout)
    });
    let stdout = read.recv_timeout(PATIENCE);
    stdout.expect("the program printed 100,000 bytes")
}

#[test]
fn ctrl_c_works_while_stdout_blocks() {
    let service = Listing::start(numbered(24_000), Quirks::default());
    let mut child = list_large_pages(&service.world());
    let _stdout = read_first_bytes(&mut child);
    interrupt(&child);
    assert_eq!(wait(child).code, 130);
}

fn full_device() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_full_device_is_an_error() {
    let world = World::sandbox();
    let watch = "restore start site-0001 latest --full --yes --watch -o ndjson";
    for (args, message) in [
        ("clients list", "error: "),
        ("clients list -o csv", "error: "),
        ("clients list --jq .", ""),
        ("clients show client-0001 --json", ""),
        ("completions bash", "error: "),
        (watch, "restores were started, but watching ended: "),
    ] {
        let mut command = world.command(args);
        let child = command.stdout(full_device()).stderr(Stdio::piped()).spawn();
        let message = format!("{message}could not write to stdout");
        wait(child.unwrap()).assert_stderr(1, contains(message));
    }
}

#[test]
fn a_change_whose_result_cannot_be_printed_is_reported_as_made() {
    let cases = [
        (
            "clients create --first-name Ada --email EMAIL",
            "the client was created",
        ),
        (
            "clients update client-0002 --note EMAIL",
            "the client was updated",
        ),
        (
            "clients delete client-0003 client-0004 none --yes",
            "1 of 3 clients not deleted; deleted 2 clients",
        ),
        ("clients apply - --yes", "made 1 change"),
        ("clients apply - --yes -o ids", "made 1 change"),
        (
            "restore start site-0001 latest --full --yes",
            "restores were started",
        ),
        (
            "api POST /clients/client-0005/update -f client[note]=EMAIL --yes",
            "the request succeeded",
        ),
    ];
    let world = World::sandbox();
    for (number, (line, change)) in cases.into_iter().enumerate() {
        let email = format!("new-{number}@example.com");
        let mut command = world.command(line.replace("EMAIL", &email) + " -q");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(full_device())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let row = format!("email,first_name\n{email},Ada\n");
        // It may end without reading.
        let _ = child.stdin.take().unwrap().write_all(row.as_bytes());
        let stderr = wait(child).stderr;
        let message = format!(
            "error: {change}, but the result could not be printed: could not write to stdout"
        );
        assert!(stderr.contains(&message), "{line}\n{stderr}");
    }
}
