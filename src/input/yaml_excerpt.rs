//! Some rows of a YAML file as a sequence: in their own words where these mean the same alone, else written anew.

use super::document::{Document, Row};
use super::{InputFormat, text::MARK};
use crate::ui::is_hidden;
use serde_json::Value;
use std::fmt::Write;

/// These rows as a file of their own. Whether their text can be moved is found out by reading it again: what it means
/// may hang on anchors, on indentation, or on what was before it.
pub fn yaml(document: &Document, rows: &[&Row]) -> String {
    let moved: Option<String> = rows.iter().map(|row| moved(&document.source.text[row.span.clone()])).collect();
    moved.filter(|text| !rows.is_empty() && means(document, text, rows)).unwrap_or_else(|| anew(rows))
}

/// Whether a text holds these rows and nothing else.
fn means(document: &Document, text: &str, rows: &[&Row]) -> bool {
    let read = Document::parse("", text.into(), InputFormat::Yaml, &document.columns);
    let same = |(a, b): (&Row, &&Row)| {
        let cells = |row: &Row| row.cells.iter().map(|cell| (cell.column, cell.value.clone())).collect::<Vec<_>>();
        cells(a) == cells(b)
    };
    read.is_ok_and(|read| read.rows.len() == rows.len() && read.rows.iter().zip(rows).all(same))
        && !text.starts_with(MARK)
}

/// The lines of an item as those of one at the left edge; a mapping becomes an item.
fn moved(lines: &str) -> Option<String> {
    let indent = lines.len() - lines.trim_start_matches(' ').len();
    let item = lines[indent..].starts_with(['-']) && lines[indent + 1..].starts_with([' ', '\t']);
    let mut out = String::with_capacity(lines.len() + 2);
    for (index, line) in lines.split_inclusive('\n').enumerate() {
        let blank = line.trim().is_empty();
        let rest = if blank { line.get(indent..).unwrap_or("\n") } else { dedent(line, indent)? };
        out.push_str(match (item || blank, index) {
            (true, _) => "",
            (false, 0) => "- ",
            (false, _) => "  ",
        });
        out.push_str(rest);
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    (!lines.is_empty()).then_some(out)
}

fn dedent(line: &str, indent: usize) -> Option<&str> {
    let (before, rest) = line.split_at_checked(indent)?;
    before.bytes().all(|byte| byte == b' ').then_some(rest)
}

fn anew(rows: &[&Row]) -> String {
    let mut out = String::from(if rows.is_empty() { "[]\n" } else { "" });
    for row in rows {
        let mut before = "- ";
        for cell in &row.cells {
            let _ = writeln!(out, "{before}{}: {}", cell.column, in_quotes(&cell.value));
            before = "  ";
        }
        if row.cells.is_empty() {
            out.push_str("- {}\n");
        }
    }
    out
}

/// A value as JSON, which YAML reads too, but for characters beyond its escapes: those are written in YAML's way.
fn in_quotes(value: &Value) -> String {
    let json = value.to_string();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        let _ = match c {
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => write!(out, "\\U{:08x}", u32::from(c)),
            c => write!(out, "{c}"),
        };
    }
    out
}
