//! Markdown as a part of a manual page: headings, paragraphs, lists, tables, code.

use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Returns the text as lines of man(7). A heading of the second level is a section, one below it a
/// subsection; the title is left out.
pub fn to_roff(text: &str) -> String {
    let mut writer = Writer {
        roff: Roff::new(),
        line: Vec::new(),
        font: roman,
        in_code: false,
        lists: Vec::new(),
        cells: Vec::new(),
    };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        writer.add(event);
    }
    let source = writer.roff.render();
    // The page has the definition of apostrophes at its beginning.
    let lines = source.lines().skip(2);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns Markdown that shows the text unchanged.
pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\`*_<>[]|#&".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The width of code on a terminal of 80 columns: pages indent it.
const CODE_WIDTH: usize = 71;

/// Returns the parts of a line of output that fit the page, broken after a blank or a comma. A
/// command could no longer be copied.
fn fold(mut line: &str) -> Vec<String> {
    let is_command = ["$ ", "> ", "sitectl "]
        .iter()
        .any(|start| line.starts_with(start));
    let fits = line.chars().count() <= CODE_WIDTH;
    assert!(fits || !is_command, "wider than a manual page: {line}");
    let mut parts = Vec::new();
    while let Some((width, _)) = line.char_indices().nth(CODE_WIDTH) {
        let end = line[..width].rfind([' ', ',']).map_or(width, |at| at + 1);
        let (part, rest) = line.split_at(end);
        parts.push(part.trim_end().to_string());
        line = rest;
    }
    parts.push(line.to_string());
    parts
}

struct Writer {
    roff: Roff,
    /// The parts of the current line.
    line: Vec<Inline>,
    font: fn(String) -> Inline,
    in_code: bool,
    /// The open lists, with the number of the next entry if they are numbered.
    lists: Vec<Option<u64>>,
    /// The finished cells of the current row of a table.
    cells: Vec<Vec<Inline>>,
}

impl Writer {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                self.roff.extend(text.lines().flat_map(fold).map(roman));
            }
            Event::Text(text) => self.line.push((self.font)(text.into_string())),
            Event::Code(code) => self.line.push(bold(code.as_ref())),
            Event::SoftBreak => self.line.push(roman(" ")),
            // HTML comments are marks for the test of the documents.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Emphasis => self.font = italic,
            Tag::Strong => self.font = bold,
            Tag::List(first) => {
                self.end_line();
                self.lists.push(*first);
            }
            Tag::Item => {
                let marker = self.item_marker();
                self.roff.control("IP", [marker.as_str(), "4"]);
            }
            Tag::Paragraph if self.lists.is_empty() => self.control("PP"),
            Tag::CodeBlock(_) => {
                self.end_line();
                self.in_code = true;
                self.control("PP");
                self.roff.control("RS", ["2"]);
                self.control("EX");
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong => self.font = roman,
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::List(_) => {
                self.end_line();
                self.lists.pop();
            }
            TagEnd::Paragraph | TagEnd::Item => self.end_line(),
            TagEnd::TableCell => self.cells.push(std::mem::take(&mut self.line)),
            // The layout replaces the names of the columns.
            TagEnd::TableHead => self.cells.clear(),
            TagEnd::TableRow => self.end_row(),
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.control("EE");
                self.control("RE");
            }
            _ => {}
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.roff.text(std::mem::take(&mut self.line));
        }
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        let mut title = String::new();
        for inline in std::mem::take(&mut self.line) {
            match inline {
                Inline::Roman(text) | Inline::Bold(text) | Inline::Italic(text) => title += &text,
                Inline::LineBreak => {}
            }
        }
        match level {
            HeadingLevel::H1 => &mut self.roff,
            HeadingLevel::H2 => self.roff.control("SH", [title.to_uppercase().as_str()]),
            _ => self.roff.control("SS", [title.as_str()]),
        };
    }

    /// Returns the bullet or the number of the next entry of the innermost list.
    fn item_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}.", *number - 1)
            }
            _ => "\\(bu".into(),
        }
    }

    /// Writes a row of a table: the first cell is the term, the others describe it.
    fn end_row(&mut self) {
        let mut cells = std::mem::take(&mut self.cells).into_iter();
        let term = cells.next().unwrap_or_default();
        let rest = cells
            .filter(|cell| !cell.is_empty())
            .collect::<Vec<_>>()
            .join(&roman(": "));
        self.control("TP");
        self.roff.text(term).text(rest);
    }

    fn control(&mut self, name: &str) {
        self.roff.control(name, []);
    }
}
