//! The manual pages pass the checks of mandoc. Other systems have another version of it.

use crate::common::{start, wait};
use crate::tools::installed;
use std::process::{Command, Stdio};

#[test]
fn mandoc_has_no_warnings() {
    let directory = tempfile::tempdir().unwrap();
    for (name, source) in crate::manual_pages() {
        if installed("mandoc") {
            std::fs::write(directory.path().join(&name), source).unwrap();
            let mut command = Command::new("mandoc");
            command.args(["-T", "lint", "-W", "warning", &name]);
            let run = wait(start(command.current_dir(&directory).stdin(Stdio::null())));
            assert_eq!(run.stdout + &run.stderr, "");
        }
    }
}
