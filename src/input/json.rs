//! JSON: an array of objects or one object; and NDJSON: one object per line.

use super::text::read_text;
use super::{Parsed, Position, Row};
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
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"))?;
    let records = match value {
        Value::Array(records) => records,
        record => vec![record],
    };
    let mut parsed = Parsed::default();
    for (index, record) in records.into_iter().enumerate() {
        parsed.record(Position::Record(index + 1), record);
    }
    Ok(parsed)
}

/// Reads one object per line; a line that is not JSON is a problem of its own.
pub fn parse_lines(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    for (index, line) in lines {
        let position = Position::Line(index + 1);
        match serde_json::from_str(line) {
            Ok(record) => parsed.record(position, record),
            Err(error) => {
                // The error counts lines within this line.
                let message = error.to_string().replace(" line 1", "");
                parsed.problem(
                    position,
                    "",
                    "invalid_syntax",
                    format!("Invalid JSON: {message}"),
                );
            }
        }
    }
    parsed
}

impl Parsed {
    /// Adds a record that must be an object.
    pub(super) fn record(&mut self, position: Position, record: Value) {
        match record {
            Value::Object(fields) => self.rows.push(Row::new(position, fields)),
            _ => self.problem(position, "", "invalid_type", "Must be an object"),
        }
    }
}

/// Returns these rows as an array.
pub fn write(rows: &[&Row]) -> String {
    let fields: Vec<_> = rows.iter().map(|row| &row.fields).collect();
    serde_json::to_string_pretty(&fields).unwrap_or_default() + "\n"
}

/// Returns this row as one line.
pub fn write_line(row: &Row) -> String {
    serde_json::to_string(&row.fields).unwrap_or_default() + "\n"
}

/// Reads a file, or stdin for `-`, that is one JSON value.
///
/// # Errors
/// `Usage` if it cannot be read; `Invalid` if it is not JSON.
pub fn read_json(path: &str) -> Result<String> {
    let (text, name) = read_text(path)?;
    match serde_json::from_str::<&RawValue>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(
            Error::new(Kind::Invalid, format!("{name}: invalid JSON: {error}"))
                .with_hint("No changes were made. Fix the file and retry."),
        ),
    }
}
