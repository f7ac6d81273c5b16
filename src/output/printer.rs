//! Reduces records to `--fields`, turns them into text with the sink of the format, and escapes and
//! writes the text.

use super::fields::Selection;
use super::jq::JqSink;
use super::options::{Layout, Output};
use super::sink::{OutputText, PrintedKind, Sink, write_to};
use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::{Ui, lock};
use std::borrow::Cow;
use std::io::{Stdout, Write, stdout};
use std::sync::{Arc, Mutex};

/// Prints the records of one list, or one result.
pub struct RecordPrinter {
    writer: Arc<Mutex<RecordWriter<Stdout>>>,
    /// The number of records so far.
    pub count: u64,
}

impl RecordPrinter {
    /// Begins a list of this resource.
    pub fn new(resource: &'static Resource, options: &Output) -> Self {
        Self::of(PrintedKind::List(resource), options)
    }

    pub fn of(content: PrintedKind, options: &Output) -> Self {
        Self {
            writer: Arc::new(Mutex::new(RecordWriter::new(content, options, stdout()))),
            count: 0,
        }
    }

    /// Adds one record.
    ///
    /// # Errors
    /// If `--jq` fails.
    pub fn add(&mut self, record: &Record) -> Result<()> {
        self.count += 1;
        lock(&self.writer).add(record)
    }

    /// Prints the records of a page on another thread, because the reader of stdout may be slow.
    ///
    /// # Errors
    /// If stdout can't be written to, or `--jq` fails.
    pub async fn print_page(&mut self, records: Vec<Record>) -> Result<()> {
        self.count += records.len() as u64;
        let writer = Arc::clone(&self.writer);
        tokio::task::spawn_blocking(move || lock(&writer).write_page(&records)).await?
    }

    /// Ends a complete list.
    ///
    /// # Errors
    /// If stdout can't be written to, `--jq` fails, or a record has no id for `-o ids`.
    pub fn finish(&mut self) -> Result<()> {
        lock(&self.writer).finish()
    }

    /// Ends an incomplete list, after an error.
    ///
    /// # Errors
    /// If stdout can't be written to.
    pub fn finish_incomplete(&mut self) -> Result<()> {
        lock(&self.writer).finish_incomplete()
    }
}

/// Writes records to a stream, also on another thread.
pub struct RecordWriter<W> {
    sink: Box<dyn Sink>,
    /// None if each record is formatted as it is.
    selection: Option<Selection>,
    /// Whether a field that no record has is a warning.
    warns_of_missing: bool,
    /// Whether a value that is not an object becomes the field `value`.
    needs_fields: bool,
    ui: Ui,
    pub out: OutputText<W>,
}

impl<W: Write + Send + 'static> RecordWriter<W> {
    pub fn new(content: PrintedKind, options: &Output, stream: W) -> Self {
        Self {
            sink: new_sink(content, options),
            selection: select_fields(content, options),
            warns_of_missing: options.fields.is_some(),
            needs_fields: options.needs_fields(),
            ui: options.ui.clone(),
            out: OutputText::new(options.escape(), stream),
        }
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        let mut record = Cow::Borrowed(record);
        if let Cow::Owned(json) = self.ui.hide_passwords(record.json()) {
            record = Cow::Owned(Record::from_json(json));
        }
        if self.needs_fields && !record.json().starts_with('{') {
            let object = format!("{{\"value\":{}}}", record.json());
            record = Cow::Owned(Record::from_json(object));
        }
        if let Some(selection) = &mut self.selection {
            record = Cow::Owned(selection.reduce(&record));
        }
        self.sink.add(&record, &mut self.out)
    }

    /// Writes the records of a page. If one fails, those before it are written. An error of stdout
    /// is returned before any other, here and at the end.
    pub fn write_page(&mut self, records: &[Record]) -> Result<()> {
        let result = self.add_page(records);
        self.out.write().and(result)
    }

    fn add_page(&mut self, records: &[Record]) -> Result<()> {
        for record in records {
            self.add(record)?;
            self.out.write_if_long()?;
        }
        self.sink.end_page(&mut self.out)
    }

    pub fn finish(&mut self) -> Result<()> {
        let result = self.sink.end(&mut self.out);
        self.write_end().and(result)
    }

    pub fn finish_incomplete(&mut self) -> Result<()> {
        let result = self.sink.end_incomplete(&mut self.out);
        self.write_end().and(result)
    }

    fn write_end(&mut self) -> Result<()> {
        self.out.write()?;
        if self.warns_of_missing {
            for warning in self.selection.iter().flat_map(Selection::warnings) {
                self.ui.warn(&warning);
            }
        }
        self.sink.report_hidden(&self.ui);
        Ok(())
    }
}

/// Returns the fields to which records are reduced. In columns, a declared field has its source;
/// other formats show the fields of the service.
fn select_fields(content: PrintedKind, options: &Output) -> Option<Selection> {
    let has_columns = options.format.layout == Layout::Columns;
    let table = content.declared_table().filter(|_| has_columns);
    match &options.fields {
        Some(names) => Some(Selection::new(names, table)),
        None => table
            .filter(|table| table.has_sources())
            .map(Selection::of_table),
    }
}

/// Returns the sink of `--jq`, or of the format without a filter.
fn new_sink(content: PrintedKind, options: &Output) -> Box<dyn Sink> {
    let format = &options.format;
    match (&options.filter, format.jq_input) {
        (Some(filter), Some(input)) => Box::new(JqSink::new(filter, input, content.is_single())),
        _ => (format.new_sink)(content, options),
    }
}

/// Writes text to stdout.
///
/// # Errors
/// If stdout can't be written to.
pub fn write_stdout(text: &str) -> Result<()> {
    write_to(&mut stdout(), text)
}
