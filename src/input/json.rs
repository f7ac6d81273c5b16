//! JSON: an array of objects or one object; and NDJSON: one object per line.

use super::text::{FIX_FILE_HINT, read_text};
use super::{InputRow, Parsed, RowPosition};
use crate::error::{Error, Kind, Result};
use serde_json::Value;
use serde_json::value::RawValue;

/// Reads all records.
///
/// # Errors
/// If the text is not JSON.
pub fn parse(text: &str) -> Result<Parsed, String> {
    if text.trim().is_empty() {
        return Ok(Parsed::default());
    }
    let mut parsed = Parsed::default();
    match serde_json::from_str(text) {
        Ok(value) => parsed.add_records(value),
        Err(error) => return Err(format!("invalid JSON: {error}")),
    }
    Ok(parsed)
}

/// Reads one object per line; a line that is not JSON is a problem of its own.
pub fn parse_lines(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let position = RowPosition::Line(index + 1);
        match serde_json::from_str(line) {
            Ok(record) => parsed.add_record(position, record),
            Err(error) => {
                // The error counts lines within this line, so it always says `line 1`.
                let reason = error.to_string().replace(" line 1", "");
                let message = format!("Invalid JSON: {reason}");
                parsed.add_problem(position, "", "invalid_syntax", message);
            }
        }
    }
    parsed
}

impl Parsed {
    /// Adds the records of a list, or one record, and continues the numbers of the records that
    /// were added before.
    pub fn add_records(&mut self, value: Value) {
        let records = match value {
            Value::Array(records) => records,
            record => vec![record],
        };
        // Each record that was added before became a row or a problem.
        let first = self.rows.len() + self.problems.len() + 1;
        for (number, record) in (first..).zip(records) {
            self.add_record(RowPosition::Record(number), record);
        }
    }

    /// Adds a row, or a problem if the record is not an object.
    pub fn add_record(&mut self, position: RowPosition, record: Value) {
        match record {
            Value::Object(fields) => self.rows.push(InputRow {
                position,
                fields,
                cells: Vec::new(),
            }),
            _ => self.add_problem(position, "", "invalid_type", "Must be an object"),
        }
    }
}

/// Returns these rows as an array.
pub fn write(rows: &[&InputRow]) -> String {
    let fields: Vec<_> = rows.iter().map(|row| &row.fields).collect();
    serde_json::to_string_pretty(&fields).unwrap_or_default() + "\n"
}

pub fn write_line(row: &InputRow) -> String {
    serde_json::to_string(&row.fields).unwrap_or_default() + "\n"
}

/// Returns the text of a file, or of stdin for `-`, that contains one JSON value.
///
/// # Errors
/// `Usage` if it cannot be read; `Invalid` if it is not JSON.
pub fn read_json(path: &str) -> Result<String> {
    let (text, name) = read_text(path)?;
    if let Err(error) = serde_json::from_str::<&RawValue>(&text) {
        let message = format!("{name}: invalid JSON: {error}");
        return Err(Error::new(Kind::Invalid, message).with_hint(FIX_FILE_HINT));
    }
    Ok(text)
}
