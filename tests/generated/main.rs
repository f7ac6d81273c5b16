//! `man/` is up to date with the program. One command regenerates it:
//!
//!     SITECTL_REGENERATE=1 cargo test --test generated

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod after_help;
mod lint;
mod manual;
mod markdown;
mod page;
#[expect(dead_code, reason = "tests of the command line need more of it")]
#[path = "../cli/tools.rs"]
mod tools;

use clap::CommandFactory;
use clap_mangen::Man;
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

#[test]
fn manuals_have_their_sections_in_order() {
    const SECTIONS: [&str; 7] =
        ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""];
    for (name, page) in manuals().iter().filter(|(name, _)| name.ends_with(".1")) {
        let page = String::from_utf8_lossy(page);
        let sections = page.lines().filter_map(|line| line.strip_prefix(".SH "));
        let found: Vec<&str> = sections.filter(|section| SECTIONS.contains(section)).collect();
        assert_eq!(found, SECTIONS, "{name}");
    }
}

#[test]
fn every_help_has_the_short_form() {
    fn visit(command: &clap::Command) {
        let help = command.get_arguments().find(|arg| arg.get_id() == "help");
        // Where there is a longer form, clap says so there.
        assert!(help.is_none_or(|help| help.get_long_help().is_none()), "{}", command.get_name());
        command.get_subcommands().for_each(visit);
    }
    let mut root = sitectl::cli::Cli::command();
    root.build();
    visit(&root);
}
