//! The trait of every output format.

use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::Ui;

/// The kind of the printed data: it decides about the list around values and about the columns.
#[derive(Clone, Copy)]
pub enum PrintedKind {
    /// A list of records. The resource may have no declared fields, as `UNKNOWN`.
    List(&'static Resource),
    /// One record of the service.
    Record,
    /// One result of sitectl's own.
    OwnResult,
    /// A list of sitectl's own results.
    OwnResults,
}

impl PrintedKind {
    /// Whether it is one value, which is printed without a list around it.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Record | Self::OwnResult)
    }

    /// Returns the resource of a list. None if its fields are not declared, and for other kinds.
    pub fn declared_resource(self) -> Option<&'static Resource> {
        match self {
            Self::List(resource) if !resource.fields.is_empty() => Some(resource),
            _ => None,
        }
    }
}

/// Turns the records of one list, or one record, into text. `end` and `end_incomplete` have no
/// defaults, so that each format decides how an incomplete list looks.
pub trait Sink: Send {
    /// Adds a record. Its text may be held back until the end of the page or of the list.
    ///
    /// # Errors
    /// If the format cannot express this record.
    fn add(&mut self, record: &Record, out: &mut String) -> Result<()>;

    /// Adds the rows that were held back, if they can be printed before the next page.
    ///
    /// # Errors
    /// If the format cannot express a row.
    fn end_page(&mut self, _out: &mut String) -> Result<()> {
        Ok(())
    }

    /// Ends a complete list.
    ///
    /// # Errors
    /// If the format cannot express a row, or left out records.
    fn end(&mut self, out: &mut String) -> Result<()>;

    /// Ends an incomplete list, after an error: adds the rows that were held back, but nothing
    /// that makes the list look complete, such as the end of a document.
    ///
    /// # Errors
    /// If the format cannot express a row.
    fn end_incomplete(&mut self, out: &mut String) -> Result<()>;

    /// Reports data that the output doesn't show.
    fn report_hidden(&self, _ui: &Ui) {}
}
