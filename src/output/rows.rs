//! Reduces records to `--fields`, prints them with the sink of the format, and escapes and writes the text.

use super::csv::Csv;
use super::fields::Selection;
use super::ids::Ids;
use super::jq::Filtered;
use super::json::{Json, Ndjson};
use super::options::{Escape, OutputOptions};
use super::sink::{Content, Sink};
use super::table::{Sheet, Table};
use super::yaml::Yaml;
use crate::config::OutputFormat;
use crate::error::{Error, Result};
use crate::resources::{Record, Resource};
use crate::terminal::{Ui, visible_lines};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The text that is written at once, in bytes. A pipe of Linux holds as much.
const BLOCK: usize = 64 << 10;

/// Prints the rows of one list, or one result.
pub struct Rows {
    printer: Arc<Mutex<Printer>>,
    /// Whether rows are printed before the list is complete.
    pub streams: bool,
    /// The number of rows so far.
    pub count: u64,
    ui: Ui,
}

/// Prints pages on another thread.
struct Printer {
    sink: Box<dyn Sink>,
    selection: Option<Selection>,
    needs_fields: bool,
    escape: Escape,
    out: String,
}

/// Returns the sink of the format.
fn sink(content: Content, options: &OutputOptions) -> Box<dyn Sink> {
    let single = content.is_single();
    match (options.format, &options.filter) {
        (OutputFormat::Json, Some(filter)) => Box::new(Filtered::new(filter, !single)),
        (OutputFormat::Ndjson, Some(filter)) => Box::new(Filtered::new(filter, false)),
        (OutputFormat::Table, _) if single => Box::new(Sheet::new(content, options)),
        (OutputFormat::Table, _) => Box::new(Table::new(content, options)),
        (OutputFormat::Json, _) => Box::new(Json::new(content)),
        (OutputFormat::Ndjson, _) => Box::new(Ndjson),
        (OutputFormat::Csv, _) => Box::new(Csv::new(content, options)),
        (OutputFormat::Yaml, _) => Box::new(Yaml::new(single)),
        (OutputFormat::Ids, _) => Box::new(Ids::default()),
    }
}

impl Rows {
    /// Begins a list of this resource.
    pub fn new(resource: &'static Resource, options: &OutputOptions) -> Self {
        Self::of(Content::List(resource), options)
    }

    pub(super) fn of(content: Content, options: &OutputOptions) -> Self {
        let printer = Printer {
            sink: sink(content, options),
            selection: options.fields.as_ref().map(Selection::new),
            needs_fields: options.needs_fields(),
            escape: options.escape(),
            out: String::new(),
        };
        let held = options.format == OutputFormat::Table
            || (options.format == OutputFormat::Json && options.filter.is_some());
        Self {
            printer: Arc::new(Mutex::new(printer)),
            streams: !held,
            count: 0,
            ui: options.ui.clone(),
        }
    }

    /// Adds one row.
    ///
    /// # Errors
    /// If `--jq` fails.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        self.count += 1;
        locked(&self.printer).row(record)
    }

    /// Prints the rows of a page on another thread, because the reader of stdout may be slow.
    ///
    /// # Errors
    /// If stdout can't be written to, or `--jq` fails.
    pub async fn page(&mut self, records: Vec<Record>) -> Result<()> {
        self.count += records.len() as u64;
        let printer = Arc::clone(&self.printer);
        tokio::task::spawn_blocking(move || locked(&printer).page(&records)).await?
    }

    /// Ends a complete list.
    ///
    /// # Errors
    /// If stdout can't be written to, `--jq` fails, or a record has no id for `-o ids`.
    pub fn finish(&mut self) -> Result<()> {
        locked(&self.printer).end(&self.ui, true)
    }

    /// Ends an incomplete list.
    ///
    /// # Errors
    /// If stdout can't be written to.
    pub fn break_off(&mut self) -> Result<()> {
        locked(&self.printer).end(&self.ui, false)
    }
}

fn locked(printer: &Mutex<Printer>) -> MutexGuard<'_, Printer> {
    printer.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Printer {
    fn row(&mut self, record: &Record) -> Result<()> {
        let named = |record: &Record| Record::whole(format!("{{\"value\":{}}}", record.json()));
        let lone = (self.needs_fields && !record.json().starts_with('{')).then(|| named(record));
        let record = lone.as_ref().unwrap_or(record);
        match &mut self.selection {
            Some(selection) => self.sink.row(&selection.of(record), &mut self.out),
            None => self.sink.row(record, &mut self.out),
        }
    }

    /// Rows before one that fails are printed.
    fn page(&mut self, records: &[Record]) -> Result<()> {
        let taken = records.iter().try_for_each(|record| {
            self.row(record)?;
            if self.out.len() < BLOCK {
                Ok(())
            } else {
                self.write()
            }
        });
        let paged = taken.and_then(|()| self.sink.page(&mut self.out));
        self.write().and(paged)
    }

    fn end(&mut self, ui: &Ui, is_complete: bool) -> Result<()> {
        let ended = self.sink.end(is_complete, &mut self.out);
        self.write()?;
        self.selection
            .iter()
            .flat_map(Selection::missed)
            .for_each(|missed| ui.warn(&missed));
        self.sink.remark(ui);
        ended
    }

    fn write(&mut self) -> Result<()> {
        let written = write(&(self.escape)(&self.out));
        self.out.clear();
        written
    }
}

/// Writes to stdout.
///
/// # Errors
/// If stdout can't be written to.
pub fn write(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Error::stdout(&error))
}

/// Prints text that is not a record, escaped if it goes to a terminal.
///
/// # Errors
/// As [`write()`].
pub fn text(text: &str, options: &OutputOptions) -> Result<()> {
    write(&if options.ui.stdout_terminal {
        visible_lines(text)
    } else {
        text.into()
    })
}

/// Returns a list in this format, for tests of its readers.
#[cfg(test)]
pub fn listed(format: OutputFormat, resource: &'static Resource, records: &[Record]) -> String {
    use crate::config::{Environment, Flags};
    let ui = Ui::new(&Flags::default(), &Environment::default());
    let options = OutputOptions {
        format,
        no_header: false,
        fields: None,
        filter: None,
        ui,
    };
    let mut sink = sink(Content::List(resource), &options);
    let mut out = String::new();
    let printed = records
        .iter()
        .try_for_each(|record| sink.row(record, &mut out));
    assert!(printed.and_then(|()| sink.end(true, &mut out)).is_ok());
    out
}
