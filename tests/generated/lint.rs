//! The manual pages pass the checks of mandoc and groff.

use crate::tools::installed;
use std::process::{Command, Stdio};

/// Returns the program's warnings about all pages.
fn warnings(program: &str, args: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let mut warnings = String::new();
    for (name, source) in crate::manual_pages() {
        std::fs::write(directory.path().join(&name), source).unwrap();
        let output = Command::new(program)
            .args(args)
            .arg(name)
            .current_dir(&directory)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        warnings += &String::from_utf8_lossy(&output.stdout);
        warnings += &String::from_utf8_lossy(&output.stderr);
    }
    warnings
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
        assert_eq!(warnings("groff", &["-man", "-K", "utf8", "-ww", "-z"]), "");
    }
}
