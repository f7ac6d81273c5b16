//! Prints records on stdout; one file per format.

mod cell;
mod columns;
mod csv;
mod fields;
mod ids;
mod jq;
mod json;
mod options;
mod rows;
mod sink;
mod table;
mod yaml;

pub use options::OutputOptions;
pub use rows::{Rows, text, write};

use crate::config::OutputFormat;
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
pub fn record(record: &Record, options: &OutputOptions) -> Result<()> {
    print(Content::Record, std::slice::from_ref(record), options)
}

/// Prints one result of sitectl's own, or a list of results. `ids` are printed with `-o ids`.
///
/// # Errors
/// As [`Rows::finish`].
pub fn result(value: &impl Serialize, ids: &[String], options: &OutputOptions) -> Result<()> {
    if options.format == OutputFormat::Ids {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        return write(&options.escape()(&lines));
    }
    let text = serde_json::to_string(value)?;
    if text.starts_with('[') {
        return print(Content::Results, &items(&text)?, options);
    }
    print(Content::Result, &[Record::whole(text)], options)
}

/// Prints a list of sitectl's own results in the columns of a resource.
///
/// # Errors
/// As [`Rows::finish`].
pub fn table(
    resource: &'static Resource,
    rows: &impl Serialize,
    options: &OutputOptions,
) -> Result<()> {
    print(
        Content::List(resource),
        &items(&serde_json::to_string(rows)?)?,
        options,
    )
}

/// Prints one result of sitectl's own on another thread, because the reader of stdout may be slow.
///
/// # Errors
/// As [`Rows::finish`].
pub async fn event(value: &impl Serialize, options: &OutputOptions) -> Result<()> {
    let mut rows = Rows::of(Content::Result, options);
    rows.page(vec![Record::whole(serde_json::to_string(value)?)])
        .await?;
    rows.finish()
}

/// Prints a response unchanged and ended by a line break, or the results of `--jq`.
///
/// # Errors
/// As [`Rows::finish`].
pub async fn whole(response: &Record, options: &OutputOptions) -> Result<()> {
    if options.filter.is_some() {
        return record(response, options);
    }
    let (response, escape) = (response.clone(), options.escape());
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

fn print(content: Content, records: &[Record], options: &OutputOptions) -> Result<()> {
    let mut rows = Rows::of(content, options);
    records.iter().try_for_each(|record| rows.row(record))?;
    rows.finish()
}

fn items(text: &str) -> Result<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(text)?;
    Ok(items.into_iter().map(Record::new).collect())
}

#[cfg(test)]
pub use rows::listed;
