//! JSON: an array of objects or one object; and NDJSON: one object per line.

use super::text::{FIX_FILE_HINT, read_text};
use super::{Columns, InputRow, Parsed, RowPosition};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::members;
use crate::terminal::pluralize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The code and the message of the problem of a field that a record has twice.
const DUPLICATE_FIELD: &str = "duplicate_field";
const IS_REPEATED: &str = "Is in the record twice";

/// Reads all records.
///
/// # Errors
/// If the text is not JSON.
pub fn parse(text: &str, columns: &Columns) -> Result<Parsed, String> {
    if text.trim().is_empty() {
        return Ok(Parsed::default());
    }
    if let Err(error) = serde_json::from_str::<Value>(text) {
        return Err(format!("invalid JSON: {error}"));
    }
    let mut parsed = Parsed::default();
    for (number, record) in (1..).zip(raw_records(text, columns.list_field)) {
        parsed.add_record(RowPosition::Record(number), record.get(), columns);
    }
    Ok(parsed)
}

/// Reads one object per line; a line that is not JSON is a problem of its own.
pub fn parse_lines(text: &str, columns: &Columns) -> Parsed {
    let mut parsed = Parsed::default();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() {
            parsed.add_record(RowPosition::Line(number), line, columns);
        }
    }
    parsed
}

impl Parsed {
    /// Adds a row, or a problem if the record is not an object. In a file that may be a list, a text
    /// is the value of its column.
    fn add_record(&mut self, position: RowPosition, record: &str, columns: &Columns) {
        match (serde_json::from_str(record), columns.list) {
            (Ok(Value::Object(fields)), _) => {
                self.rows.push(InputRow { position, fields });
                // The row has only the last value.
                for name in repeated_fields(record) {
                    self.add_problem(position, &name, DUPLICATE_FIELD, IS_REPEATED);
                }
            }
            (Ok(value @ Value::String(_)), Some(column)) => {
                self.is_list = true;
                let fields = Map::from_iter([(column.into(), value)]);
                self.rows.push(InputRow { position, fields });
            }
            (Ok(_), _) => self.add_problem(position, "", "invalid_type", "Must be an object"),
            (Err(error), _) => {
                // The error counts lines within this record, which begins at `line 1`.
                let reason = error.to_string().replace(" line 1", "");
                let message = format!("Invalid JSON: {reason}");
                self.add_problem(position, "", "invalid_syntax", message);
            }
        }
    }
}

/// Returns the records of a list, of the list in this field, or the one record, as they are written
/// in the text.
fn raw_records<'t>(text: &'t str, list_field: Option<&str>) -> Vec<&'t RawValue> {
    let list_of = |text: &'t str| serde_json::from_str::<Vec<&RawValue>>(text).ok();
    let in_field = || {
        let fields = members(text).ok()?;
        let (_, list) = fields
            .into_iter()
            .find(|(name, _)| Some(&**name) == list_field)?;
        list_of(list.get())
    };
    let record = || serde_json::from_str(text).map(|record| vec![record]).ok();
    list_of(text)
        .or_else(in_field)
        .or_else(record)
        .unwrap_or_default()
}

/// Returns the names that an object has more than once. Any other value has none.
fn repeated_fields(json: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut repeated = BTreeSet::new();
    for (name, _) in members(json).unwrap_or_default() {
        let name = name.into_owned();
        if !seen.insert(name.clone()) {
            repeated.insert(name);
        }
    }
    repeated
}

/// Returns the text of a file, or of stdin for `-`, that contains one JSON value.
///
/// # Errors
/// `Usage` if it cannot be read; `Invalid` if it is not JSON, or has a field twice.
pub fn read_json(path: &str) -> Result<String> {
    let (text, name) = read_text(path)?;
    if let Err(error) = serde_json::from_str::<&RawValue>(&text) {
        let message = format!("{name}: invalid JSON: {error}");
        let error = Error::new(Kind::Invalid, message).without_changes();
        return Err(error.with_hint(FIX_FILE_HINT));
    }
    let problems = body_problems(&text, name);
    if problems.is_empty() {
        return Ok(text);
    }
    let message = format!("{} in {name}", pluralize(problems.len(), "problem"));
    let error = Error::new(Kind::Invalid, message).without_changes();
    Err(error.with_details(problems).with_hint(FIX_FILE_HINT))
}

/// Returns the repeated fields of the body of a request as problems. In most bodies the record is
/// in a field, such as `client`, so the objects in the body's fields are checked too.
fn body_problems(body: &str, file: &str) -> Vec<Detail> {
    let mut problems = Vec::new();
    for (number, record) in (1..).zip(raw_records(body, None)) {
        let position = RowPosition::Record(number);
        let mut repeated = repeated_fields(record.get());
        for (_, field) in members(record.get()).unwrap_or_default() {
            repeated.extend(repeated_fields(field.get()));
        }
        for field in repeated {
            problems.push(Detail {
                position: Some(format!("{file} {position}, field {field}")),
                ..Detail::new(DUPLICATE_FIELD, &field, IS_REPEATED)
            });
        }
    }
    problems
}
