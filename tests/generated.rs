//! `man/` is what the program generates now. Where it is not, one command mends it:
//!
//!     SITECTL_REGENERATE=1 cargo test --test generated

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use clap::CommandFactory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const MEND: &str = "run: SITECTL_REGENERATE=1 cargo test --test generated";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares the files of a folder with what they should be, or writes them.
fn check(folder: &str, wanted: &BTreeMap<String, Vec<u8>>) {
    let folder = root().join(folder);
    if std::env::var_os("SITECTL_REGENERATE").is_some() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        wanted.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    }
    let found: Vec<String> = names(&folder);
    assert_eq!(found, wanted.keys().cloned().collect::<Vec<_>>(), "{MEND}");
    for (name, text) in wanted {
        assert!(std::fs::read(folder.join(name)).unwrap() == *text, "{name} is stale; {MEND}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|_| panic!("{} is missing; {MEND}", folder.display()));
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn manuals_are_fresh() {
    let folder = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(sitectl::cli::Cli::command(), &folder).unwrap();
    let page = |name: String| (name.clone(), std::fs::read(folder.path().join(name)).unwrap());
    check("man", &names(folder.path()).into_iter().map(page).collect());
}
