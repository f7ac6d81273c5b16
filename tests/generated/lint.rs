//! The manual pages as their readers read them: mandoc and groff have nothing to say against them.

use std::process::{Command, Stdio};

/// Whether the program is there. Where it is not, the test that needs it says so and is skipped, or fails where
/// `SITECTL_REQUIRE_TOOLS` says that nothing may be skipped.
fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdin(Stdio::null()).output().is_ok();
    if !found {
        assert!(std::env::var_os("SITECTL_REQUIRE_TOOLS").is_none(), "{program} is not installed");
        // Past the harness, which keeps what a passing test prints to itself.
        let mut terminal = std::io::stderr();
        let _ = std::io::Write::write_all(&mut terminal, format!("SKIPPED: {program} is not installed\n").as_bytes());
    }
    found
}

/// What the program says of each page.
fn complaints(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let said = crate::manuals().into_iter().map(|(name, source)| {
        std::fs::write(folder.path().join(&name), source).unwrap();
        let mut command = Command::new(program);
        let output = command.args(args).arg(name).current_dir(&folder).stdin(Stdio::null()).output().unwrap();
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
    });
    said.collect()
}

#[test]
fn mandoc_is_content() {
    if installed("mandoc") {
        assert_eq!(complaints("mandoc", &["-T", "lint", "-W", "style"]), "");
    }
}

#[test]
fn groff_is_content() {
    if installed("groff") {
        assert_eq!(complaints("groff", &["-man", "-ww", "-z"]), "");
    }
}
