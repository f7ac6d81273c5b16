//! Programs that a test needs beside sitectl, such as shells.

use std::io::Write;

/// Whether this program is on the path. Where it is not, a test that needs it is skipped, which is said aloud; where
/// `SITECTL_REQUIRE_TOOLS` is set, it fails.
pub fn installed(program: &str) -> bool {
    let found = is_on_path(program);
    if !found {
        assert!(std::env::var_os("SITECTL_REQUIRE_TOOLS").is_none(), "{program} is not installed");
        skipped(program);
    }
    found
}

/// The same for a program that the system has no package of: without it, its test is skipped everywhere.
pub fn installed_by_chance(program: &str) -> bool {
    let found = is_on_path(program);
    if !found {
        skipped(program);
    }
    found
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Says so past the test harness, which keeps what a test that passes prints to itself.
fn skipped(what: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let _ = writeln!(std::io::stderr(), "SKIPPED: {test} needs {what}, which is not installed");
}
