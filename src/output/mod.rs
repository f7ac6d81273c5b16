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

pub use options::Output;
pub use printer::{RecordPrinter, write_stdout};
pub use table::table_for_stderr;
#[cfg(test)]
pub use tests::render_list;

use crate::config::{Flags, OutputFormat};
use crate::error::Result;
use crate::resources::{Record, Table};
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
            prints_events: false,
            // The sink has escaped each cell, also for a pipe.
            escape: |text| text.into(),
            new_sink: |content, options| {
                if content.is_single() {
                    Box::new(table::RecordSheet::new(content, options))
                } else {
                    Box::new(table::AlignedTable::new(content, options))
                }
            },
        },
        OutputFormat::Json => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Json,
            jq_input: Some(JqInput::CompleteList),
            prints_events: false,
            escape: visible_json,
            new_sink: |content, _| Box::new(json::Json::new(content)),
        },
        OutputFormat::Ndjson => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Structured,
            jq_input: Some(JqInput::EachRecord),
            prints_events: true,
            escape: visible_json,
            new_sink: |_, _| Box::new(json::Ndjson),
        },
        OutputFormat::Csv => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Columns,
            jq_input: None,
            prints_events: false,
            escape: visible_lines,
            new_sink: |content, options| Box::new(csv::Csv::new(content, options)),
        },
        OutputFormat::Yaml => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Structured,
            jq_input: None,
            prints_events: false,
            escape: visible_lines,
            new_sink: |content, _| Box::new(yaml::Yaml::new(content.is_single())),
        },
        OutputFormat::Ids => FormatProperties {
            audience: Audience::Programs,
            layout: Layout::Ids,
            jq_input: None,
            prints_events: false,
            escape: visible_lines,
            new_sink: |content, _| Box::new(ids::Ids::new(content)),
        },
    }
}

/// Returns the output of this invocation.
///
/// # Errors
/// `Usage` if the filter or a field is invalid.
pub fn resolve(flags: &Flags, format: OutputFormat, ui: &Ui) -> Result<Output> {
    Output::new(flags, properties(format), ui)
}

/// Whether the only record of a list is printed as an object, where the format has structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultShape {
    List,
    Object,
}

impl Output {
    /// Prints one record of the service.
    pub fn print_record(&self, record: &Record) -> Result<()> {
        self.print_all(PrintedKind::Record, std::slice::from_ref(record))
    }

    /// Prints a result created by sitectl; with `-o ids`, only `ids`.
    pub fn print_result(&self, value: &impl Serialize, ids: &[String]) -> Result<()> {
        if self.prints_ids() {
            return self.print_ids(ids);
        }
        self.print_all(PrintedKind::OwnResult, &[self.record_of(value)?])
    }

    /// Prints one id per line.
    pub fn print_ids(&self, ids: &[String]) -> Result<()> {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        write_stdout(&self.escape()(&lines))
    }

    /// Prints records created by sitectl in the columns of a table.
    pub fn print_rows(
        &self,
        table: &'static Table,
        rows: &[impl Serialize],
        shape: ResultShape,
    ) -> Result<()> {
        match rows {
            [row] if shape == ResultShape::Object && self.is_structured() => {
                self.print_result(row, &[])
            }
            _ => {
                let records = parse_items(&self.masked_json(&rows)?)?;
                self.print_all(PrintedKind::Rows(table), &records)
            }
        }
    }

    /// Returns a result created by sitectl as a record, for [`Self::print_event`].
    pub fn record_of(&self, value: &impl Serialize) -> Result<Record> {
        Ok(Record::from_json(self.masked_json(value)?))
    }

    /// Prints a result on another thread, because the reader of stdout may be slow.
    pub async fn print_event(&self, record: Record) -> Result<()> {
        let mut printer = RecordPrinter::of(PrintedKind::OwnResult, self);
        printer.print_page(vec![record]).await?;
        printer.finish()
    }

    /// Prints a response unchanged, except for passwords, escapes on a terminal and a line break at
    /// its end. With `--jq`, prints the results of the filter instead. Another thread writes,
    /// because the reader of stdout may be slow.
    pub async fn print_unchanged(&self, response: &Record) -> Result<()> {
        if self.filter.is_some() {
            return self.print_record(response);
        }
        let response = response.clone();
        let escape = self.escape();
        let ui = self.ui.clone();
        let print = move || {
            let mut text = escape(&ui.hide_passwords(response.json())).into_owned();
            if !text.ends_with('\n') {
                text.push('\n');
            }
            write_stdout(&text)
        };
        tokio::task::spawn_blocking(print).await?
    }

    /// Prints text that is not a record, escaped if it goes to a terminal.
    pub fn print_text(&self, text: &str) -> Result<()> {
        if self.ui.stdout_terminal {
            write_stdout(&visible_lines(text))
        } else {
            write_stdout(text)
        }
    }

    /// Returns the JSON of a result without the token, because an error or a status in the result
    /// can quote a response that contains the token. `terminal` masks the token on stderr.
    fn masked_json(&self, value: &impl Serialize) -> Result<String> {
        Ok(self.ui.masked(&serde_json::to_string(value)?))
    }

    fn print_all(&self, content: PrintedKind, records: &[Record]) -> Result<()> {
        let mut printer = RecordPrinter::of(content, self);
        for record in records {
            printer.add(record)?;
        }
        printer.finish()
    }
}
