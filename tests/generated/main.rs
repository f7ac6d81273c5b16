//! `man/` is up to date with the program.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod after_help;
mod exit_codes;
mod fresh;
mod lint;
mod manual;
mod markdown;
#[path = "../cli/tools.rs"]
mod tools;

use clap::CommandFactory;
use clap_mangen::Man;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a page of `docs/`, which begins with its title, as a manual page of this name.
fn guide(name: &str, page: &str) -> String {
    let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
    let (title, text) = text.split_once('\n').unwrap();
    let text = format!(
        "## Name\n\n{name} - {}\n\n## Description\n{text}",
        title.trim_start_matches("# ")
    );
    let man = manual::page_of(sitectl::cli::Cli::command(), name).section("7");
    manual::finish(
        &(manual::part(&man, Man::render_title) + manual::LAYOUT + &markdown::render(&text)),
    )
}

/// All manual pages, by the names of their files.
fn manuals() -> BTreeMap<String, String> {
    let descriptions = root().join("docs/manual");
    let mut pages = manual::pages(&sitectl::cli::Cli::command(), &descriptions);
    for entry in std::fs::read_dir(&descriptions).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            pages.contains_key(&name.replace(".md", ".1")),
            "docs/manual/{name} describes no command"
        );
    }
    for (name, page) in [
        ("sitectl-scripting", "scripting.md"),
        ("sitectl-json-output", "json-output.md"),
    ] {
        pages.insert(format!("{name}.7"), guide(name, page));
    }
    pages
}

#[test]
fn manuals_are_fresh() {
    fresh::check_folder(&root().join("man"), &manuals());
}
