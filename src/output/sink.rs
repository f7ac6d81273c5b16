//! The trait of every output format.

use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::Ui;

/// The printed data.
#[derive(Clone, Copy)]
pub enum Content {
    /// A list of the service's records.
    List(&'static Resource),
    /// One record of the service.
    Record,
    /// One result of sitectl's own.
    Result,
    /// A list of sitectl's own results.
    Results,
}

impl Content {
    /// Whether it is one record, which is printed without a list around it.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Record | Self::Result)
    }

    /// Returns the resource, if it is known.
    pub fn resource(self) -> Option<&'static Resource> {
        if let Self::List(resource) = self {
            Some(resource).filter(|one| !one.fields.is_empty())
        } else {
            None
        }
    }
}

/// Prints records in one format.
pub trait Sink: Send {
    /// Prints a record, or keeps it until the end of its page or of the list.
    ///
    /// # Errors
    /// If the format cannot print this record.
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()>;

    /// Ends a page: prints the rows that can be printed before the next page.
    ///
    /// # Errors
    /// As `row`.
    fn page(&mut self, _out: &mut String) -> Result<()> {
        Ok(())
    }

    /// Ends a list. An incomplete one must not look complete.
    ///
    /// # Errors
    /// As `row`.
    fn end(&mut self, _is_complete: bool, out: &mut String) -> Result<()> {
        self.page(out)
    }

    /// Reports data that the output doesn't show.
    fn remark(&self, _ui: &Ui) {}
}
