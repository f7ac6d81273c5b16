//! One manual page in the making: sections, paragraphs, tagged lists and blocks of code, as man(7) has them.

use crate::words::marked;
use roff::{Inline, Roff, roman};
use std::fmt::Write;

/// When the pages were last gone through as a whole. It is written here by hand, and never read off a clock: the pages are
/// the same wherever and whenever they are made.
const DATE: &str = "2026-11-22";

/// As long as a line of the source may be: mandoc's style.
const WIDTH: usize = 78;

#[derive(Default)]
pub struct Page(Roff);

impl Page {
    /// A page of this name, such as `sitectl-clients`, in a section of the manual.
    pub fn new(name: &str, section: &str) -> Self {
        let mut page = Self::default();
        let program = concat!("sitectl ", env!("CARGO_PKG_VERSION"));
        page.0.control("TH", [name.to_uppercase().as_str(), section, DATE, program, "sitectl manual"]);
        // Words of the command line are neither broken nor stretched.
        page.control("nr", &["HY", "0"]);
        page.control("nh", &[]);
        page.control("ad", &["l"]);
        page
    }

    pub fn section(&mut self, title: &str) {
        self.0.control("SH", [title.to_uppercase().as_str()]);
    }

    pub fn subsection(&mut self, title: &str) {
        self.0.control("SS", [title]);
    }

    /// What stands between the other things: `PP`, `RS`, `RE`, …
    pub fn control(&mut self, name: &str, args: &[&str]) {
        self.0.control(name, args.iter().copied());
    }

    pub fn text(&mut self, inlines: Vec<Inline>) {
        self.0.text(inlines);
    }

    /// A paragraph after another.
    pub fn paragraph(&mut self, inlines: Vec<Inline>) {
        self.control("PP", &[]);
        self.text(inlines);
    }

    /// A paragraph of plain words, in which flags and variables are marked.
    pub fn say(&mut self, words: &str) {
        self.paragraph(marked(words));
    }

    /// A term, and below it what it means.
    pub fn tagged(&mut self, term: Vec<Inline>, meaning: Vec<Inline>) {
        self.control("TP", &[]);
        self.text(term);
        self.text(meaning);
    }

    /// Lines as they are.
    pub fn code<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        ["PP", "RS"].iter().for_each(|name| self.control(name, if *name == "RS" { &["2"] } else { &[] }));
        self.control("EX", &[]);
        lines.into_iter().for_each(|line| self.text(vec![roman(line)]));
        self.control("EE", &[]);
        self.control("RE", &[]);
    }

    /// The page's source: long lines are broken between words, and characters outside ASCII go by their number, so that no
    /// reader has to guess the encoding.
    pub fn source(&self) -> Vec<u8> {
        let mut source = String::new();
        let (mut as_it_is, mut term, mut before) = (false, false, "");
        for line in self.0.render().lines() {
            as_it_is = line == ".EX" || as_it_is && line != ".EE";
            // A list or a block that follows a heading or begins a deeper level needs no paragraph of its own.
            let heading = before.starts_with(".SH") || before.starts_with(".SS");
            if line == ".PP" && heading {
                continue;
            }
            let keep = as_it_is || term || line.starts_with('.');
            let _ = if keep { writeln!(source, "{line}") } else { write!(source, "{}", broken(line)) };
            term = line == ".TP";
            before = if line == ".PP" { before } else { line };
        }
        source.chars().map(in_ascii).collect::<String>().into_bytes()
    }
}

fn in_ascii(char: char) -> String {
    match char {
        '\u{a0}' => "\\~".into(),
        char if char.is_ascii() => char.to_string(),
        char => format!("\\[u{:04X}]", u32::from(char)),
    }
}

fn broken(line: &str) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        if length == 0 && text.ends_with('\n') && word.starts_with('.') {
            text.push_str("\\&");
        }
        text.push_str(word);
        length += word.len();
    }
    if text.is_empty() { text } else { text + "\n" }
}
