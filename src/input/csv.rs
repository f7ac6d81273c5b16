//! CSV, as spreadsheets and `-o csv` write it: a line that names the columns, then a row a line.

use super::document::{Cell, Row};
use super::place::{Place, line_ends};
use super::quotes::{Fault, fault};
use super::reading::Reading;
use super::{ColumnKind, Columns};
use crate::resource::lenient;
use crate::ui::unescape;
use ::csv::{Reader, ReaderBuilder, StringRecord};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;

/// What to say of a file that does not keep to the rules.
const BROKEN: &str = "it cannot be read as CSV";

/// Reads all rows.
///
/// # Errors
/// What to say of a file whose columns or cells cannot be told; why is among the problems.
pub fn read(reading: &mut Reading<'_>) -> Result<(), &'static str> {
    let mut lines = Lines::new(reading.text);
    let Some(span) = lines.next(1) else { return Ok(()) };
    reading.header = span.clone();
    let columns = header(reading, &lines.record, &span)?;
    while let Some(span) = lines.next(columns.len()) {
        let place = reading.cursor.line(span.start);
        if let Some(wrong) = fault(&reading.text[span.clone()]) {
            quotes(reading, span.start, wrong)?;
        } else if lines.record.len() == columns.len() {
            row(reading, &columns, &lines.record, place, span);
        } else {
            let (cells, named) = (lines.record.len(), columns.len());
            let why = if cells > named { "; a value with a comma in it has to be in quotes" } else { "" };
            let message = format!("Has {}, but the first line names {named}{why}", counted(cells));
            reading.problem(place, "", "invalid_row", message);
        }
    }
    Ok(())
}

fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".into() } else { format!("{cells} cells") }
}

/// The rows as they stand in the text.
struct Lines<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    record: StringRecord,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        Self { text, reader, record: StringRecord::new() }
    }

    /// The next row that holds anything, where so many are expected. Of a single column, white space may be a value.
    fn next(&mut self, columns: usize) -> Option<Range<usize>> {
        loop {
            let from = self.offset();
            // Text is all UTF-8, and rows of any length are taken: nothing can fail.
            self.reader.read_record(&mut self.record).ok().filter(|more| *more)?;
            let blank = self.record.len() == 1 && columns > 1 && self.record[0].trim().is_empty();
            if blank || self.record.iter().all(str::is_empty) {
                continue;
            }
            // The line end of the row before, and blank lines, are no part of it.
            let raw = &self.text[from..self.offset()];
            let start = from + raw.len() - raw.trim_start_matches(['\r', '\n']).len();
            return Some(start..from + raw.trim_end_matches(['\r', '\n']).len());
        }
    }

    fn offset(&self) -> usize {
        usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX).min(self.text.len())
    }
}

/// What a column is: one that is read, or none that is.
type Column = Option<(&'static str, ColumnKind)>;

/// The columns, by what the first line says.
fn header(reading: &mut Reading<'_>, names: &StringRecord, span: &Range<usize>) -> Result<Vec<Column>, &'static str> {
    let line = reading.cursor.line(span.start);
    let names: Vec<String> = names.iter().map(|name| unescape(name.trim())).collect();
    if !names.iter().any(|name| reading.columns.allows(name)) {
        reading.problem(line, "", "invalid_header", unnamed(&reading.text[span.clone()], reading.columns));
        return Err(BROKEN);
    }
    let mut columns = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let place = Place { column: Some(index + 1), ..line };
        let column = reading.columns.find(name);
        if !name.is_empty() && names[..index].contains(name) {
            reading.problem(place, name, "duplicate_field", "Names a column for the second time");
        } else if column.is_none() && !name.is_empty() && !reading.columns.allows(name) {
            reading.unknown(place, name);
        }
        columns.push(column);
    }
    Ok(columns)
}

/// Why a first line names no column at all.
fn unnamed(line: &str, columns: &Columns) -> String {
    for (separator, name) in [(';', "semicolons"), ('\t', "tabs")] {
        if line.contains(separator) && line.split(separator).any(|name| columns.allows(name.trim().trim_matches('"'))) {
            return format!(
                "The columns are separated by {name}, not by commas: save it as CSV UTF-8 with commas as separator"
            );
        }
    }
    let known: Vec<&str> = columns.known.iter().map(|(name, _)| *name).collect();
    format!("Must name the columns, separated by commas; allowed: {}", known.join(", "))
}

/// A quote that is not as it should be. After one that is never closed, nothing can be told.
fn quotes(
    reading: &mut Reading<'_>,
    row: usize,
    (cell, start, fault): (usize, usize, Fault),
) -> Result<(), &'static str> {
    let place = Place { column: Some(cell + 1), ..reading.cursor.line(row + start) };
    match fault {
        Fault::Open => {
            reading.problem(place, "", "invalid_syntax", "Begins with a quote that is never closed");
            Err(BROKEN)
        }
        Fault::Trailing => {
            let message = "Goes on behind its closing quote; a quote inside a quoted value has to be written twice";
            reading.problem(place, "", "invalid_syntax", message);
            Ok(())
        }
    }
}

fn row(reading: &mut Reading<'_>, columns: &[Column], cells: &StringRecord, place: Place, span: Range<usize>) {
    let mut row = Row { place, cells: Vec::new(), blanks: Vec::new(), span };
    let mut line = place.line;
    for (index, (cell, column)) in cells.iter().zip(columns).enumerate() {
        let place = Place { line, column: Some(index + 1) };
        line += line_ends(cell);
        let Some((column, kind)) = *column else { continue };
        match value(cell, kind) {
            Ok(Value::Null) => row.blanks.push((column, place)),
            Ok(value) => row.cells.push(Cell { column, value, place }),
            Err(message) => reading.problem(place, column, "invalid_type", message),
        }
    }
    reading.rows.push(row);
}

/// What a cell holds; of an empty one, null.
fn value(cell: &str, kind: ColumnKind) -> Result<Value, String> {
    let text = unescape(cell);
    match kind {
        ColumnKind::Text if text.is_empty() => Ok(Value::Null),
        ColumnKind::Text => Ok(Value::String(text)),
        ColumnKind::List if text.trim_start().starts_with('[') => array(&text),
        ColumnKind::List => {
            let items: Vec<Value> =
                text.split(';').map(str::trim).filter(|item| !item.is_empty()).map(Value::from).collect();
            // Nothing between semicolons says nothing: `[]` is how a list is emptied.
            Ok(if items.is_empty() { Value::Null } else { Value::Array(items) })
        }
    }
}

fn array(text: &str) -> Result<Value, String> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Ok(lenient(raw)),
        Err(_) => Err("Must be a list with semicolons between its items, or a JSON array".into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::input::InputFormat::Csv;
    use crate::input::tests::{problems, refused, rows};
    use crate::input::{Document, Place};
    use serde_json::{Value, json};

    fn values(document: &Document, column: &str) -> Vec<Value> {
        document.rows.iter().map(|row| row.value(column).cloned().unwrap_or_default()).collect()
    }

    #[test]
    fn rows_have_places() {
        let text = "\u{feff}\r\n email ,note,address\r\na@b,\"one\r\ntwo\",x\r\n\r\n  \r\n,,\r\nc@d, y ,\"\"";
        let document = rows(text, Csv);
        assert_eq!(values(&document, "email"), ["a@b", "c@d"]);
        assert_eq!(values(&document, "note"), ["one\r\ntwo", " y "]);
        assert_eq!(values(&document, "address"), [json!("x"), Value::Null]);
        let places: Vec<_> = document.rows.iter().map(|row| (row.place.line, row.place.column)).collect();
        assert_eq!(places, [(3, None), (8, None)]);
        let address = document.rows[0].cell("address").map(|cell| cell.place);
        assert_eq!(address, Some(Place { line: 4, column: Some(3) }));
        let detail = document.detail(&document.rows[1], "address", "blank", "Can't be blank");
        assert_eq!(detail.place.as_deref(), Some("clients.txt line 8, column 3 (address)"));
        let detail = document.detail(&document.rows[1], "id", "blank", "Can't be blank");
        assert_eq!(detail.place.as_deref(), Some("clients.txt line 8 (id)"));
    }

    #[test]
    fn files_of_old_spreadsheets_end_lines_with_a_return() {
        let document = rows("email,note\ra@b,\"x\ry\"\rc@d,z\r", Csv);
        assert_eq!(document.rows.iter().map(|row| row.place.line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(values(&document, "note"), ["x\ry", "z"]);
        assert_eq!(document.excerpt(&[1]), "email,note\rc@d,z\r");
    }

    #[test]
    fn lists() {
        for (cell, value) in [
            ("s1; s2;;s3 ", json!(["s1", "s2", "s3"])),
            ("s1", json!(["s1"])),
            ("\" [\"\"a;b\"\", 7]\"", json!(["a;b", 7])),
            ("[]", json!([])),
            ("\" ; \"", Value::Null),
            ("", Value::Null),
        ] {
            assert_eq!(values(&rows(&format!("id,site_ids\n1,{cell}\n"), Csv), "site_ids"), [value], "{cell}");
        }
        assert_eq!(
            problems("id,site_ids\n1,[s1;s2]\n", Csv),
            [
                "line 2, column 2 (site_ids): invalid_type Must be a list with semicolons between its items, or a JSON array"
            ]
        );
    }

    #[test]
    fn problems_do_not_hide_the_rest() {
        let text = "id,emial,id,,created_at\n1,a,2,,x\n1,a\n1,a,2,,x,y\n7,\"a\"b,,,\n3,,,,\n";
        assert_eq!(values(&rows(text, Csv), "note").len(), 2);
        assert_eq!(
            problems(text, Csv),
            [
                "line 1, column 2 (emial): unknown_field Is not a known column; did you mean 'email'? allowed: id, \
                 first_name, last_name, email, company_name, address, note, site_ids",
                "line 1, column 3 (id): duplicate_field Names a column for the second time",
                "line 3: invalid_row Has 2 cells, but the first line names 5",
                "line 4: invalid_row Has 6 cells, but the first line names 5; a value with a comma in it has to be in \
                 quotes",
                "line 5, column 2: invalid_syntax Goes on behind its closing quote; a quote inside a quoted value has to \
                 be written twice",
            ]
        );
    }

    #[test]
    fn what_names_no_columns_is_refused() {
        for (text, message) in [
            (
                "id;email\n1;a@b\n",
                "The columns are separated by semicolons, not by commas: save it as CSV UTF-8 with commas as separator",
            ),
            (
                "\"id\"\t\"email\"\n",
                "The columns are separated by tabs, not by commas: save it as CSV UTF-8 with commas as separator",
            ),
            (
                "Ada,a@b\n",
                "Must name the columns, separated by commas; allowed: id, first_name, last_name, email, company_name, \
                 address, note, site_ids",
            ),
        ] {
            assert_eq!(refused(text, Csv), [format!("line 1: invalid_header {message}")]);
        }
        assert_eq!(rows("\n,,\n", Csv).rows.len(), 0);
    }

    #[test]
    fn a_quote_that_is_never_closed_ends_it() {
        let text = "id,note\n1\n2,\"x\n3,y\n";
        assert_eq!(
            refused(text, Csv),
            [
                "line 2: invalid_row Has 1 cell, but the first line names 2",
                "line 3, column 2: invalid_syntax Begins with a quote that is never closed",
            ]
        );
    }

    #[test]
    fn an_excerpt_is_the_rows_own_text() {
        let text = "\u{feff}id,\"note\"\r\n1, a\r\n\r\n2,\"b\r\n\"\r\n\"3\",c";
        let document = rows(text, Csv);
        assert_eq!(document.excerpt(&[2, 1]), "\u{feff}id,\"note\"\r\n\"3\",c\r\n2,\"b\r\n\"\r\n");
        assert_eq!(document.excerpt(&[]), "\u{feff}id,\"note\"\r\n");
        assert_eq!(rows("id", Csv).excerpt(&[7]), "id\n");
    }
}
