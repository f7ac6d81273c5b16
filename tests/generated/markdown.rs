//! Markdown as a part of a manual page: headings, paragraphs, lists, tables, code.

use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Returns the text as lines of man(7). A heading of the second level is a section, one below it a subsection; the title
/// is left out.
pub fn render(text: &str) -> String {
    let mut writer = Writer {
        roff: Roff::new(),
        inlines: Vec::new(),
        font: roman,
        in_code: false,
        lists: Vec::new(),
        cells: Vec::new(),
    };
    Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| writer.take(event));
    // The page has the definition of apostrophes at its beginning.
    writer
        .roff
        .render()
        .lines()
        .skip(2)
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The text as Markdown that shows it unchanged.
pub fn escaped(text: &str) -> String {
    let escape = |c: char| {
        if "\\`*_<>[]|#&".contains(c) {
            format!("\\{c}")
        } else {
            c.to_string()
        }
    };
    text.chars().map(escape).collect()
}

struct Writer {
    roff: Roff,
    /// The current line.
    inlines: Vec<Inline>,
    font: fn(String) -> Inline,
    in_code: bool,
    /// The open lists, with the number of the next entry if they are numbered.
    lists: Vec<Option<u64>>,
    /// The finished cells of the current row of a table.
    cells: Vec<Vec<Inline>>,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => self.roff.extend(text.lines().map(roman)),
            Event::Text(text) => self.inlines.push((self.font)(text.into_string())),
            Event::Code(code) => self.inlines.push(bold(code.as_ref())),
            Event::SoftBreak => self.inlines.push(roman(" ")),
            // HTML comments are marks for the test of the documents.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Emphasis => self.font = italic,
            Tag::Strong => self.font = bold,
            Tag::List(first) => {
                self.flush();
                self.lists.push(*first);
            }
            Tag::Item => {
                let mark = self.mark();
                self.roff.control("IP", [mark.as_str(), "4"]);
            }
            Tag::Paragraph if self.lists.is_empty() => self.control("PP"),
            Tag::CodeBlock(_) => {
                self.flush();
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
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::TableCell => self.cells.push(std::mem::take(&mut self.inlines)),
            // The layout replaces the names of the columns.
            TagEnd::TableHead => self.cells.clear(),
            TagEnd::TableRow => self.row(),
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.control("EE");
                self.control("RE");
            }
            _ => {}
        }
    }

    fn flush(&mut self) {
        if !self.inlines.is_empty() {
            self.roff.text(std::mem::take(&mut self.inlines));
        }
    }

    fn heading(&mut self, level: HeadingLevel) {
        let words = |inline: Inline| match inline {
            Inline::Roman(text) | Inline::Bold(text) | Inline::Italic(text) => text,
            Inline::LineBreak => String::new(),
        };
        let title: String = std::mem::take(&mut self.inlines)
            .into_iter()
            .map(words)
            .collect();
        match level {
            HeadingLevel::H1 => &mut self.roff,
            HeadingLevel::H2 => self.roff.control("SH", [title.to_uppercase().as_str()]),
            _ => self.roff.control("SS", [title.as_str()]),
        };
    }

    fn mark(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}.", *number - 1)
            }
            _ => "\\(bu".into(),
        }
    }

    /// Writes a row of a table: the first cell is the term, the others describe it.
    fn row(&mut self) {
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
