//! The commands `sandbox serve` and `sandbox reset`.

use crate::common::{Run, Signal, wait};
use crate::support::{Sandbox, World, signal, wait_for};

fn run_sandbox(args: &[&str]) -> Run {
    World::empty().run(&[&["sandbox"], args].concat())
}

#[test]
fn serve_prints_two_lines_and_exits_with_0_after_a_signal() {
    let expected = regex::Regex::new(
        r"^export SITECTL_BASE_URL=http://127\.0\.0\.1:\d+/api/v6
export SITECTL_TOKEN=sandbox-token
$",
    )
    .unwrap();
    for sent in [Signal::INT, Signal::TERM] {
        let world = World::empty();
        let file = |name: &str| std::fs::File::create(world.path(name)).unwrap();
        let mut command = world.command("sandbox serve --listen 127.0.0.1:0 --db :memory:");
        let child = command
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn()
            .unwrap();
        let read = |name: &str| std::fs::read_to_string(world.path(name)).unwrap();
        let lines = wait_for("two lines of output", || {
            Some(read("out")).filter(|out| out.lines().count() == 2)
        });
        assert!(expected.is_match(&lines), "{lines}");
        signal(sent, child.id());
        assert_eq!(wait(child).code, 0, "{sent:?}");
        assert_eq!((read("out"), read("err")), (lines, String::new()));
    }
}

#[test]
fn a_port_in_use_is_reported_with_how_to_use_a_free_port() {
    let sandbox = Sandbox::start(&[]);
    let run = run_sandbox(&["serve", "--db", ":memory:", "--listen", sandbox.address()]);
    assert_eq!(run.code, 1);
    for part in ["use a free port", "--listen 127.0.0.1:0", sandbox.address()] {
        assert!(run.stderr.contains(part), "{}", run.transcript());
    }
}

#[test]
fn invalid_options_show_the_allowed_values() {
    for (args, expected) in [
        (["--fault", "500"], "KIND:SHARE"),
        (["--fault", "500:2"], "from 0 to 1"),
        (["--restore-time", "5"], "2h"),
        (["--rate-window", "0s"], "longer"),
        (["--rate-limit", "0"], "from 1 to"),
        (["--max-per-page", "0"], "from 1 to"),
        (["--listen", "0.0.0.0:0"], "expected a loopback address"),
    ] {
        let run = run_sandbox(&[&["serve", "--db", ":memory:"][..], &args].concat());
        assert!(
            run.code == 2 && run.stderr.contains(expected),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn the_database_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("new/sandbox.db");
    let assert_private = || {
        for (path, expected) in [(database.parent().unwrap(), 0o700), (&database, 0o600)] {
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, expected, "{path:?}");
        }
    };
    drop(Sandbox::on_file(&database, &[]));
    assert_private();
    // Permissions that were changed are restored.
    std::fs::set_permissions(&database, PermissionsExt::from_mode(0o644)).unwrap();
    assert_eq!(
        run_sandbox(&["reset", "--db", database.to_str().unwrap()]).code,
        0
    );
    assert_private();
}
