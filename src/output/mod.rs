//! Records on stdout, in the shape that was asked for.

mod cell;
mod json;
mod rows;
mod table;

pub use rows::Rows;

use crate::config::Format;
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use crate::ui::{Ui, visible};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::Write;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The format.
    pub format: Format,
    /// Tables without their header row.
    pub no_header: bool,
    /// Columns of the terminal; none off a terminal, where nothing is cut.
    pub width: Option<usize>,
}

impl Shape {
    /// The shape for this invocation.
    pub fn new(format: Format, no_header: bool, ui: &Ui) -> Self {
        Self { format, no_header, width: ui.stdout_width() }
    }
}

/// Prints one record of the service.
///
/// # Errors
/// Where stdout takes no more.
pub fn record(record: &Record, shape: Shape) -> Result<()> {
    match shape.format {
        Format::Table => write(&table::sheet(&record.fields(), shape)),
        Format::Json => write(&format!("{}\n", json::indented(record.json()))),
        Format::Ndjson => write(&format!("{}\n", json::compact(record.json()))),
        Format::Ids => write(&format!("{}\n", visible(&record.id().unwrap_or_default()))),
    }
}

/// Prints one result of sitectl's own. `ids` are what the `ids` format prints of it.
///
/// # Errors
/// Where stdout takes no more.
pub fn result(value: &impl Serialize, ids: &[String], shape: Shape) -> Result<()> {
    let text = serde_json::to_string(value).map_err(|error| Error::new(Kind::Error, error.to_string()))?;
    match shape.format {
        Format::Table => write(&people(&text, shape)?),
        Format::Json => write(&format!("{}\n", json::indented(&text))),
        Format::Ndjson => write(&format!("{}\n", json::compact(&text))),
        Format::Ids => write(&ids.iter().map(|id| format!("{}\n", visible(id))).collect::<String>()),
    }
}

/// A result as a person reads it: an object as a sheet, a list as a grid.
fn people(json: &str, shape: Shape) -> Result<String> {
    let broken = |error: serde_json::Error| Error::new(Kind::Error, format!("could not read a result: {error}"));
    if json.starts_with('[') {
        let items: Vec<Box<RawValue>> = serde_json::from_str(json).map_err(broken)?;
        let rows: Vec<_> = items.into_iter().map(|item| Record::new(item).fields()).collect();
        return Ok(table::grid(&rows, shape));
    }
    let record = Record::new(serde_json::from_str(json).map_err(broken)?);
    Ok(table::simple_sheet(record.fields(), shape))
}

/// Writes to stdout, the only way there.
pub(crate) fn write(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| Error::stdout(&error))
}
