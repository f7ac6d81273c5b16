//! stdout is data and nothing else, and its end is not ours to decide.

use crate::support::World;
use std::process::Stdio;

#[test]
fn a_closed_stdout_ends_quietly() {
    let world = World::sandbox();
    for args in [
        &["clients", "list"][..],
        &["clients", "list", "--json"],
        &["clients", "show", "client-0001"],
        &["--help"],
        &["completions", "bash"],
    ] {
        let mut child = world.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let world = World::sandbox();
    for args in [&["clients", "list"][..], &["clients", "show", "client-0001", "--json"], &["completions", "bash"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = world.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("stdout"), "{args:?}");
    }
}

#[test]
fn quiet_leaves_the_errors() {
    let world = World::sandbox();
    assert_eq!(world.run(&["clients", "list", "--search", "nobody at all", "-q"]).stderr, "");
    assert!(world.run(&["clients", "show", "x", "-q"]).stderr.starts_with("error: there is no client 'x'"));
}
