//! Splits the examples and notes of a command's help into paragraphs, for the manual pages and the
//! tests of examples.

use clap::Command;

/// Lines without an empty line between them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// Sentences, or the introduction of the indented lines.
    pub text: String,
    /// Indented lines: commands, or a small table.
    pub lines: Vec<String>,
}

impl Paragraph {
    fn parse(paragraph: &str) -> Self {
        let (indented, text): (Vec<&str>, Vec<&str>) =
            paragraph.lines().partition(|line| line.starts_with("  "));
        Self {
            text: text.join(" "),
            lines: indented.iter().map(|line| line[2..].to_string()).collect(),
        }
    }

    /// Whether the lines are commands. The lines of a table have wide gaps.
    pub fn is_example(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.contains("sitectl ") && !line.contains("  "))
    }
}

/// Returns the paragraphs after the options in a command's help.
pub fn after_help_paragraphs(command: &Command) -> Vec<Paragraph> {
    let after_help = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    after_help
        .split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
        .map(Paragraph::parse)
        .collect()
}
