//! Rows on stdout: the fields that were asked for, the format's way to print them, and what stderr says of them.

use super::Shape;
use super::fields::Choice;
use super::sink::{Remark, Rowed, Sink, sink};
use crate::error::{Error, Result};
use crate::resource::{Record, Resource};
use crate::ui::Ui;
use std::io::{BufWriter, Write};

/// Takes the rows of one list, or of one result.
pub struct Rows {
    sink: Box<dyn Sink>,
    choice: Option<Choice>,
    /// What is printed of this page.
    page: Vec<u8>,
    count: u64,
    ui: Ui,
}

impl Rows {
    /// A list of this resource, nothing printed yet.
    pub fn new(resource: &'static Resource, shape: &Shape) -> Self {
        Self::of(Rowed::List(resource), shape)
    }

    /// Rows of any kind.
    pub(super) fn of(what: Rowed, shape: &Shape) -> Self {
        Self {
            sink: sink(what, shape),
            choice: shape.fields.as_ref().map(Choice::new),
            page: Vec::new(),
            count: 0,
            ui: shape.ui.clone(),
        }
    }

    /// How many rows there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether rows are printed as they come.
    pub fn streams(&self) -> bool {
        self.sink.streams()
    }

    /// One row.
    ///
    /// # Errors
    /// Where `--jq` cannot take the row.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        self.count += 1;
        match &mut self.choice {
            Some(choice) => self.sink.row(&choice.of(record), &mut self.page),
            None => self.sink.row(record, &mut self.page),
        }
    }

    /// The page is over: what can be seen already is. Whoever reads it may be slow, so that it is written beside all else.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub async fn flush(&mut self) -> Result<()> {
        self.sink.page(&mut self.page)?;
        if self.page.is_empty() {
            return Ok(());
        }
        let page = std::mem::take(&mut self.page);
        let writing = tokio::task::spawn_blocking(move || write(&page).map(|()| page)).await;
        let written = writing.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        // The next page takes about as much room.
        self.page = written.map_err(|error| Error::stdout(&error))?;
        self.page.clear();
        Ok(())
    }

    /// The list is over and whole.
    ///
    /// # Errors
    /// Where stdout takes no more, `--jq` cannot take the list, or records without an id were asked for theirs.
    pub fn finish(&mut self) -> Result<()> {
        self.end(|sink, out| sink.finish(out))
    }

    /// The list broke off: a table shows what there is, the other formats have shown it already.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn break_off(&mut self) -> Result<()> {
        self.end(|sink, out| sink.break_off(out))
    }

    /// What was printed is seen, and what it does not tell is told, also where it ends in an error.
    fn end(&mut self, end: impl FnOnce(&mut dyn Sink, &mut dyn Write) -> Result<()>) -> Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout());
        out.write_all(&std::mem::take(&mut self.page)).map_err(|error| Error::stdout(&error))?;
        let ended = end(self.sink.as_mut(), &mut out);
        out.flush().map_err(|error| Error::stdout(&error))?;
        for missed in self.choice.iter().flat_map(Choice::missed) {
            self.ui.warn(&missed);
        }
        for remark in self.sink.remarks() {
            match remark {
                Remark::Note(text) => self.ui.note(&text),
                Remark::Warning(text) => self.ui.warn(&text),
            }
        }
        ended
    }
}

fn write(page: &[u8]) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(page)?;
    stdout.flush()
}
