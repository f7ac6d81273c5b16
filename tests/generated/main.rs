//! `man/` is up to date with the program.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod after_help;
#[cfg(unix)]
#[path = "../common/mod.rs"]
mod common;
mod exit_codes;
mod fresh;
#[cfg(unix)]
#[cfg(target_os = "linux")]
mod lint;
mod manual;
mod markdown;
#[cfg(unix)]
#[cfg(target_os = "linux")]
#[path = "../cli/tools.rs"]
mod tools;

use clap::CommandFactory;
use clap_mangen::Man;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a page of `docs/`, which begins with its title, as a manual page of this name.
fn guide(name: &str, page: &str) -> String {
    let page = std::fs::read_to_string(repository().join("docs").join(page)).unwrap();
    let (heading, text) = page.split_once('\n').unwrap();
    let title = heading.trim_start_matches("# ");
    let text = format!("## Name\n\n{name} - {title}\n\n## Description\n{text}");
    let man = manual::new_page(sitectl::cli::Cli::command(), name).section("7");
    let title = manual::render_part(&man, Man::render_title);
    manual::clean_up(&(title + manual::LAYOUT + &markdown::to_roff(&text)))
}

/// Returns all manual pages by the names of their files.
fn manual_pages() -> BTreeMap<String, String> {
    let descriptions = repository().join("docs/manual");
    let mut pages = manual::command_pages(&sitectl::cli::Cli::command(), &descriptions);
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
fn manuals_are_up_to_date() {
    fresh::check_directory(&repository().join("man"), &manual_pages());
}
