//! JSON: an array of objects or one object; and NDJSON: one object per line.

use super::text::{FIX_FILE_HINT, read_text};
use super::{Columns, InputRow, Parsed, RowPosition};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::members;
use crate::terminal::pluralize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
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
    let mut parsed = Parsed::default();
    match serde_json::from_str(text) {
        Ok(value) => parsed.add_records(value, columns),
        Err(error) => return Err(format!("invalid JSON: {error}")),
    }
    for (number, record) in (1..).zip(raw_records(text, columns.list_field)) {
        parsed.refuse_repeated_fields(RowPosition::Record(number), record.get());
    }
    Ok(parsed)
}

/// Reads one object per line; a line that is not JSON is a problem of its own.
pub fn parse_lines(text: &str, columns: &Columns) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let position = RowPosition::Line(index + 1);
        match serde_json::from_str(line) {
            Ok(record) => {
                parsed.add_record(position, record, columns);
                parsed.refuse_repeated_fields(position, line);
            }
            Err(error) => {
                // The error counts lines within this line, so it always says `line 1`.
                let reason = error.to_string().replace(" line 1", "");
                let message = format!("Invalid JSON: {reason}");
                parsed.reject(position, String::new(), "invalid_syntax", message);
            }
        }
    }
    parsed
}

impl Parsed {
    /// Adds the records of a list, or one record, and continues the numbers of the records that
    /// were added before.
    pub fn add_records(&mut self, value: Value, columns: &Columns) {
        let records = match (value, columns.list_field) {
            (Value::Array(records), _) => records,
            (Value::Object(mut fields), Some(name))
                if fields.get(name).is_some_and(Value::is_array) =>
            {
                let list = fields.remove(name).unwrap_or_default();
                list.as_array().cloned().unwrap_or_default()
            }
            (record, _) => vec![record],
        };
        let first = self.rows.len() + self.rejected.len() + 1;
        for (number, record) in (first..).zip(records) {
            self.add_record(RowPosition::Record(number), record, columns);
        }
    }

    /// Adds a row, or a problem if the record is not an object. In a file that may be a list, a text
    /// is the value of its column.
    pub fn add_record(&mut self, position: RowPosition, record: Value, columns: &Columns) {
        let record = match (record, columns.list) {
            (text @ Value::String(_), Some(column)) => {
                self.is_list = true;
                json!({ column: text })
            }
            (record, _) => record,
        };
        match record {
            Value::Object(fields) => self.rows.push(InputRow {
                position,
                fields,
                text: String::new(),
            }),
            record => {
                let message = "Must be an object".into();
                self.reject(position, record.to_string(), "invalid_type", message);
            }
        }
    }

    /// Adds a row that is not an object, and its problem.
    fn reject(&mut self, position: RowPosition, text: String, code: &str, message: String) {
        self.add_problem(position, "", code, message);
        self.rejected.push(InputRow {
            position,
            fields: Map::new(),
            text,
        });
    }

    /// Adds a problem for each field that the record has twice. Its row has only the last value.
    fn refuse_repeated_fields(&mut self, position: RowPosition, record: &str) {
        for name in repeated_fields(record) {
            self.add_problem(position, &name, DUPLICATE_FIELD, IS_REPEATED);
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

/// Returns these rows as an array. Each is written as in the text, because a row that was read
/// lacks repeated fields and digits of long numbers.
pub fn write(text: &str, list_field: Option<&str>, rows: &[&InputRow]) -> String {
    let records = raw_records(text, list_field);
    let mut selected: Vec<&RawValue> = Vec::new();
    for row in rows {
        selected.extend(records.get(row.position.index()));
    }
    serde_json::to_string_pretty(&selected).unwrap_or_default() + "\n"
}

/// Returns the fields of these rows as an array.
pub fn write_fields(rows: &[&InputRow]) -> String {
    let rejected = |row: &InputRow| serde_json::from_str(&row.text).ok();
    let records = rows
        .iter()
        .map(|row| rejected(row).unwrap_or_else(|| json!(row.fields)));
    let records: Vec<Value> = records.collect();
    serde_json::to_string_pretty(&records).unwrap_or_default() + "\n"
}

/// Returns the lines of these rows.
pub fn write_lines(text: &str, rows: &[&InputRow]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut selected = String::new();
    for row in rows {
        if let Some(line) = lines.get(row.position.index()) {
            selected += line;
            selected += "\n";
        }
    }
    selected
}

/// Returns the text of a file, or of stdin for `-`, that contains one JSON value.
///
/// # Errors
/// `Usage` if it cannot be read; `Invalid` if it is not JSON, or has a field twice.
pub fn read_json(path: &str) -> Result<String> {
    let (text, name) = read_text(path)?;
    if let Err(error) = serde_json::from_str::<&RawValue>(&text) {
        let message = format!("{name}: invalid JSON: {error}");
        return Err(Error::new(Kind::Invalid, message).with_hint(FIX_FILE_HINT));
    }
    let problems = body_problems(&text, name);
    if problems.is_empty() {
        return Ok(text);
    }
    let message = format!("{} in {name}", pluralize(problems.len(), "problem"));
    Err(Error::new(Kind::Invalid, message)
        .with_details(problems)
        .with_hint(FIX_FILE_HINT))
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
