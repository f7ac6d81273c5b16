//! What stands at the end of a command's help, in its parts: the manuals print just the examples that are tested.

use clap::Command;

/// Lines without an empty one between them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// A sentence or several, or what introduces the lines below.
    pub words: String,
    /// Lines that are set off: commands, or a small table.
    pub lines: Vec<String>,
}

impl Paragraph {
    /// Whether its lines are commands to type; those of a table have wide gaps.
    pub fn is_example(&self) -> bool {
        self.lines.iter().any(|line| line.contains("sitectl ") && !line.contains("  "))
    }

    fn of(text: &str) -> Self {
        let (set_off, words): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("  "));
        let lines = set_off.iter().map(|line| line[2..].to_string()).collect();
        Self { words: words.join(" "), lines }
    }
}

/// The paragraphs after a command's options.
pub fn paragraphs(command: &Command) -> Vec<Paragraph> {
    let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string).unwrap_or_default();
    after.split("\n\n").filter(|text| !text.trim().is_empty()).map(Paragraph::of).collect()
}
