//! Splits the examples and notes of a command's help into paragraphs, for the manual pages and the tests of examples.

use clap::Command;

/// Lines without an empty line between them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// Sentences, or the introduction of the lines below.
    pub words: String,
    /// Indented lines: commands, or a small table.
    pub lines: Vec<String>,
}

impl Paragraph {
    /// Whether the lines are commands. The lines of a table have wide gaps.
    pub fn is_example(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.contains("sitectl ") && !line.contains("  "))
    }

    fn of(text: &str) -> Self {
        let (set_off, words): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with("  "));
        let lines = set_off.iter().map(|line| line[2..].to_string()).collect();
        Self {
            words: words.join(" "),
            lines,
        }
    }
}

/// Returns the paragraphs of a command's help.
pub fn paragraphs(command: &Command) -> Vec<Paragraph> {
    let after = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    after
        .split("\n\n")
        .filter(|text| !text.trim().is_empty())
        .map(Paragraph::of)
        .collect()
}
