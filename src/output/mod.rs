//! Prints records on stdout, in each format.

mod columns;
mod csv;
mod fields;
mod ids;
mod jq;
mod json;
mod options;
mod printer;
mod scalar;
mod sink;
mod table;
#[cfg(test)]
mod tests;
mod yaml;

pub use options::OutputOptions;
pub use printer::{RecordPrinter, print_text, write_stdout};
pub use table::table_for_stderr;
#[cfg(test)]
pub use tests::render_list;

use crate::config::{Flags, OutputFormat};
use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::{Ui, visible_json, visible_lines};
use jq::JqInput;
use json::parse_items;
use options::{Audience, FormatProperties, Layout};
use serde::Serialize;
use sink::PrintedKind;

/// Returns the properties of a format. No other code in this module knows the formats.
fn properties(format: OutputFormat) -> FormatProperties {
    match format {
        OutputFormat::Table => FormatProperties {
            audience: Audience::People,
            layout: Layout::Columns,
            jq_input: None,
            // The sink has escaped each cell, also for a pipe.
            escape: |text| text.into(),
            new_sink: |content, options| {
                if content.is_single() {
                    Box::new(table::RecordSheet::new(content, options))
                } else {
                    Box::new(table::Table::new(content, options))
                }
            },
        },
        OutputFormat::Json => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Json,
            jq_input: Some(JqInput::CompleteList),
            escape: visible_json,
            new_sink: |content, _| Box::new(json::Json::new(content)),
        },
        OutputFormat::Ndjson => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Structured,
            jq_input: Some(JqInput::EachRecord),
            escape: visible_json,
            new_sink: |_, _| Box::new(json::Ndjson),
        },
        OutputFormat::Csv => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Columns,
            jq_input: None,
            escape: visible_lines,
            new_sink: |content, options| Box::new(csv::Csv::new(content, options)),
        },
        OutputFormat::Yaml => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Structured,
            jq_input: None,
            escape: visible_lines,
            new_sink: |content, _| Box::new(yaml::Yaml::new(content.is_single())),
        },
        OutputFormat::Ids => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Ids,
            jq_input: None,
            escape: visible_lines,
            new_sink: |content, _| Box::new(ids::Ids::new(content)),
        },
    }
}

/// Returns the options of this invocation.
///
/// # Errors
/// `Usage` if the filter or a field is invalid.
pub fn resolve_options(flags: &Flags, format: OutputFormat, ui: &Ui) -> Result<OutputOptions> {
    OutputOptions::new(flags, properties(format), ui)
}

/// Prints one record of the service.
pub fn print_record(record: &Record, options: &OutputOptions) -> Result<()> {
    print_all(PrintedKind::Record, std::slice::from_ref(record), options)
}

/// Prints a result created by sitectl. With `-o ids`, only `ids` are printed.
pub fn print_result(value: &impl Serialize, ids: &[String], options: &OutputOptions) -> Result<()> {
    if options.prints_ids() {
        return print_ids(ids, options);
    }
    let record = Record::from_json(masked_json(value, options)?);
    print_all(PrintedKind::OwnResult, &[record], options)
}

/// Prints a list of results created by sitectl. With `-o ids`, only `ids` are printed.
pub fn print_results(
    values: &[impl Serialize],
    ids: &[String],
    options: &OutputOptions,
) -> Result<()> {
    if options.prints_ids() {
        return print_ids(ids, options);
    }
    let records = parse_items(&masked_json(&values, options)?)?;
    print_all(PrintedKind::OwnResults, &records, options)
}

/// Prints one id per line.
pub fn print_ids(ids: &[String], options: &OutputOptions) -> Result<()> {
    let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
    write_stdout(&options.escape()(&lines))
}

/// Prints a list of results created by sitectl in the columns of a resource.
pub fn print_list(
    resource: &'static Resource,
    rows: &impl Serialize,
    options: &OutputOptions,
) -> Result<()> {
    let records = parse_items(&masked_json(rows, options)?)?;
    print_all(PrintedKind::List(resource), &records, options)
}

/// Prints the records of a command in the columns of a resource; with `-o ids`, only `ids`. If
/// `is_single`, the only record is an object where the format has structure.
pub fn print_rows(
    resource: &'static Resource,
    rows: &[impl Serialize],
    ids: &[String],
    is_single: bool,
    options: &OutputOptions,
) -> Result<()> {
    match (options.format.layout, rows) {
        (Layout::Ids, _) => print_ids(ids, options),
        (Layout::Json | Layout::Structured, [row]) if is_single => print_result(row, ids, options),
        _ => print_list(resource, &rows, options),
    }
}

/// Returns a result created by sitectl as a record, for [`print_event`].
pub fn result_record(value: &impl Serialize, options: &OutputOptions) -> Result<Record> {
    Ok(Record::from_json(masked_json(value, options)?))
}

/// Prints a result on another thread, because the reader of stdout may be slow.
pub async fn print_event(record: Record, options: &OutputOptions) -> Result<()> {
    let mut printer = RecordPrinter::of(PrintedKind::OwnResult, options);
    printer.print_page(vec![record]).await?;
    printer.finish()
}

/// Prints a response unchanged, except for passwords, escapes on a terminal and a line break at its
/// end. With `--jq`, prints the results of the filter instead. Another thread writes, because the
/// reader of stdout may be slow.
pub async fn print_unchanged(response: &Record, options: &OutputOptions) -> Result<()> {
    if options.filter.is_some() {
        return print_record(response, options);
    }
    let response = response.clone();
    let escape = options.escape();
    let ui = options.ui.clone();
    let print = move || {
        let mut text = escape(&ui.hide_passwords(response.json())).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        write_stdout(&text)
    };
    tokio::task::spawn_blocking(print).await?
}

/// Returns the JSON of a result without the token, because an error or a status in the result can
/// quote a response that contains the token. `terminal` masks the token on stderr.
fn masked_json(value: &impl Serialize, options: &OutputOptions) -> Result<String> {
    Ok(options.ui.masked(&serde_json::to_string(value)?))
}

fn print_all(content: PrintedKind, records: &[Record], options: &OutputOptions) -> Result<()> {
    let mut printer = RecordPrinter::of(content, options);
    for record in records {
        printer.add(record)?;
    }
    printer.finish()
}
