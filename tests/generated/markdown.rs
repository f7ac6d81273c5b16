//! Markdown as a part of a manual page: headings, paragraphs, lists, tables, code. It refuses other markup, so that
//! nothing is lost silently.

use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Returns the text as lines of man(7). A heading of the second level is a section, one below it a subsection; the title
/// is left out.
pub fn render(text: &str) -> String {
    let mut writer =
        Writer { roff: Roff::new(), inlines: Vec::new(), font: Font::Roman, lists: Vec::new(), cells: Vec::new() };
    let mut code: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (event, &mut code) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)), _) => {
                writer.flush();
                code = Some(String::new());
            }
            (Event::Text(text), Some(lines)) => lines.push_str(&text),
            (Event::End(TagEnd::CodeBlock), lines) => writer.code(&lines.take().unwrap_or_default()),
            (event, _) => writer.take(event),
        }
    }
    // The page has the definition of apostrophes at its beginning.
    writer.roff.render().lines().skip(2).map(|line| format!("{line}\n")).collect()
}

/// The text as Markdown that shows it unchanged.
pub fn escaped(text: &str) -> String {
    let escape = |c: char| if "\\`*_<>[]|#&".contains(c) { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escape).collect()
}

#[derive(Clone, Copy)]
enum Font {
    Roman,
    Bold,
    Italic,
}

struct Writer {
    roff: Roff,
    /// The current line.
    inlines: Vec<Inline>,
    font: Font,
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
            Event::Text(text) => self.push(&text),
            Event::Code(code) => self.inlines.push(bold(code.as_ref())),
            Event::SoftBreak => self.push(" "),
            // Marks for the test of the documents.
            Event::Html(_) | Event::InlineHtml(_) => {}
            event => panic!("a manual page has no {event:?}"),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Emphasis => self.font = Font::Italic,
            Tag::Strong => self.font = Font::Bold,
            Tag::List(first) => {
                self.flush();
                self.lists.push(*first);
            }
            Tag::Item => {
                let mark = self.mark();
                self.roff.control("IP", [mark.as_str(), "4"]);
            }
            Tag::Paragraph if self.lists.is_empty() => self.control("PP"),
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::Link { .. }
            | Tag::HtmlBlock
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell => {}
            tag => panic!("a manual page has no {tag:?}"),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong => self.font = Font::Roman,
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
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        self.inlines.push(match self.font {
            Font::Roman => roman(text),
            Font::Bold => bold(text),
            Font::Italic => italic(text),
        });
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
        let title: String = std::mem::take(&mut self.inlines).into_iter().map(words).collect();
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
        let rest = cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(&roman(": "));
        self.control("TP");
        self.roff.text(term).text(rest);
    }

    fn code(&mut self, text: &str) {
        self.control("PP");
        self.roff.control("RS", ["2"]);
        self.control("EX");
        self.roff.extend(text.lines().map(roman));
        self.control("EE");
        self.control("RE");
    }

    fn control(&mut self, name: &str) {
        self.roff.control(name, []);
    }
}
