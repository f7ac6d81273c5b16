//! Records on stdout, in the shape that was asked for.

mod cell;
mod csv;
mod fields;
mod filtered;
mod fit;
mod grid;
mod guess;
mod ids;
mod interrupt;
mod jq;
mod jq_wrong;
mod json;
mod lines;
mod rows;
mod sheet;
mod single;
mod sink;
mod whole;
mod width;
mod yaml;
mod yaml_scalar;

pub use rows::Rows;
pub use whole::whole;

use crate::config::{Format, Settings};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::{Ui, visible_json, visible_lines};
use grid::Grid;
use jq::Filter;
use serde::Serialize;
use serde_json::value::RawValue;
use sink::{Rowed, Sink, put};
use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

/// Makes text safe to print.
type Escape = fn(&str) -> Cow<'_, str>;

/// How to print.
pub struct Shape {
    format: Format,
    no_header: bool,
    /// The fields that were asked for.
    fields: Option<Arc<[String]>>,
    /// What the JSON is filtered with.
    filter: Option<Arc<Filter>>,
    ui: Ui,
}

impl Shape {
    /// The shape for this invocation.
    ///
    /// # Errors
    /// `Usage` for a filter that is none.
    pub fn new(settings: &Settings, ui: &Ui) -> Result<Self> {
        let fields = Some(Arc::from(settings.fields.as_slice())).filter(|names: &Arc<[String]>| !names.is_empty());
        let filter = settings.jq.as_deref().map(Filter::compile).transpose()?.map(Arc::new);
        Ok(Self { format: settings.format, no_header: settings.no_header, fields, filter, ui: ui.clone() })
    }
}

impl Shape {
    /// Whether a result is wanted as the JSON that it is, and not row by row.
    pub fn is_whole(&self) -> bool {
        self.format == Format::Json && self.fields.is_none()
    }

    /// Whether rows are made of fields.
    fn needs_fields(&self) -> bool {
        self.fields.is_some() || matches!(self.format, Format::Table | Format::Csv)
    }

    /// How text is escaped on its way to a terminal, so that nothing in it can drive that. What goes elsewhere is data,
    /// unchanged. A table escapes each of its cells, wherever it goes.
    fn escape(&self) -> Escape {
        match self.format {
            _ if !self.ui.stdout_terminal() => |text| text.into(),
            Format::Table => |text| text.into(),
            Format::Json | Format::Ndjson => visible_json,
            Format::Csv | Format::Yaml | Format::Ids => visible_lines,
        }
    }

    /// Whether a result is wanted as a value, and not as a text for people.
    pub fn is_value(&self) -> bool {
        matches!(self.format, Format::Json | Format::Ndjson | Format::Yaml)
    }
}

/// Prints one record of the service.
///
/// # Errors
/// As [`Rows::finish`].
pub fn record(record: &Record, shape: &Shape) -> Result<()> {
    print(Rowed::Record, std::slice::from_ref(record), shape)
}

/// Prints one result of sitectl's own, or a list of such. `ids` are what the `ids` format prints of it.
///
/// # Errors
/// As [`Rows::finish`].
pub fn result(value: &impl Serialize, ids: &[String], shape: &Shape) -> Result<()> {
    if shape.format == Format::Ids {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        return write(&shape.escape()(&lines));
    }
    let text = to_json(value)?;
    if !text.starts_with('[') {
        return print(Rowed::Result, &[Record::whole(text)], shape);
    }
    print(Rowed::Results, &results(&text)?, shape)
}

/// Prints one result of sitectl's own beside all else: whoever reads it may be slow.
///
/// # Errors
/// As [`Rows::finish`].
pub async fn event(value: &impl Serialize, shape: &Shape) -> Result<()> {
    let mut rows = Rows::of(Rowed::Result, shape);
    rows.page(vec![Record::whole(to_json(value)?)]).await?;
    rows.finish()
}

fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| unwritten(&error))
}

/// The items of a list.
fn results(text: &str) -> Result<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(text).map_err(|error| unwritten(&error))?;
    Ok(items.into_iter().map(Record::new).collect())
}

fn unwritten(error: &serde_json::Error) -> Error {
    Error::new(Kind::Error, format!("could not write a result: {error}"))
}

fn print(what: Rowed, records: &[Record], shape: &Shape) -> Result<()> {
    let mut rows = Rows::of(what, shape);
    records.iter().try_for_each(|record| rows.row(record))?;
    rows.finish()
}

/// A table of these for stderr, where a person is to look at it first.
///
/// # Errors
/// None in practice: what is given can be written.
pub fn preview(rows: &impl Serialize, ui: &Ui) -> Result<String> {
    let mut out = Vec::new();
    let mut grid = Grid::preview(ui);
    results(&to_json(rows)?)?.iter().try_for_each(|record| grid.row(record, &mut out))?;
    grid.finish(&mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Writes to stdout, the only way there.
pub fn write(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    put(&mut stdout, text)?;
    stdout.flush().map_err(|error| Error::stdout(&error))
}

/// What a list prints in this format, for tests of what reads it.
#[cfg(test)]
pub fn listed(format: Format, resource: &'static crate::resources::Resource, records: &[Record]) -> String {
    let ui = Ui::new(crate::terminal::Wishes::default(), |_| false);
    let shape = Shape { format, no_header: false, fields: None, filter: None, ui };
    let mut sink = sink::sink(Rowed::List(resource), &shape);
    let mut out = Vec::new();
    let printed = records.iter().try_for_each(|record| sink.row(record, &mut out));
    assert!(printed.and_then(|()| sink.finish(&mut out)).is_ok());
    String::from_utf8_lossy(&out).into_owned()
}
