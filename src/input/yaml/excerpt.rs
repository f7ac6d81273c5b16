//! Some rows of a YAML file as a sequence: in their own words where these mean the same alone, else written anew.

use crate::input::InputFormat;
use crate::input::document::{Document, Row};
use crate::input::text::MARK;
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
        let cells =
            |row: &Row| row.cells.iter().map(|cell| (cell.column.clone(), cell.value.clone())).collect::<Vec<_>>();
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
        let rest = match dedent(line, indent) {
            Some(rest) => rest,
            None if blank => line.trim_start_matches([' ', '\t']),
            None => return None,
        };
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
            let word = cell.column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let name = if word { cell.column.clone() } else { in_quotes(&cell.column.as_ref().into()).into() };
            let _ = writeln!(out, "{before}{name}: {}", in_quotes(&cell.value));
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

#[cfg(test)]
mod tests {
    use crate::input::InputFormat::Yaml;
    use crate::input::tests::rows;

    #[test]
    fn items_are_moved_as_they_stand() {
        let text = "# Ada\r\n  - email: a\r\n    note: |\r\n      one # two\r\n\r\n       three\r\n  # Bob\r\n  - {email: 'b', zip: 1}";
        let document = rows(text, Yaml);
        assert_eq!(document.excerpt(&[1]), "- {email: 'b', zip: 1}\n");
        let ada = "- email: a\r\n  note: |\r\n    one # two\r\n\r\n     three\r\n";
        assert_eq!(document.excerpt(&[0]), ada);
        assert_eq!(document.excerpt(&[0, 1]), format!("{ada}- {{email: 'b', zip: 1}}\n"));
        assert_eq!(document.excerpt(&[]), "[]\n");
    }

    #[test]
    fn a_mapping_becomes_an_item() {
        let document = rows("---\nemail: a # b\nsite_ids:\n- s1\n---\nnote: >\n  x\n\n  y\n", Yaml);
        assert_eq!(document.excerpt(&[0, 1]), "- email: a # b\n  site_ids:\n  - s1\n- note: >\n    x\n\n    y\n");
    }

    #[test]
    fn what_cannot_stand_alone_is_written_anew() {
        let text = "- note: &n \"a\\x1b\\U000e0041\\\"\"\n- note: *n\n  site_ids: [a, 'b c']\n- {}\n";
        let document = rows(text, Yaml);
        assert_eq!(document.excerpt(&[1]), "- note: \"a\\u001b\\U000e0041\\\"\"\n  site_ids: [\"a\",\"b c\"]\n");
        assert_eq!(document.excerpt(&[2, 0]), "- {}\n- note: &n \"a\\x1b\\U000e0041\\\"\"\n");
        assert_eq!(rows("[{note: a}, {}]", Yaml).excerpt(&[1, 0]), "- {}\n- note: \"a\"\n");
    }
}
