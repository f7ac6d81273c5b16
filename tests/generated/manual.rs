//! The manual pages, one per command. clap_mangen writes what the parser knows; the rest is Markdown: `docs/manual/`, the
//! examples of the help, and the table of exit codes.

use crate::after_help::{Paragraph, paragraphs};
use crate::exit_codes::exit_codes;
use crate::markdown::{escaped, render};
use clap::Command;
use clap_mangen::Man;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// Words of a command line are neither hyphenated nor stretched.
pub const LAYOUT: &str = ".nr HY 0\n.nh\n.ad l\n";

/// A command, and how it is called, such as `sitectl clients list`.
struct Subject<'c> {
    command: &'c Command,
    path: String,
}

/// Returns all pages by the names of their files. `texts` has additional text for some pages, one file per page.
pub fn pages(root: &Command, texts: &Path) -> BTreeMap<String, String> {
    let subjects = subjects(root);
    let paths: Vec<String> = subjects
        .iter()
        .map(|subject| subject.path.clone())
        .collect();
    let page = |subject: &Subject<'_>| {
        let text = std::fs::read_to_string(texts.join(format!("{}.md", subject.name())))
            .unwrap_or_default();
        let text = with_sections(&text, &texts.join(".."));
        (
            format!("{}.1", subject.name()),
            subject.page(&text, subject.path == root.get_name(), &paths),
        )
    };
    subjects.iter().map(page).collect()
}

/// Returns the text with each line `<!-- PAGE.md#Heading -->` replaced by that section of the page in `docs/`.
fn with_sections(text: &str, docs: &Path) -> String {
    let section = |line: &str| {
        let (name, heading) = line
            .strip_prefix("<!-- ")?
            .strip_suffix(" -->")?
            .split_once('#')?;
        let page = std::fs::read_to_string(docs.join(name)).unwrap();
        let mut sections = page.split("\n## ");
        let section = sections.find(|section| section.starts_with(&format!("{heading}\n")));
        Some(format!(
            "\n## {}",
            section.unwrap_or_else(|| panic!("docs/{name} has no section '{heading}'"))
        ))
    };
    text.lines()
        .map(|line| section(line).unwrap_or_else(|| line.into()) + "\n")
        .collect()
}

fn subjects(root: &Command) -> Vec<Subject<'_>> {
    let mut found = vec![Subject {
        command: root,
        path: root.get_name().into(),
    }];
    let mut next = 0;
    while let Some(Subject { command, path }) = found.get(next) {
        let (command, path) = (*command, path.clone());
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        found.extend(shown.map(|sub| Subject {
            command: sub,
            path: format!("{path} {}", sub.get_name()),
        }));
        next += 1;
    }
    found
}

impl Subject<'_> {
    fn name(&self) -> String {
        self.path.replace(' ', "-")
    }

    fn page(&self, text: &str, is_root: bool, paths: &[String]) -> String {
        let (description, sections) = text.split_at(text.find("\n## ").unwrap_or(text.len()));
        let man = page_of(self.prepared(), &self.name());
        // Each part begins with the definition of apostrophes.
        let section = |write| {
            part(&man, write)
                .lines()
                .skip(2)
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        let mut page = part(&man, Man::render_title) + LAYOUT;
        page += &render(&format!(
            "## Name\n\n{} - {}\n",
            self.name(),
            escaped(&self.summary())
        ));
        page += &[
            Man::render_synopsis_section,
            Man::render_description_section,
        ]
        .map(section)
        .concat();
        page += &render(&format!("{description}\n\n{}", self.notes()));
        page += &section(Man::render_options_section);
        if self.command.has_subcommands() {
            page += &section(Man::render_subcommands_section);
        }
        if !is_root {
            page += &render("## Global options\n\nsitectl(1) describes the global options.\n");
        }
        page += &render(&format!(
            "{}{}{sections}\n\n{}",
            self.examples(),
            exit_status(is_root),
            self.see_also(paths)
        ));
        finish(&page)
    }

    /// Returns the first sentence of the description.
    fn summary(&self) -> String {
        let about = self
            .command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        about.split(". ").next().unwrap_or_default().to_string()
    }

    /// Returns the command as clap_mangen requires it.
    fn prepared(&self) -> Command {
        // clap_mangen leaves out the help of options that the short help hides.
        let command = self
            .command
            .clone()
            .disable_help_subcommand(true)
            .mut_args(|arg| arg.hide_short_help(false));
        let command = command
            .display_name(self.name())
            .bin_name(self.path.as_str());
        command
            .subcommand_value_name("command")
            .subcommand_help_heading("COMMANDS")
    }

    /// Returns the notes of the help.
    fn notes(&self) -> String {
        paragraphs(self.command)
            .iter()
            .filter(|one| !one.is_example())
            .map(markdown)
            .collect()
    }

    fn examples(&self) -> String {
        let examples = paragraphs(self.command)
            .into_iter()
            .filter(Paragraph::is_example);
        format!(
            "## Examples\n\n{}",
            examples.map(|one| markdown(&one)).collect::<String>()
        )
    }

    /// Returns the pages of the noun and its other verbs.
    fn see_also(&self, paths: &[String]) -> String {
        let above = |path: &str| {
            path.rsplit_once(' ')
                .map(|(above, _)| above.to_string())
                .unwrap_or_default()
        };
        let noun = above(&self.path);
        let is_related =
            |path: &&String| **path == noun || noun.contains(' ') && above(path) == noun;
        let related: BTreeSet<&String> = paths
            .iter()
            .filter(|path| **path != self.path)
            .filter(is_related)
            .collect();
        let page = |path: &&String| format!("**{}**(1), ", path.replace(' ', "-"));
        let root = if noun.contains(' ') {
            "**sitectl**(1), "
        } else {
            ""
        };
        format!(
            "## See also\n\n{root}{}**sitectl-scripting**(7)\n",
            related.iter().map(page).collect::<String>()
        )
    }
}

/// Returns the page of this name. Its date is that of the last review, so that it is the same whenever it is generated.
pub fn page_of(command: Command, name: &str) -> Man {
    let source = concat!("sitectl ", env!("CARGO_PKG_VERSION"));
    Man::new(command)
        .title(name.to_uppercase())
        .date("2026-11-22")
        .source(source)
        .manual("sitectl manual")
}

/// Returns the source of a part of the page.
pub fn part(man: &Man, render: fn(&Man, &mut dyn Write) -> io::Result<()>) -> String {
    let mut part = Vec::new();
    render(man, &mut part).unwrap();
    String::from_utf8(part).unwrap()
}

/// Removes empty lines and superfluous breaks, about which mandoc and groff warn.
pub fn finish(source: &str) -> String {
    let (mut page, mut in_code, mut before) = (String::new(), false, "");
    for line in source.lines() {
        in_code = line == ".EX" || in_code && line != ".EE";
        let is_heading = before.starts_with(".SH") || before.starts_with(".SS");
        let is_break = line == ".PP" && is_heading || line == ".br" && before == ".br";
        if in_code || !(is_break || line.trim().is_empty()) {
            page.extend([line.trim_end(), "\n"]);
            before = line;
        }
    }
    page
}

fn exit_status(is_root: bool) -> String {
    let codes = if is_root {
        exit_codes(&[])
    } else {
        "0 on success. sitectl(1) lists the other exit codes.\n".into()
    };
    format!("## Exit status\n\n{codes}\n")
}

fn markdown(paragraph: &Paragraph) -> String {
    let words = paragraph.words.trim_start_matches("Examples:");
    let code: String = paragraph
        .lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let code = if code.is_empty() {
        code
    } else {
        format!("```\n{code}```\n\n")
    };
    format!("{}\n\n{code}", escaped(words))
}
