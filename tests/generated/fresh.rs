//! Compares generated files with the files in the repository. One command writes them:
//!
//!     cargo regenerate

use snapbox::Data;
use snapbox::report::{Palette, write_diff};
use std::collections::BTreeMap;
use std::path::Path;

/// Whether the tests write generated files instead of comparing them.
pub fn regenerates() -> bool {
    std::env::var_os("SITECTL_REGENERATE").is_some()
}

/// Fails if the file differs from this text.
pub fn check_file(path: &Path, expected: &str) {
    let written = std::fs::read_to_string(path).unwrap_or_default();
    if written == expected {
        return;
    }
    if regenerates() {
        return std::fs::write(path, expected).unwrap();
    }
    let mut difference = String::new();
    write_diff(
        &mut difference,
        &Data::text(&written),
        &Data::text(expected),
        None,
        None,
        Palette::plain(),
    )
    .unwrap();
    let path = path.display();
    panic!("{path} is not up to date; run: cargo regenerate\n{difference}");
}

/// Fails if the directory has other files than these, or a file differs from its text.
pub fn check_directory(directory: &Path, expected: &BTreeMap<String, String>) {
    if regenerates() {
        let _ = std::fs::remove_dir_all(directory);
        std::fs::create_dir_all(directory).unwrap();
    }
    for (name, text) in expected {
        check_file(&directory.join(name), text);
    }
    for entry in std::fs::read_dir(directory).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            expected.contains_key(&name),
            "{name} is superfluous; run: cargo regenerate"
        );
    }
}
