//! The table of exit codes, as the documents and the manual show it.

/// Returns the rows of these exit codes, or all rows if none is given, as Markdown.
pub fn exit_codes(only: &[u8]) -> String {
    let row = |row: sitectl::ExitCode| {
        let kind = row
            .kind
            .map(|kind| format!(" `{kind}`"))
            .unwrap_or_default();
        format!("| {} |{kind} | {} |\n", row.exit_code, row.when)
    };
    let rows = sitectl::EXIT_CODES.into_iter();
    let rows: String = rows
        .filter(|row| only.is_empty() || only.contains(&row.exit_code))
        .map(row)
        .collect();
    format!("| exit code | kind | when |\n| --- | --- | --- |\n{rows}")
}
