//! CSV, as spreadsheets and `-o csv` write it: a line that names the columns, then a row a line.

mod quotes;
#[cfg(test)]
mod tests;

use super::document::{Cell, Row};
use super::place::{Place, line_ends};
use super::reading::Reading;
use super::{ColumnKind, Columns};
use crate::resource::lenient;
use ::csv::{Reader, ReaderBuilder, StringRecord};
use quotes::{Fault, fault};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::ops::Range;

/// What to say of a file that does not keep to the rules.
const BROKEN: &str = "it cannot be read as CSV";

/// Reads all rows.
///
/// # Errors
/// What to say of a file whose columns or cells cannot be told; why is among the problems.
pub fn read(reading: &mut Reading<'_>) -> Result<(), &'static str> {
    let mut lines = Lines::new(reading.text);
    let Some(span) = lines.next(usize::MAX) else { return Ok(()) };
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

/// What a column is.
enum Column {
    /// One that is read.
    Known(&'static str, ColumnKind),
    /// One that says nothing, or has been complained of.
    Skipped,
    /// One without a name, as spreadsheets leave them at the end. Nothing may stand in it.
    Unnamed,
}

/// The columns, by what the first line says.
fn header(reading: &mut Reading<'_>, names: &StringRecord, span: &Range<usize>) -> Result<Vec<Column>, &'static str> {
    let line = reading.cursor.line(span.start);
    let names: Vec<String> = names.iter().map(|name| name.trim().to_string()).collect();
    if !names.iter().any(|name| reading.columns.allows(name)) {
        reading.problem(line, "", "invalid_header", unnamed(&reading.text[span.clone()], reading.columns));
        return Err(BROKEN);
    }
    let mut seen = HashSet::new();
    Ok(names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let place = Place { column: Some(index + 1), ..line };
            if name.is_empty() {
                return Column::Unnamed;
            }
            if !seen.insert(name) {
                reading.problem(place, name, "duplicate_field", "Names a column for the second time");
                return Column::Skipped;
            }
            if !reading.columns.allows(name) {
                reading.unknown(place, name);
            }
            reading.columns.find(name).map_or(Column::Skipped, |(name, kind)| Column::Known(name, kind))
        })
        .collect())
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
        match *column {
            Column::Known(column, kind) => match value(cell, kind) {
                Ok(Value::Null) => row.blanks.push((column, place)),
                Ok(value) => row.cells.push(Cell { column, value, place }),
                Err(message) => reading.problem(place, column, "invalid_type", message),
            },
            Column::Unnamed if !cell.trim().is_empty() => reading.unknown(place, ""),
            Column::Unnamed | Column::Skipped => {}
        }
    }
    reading.rows.push(row);
}

/// What a cell holds; of an empty one, null.
fn value(cell: &str, kind: ColumnKind) -> Result<Value, String> {
    match kind {
        ColumnKind::Text if cell.is_empty() => Ok(Value::Null),
        ColumnKind::Text => Ok(cell.into()),
        ColumnKind::List if cell.trim_start().starts_with('[') => array(cell),
        ColumnKind::List => {
            let items: Vec<Value> =
                cell.split(';').map(str::trim).filter(|item| !item.is_empty()).map(Value::from).collect();
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
