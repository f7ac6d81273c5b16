//! The manual pages, one per command. clap_mangen writes what the parser knows; the rest is Markdown: `docs/manual/`, the
//! examples of the help, and the table of exit codes.

use crate::after_help::{Paragraph, paragraphs};
use crate::markdown::{escaped, render};
use crate::page::{DATE, LAYOUT, SOURCE, finish};
use clap::{Arg, Command};
use clap_mangen::Man;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Commands that can be called in several ways.
const WAYS: [(&str, &[&str]); 4] = [
    ("sitectl restore start", &["[OPTIONS] SITE_ID|URL SNAPSHOT_ID|latest SCOPE", "[OPTIONS] --plan FILE|-"]),
    ("sitectl clients create", &["[OPTIONS] --first-name TEXT --email EMAIL", "[OPTIONS] --from-file FILE|-"]),
    ("sitectl clients delete", &["[OPTIONS] CLIENT_ID|EMAIL...", "[OPTIONS] --from-file FILE", "[OPTIONS] -"]),
    ("sitectl auth login", &["[OPTIONS]", "[OPTIONS] --with-token < FILE", "[OPTIONS] --token-command 'CMD ARGS'"]),
];

/// The usual exit codes of the commands that send requests or use the journal.
const EXIT_CODES: [(&str, &[u8]); 15] = [
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

/// A command, and how it is called, such as `sitectl clients list`.
struct Subject<'c> {
    command: &'c Command,
    path: String,
}

/// Returns all pages by the names of their files. `texts` has additional text for some pages, one file per page.
pub fn pages(root: &Command, texts: &Path) -> BTreeMap<String, Vec<u8>> {
    let subjects = subjects(root);
    let names: Vec<String> = subjects.iter().map(Subject::name).collect();
    let page = |subject: &Subject<'_>| {
        let text = std::fs::read_to_string(texts.join(format!("{}.md", subject.name()))).unwrap_or_default();
        let text = with_sections(&text, &texts.join(".."));
        (format!("{}.1", subject.name()), subject.page(root, &text, &names))
    };
    subjects.iter().map(page).collect()
}

/// Returns the text with each line `<!-- PAGE.md#Heading -->` replaced by that section of the page in `docs/`.
fn with_sections(text: &str, docs: &Path) -> String {
    let section = |line: &str| {
        let (name, heading) = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.split_once('#')?;
        let page = std::fs::read_to_string(docs.join(name)).unwrap();
        let mut sections = page.split("\n## ");
        let section = sections.find(|section| section.starts_with(&format!("{heading}\n")));
        Some(format!("\n## {}", section.unwrap_or_else(|| panic!("docs/{name} has no section '{heading}'"))))
    };
    text.lines().map(|line| section(line).unwrap_or_else(|| line.into()) + "\n").collect()
}

fn subjects(root: &Command) -> Vec<Subject<'_>> {
    let mut found = vec![Subject { command: root, path: root.get_name().into() }];
    let mut next = 0;
    while let Some(Subject { command, path }) = found.get(next) {
        let (command, path) = (*command, path.clone());
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        found.extend(shown.map(|sub| Subject { command: sub, path: format!("{path} {}", sub.get_name()) }));
        next += 1;
    }
    found
}

impl Subject<'_> {
    fn name(&self) -> String {
        self.path.replace(' ', "-")
    }

    fn page(&self, root: &Command, text: &str, names: &[String]) -> Vec<u8> {
        assert_flags_exist(self.command, text);
        let is_root = self.path == root.get_name();
        let (description, sections) = text.split_at(text.find("\n## ").unwrap_or(text.len()));
        let man = Man::new(self.prepared()).title(self.name().to_uppercase()).date(DATE).source(SOURCE);
        let man = man.manual("sitectl manual");
        let part = |write: fn(&Man, &mut dyn std::io::Write) -> std::io::Result<()>| {
            let mut part = Vec::new();
            write(&man, &mut part).unwrap();
            String::from_utf8(part).unwrap()
        };
        // Each part begins with the definition of apostrophes.
        let section = |write| part(write).lines().skip(2).map(|line| format!("{line}\n")).collect::<String>();
        let mut page = part(Man::render_title) + LAYOUT;
        page += &render(&format!("## Name\n\n{} - {}\n", self.name(), escaped(&self.summary())));
        page += &[Man::render_synopsis_section, Man::render_description_section].map(section).concat();
        page += &render(&format!("{description}\n\n{}", self.notes()));
        page += &section(Man::render_options_section);
        if self.command.has_subcommands() {
            page += &section(Man::render_subcommands_section);
        }
        if !is_root {
            page += &render(&global_options(root));
        }
        page +=
            &render(&format!("{}{}{sections}\n\n{}", self.examples(), self.exit_status(is_root), self.see_also(names)));
        finish(&page)
    }

    /// The first sentence of the description.
    fn summary(&self) -> String {
        let about = self.command.get_about().map(ToString::to_string).unwrap_or_default();
        about.split(". ").next().unwrap_or_default().to_string()
    }

    /// The command as clap_mangen takes it.
    fn prepared(&self) -> Command {
        let command = self.command.clone().disable_help_subcommand(true);
        let command = command.display_name(self.name()).bin_name(self.path.as_str());
        let command = command.subcommand_value_name("command").subcommand_help_heading("COMMANDS");
        let Some((_, ways)) = WAYS.iter().find(|(path, _)| *path == self.path) else { return command };
        ways.iter().for_each(|way| assert_flags_exist(self.command, way));
        command.override_usage(ways.iter().map(|way| format!("{} {way}\n", self.path)).collect::<String>())
    }

    /// The paragraphs below the options in the help that are neither examples nor exit codes.
    fn notes(&self) -> String {
        let paragraphs = paragraphs(self.command).into_iter();
        paragraphs.filter(|one| !one.is_example() && !one.words.starts_with(EXITS)).map(|one| markdown(&one)).collect()
    }

    fn examples(&self) -> String {
        let examples = paragraphs(self.command).into_iter().filter(Paragraph::is_example);
        format!("## Examples\n\n{}", examples.map(|one| markdown(&one)).collect::<String>())
    }

    fn exit_status(&self, is_root: bool) -> String {
        let mut text = "## Exit status\n\n".to_string();
        let special = paragraphs(self.command).into_iter().filter(|one| one.words.starts_with(EXITS));
        text.extend(special.map(|one| markdown(&one)));
        let usual = EXIT_CODES.iter().find(|(path, _)| *path == self.path).map_or(&[0][..], |(_, codes)| codes);
        let listed = sitectl::reference::exit_codes().into_iter().filter(|exit| is_root || usual.contains(&exit.code));
        text += "| code | meaning |\n| --- | --- |\n";
        for exit in listed {
            let kind = exit.kind.map(|kind| format!(" ({})", escaped(kind))).unwrap_or_default();
            let _ = writeln!(text, "| **{}**{kind} | {} |", exit.code, escaped(exit.meaning));
        }
        text + if is_root { "\n`sitectl explain` describes each.\n" } else { "\nsitectl(1) lists all exit codes.\n" }
    }

    /// The command above and those beside it.
    fn see_also(&self, names: &[String]) -> String {
        let name = self.name();
        let above = self.path.rsplit_once(' ').map(|(above, _)| above.replace(' ', "-")).unwrap_or_default();
        let depth = |name: &String| names.iter().filter(|other| name.starts_with(&format!("{other}-"))).count();
        let beside = |other: &&String| {
            **other != name
                && depth(other) == depth(&name)
                && depth(&name) > 1
                && other.starts_with(&format!("{above}-"))
        };
        let mut names: Vec<&String> = names.iter().filter(beside).collect();
        names.extend((!above.is_empty() && above != "sitectl").then_some(&above));
        names.sort();
        let mut line: String = names.iter().map(|name| format!("**{name}**(1), ")).collect();
        if !above.is_empty() {
            line = format!("**sitectl**(1), {line}");
        }
        format!("## See also\n\n{line}**sitectl-scripting**(7)\n")
    }
}

/// How a paragraph of exit codes begins.
const EXITS: &str = "Exit codes: ";

fn markdown(paragraph: &Paragraph) -> String {
    let words = paragraph.words.trim_start_matches("Examples:").trim_start_matches(EXITS);
    let code: String = paragraph.lines.iter().map(|line| format!("{line}\n")).collect();
    let code = if code.is_empty() { code } else { format!("```\n{code}```\n\n") };
    format!("{}\n\n{code}", escaped(words))
}

fn global_options(root: &Command) -> String {
    let option = |arg: &Arg| {
        let name = |name: Option<String>| name.map(|name| format!("`{name}`"));
        let names = [
            name(arg.get_short().map(|short| format!("-{short}"))),
            name(arg.get_long().map(|long| format!("--{long}"))),
        ];
        let value = arg.get_value_names().filter(|_| arg.get_action().takes_values()).and_then(|names| names.first());
        let value = value.map(|value| format!(" *{}*", escaped(value))).unwrap_or_default();
        names.into_iter().flatten().collect::<Vec<_>>().join(", ") + &value
    };
    let options = root.get_arguments().filter(|arg| arg.is_global_set() && !arg.is_hide_set()).map(option);
    format!("## Global options\n\nsitectl(1) describes {}.\n\n", options.collect::<Vec<_>>().join(", "))
}

/// Text that is written by hand names only flags that exist.
fn assert_flags_exist(command: &Command, text: &str) {
    fn flags(command: &Command) -> Vec<&str> {
        let own = command.get_arguments().filter_map(Arg::get_long);
        own.chain(command.get_subcommands().flat_map(flags)).collect()
    }
    let mut root = <sitectl::cli::Cli as clap::CommandFactory>::command();
    root.build();
    let global: Vec<&str> = root.get_arguments().filter_map(Arg::get_long).collect();
    let known = flags(command);
    let words = text.split(|char: char| char.is_whitespace() || "[]`=".contains(char));
    for flag in words.filter_map(|word| word.strip_prefix("--")).filter(|flag| flag.starts_with(char::is_alphabetic)) {
        assert!(known.contains(&flag) || global.contains(&flag), "{} has no --{flag}", command.get_name());
    }
}

#[test]
fn exit_codes_are_of_existing_commands() {
    let root = <sitectl::cli::Cli as clap::CommandFactory>::command();
    let subjects = subjects(&root);
    let known: Vec<u8> = sitectl::reference::exit_codes().iter().map(|exit| exit.code).collect();
    for (path, codes) in EXIT_CODES {
        assert!(subjects.iter().any(|subject| subject.path == path), "{path}");
        assert!(codes.iter().all(|code| known.contains(code)) && codes.is_sorted(), "{path}: {codes:?}");
    }
}
