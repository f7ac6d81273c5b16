//! Compares generated files with the files in the repository. One command writes them:
//!
//!     cargo regenerate

use snapbox::Data;
use snapbox::report::{Palette, write_diff};
use std::collections::BTreeMap;
use std::path::Path;

fn regenerates() -> bool {
    std::env::var_os("SITECTL_REGENERATE").is_some()
}

/// Fails if the file differs from this text.
pub fn check_file(path: &Path, wanted: &str) {
    if regenerates() {
        return std::fs::write(path, wanted).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let mut difference = String::new();
    write_diff(
        &mut difference,
        &Data::text(&found),
        &Data::text(wanted),
        None,
        None,
        Palette::plain(),
    )
    .unwrap();
    assert!(
        found == wanted,
        "{} is not up to date; run: cargo regenerate\n{difference}",
        path.display()
    );
}

/// Fails if the folder has other files than these, or a file differs from its text.
pub fn check_folder(folder: &Path, wanted: &BTreeMap<String, String>) {
    if regenerates() {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).unwrap();
    }
    wanted
        .iter()
        .for_each(|(name, text)| check_file(&folder.join(name), text));
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            wanted.contains_key(&name),
            "{name} is superfluous; run: cargo regenerate"
        );
    }
}
