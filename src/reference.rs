//! What the manuals and the README tell in tables, each declared once: they are made from this, or held to it by a test.

use crate::error::Kind;
use crate::exit::exit_code;

/// How a run can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The exit code.
    pub code: u8,
    /// The kind of error; none where there was none.
    pub kind: Option<&'static str>,
    /// When a run ends so.
    pub when: &'static str,
}

/// The ways in which a run can end, by their exit code.
pub fn endings() -> Vec<Ending> {
    let done = Ending { code: 0, kind: None, when: "done" };
    let failed = |kind: Kind| Ending { code: exit_code(kind), kind: Some(kind.name()), when: kind.when() };
    std::iter::once(done).chain(Kind::ALL.map(failed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_table_of_endings() {
        let row = |ending: &Ending| {
            let kind = ending.kind.map(|kind| format!("`{kind}`")).unwrap_or_default();
            format!("| {} | {kind} | {} |", ending.code, ending.when).replace("|  |", "| |")
        };
        let readme = include_str!("../README.md");
        let lost: Vec<_> = endings().iter().map(row).filter(|row| !readme.contains(row)).collect();
        assert!(lost.is_empty(), "the README lacks {lost:#?}");
    }
}
