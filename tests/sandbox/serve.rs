//! `sandbox serve` and `sandbox reset` as commands: what they print, and how they end.

use crate::support::{Served, program};
use std::process::Output;

fn run(args: &[&str]) -> Output {
    program().args(["sandbox"]).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    assert!(output.stdout.is_empty(), "nothing but data on stdout");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[cfg(unix)]
#[test]
fn it_prints_two_lines_and_ends_quietly_when_told_to() {
    for signal in ["-INT", "-TERM"] {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| std::fs::File::create(directory.path().join(name)).unwrap();
        let mut child = program()
            .args(["sandbox", "serve", "--listen", "127.0.0.1:0", "--db", ":memory:"])
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn()
            .unwrap();
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        let lines = crate::support::eventually(|| Some(read("out")).filter(|out| out.lines().count() == 2));
        let pattern = r"^export SITECTL_BASE_URL=http://127\.0\.0\.1:\d+/api/v6\nexport SITECTL_TOKEN=sandbox-token\n$";
        assert!(regex::Regex::new(pattern).unwrap().is_match(&lines), "{lines}");
        crate::support::signal(signal, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!((read("out"), read("err")), (lines, String::new()));
    }
}

#[test]
fn a_port_in_use_is_said_with_a_way_out() {
    let sandbox = Served::start(&[]);
    let output = run(&["serve", "--db", ":memory:", "--listen", sandbox.address()]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("another sandbox may be running")
            && said.contains("--listen 127.0.0.1:0")
            && said.contains(sandbox.address()),
        "{said}"
    );
}

#[test]
fn memory_has_nothing_to_reset() {
    let directory = tempfile::tempdir().unwrap();
    let output = program().current_dir(&directory).args(["sandbox", "reset", "--db", ":memory:"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("names no file"));
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn wrong_options_are_usage_errors_that_say_what_is_allowed() {
    for (args, wanted) in [
        (&["--fault", "nonsense:0.1"][..], "drop-before"),
        (&["--fault", "500"], "KIND:SHARE"),
        (&["--fault", "500:2"], "from 0 to 1"),
        (&["--fault", "500:0.6", "--fault", "drop:0.6"], "can't be more than 1"),
        (&["--listen", "127.0.0.1"], "HOST:PORT"),
        (&["--restore-time", "5"], "2h"),
        (&["--rate-window", "0s"], "longer"),
        (&["--rate-limit", "0"], "1 or more"),
        (&["--listen", "0.0.0.0:0"], "only on a loopback address"),
    ] {
        let output = run(&[&["serve", "--db", ":memory:"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
}

#[test]
fn the_database_is_in_the_state_directory_unless_told_otherwise() {
    let directory = tempfile::tempdir().unwrap();
    let output =
        program().env("SITECTL_STATE_DIR", directory.path()).args(["sandbox", "reset", "-q"]).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(directory.path().join("sandbox/sandbox.db").is_file());
}

#[cfg(unix)]
#[test]
fn the_database_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let database = directory.path().join("new/sandbox.db");
    let assert_private = || {
        assert_eq!((mode(&database), mode(database.parent().unwrap())), (0o600, 0o700));
    };
    drop(Served::on(&database, &[]));
    assert_private();
    // Also one whose permissions were changed.
    std::fs::set_permissions(&database, PermissionsExt::from_mode(0o644)).unwrap();
    assert_eq!(run(&["reset", "--db", database.to_str().unwrap()]).status.code(), Some(0));
    assert_private();
}
