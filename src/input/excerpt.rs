//! Some rows of a file, in its own format and words, so that a person can mend them and have them read again.

use super::InputFormat;
use super::document::{Document, Row};
use super::text::MARK;
use super::yaml::yaml;

/// These rows as a file of their own.
pub fn write(document: &Document, rows: &[&Row]) -> String {
    let mut out = String::new();
    if document.source.marked {
        out.push(MARK);
    }
    match document.source.format {
        InputFormat::Csv => csv(document, rows, &mut out),
        InputFormat::Json => json(document, rows, &mut out),
        InputFormat::Ndjson => ndjson(document, rows, &mut out),
        InputFormat::Yaml => out.push_str(&yaml(document, rows)),
    }
    out
}

/// The header and the rows, each with the line end that it has, or would have.
fn csv(document: &Document, rows: &[&Row], out: &mut String) {
    let text = &document.source.text;
    let header = &document.source.header;
    let usual = line_end(&text[header.end..]).unwrap_or("\n");
    let spans = std::iter::once(header).filter(|header| !header.is_empty()).chain(rows.iter().map(|row| &row.span));
    for span in spans {
        out.push_str(&text[span.clone()]);
        out.push_str(line_end(&text[span.end..]).unwrap_or(usual));
    }
}

/// The line end that this text begins with.
fn line_end(text: &str) -> Option<&str> {
    ["\r\n", "\n", "\r"].into_iter().find(|end| text.starts_with(end))
}

/// An array, with the indentation that the rows had.
fn json(document: &Document, rows: &[&Row], out: &mut String) {
    let text = &document.source.text;
    let mut before = "[\n";
    for row in rows {
        out.push_str(before);
        out.push_str(indentation(text, row.span.start));
        out.push_str(&text[row.span.clone()]);
        before = ",\n";
    }
    out.push_str(if rows.is_empty() { "[]\n" } else { "\n]\n" });
}

/// The white space between the beginning of the line and this offset, where there is nothing else.
fn indentation(text: &str, offset: usize) -> &str {
    let line = text[..offset].trim_end_matches([' ', '\t']);
    if line.is_empty() || line.ends_with(['\n', '\r', '\u{feff}']) { &text[line.len()..offset] } else { "" }
}

/// A line each, also where one went over several.
fn ndjson(document: &Document, rows: &[&Row], out: &mut String) {
    for row in rows {
        let lines = document.source.text[row.span.clone()].split(['\n', '\r']).map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        out.push_str(&lines.join(" "));
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use crate::input::InputFormat::{Json, Ndjson};
    use crate::input::tests::rows;

    #[test]
    fn json_keeps_its_indentation() {
        let text = "[\n  {\n    \"note\": \"é\"\n  },\n  {\"note\": \"\\u00e9\"}, {}\n]\n";
        let document = rows(text, Json);
        assert_eq!(document.excerpt(&[1, 0]), "[\n  {\"note\": \"\\u00e9\"},\n  {\n    \"note\": \"é\"\n  }\n]\n");
        assert_eq!(document.excerpt(&[2]), "[\n{}\n]\n");
        assert_eq!(document.excerpt(&[]), "[]\n");
        assert_eq!(rows("{\"id\": \"1\"}", Json).excerpt(&[0]), "[\n{\"id\": \"1\"}\n]\n");
    }

    #[test]
    fn ndjson_is_a_line_a_row() {
        let document = rows("\u{feff}{\"id\":\"1\"}\r\n{\r\n  \"id\":\r\n  \"2\"\r\n}", Ndjson);
        assert_eq!(document.excerpt(&[1, 0]), "\u{feff}{ \"id\": \"2\" }\n{\"id\":\"1\"}\n");
        assert_eq!(document.excerpt(&[]), "\u{feff}");
    }
}
