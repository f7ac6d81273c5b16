//! The table of exit codes, as the documents and the manual show it.

/// Returns the table as Markdown.
pub fn exit_codes() -> String {
    let row = |row: sitectl::ExitCode| {
        let kind = row.kind.map(|kind| format!(" `{kind}`")).unwrap_or_default();
        format!("| {} |{kind} | {} |\n", row.exit_code, row.when)
    };
    let rows: String = sitectl::exit_codes().into_iter().map(row).collect();
    format!("| exit code | kind | when |\n| --- | --- | --- |\n{rows}")
}
