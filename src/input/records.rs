//! Writes records as a file that can be read as input.

use super::{Columns, InputFormat};
use crate::error::{Error, Kind, Result};
use serde_json::{Map, Value};

/// Returns a file of this format with these records. CSV has the columns that a record has.
pub fn write_records(
    format: InputFormat,
    columns: &Columns,
    records: &[Map<String, Value>],
) -> Result<String> {
    let mut text = String::new();
    match format {
        InputFormat::Csv => return write_csv(columns, records),
        // YAML contains JSON.
        InputFormat::Json | InputFormat::Yaml => {
            text = serde_json::to_string_pretty(records)? + "\n";
        }
        InputFormat::Ndjson => {
            for record in records {
                text += &(serde_json::to_string(record)? + "\n");
            }
        }
    }
    Ok(text)
}

fn write_csv(columns: &Columns, records: &[Map<String, Value>]) -> Result<String> {
    let mut names = columns.names();
    names.retain(|name| records.iter().any(|record| record.contains_key(*name)));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let error =
        |error: csv::Error| Error::new(Kind::Error, format!("could not write CSV: {error}"));
    writer.write_record(&names).map_err(error)?;
    for record in records {
        let cells = names.iter().map(|name| csv_cell(record.get(*name)));
        writer.write_record(cells).map_err(error)?;
    }
    let bytes = writer.into_inner().unwrap_or_default();
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Returns a value as the text of a cell.
fn csv_cell(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(true)) => "yes".into(),
        Some(Value::Bool(false)) => "no".into(),
        Some(Value::Array(items)) => join_list(items),
        Some(value) => value.to_string(),
    }
}

/// Joins items with semicolons or, if an item could be misread then, as a JSON array.
fn join_list(items: &[Value]) -> String {
    let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
    let is_plain =
        |text: &&str| !text.contains([';', '[', '"']) && text.trim() == *text && !text.is_empty();
    match texts {
        Some(texts) if texts.iter().all(is_plain) => texts.join(";"),
        _ => Value::from(items).to_string(),
    }
}
