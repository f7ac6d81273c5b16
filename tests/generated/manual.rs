//! The manual pages: one for each command, made of its help and of what all commands share.

use crate::after_help::{Paragraph, paragraphs};
use crate::page::Page;
use crate::words::{marked, sentence, usage};
use crate::{markdown, options, reference};
use clap::Command;
use roff::{Inline, bold, roman};
use std::collections::BTreeMap;
use std::path::Path;

/// Where a command can be called in ways that its one usage line does not tell apart.
const WAYS: [(&str, &[&str]); 4] = [
    ("sitectl restore start", &["[OPTIONS] SITE_ID|URL SNAPSHOT_ID|latest SCOPE", "[OPTIONS] --plan FILE|-"]),
    ("sitectl clients create", &["[OPTIONS] --first-name TEXT --email EMAIL", "[OPTIONS] --from-file FILE|-"]),
    ("sitectl clients delete", &["[OPTIONS] CLIENT_ID|EMAIL...", "[OPTIONS] --from-file FILE", "[OPTIONS] -"]),
    ("sitectl auth login", &["[OPTIONS]", "[OPTIONS] --with-token < FILE", "[OPTIONS] --token-command 'CMD ARGS'"]),
];

/// The commands that write or read the journal of restores.
const JOURNALLED: [&str; 4] =
    ["sitectl restore", "sitectl restore history", "sitectl restore start", "sitectl restore watch"];

/// How the commands that ask the service, or keep the journal, usually end. Every command ends with 1 where stdout cannot
/// be written, and with 130 on Ctrl-C: here these stand where they mean more.
const ENDINGS: [(&str, &[u8]); 15] = [
    ("sitectl api", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 130]),
    ("sitectl clients list", &[0, 2, 3, 5, 7, 8, 13]),
    ("sitectl clients show", &[0, 2, 3, 4, 5, 7, 8, 13]),
    ("sitectl clients create", &[0, 1, 2, 3, 5, 7, 8, 12, 13, 130]),
    ("sitectl clients update", &[0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 130]),
    ("sitectl clients delete", &[0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 130]),
    ("sitectl clients apply", &[0, 1, 2, 3, 5, 7, 8, 9, 12, 13, 130]),
    ("sitectl managed-accounts list", &[0, 2, 3, 5, 7, 8, 13]),
    ("sitectl managed-accounts show", &[0, 2, 3, 4, 7, 8]),
    ("sitectl restore start", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 130]),
    ("sitectl restore watch", &[0, 1, 2, 3, 4, 10, 11, 12, 130]),
    ("sitectl restore history", &[0, 1, 2]),
    ("sitectl sites list", &[0, 2, 3, 4, 7, 8, 13]),
    ("sitectl snapshots list", &[0, 2, 3, 4, 7, 8, 13]),
    ("sitectl tasks show", &[0, 2, 3, 4, 7, 8]),
];

/// A command, and what it is called.
struct Subject<'c> {
    command: &'c Command,
    /// `sitectl clients list`
    path: String,
    /// The commands beside it, itself too; none beside the root.
    siblings: Vec<String>,
}

/// All pages, by the names of their files. `descriptions` holds what some pages say beyond the help, a file a page.
pub fn pages(root: &mut Command, descriptions: &Path) -> BTreeMap<String, Vec<u8>> {
    root.build();
    let mut subjects = Vec::new();
    visit(root, root.get_name(), &[], &mut subjects);
    let mut pages = BTreeMap::new();
    for subject in &subjects {
        let name = page_name(&subject.path);
        let more = std::fs::read_to_string(descriptions.join(format!("{name}.md"))).ok();
        pages.insert(format!("{name}.1"), subject.page(&name, more.as_deref()));
    }
    pages
}

fn visit<'c>(command: &'c Command, path: &str, siblings: &[String], found: &mut Vec<Subject<'c>>) {
    found.push(Subject { command, path: path.into(), siblings: siblings.to_vec() });
    let below = |sub: &Command| format!("{path} {}", sub.get_name());
    let names: Vec<String> = subcommands(command).map(below).collect();
    subcommands(command).for_each(|sub| visit(sub, &below(sub), &names, found));
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
}

fn page_name(path: &str) -> String {
    path.replace(' ', "-")
}

impl Subject<'_> {
    fn is_root(&self) -> bool {
        self.siblings.is_empty()
    }

    fn page(&self, name: &str, more: Option<&str>) -> Vec<u8> {
        let mut page = Page::new(name, "1");
        page.section("Name");
        page.text(vec![roman(format!("{name} - {}", first_sentence(&about(self.command))))]);
        self.synopsis(&mut page);
        self.description(&mut page, more);
        self.commands(&mut page);
        options::arguments(&mut page, self.command);
        options::own(&mut page, self.command);
        match self.is_root() {
            true => options::global(&mut page, self.command),
            false => options::global_in_short(&mut page, self.command),
        }
        self.examples(&mut page);
        self.exit_status(&mut page);
        match self.is_root() {
            true => reference::whole(&mut page),
            false => reference::in_short(&mut page, JOURNALLED.contains(&self.path.as_str())),
        }
        self.see_also(&mut page);
        page.source()
    }

    fn synopsis(&self, page: &mut Page) {
        page.section("Synopsis");
        let ways = WAYS.iter().find(|(path, _)| *path == self.path).map(|(_, ways)| ways.to_vec());
        let line = self.command.clone().render_usage().to_string();
        let only = line.trim_start_matches("Usage:").trim().trim_start_matches(&self.path).trim();
        for (number, way) in ways.unwrap_or_else(|| vec![only]).iter().enumerate() {
            self.assert_taken(way);
            if number > 0 {
                page.control("br", &[]);
            }
            let mut line = vec![bold(self.path.as_str()), roman(" ")];
            line.extend(usage(way));
            page.text(line);
        }
    }

    /// What is written by hand names only flags that are there.
    fn assert_taken(&self, text: &str) {
        let known = flags(self.command);
        let named = text.split(|char: char| char.is_whitespace() || "[]`=".contains(char));
        let mut named = named.filter_map(|word| word.strip_prefix("--")).filter(|flag| !flag.is_empty());
        assert!(named.all(|flag| known.contains(&flag)), "{} has not all flags of: {text}", self.path);
    }

    fn description(&self, page: &mut Page, more: Option<&str>) {
        page.section("Description");
        let long = self.command.get_long_about().map_or_else(|| about(self.command), ToString::to_string);
        long.split("\n\n").for_each(|words| page.say(&sentence(words)));
        let more = more.unwrap_or_default();
        self.assert_taken(more);
        let (more, below) = more.split_at(more.find("\n### ").unwrap_or(more.len()));
        markdown::add(page, more);
        for paragraph in self.paragraphs().iter().filter(|paragraph| !is_ending(paragraph) && !paragraph.is_example()) {
            add(page, paragraph);
        }
        markdown::add(page, below);
    }

    fn commands(&self, page: &mut Page) {
        if subcommands(self.command).next().is_none() {
            return;
        }
        page.section("Commands");
        for sub in subcommands(self.command) {
            let name = page_name(&format!("{} {}", self.path, sub.get_name()));
            page.tagged(reference_to(&name, "1"), marked(&sentence(&about(sub))));
        }
    }

    fn examples(&self, page: &mut Page) {
        page.section("Examples");
        for paragraph in self.paragraphs().iter().filter(|paragraph| paragraph.is_example()) {
            add(page, paragraph);
        }
    }

    fn exit_status(&self, page: &mut Page) {
        page.section("Exit status");
        if self.is_root() {
            return reference::endings(page);
        }
        if let Some((_, codes)) = ENDINGS.iter().find(|(path, _)| *path == self.path) {
            reference::endings_among(page, codes);
            return page.say("sitectl(1) lists all codes.");
        }
        for paragraph in self.paragraphs().iter().filter(|paragraph| is_ending(paragraph)) {
            add(page, paragraph);
        }
        page.say("0 where all is done; sitectl(1) lists the other codes.");
    }

    fn see_also(&self, page: &mut Page) {
        let above = self.path.rsplit_once(' ').map(|(above, _)| above.to_string());
        let below = subcommands(self.command).map(|sub| format!("{} {}", self.path, sub.get_name()));
        let beside = self.siblings.iter().filter(|path| **path != self.path).cloned();
        // Beside a group are groups of other things: the page above lists them.
        let beside = beside.filter(|_| self.path.split(' ').count() > 2);
        let mut names: Vec<String> = below.chain(beside).chain(above).map(|path| page_name(&path)).collect();
        names.extend((!self.is_root()).then(|| "sitectl".into()));
        names.sort();
        names.dedup();
        let mut line: Vec<Inline> = Vec::new();
        for name in names {
            line.extend(reference_to(&name, "1"));
            line.push(roman(", "));
        }
        line.extend(reference_to("sitectl-scripting", "7"));
        page.section("See also");
        page.text(line);
    }

    /// What stands after its options in the help, without what its page has sections of its own for.
    fn paragraphs(&self) -> Vec<Paragraph> {
        let all = paragraphs(self.command);
        all.into_iter().filter(|paragraph| !(self.is_root() && is_ending(paragraph))).collect()
    }
}

/// The flags of a command and of those below it.
fn flags(command: &Command) -> Vec<&str> {
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    own.chain(command.get_subcommands().flat_map(flags)).collect()
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

fn first_sentence(words: &str) -> &str {
    words.split(". ").next().unwrap_or_default().trim_end_matches('.')
}

/// Whether it tells of exit codes.
fn is_ending(paragraph: &Paragraph) -> bool {
    paragraph.words.to_lowercase().contains("exit code") && !paragraph.is_example()
}

fn add(page: &mut Page, paragraph: &Paragraph) {
    let words = paragraph.words.trim_start_matches("Examples:").trim_start_matches("Exit codes: ");
    if !words.is_empty() {
        page.say(words);
    }
    if !paragraph.lines.is_empty() {
        page.code(paragraph.lines.iter().map(String::as_str));
    }
}

/// `sitectl-clients(1)`
fn reference_to(name: &str, section: &str) -> Vec<Inline> {
    vec![bold(name), roman(format!("({section})"))]
}

#[test]
fn endings_are_of_commands_and_codes_that_there_are() {
    let mut root = <sitectl::cli::Cli as clap::CommandFactory>::command();
    root.build();
    let mut subjects = Vec::new();
    visit(&root, root.get_name(), &[], &mut subjects);
    let known: Vec<u8> = sitectl::reference::endings().iter().map(|ending| ending.code).collect();
    for (path, codes) in ENDINGS {
        assert!(subjects.iter().any(|subject| subject.path == path), "{path}");
        assert!(codes.iter().all(|code| known.contains(code)) && codes.is_sorted(), "{path}: {codes:?}");
    }
    assert!(JOURNALLED.iter().all(|path| subjects.iter().any(|subject| subject.path == *path)));
}
