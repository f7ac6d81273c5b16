//! Other programs that a test needs, such as shells.

use std::io::Write;

/// Whether this program is on the path. If not, a test that needs it is skipped with a notice, or fails if
/// `SITECTL_REQUIRE_TOOLS` is set.
pub fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|directory| directory.join(program).is_file());
    if !found {
        assert!(
            std::env::var_os("SITECTL_REQUIRE_TOOLS").is_none(),
            "{program} is not installed"
        );
        let test = std::thread::current()
            .name()
            .unwrap_or("a test")
            .to_string();
        // Past the test harness, which captures what a test that passes prints.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: {test} needs {program}, which is not installed"
        );
    }
    found
}
