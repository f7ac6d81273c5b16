//! `man/` is up to date with the program. One command regenerates it:
//!
//!     cargo regenerate

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod after_help;
mod exit_codes;
mod lint;
mod manual;
mod markdown;
mod page;
#[path = "../cli/tools.rs"]
mod tools;

use clap::CommandFactory;
use clap_mangen::Man;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const REGENERATE: &str = "run: cargo regenerate";

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
    assert_eq!(found, wanted.keys().cloned().collect::<Vec<_>>(), "{REGENERATE}");
    for (name, text) in wanted {
        assert!(std::fs::read(folder.join(name)).unwrap() == *text, "{name} is stale; {REGENERATE}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|_| panic!("{} is missing; {REGENERATE}", folder.display()));
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns a page of `docs/`, which begins with its title, as a manual page of this name.
fn guide(name: &str, page: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
    let (title, text) = text.split_once('\n').unwrap();
    let text = format!("## Name\n\n{name} - {}\n\n## Description\n{text}", title.trim_start_matches("# "));
    let man = Man::new(sitectl::cli::Cli::command()).title(name.to_uppercase()).section("7").date(page::DATE);
    let mut title = Vec::new();
    man.source(page::SOURCE).manual("sitectl manual").render_title(&mut title).unwrap();
    let title = String::from_utf8(title).unwrap();
    page::finish(&format!("{title}{}{}", page::LAYOUT, markdown::render(&text)))
}

/// All manual pages, by the names of their files.
fn manuals() -> BTreeMap<String, Vec<u8>> {
    let descriptions = root().join("docs/manual");
    let mut pages = manual::pages(&sitectl::cli::Cli::command(), &descriptions);
    for name in names(&descriptions) {
        assert!(pages.contains_key(&name.replace(".md", ".1")), "docs/manual/{name} describes no command");
    }
    for (name, page) in [("sitectl-scripting", "scripting.md"), ("sitectl-json-output", "json-output.md")] {
        pages.insert(format!("{name}.7"), guide(name, page));
    }
    pages
}

#[test]
fn manuals_are_fresh() {
    check("man", &manuals());
}
