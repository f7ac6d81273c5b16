//! Pages for people: as wide as the terminal and no wider than is easily read, their heads bold where there are colours.
//! In a file, a line at the margin is a head, two spaces begin a paragraph, a dash an item; after six stands a command,
//! as it is, or a line of what sitectl prints.

use super::topic::Topic;
use crate::ui::{Ui, painted};

/// Lines longer than this are hard to read.
const WIDEST: usize = 100;
/// What is no terminal may lead to one through a pager.
const USUAL: usize = 80;
/// A terminal narrower than this wraps long words in its own way.
const NARROWEST: usize = 30;
/// How a line begins that is a command, which can be copied.
const COMMAND: &str = "      sitectl ";
/// How a line begins that sitectl prints, and what follows it where it is wrapped.
const PRINTED: (&str, &str) = ("      ", "          ");

/// How pages are laid out.
pub struct Layout {
    width: usize,
    bold: bool,
}

/// A paragraph on its way, and how its lines begin.
#[derive(Default)]
struct Paragraph<'t> {
    words: Vec<&'t str>,
    first: &'t str,
    rest: &'t str,
}

impl Layout {
    /// For the stream that pages are printed on.
    pub fn new(ui: &Ui) -> Self {
        Self { width: ui.stdout_width().unwrap_or(USUAL).clamp(NARROWEST, WIDEST), bold: ui.stdout_color() }
    }

    /// These pages, one after the other.
    pub fn pages(&self, topics: &[Topic]) -> String {
        topics.iter().map(|topic| self.page(topic)).collect::<Vec<_>>().join("\n")
    }

    fn page(&self, topic: &Topic) -> String {
        let title = self.paragraph(&Paragraph { words: topic.title().split(' ').collect(), ..Paragraph::default() });
        format!("{}\n{}", self.head(&title), self.text(topic.text()))
    }

    fn head(&self, text: &str) -> String {
        text.lines().map(|line| painted(self.bold, line, "1") + "\n").collect()
    }

    fn text(&self, text: &str) -> String {
        let mut out = String::new();
        let mut open = Paragraph::default();
        for line in text.lines() {
            let (is_command, is_printed) = (line.starts_with(COMMAND), line.starts_with(PRINTED.0));
            let is_item = line.starts_with("  - ");
            if line.is_empty() || is_printed || is_item || !line.starts_with(' ') {
                out.push_str(&self.paragraph(&std::mem::take(&mut open)));
            }
            match () {
                () if line.is_empty() || is_command => out.push_str(&format!("{line}\n")),
                () if is_printed => open = Paragraph::printed(line),
                () if !line.starts_with(' ') => out.push_str(&self.head(line)),
                () if open.words.is_empty() => open = Paragraph::new(line, is_item),
                () => open.words.extend(line.split_whitespace()),
            }
        }
        out + &self.paragraph(&open)
    }

    /// Its lines, each as full as it can be.
    fn paragraph(&self, paragraph: &Paragraph<'_>) -> String {
        let mut lines: Vec<String> = Vec::new();
        for word in &paragraph.words {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= self.width => {
                    line.push(' ');
                    line.push_str(word);
                }
                line => {
                    let start = if line.is_some() { paragraph.rest } else { paragraph.first };
                    lines.push(format!("{start}{word}"));
                }
            }
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }
}

impl<'t> Paragraph<'t> {
    fn printed(line: &'t str) -> Self {
        let (first, text) = line.split_at(line.len() - line.trim_start().len());
        Self { words: text.split_whitespace().collect(), first, rest: PRINTED.1 }
    }

    fn new(line: &'t str, is_item: bool) -> Self {
        let (first, rest) = if is_item { ("  - ", "    ") } else { ("  ", "  ") };
        let text = line.strip_prefix(first).unwrap_or(line);
        Self { words: text.split_whitespace().collect(), first, rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped_and_commands_are_not() {
        let text = "Head\n  One two three four\n  five.\n  - six seven eight nine ten\n    eleven\n\n      sitectl as it is, however long\n      error: it is not so\n        -x: it\n";
        let layout = Layout { width: 18, bold: false };
        assert_eq!(
            layout.text(text),
            "Head\n  One two three\n  four five.\n  - six seven\n    eight nine ten\n    eleven\n\n      sitectl as it is, however long\n      error: it is\n          not so\n        -x: it\n"
        );
        assert!(Layout { width: 18, bold: true }.text(text).starts_with("\x1b[1mHead\x1b[0m\n"));
    }
}
