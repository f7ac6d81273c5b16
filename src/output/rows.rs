//! The rows of a list, printed as they arrive where the format allows it.

use super::cell::cell;
use super::{Shape, json, table};
use crate::config::Format;
use crate::error::{Error, Result};
use crate::resource::Record;
use crate::resource::Resource;
use crate::ui::visible;
use std::io::{BufWriter, Stdout, Write};

/// Takes the rows of one list. Left unfinished, a JSON array stays open: what broke off never looks whole.
pub struct Rows {
    shape: Shape,
    resource: &'static Resource,
    out: BufWriter<Stdout>,
    count: u64,
    /// The rows of a table, which needs them all to know its widths.
    held: Vec<Vec<String>>,
}

impl Rows {
    /// A list of this resource, nothing printed yet.
    pub fn new(resource: &'static Resource, shape: Shape) -> Self {
        Self { shape, resource, out: BufWriter::with_capacity(1 << 16, std::io::stdout()), count: 0, held: Vec::new() }
    }

    /// How many rows there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether rows are printed as they come.
    pub fn streams(&self) -> bool {
        self.shape.format != Format::Table
    }

    /// One row.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        let raw = record.json();
        match self.shape.format {
            Format::Table => {
                let fields = record.fields();
                self.held.push(self.resource.columns().map(|(name, _)| cell(fields.get(name))).collect());
            }
            Format::Json => self.put(&format!("{}{raw}", if self.count == 0 { "[\n" } else { ",\n" }))?,
            Format::Ndjson => self.put(&format!("{}\n", json::compact(raw)))?,
            Format::Ids => self.put(&format!("{}\n", visible(&record.id().unwrap_or_default())))?,
        }
        self.count += 1;
        Ok(())
    }

    /// The page is over: what can be seen already is.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(|error| Error::stdout(&error))
    }

    /// The list is over and whole.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn finish(&mut self) -> Result<()> {
        match self.shape.format {
            Format::Table => self.print_table()?,
            Format::Json if self.count == 0 => self.put("[]\n")?,
            Format::Json => self.put("\n]\n")?,
            Format::Ndjson | Format::Ids => {}
        }
        self.flush()
    }

    /// The list broke off: a table shows what there is, the other formats have shown it already.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn break_off(&mut self) -> Result<()> {
        if self.shape.format == Format::Table {
            self.print_table()?;
        }
        self.flush()
    }

    fn print_table(&mut self) -> Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let headings: Vec<&str> = self.resource.columns().map(|(_, heading)| heading).collect();
        let text = table::columns(&headings, &[0], std::mem::take(&mut self.held), self.shape);
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(|error| Error::stdout(&error))
    }
}
