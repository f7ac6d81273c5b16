//! Prints records on stdout; one file per format.

mod cell;
mod columns;
mod csv;
mod fields;
mod ids;
mod jq;
mod json;
mod rows;
mod shape;
mod sink;
mod table;
mod yaml;

pub use rows::{Rows, text, write};
pub use shape::Shape;

use crate::config::Format;
use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::Ui;
use serde::Serialize;
use serde_json::value::RawValue;
use sink::Content;

/// Prints one record of the service.
///
/// # Errors
/// As [`Rows::finish`].
pub fn record(record: &Record, shape: &Shape) -> Result<()> {
    print(Content::Record, std::slice::from_ref(record), shape)
}

/// Prints one result of sitectl's own, or a list of results. `ids` are printed with `-o ids`.
///
/// # Errors
/// As [`Rows::finish`].
pub fn result(value: &impl Serialize, ids: &[String], shape: &Shape) -> Result<()> {
    if shape.format == Format::Ids {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        return write(&shape.escape()(&lines));
    }
    let text = serde_json::to_string(value)?;
    if text.starts_with('[') {
        return print(Content::Results, &items(&text)?, shape);
    }
    print(Content::Result, &[Record::whole(text)], shape)
}

/// Prints a list of sitectl's own results in the columns of a resource.
///
/// # Errors
/// As [`Rows::finish`].
pub fn table(resource: &'static Resource, rows: &impl Serialize, shape: &Shape) -> Result<()> {
    print(
        Content::List(resource),
        &items(&serde_json::to_string(rows)?)?,
        shape,
    )
}

/// Prints one result of sitectl's own on another thread, because the reader of stdout may be slow.
///
/// # Errors
/// As [`Rows::finish`].
pub async fn event(value: &impl Serialize, shape: &Shape) -> Result<()> {
    let mut rows = Rows::of(Content::Result, shape);
    rows.page(vec![Record::whole(serde_json::to_string(value)?)])
        .await?;
    rows.finish()
}

/// Prints a response unchanged and ended by a line break, or the results of `--jq`.
///
/// # Errors
/// As [`Rows::finish`].
pub async fn whole(response: &Record, shape: &Shape) -> Result<()> {
    if shape.filter.is_some() {
        return record(response, shape);
    }
    let (response, escape) = (response.clone(), shape.escape());
    let writing = tokio::task::spawn_blocking(move || {
        let text = escape(response.json());
        write(&text)?;
        if text.ends_with('\n') {
            Ok(())
        } else {
            write("\n")
        }
    });
    writing.await?
}

/// Returns a complete table for stderr, from which the user decides.
///
/// # Errors
/// If `rows` can't be written as JSON.
pub fn preview(rows: &impl Serialize, ui: &Ui) -> Result<String> {
    Ok(table::preview(items(&serde_json::to_string(rows)?)?, ui))
}

fn print(content: Content, records: &[Record], shape: &Shape) -> Result<()> {
    let mut rows = Rows::of(content, shape);
    records.iter().try_for_each(|record| rows.row(record))?;
    rows.finish()
}

fn items(text: &str) -> Result<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(text)?;
    Ok(items.into_iter().map(Record::new).collect())
}

#[cfg(test)]
pub use rows::listed;
