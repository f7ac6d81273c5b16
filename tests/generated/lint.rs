//! The manual pages as their readers read them: mandoc and groff have nothing to say against them.

use crate::tools::installed;
use std::process::{Command, Stdio};

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

/// Other systems have another mandoc, with a taste of its own.
#[cfg(target_os = "linux")]
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
