//! The trait of every output format.

use crate::error::{Error, Result};
use crate::resources::{Record, Resource, Table};
use crate::terminal::Ui;
use std::borrow::Cow;
use std::io::Write;
use std::ops::{Deref, DerefMut};

/// The size of the text, in bytes, at which it is written: as much as a pipe of Linux holds.
const WRITE_THRESHOLD: usize = 64 << 10;

/// Makes text safe for a terminal.
pub type Escape = fn(&str) -> Cow<'_, str>;

/// The text that is not written yet, and its stream.
pub struct OutputText<W: ?Sized = dyn Write + Send> {
    text: String,
    escape: Escape,
    pub stream: W,
}

impl<W: Write> OutputText<W> {
    pub fn new(escape: Escape, stream: W) -> Self {
        Self {
            text: String::new(),
            escape,
            stream,
        }
    }
}

impl<W: Write + ?Sized> OutputText<W> {
    /// Escapes and writes the text.
    ///
    /// # Errors
    /// If the stream can't be written to.
    pub fn write(&mut self) -> Result<()> {
        let escaped = (self.escape)(&self.text);
        let result = write_to(&mut self.stream, &escaped);
        self.text.clear();
        result
    }

    /// Writes the text if there is much of it.
    ///
    /// # Errors
    /// If the stream can't be written to.
    pub fn write_if_long(&mut self) -> Result<()> {
        if self.text.len() < WRITE_THRESHOLD {
            return Ok(());
        }
        self.write()
    }
}

impl<W: ?Sized> Deref for OutputText<W> {
    type Target = String;

    fn deref(&self) -> &String {
        &self.text
    }
}

impl<W: ?Sized> DerefMut for OutputText<W> {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.text
    }
}

/// Writes text to stdout or another stream.
///
/// # Errors
/// If the stream can't be written to.
pub fn write_to(stream: &mut (impl Write + ?Sized), text: &str) -> Result<()> {
    stream
        .write_all(text.as_bytes())
        .and_then(|()| stream.flush())
        .map_err(|error| Error::stdout(&error))
}

/// The kind of the printed data: it decides about the list around values and about the columns.
#[derive(Clone, Copy)]
pub enum PrintedKind {
    /// A list of records of the service. The resource may have no declared fields, as `UNKNOWN`.
    List(&'static Resource),
    /// A list of records created by sitectl.
    Rows(&'static Table),
    /// One record of the service.
    Record,
    /// A result created by sitectl.
    OwnResult,
}

impl PrintedKind {
    /// Whether it is one value, which is printed without a list around it.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Record | Self::OwnResult)
    }

    /// Returns the table of a list; None for one record.
    pub fn table(self) -> Option<&'static Table> {
        match self {
            Self::List(resource) => Some(&resource.table),
            Self::Rows(table) => Some(table),
            Self::Record | Self::OwnResult => None,
        }
    }

    /// Returns the table of a list whose fields are declared.
    pub fn declared_table(self) -> Option<&'static Table> {
        self.table().filter(|table| !table.fields.is_empty())
    }
}

/// Turns the records of one list, or one record, into text. `end` and `end_incomplete` have no
/// defaults, so that each format decides how an incomplete list looks.
pub trait Sink: Send {
    /// Adds a record. Its text may be held back until the end of the page or of the list.
    ///
    /// # Errors
    /// If the format cannot express this record.
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()>;

    /// Adds the rows that were held back, if they can be printed before the next page.
    ///
    /// # Errors
    /// If the format cannot express a row.
    fn end_page(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }

    /// Ends a complete list.
    ///
    /// # Errors
    /// If the format cannot express a row, or left out records.
    fn end(&mut self, out: &mut OutputText) -> Result<()>;

    /// Ends an incomplete list, after an error: adds the rows that were held back, but nothing
    /// that makes the list look complete, such as the end of a document.
    ///
    /// # Errors
    /// If the format cannot express a row.
    fn end_incomplete(&mut self, out: &mut OutputText) -> Result<()>;

    /// Reports data that the output doesn't show.
    fn report_hidden(&self, _ui: &Ui) {}
}
