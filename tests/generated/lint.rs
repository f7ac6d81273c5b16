//! The manual pages pass the checks of mandoc and groff.

use crate::common::{start, wait};
use crate::markdown::CODE_WIDTH;
use crate::tools::installed;
use std::process::{Command, Stdio};

/// Returns the program's warnings about all pages.
fn warnings(program: &str, args: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let mut warnings = String::new();
    for (name, source) in crate::manual_pages() {
        std::fs::write(directory.path().join(&name), source).unwrap();
        let mut command = Command::new(program);
        command.args(args).arg(name);
        let run = wait(start(command.current_dir(&directory).stdin(Stdio::null())));
        warnings += &(run.stdout + &run.stderr);
    }
    warnings
}

#[test]
fn examples_fit_into_80_columns() {
    for (name, source) in crate::manual_pages() {
        for code in source.split("\n.EX\n").skip(1) {
            let code = code.split("\n.EE\n").next().unwrap_or_default();
            let mut lines = code.lines().map(unescape);
            let wide = lines.find(|line| line.chars().count() > CODE_WIDTH);
            assert_eq!(wide, None, "{name}");
        }
    }
}

/// Returns a line of code as it is shown.
fn unescape(line: &str) -> String {
    line.replace("\\&", "")
        .replace("\\-", "-")
        .replace("\\*(Aq", "'")
        .replace("\\\\", "\\")
}

/// Other systems have another version of mandoc.
#[cfg(target_os = "linux")]
#[test]
fn mandoc_has_no_warnings() {
    if installed("mandoc") {
        assert_eq!(warnings("mandoc", &["-T", "lint", "-W", "warning"]), "");
    }
}

#[test]
fn groff_has_no_warnings() {
    if installed("groff") {
        assert_eq!(warnings("groff", &["-man", "-ww", "-z"]), "");
    }
}
