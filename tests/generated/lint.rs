//! The manual pages pass the checks of mandoc and groff.

use crate::tools::installed;
use std::process::{Command, Stdio};

/// Returns the program's warnings about all pages.
fn warnings(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let printed = crate::manuals().into_iter().map(|(name, source)| {
        std::fs::write(folder.path().join(&name), source).unwrap();
        let mut command = Command::new(program);
        let output = command
            .args(args)
            .arg(name)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        [output.stdout, output.stderr]
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .concat()
    });
    printed.collect()
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
