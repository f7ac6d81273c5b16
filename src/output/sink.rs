//! What every output format implements.

use crate::error::Result;
use crate::resources::{Record, Resource};
use crate::terminal::Ui;

/// What is printed.
#[derive(Clone, Copy)]
pub enum Content {
    /// A list of the service's records.
    List(&'static Resource),
    /// A list of the service's records whose resource is unknown, or known only later.
    UnknownList,
    /// One record of the service.
    Record,
    /// One result of sitectl's own.
    Result,
    /// A list of sitectl's own results.
    Results,
}

impl Content {
    /// Whether there is one record, which is printed without a list around it.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Record | Self::Result)
    }

    /// The resource, if it is known.
    pub fn resource(self) -> Option<&'static Resource> {
        if let Self::List(resource) = self { Some(resource) } else { None }
    }
}

/// One format's way to print records.
pub trait Sink: Send {
    /// Prints a record, or holds it until the end of its page or of the list.
    ///
    /// # Errors
    /// If the format cannot print this record.
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()>;

    /// Ends a page: prints whatever can be printed before the next one.
    ///
    /// # Errors
    /// As `row`.
    fn page(&mut self, _out: &mut String) -> Result<()> {
        Ok(())
    }

    /// Ends a complete list.
    ///
    /// # Errors
    /// As `row`.
    fn finish(&mut self, out: &mut String) -> Result<()> {
        self.page(out)
    }

    /// Ends an incomplete list: nothing that is printed makes it look complete.
    ///
    /// # Errors
    /// As `row`.
    fn break_off(&mut self, out: &mut String) -> Result<()> {
        self.page(out)
    }

    /// Reports what the printed records don't show.
    fn remark(&self, _ui: &Ui) {}
}
