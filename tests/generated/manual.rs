//! The manual pages, one per command. clap_mangen writes what the parser knows; the rest is
//! Markdown: `docs/manual/`, the examples of the help, and the table of exit codes.

use crate::after_help::{Paragraph, after_help_paragraphs};
use crate::exit_codes::exit_code_table;
use crate::markdown::{escape, to_roff};
use clap::Command;
use clap_mangen::Man;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// Turns off hyphenation and justification, because words of a command line must stay as they are.
pub const LAYOUT: &str = ".nr HY 0\n.nh\n.ad l\n";

/// A command, and how it is called, such as `sitectl clients list`.
struct Subject<'c> {
    command: &'c Command,
    path: String,
}

/// Returns the pages of all commands by the names of their files. `descriptions` has additional
/// text for some pages, one file per page.
pub fn command_pages(root: &Command, descriptions: &Path) -> BTreeMap<String, String> {
    let subjects = subjects(root);
    let paths: Vec<String> = subjects
        .iter()
        .map(|subject| subject.path.clone())
        .collect();
    let mut pages = BTreeMap::new();
    for subject in &subjects {
        let name = subject.page_name();
        let text = std::fs::read_to_string(descriptions.join(format!("{name}.md")));
        let text = insert_sections(&text.unwrap_or_default(), &descriptions.join(".."));
        let is_root = subject.path == root.get_name();
        pages.insert(format!("{name}.1"), subject.page(&text, is_root, &paths));
    }
    pages
}

/// Returns the text with each line `<!-- PAGE.md#Heading -->` replaced by that section of the page
/// in `docs/`.
fn insert_sections(text: &str, docs: &Path) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let mark = line
            .strip_prefix("<!-- ")
            .and_then(|rest| rest.strip_suffix(" -->"));
        match mark.and_then(|mark| mark.split_once('#')) {
            Some((page, heading)) => result += &section(&docs.join(page), heading),
            None => result += line,
        }
        result.push('\n');
    }
    result
}

/// Returns the section of a page with this heading.
fn section(page: &Path, heading: &str) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let mut sections = text.split("\n## ");
    let section = sections.find(|section| section.starts_with(&format!("{heading}\n")));
    match section {
        Some(section) => format!("\n## {section}"),
        None => panic!("{} has no section '{heading}'", page.display()),
    }
}

/// Returns the command and all commands below it that are not hidden.
fn subjects(root: &Command) -> Vec<Subject<'_>> {
    let mut subjects = vec![Subject {
        command: root,
        path: root.get_name().into(),
    }];
    let mut index = 0;
    while let Some(Subject { command, path }) = subjects.get(index) {
        let command = *command;
        let path = path.clone();
        for subcommand in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            subjects.push(Subject {
                command: subcommand,
                path: format!("{path} {}", subcommand.get_name()),
            });
        }
        index += 1;
    }
    subjects
}

impl Subject<'_> {
    fn page_name(&self) -> String {
        self.path.replace(' ', "-")
    }

    fn page(&self, text: &str, is_root: bool, paths: &[String]) -> String {
        let (description, sections) = text.split_at(text.find("\n## ").unwrap_or(text.len()));
        let name = self.page_name();
        let man = new_page(self.prepare_command(), &name);
        let mut page = render_part(&man, Man::render_title) + LAYOUT;
        let summary = escape(&self.summary());
        page += &to_roff(&format!("## Name\n\n{name} - {summary}\n"));
        page += &render_section(&man, Man::render_synopsis_section);
        page += &render_section(&man, Man::render_description_section);
        page += &to_roff(&format!("{description}\n\n{}", self.notes()));
        page += &self.arguments(&name);
        page += &render_section(&man, Man::render_options_section);
        if self.command.has_subcommands() {
            page += &render_section(&man, Man::render_subcommands_section);
        }
        if !is_root {
            page += &to_roff("## Global options\n\nsitectl(1) describes the global options.\n");
        }
        page += &to_roff(&format!(
            "{}{}{sections}\n\n{}",
            self.examples(),
            exit_status(is_root),
            self.see_also(paths)
        ));
        clean_up(&page)
    }

    /// Returns the first sentence of the description.
    fn summary(&self) -> String {
        let about = self.command.get_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        about.split(". ").next().unwrap_or_default().to_string()
    }

    /// Returns the section of the positional arguments, which clap_mangen writes between the options;
    /// empty if the command has none.
    fn arguments(&self, name: &str) -> String {
        if self.command.get_positionals().next().is_none() {
            return String::new();
        }
        let command = self.command.clone().disable_help_flag(true);
        let command = command.mut_args(|arg| {
            let is_option = !arg.is_positional();
            arg.hide_short_help(false).hide(is_option)
        });
        let section = render_section(&new_page(command, name), Man::render_options_section);
        section.replace(".SH OPTIONS\n", ".SH ARGUMENTS\n")
    }

    /// Returns the command as clap_mangen requires it.
    fn prepare_command(&self) -> Command {
        let mut named = self.command.clone().bin_name(self.path.as_str());
        let usage = named.render_usage().to_string();
        self.command
            .clone()
            .override_usage(usage.trim_start_matches("Usage: ").to_string())
            .disable_help_subcommand(true)
            .mut_args(|arg| {
                // Arguments have their own section. clap_mangen leaves out the help of options that
                // the short help hides.
                let is_argument = arg.is_positional();
                arg.hide_short_help(false).hide(is_argument)
            })
            .display_name(self.page_name())
            .bin_name(self.path.as_str())
            .subcommand_value_name("command")
            .subcommand_help_heading("COMMANDS")
    }

    /// Returns the notes of the help.
    fn notes(&self) -> String {
        let mut notes = after_help_paragraphs(self.command);
        notes.retain(|paragraph| !paragraph.is_example());
        notes.iter().map(to_markdown).collect()
    }

    fn examples(&self) -> String {
        let mut examples = after_help_paragraphs(self.command);
        examples.retain(Paragraph::is_example);
        let examples: String = examples.iter().map(to_markdown).collect();
        format!("## Examples\n\n{examples}")
    }

    /// Returns the references to the pages of the noun and of its other verbs.
    fn see_also(&self, paths: &[String]) -> String {
        let noun = parent(&self.path);
        let is_verb = noun.contains(' ');
        let related: BTreeSet<&String> = paths
            .iter()
            .filter(|path| **path != self.path)
            .filter(|path| **path == noun || is_verb && parent(path) == noun)
            .collect();
        let mut references = String::from("## See also\n\n");
        if is_verb {
            references += "**sitectl**(1), ";
        }
        for path in related {
            references += &format!("**{}**(1), ", path.replace(' ', "-"));
        }
        references + "**sitectl-scripting**(7)\n"
    }
}

/// Returns the path of the command above a command; an empty one above the root.
fn parent(path: &str) -> &str {
    path.rsplit_once(' ').map_or("", |(parent, _)| parent)
}

/// Returns the page of this name. Its date is that of the last review, so that it is the same
/// whenever it is generated.
pub fn new_page(command: Command, name: &str) -> Man {
    let source = concat!("sitectl ", env!("CARGO_PKG_VERSION"));
    Man::new(command)
        .title(name.to_uppercase())
        .date("2026-11-22")
        .source(source)
        .manual("sitectl manual")
}

type Render = fn(&Man, &mut dyn Write) -> io::Result<()>;

/// Returns the source of a part of the page.
pub fn render_part(man: &Man, render: Render) -> String {
    let mut part = Vec::new();
    render(man, &mut part).unwrap();
    String::from_utf8(part).unwrap()
}

/// Returns the source of a section without the definition of apostrophes, with which each part
/// begins.
fn render_section(man: &Man, render: Render) -> String {
    let part = render_part(man, render);
    let lines = part.lines().skip(2);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Removes empty lines and superfluous breaks, about which mandoc and groff warn, and writes `...`
/// for the one character that terminals without UTF-8 would leave out.
pub fn clean_up(source: &str) -> String {
    let mut page = String::new();
    let mut in_code = false;
    let mut previous = "";
    for line in source.replace('…', "...").lines() {
        in_code = line == ".EX" || in_code && line != ".EE";
        let after_heading = previous.starts_with(".SH") || previous.starts_with(".SS");
        let is_break = line == ".PP" && after_heading || line == ".br" && previous == ".br";
        if in_code || !(is_break || line.trim().is_empty()) {
            page += line.trim_end();
            page.push('\n');
            previous = line;
        }
    }
    page
}

fn exit_status(is_root: bool) -> String {
    let codes = if is_root {
        exit_code_table(&[])
    } else {
        "0 on success. sitectl(1) lists the other exit codes.\n".into()
    };
    format!("## Exit status\n\n{codes}\n")
}

fn to_markdown(paragraph: &Paragraph) -> String {
    let text = escape(paragraph.text.trim_start_matches("Examples:"));
    if paragraph.lines.is_empty() {
        return format!("{text}\n\n");
    }
    let code = paragraph.lines.join("\n");
    format!("{text}\n\n```\n{code}\n```\n\n")
}
