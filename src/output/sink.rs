//! What each format does with the rows of a list; a file a format.

use super::Shape;
use super::csv::Csv;
use super::filtered::{FilteredEach, FilteredWhole};
use super::grid::Grid;
use super::ids::Ids;
use super::lines::{Array, Lines, Sequence};
use super::sheet::Sheet;
use super::single::{Document, Indented};
use crate::config::Format;
use crate::error::{Error, Result};
use crate::resources::{Record, Resource};
use std::io::Write;

/// One format's way to print rows. A page is printed on another thread.
pub trait Sink: Send {
    /// One row.
    ///
    /// # Errors
    /// Where `out` takes no more.
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()>;

    /// A page is over: what can be printed is.
    ///
    /// # Errors
    /// Where `out` takes no more.
    fn page(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    /// The list is over and whole.
    ///
    /// # Errors
    /// Where `out` takes no more, or the rows were not what the format is made of.
    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        self.page(out)
    }

    /// The list broke off: nothing that is printed makes it look whole.
    ///
    /// # Errors
    /// Where `out` takes no more.
    fn break_off(&mut self, out: &mut dyn Write) -> Result<()> {
        self.page(out)
    }

    /// Whether rows are printed as they come.
    fn streams(&self) -> bool {
        true
    }

    /// What the rows do not tell.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }
}

/// What stderr says of the rows on stdout.
#[derive(Debug, PartialEq, Eq)]
pub enum Remark {
    /// Plain news.
    Note(String),
    /// What may surprise.
    Warning(String),
}

/// What is printed.
#[derive(Clone, Copy)]
pub enum Rowed {
    /// A list of the service's records.
    List(&'static Resource),
    /// One record of the service.
    Record,
    /// One result of sitectl's own.
    Result,
    /// A list of such results.
    Results,
    /// A list of the service's records, of which only they themselves can tell what they are.
    Found,
}

impl Rowed {
    /// Whether there is one row, which stands for itself.
    fn is_single(self) -> bool {
        matches!(self, Self::Record | Self::Result)
    }

    /// Whether it is a list of the service's, which is passed on as it came.
    fn is_list(self) -> bool {
        matches!(self, Self::List(_) | Self::Found)
    }

    /// What is listed. Without it, the columns are what the records bring.
    pub fn resource(self) -> Option<&'static Resource> {
        if let Self::List(resource) = self { Some(resource) } else { None }
    }
}

/// The format's sink.
pub fn sink(what: Rowed, shape: &Shape) -> Box<dyn Sink> {
    match (shape.format, &shape.filter) {
        (Format::Json, Some(filter)) if !what.is_single() => Box::new(FilteredWhole::new(filter, shape)),
        (Format::Json | Format::Ndjson, Some(filter)) => Box::new(FilteredEach::new(filter, shape)),
        (Format::Table, _) if what.is_single() => Box::new(Sheet::new(what, shape)),
        (Format::Table, _) => Box::new(Grid::new(what, shape)),
        (Format::Json, _) if !what.is_list() => Box::new(Indented::new(what.is_single())),
        (Format::Json, _) => Box::new(Array::default()),
        (Format::Ndjson, _) => Box::new(Lines),
        (Format::Csv, _) => Box::new(Csv::new(what.resource(), shape)),
        (Format::Yaml, _) if what.is_single() => Box::new(Document),
        (Format::Yaml, _) => Box::new(Sequence::default()),
        (Format::Ids, _) => Box::new(Ids::default()),
    }
}

/// Writes, and says what it means where that fails.
///
/// # Errors
/// Where `out` takes no more.
pub fn put(out: &mut dyn Write, text: &str) -> Result<()> {
    out.write_all(text.as_bytes()).map_err(|error| Error::stdout(&error))
}
