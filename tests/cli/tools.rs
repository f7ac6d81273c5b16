//! Programs that a test needs beside sitectl, such as shells.

use std::io::Write;

/// Whether this program is on the path. Where it is not, a test that needs it is skipped, which is said aloud; where
/// `SITECTL_REQUIRE_TOOLS` is set, it fails.
pub fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    required(program, std::env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}

/// The same for a file that comes with a program.
pub fn present(file: &str) -> bool {
    required(file, std::path::Path::new(file).is_file())
}

fn required(what: &str, found: bool) -> bool {
    if !found {
        assert!(std::env::var_os("SITECTL_REQUIRE_TOOLS").is_none(), "{what} is not installed");
        // Past the test harness, which keeps what a test that passes prints to itself.
        let test = std::thread::current().name().unwrap_or("a test").to_string();
        let _ = writeln!(std::io::stderr(), "SKIPPED: {test} needs {what}, which is not installed");
    }
    found
}
