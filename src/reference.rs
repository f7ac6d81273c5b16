//! Exports the table of exit codes to the generator of the manual.

use crate::error::Kind;

/// One exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCode {
    /// The number.
    pub code: u8,
    /// The kind of error; none for success.
    pub kind: Option<&'static str>,
    /// The meaning, in a few words.
    pub meaning: &'static str,
}

/// Returns the exit codes in ascending order.
pub fn exit_codes() -> Vec<ExitCode> {
    let row = |kind: Kind| ExitCode { code: kind.exit_code(), kind: Some(kind.name()), meaning: kind.meaning() };
    let success = ExitCode { code: 0, kind: None, meaning: "success" };
    std::iter::once(success).chain(Kind::ALL.map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;
    use std::collections::BTreeSet;

    #[test]
    fn documents_have_the_table_of_exit_codes() {
        let row = |exit: &ExitCode| {
            let kind = exit.kind.map(|kind| format!("`{kind}`")).unwrap_or_default();
            format!("| {} | {kind} | {} |", exit.code, exit.meaning).replace("|  |", "| |")
        };
        let page = include_str!("../docs/scripting.md");
        let lost: Vec<_> = exit_codes().iter().map(row).filter(|row| !page.contains(row)).collect();
        assert!(lost.is_empty(), "docs/scripting.md lacks {lost:#?}");
    }

    /// Variables that libraries read.
    const READ_BY_LIBRARIES: [&str; 9] = [
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
    ];

    #[test]
    fn the_manual_has_the_variables_that_are_read() {
        let manual = include_str!("../docs/configuration.md").split("## Environment").nth(1).unwrap_or_default();
        let rows = manual.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let described: BTreeSet<&str> = rows.flat_map(|names| names.trim_end_matches('`').split("`, `")).collect();
        let read: BTreeSet<String> = Environment::names();
        let read: BTreeSet<&str> = read.iter().map(String::as_str).chain(READ_BY_LIBRARIES).collect();
        assert_eq!(described, read);
    }
}
