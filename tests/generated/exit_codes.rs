//! The table of exit codes, as the documents and the manual show it.

/// Returns the rows of these exit codes, or all rows if `codes` is empty, as Markdown.
pub fn exit_code_table(codes: &[u8]) -> String {
    let mut table = String::from("| exit code | kind | when |\n| --- | --- | --- |\n");
    for row in sitectl::EXIT_CODES {
        if codes.is_empty() || codes.contains(&row.exit_code) {
            let kind = row.kind.map(|kind| format!(" `{kind}`"));
            let kind = kind.unwrap_or_default();
            table += &format!("| {} |{kind} | {} |\n", row.exit_code, row.when);
        }
    }
    table
}
