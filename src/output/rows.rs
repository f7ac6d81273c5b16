//! Rows on stdout: the fields that were asked for, the format's way to print them, and what stderr says of them.

use super::fields::Choice;
use super::sink::{Remark, Rowed, Sink, sink};
use super::{Escape, Shape};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, Resource};
use crate::terminal::Ui;
use std::io::{BufWriter, Write};

/// Takes the rows of one list, or of one result.
pub struct Rows {
    /// None while it is away with a page.
    printer: Option<Printer>,
    streams: bool,
    count: u64,
    ui: Ui,
}

/// What goes to another thread with each page, and comes back.
struct Printer {
    sink: Box<dyn Sink>,
    choice: Option<Choice>,
    /// Whether each row needs fields, and a value that has none is one.
    fielded: bool,
    escape: Escape,
    /// What is printed of the page.
    page: Vec<u8>,
}

impl Rows {
    /// A list of this resource, nothing printed yet.
    pub fn new(resource: &'static Resource, shape: &Shape) -> Self {
        Self::of(Rowed::List(resource), shape)
    }

    /// Rows of any kind.
    pub(super) fn of(what: Rowed, shape: &Shape) -> Self {
        let sink = sink(what, shape);
        let choice = shape.fields.as_ref().map(Choice::new);
        Self {
            streams: sink.streams(),
            printer: Some(Printer {
                fielded: shape.needs_fields(),
                escape: shape.escape(),
                sink,
                choice,
                page: Vec::new(),
            }),
            count: 0,
            ui: shape.ui.clone(),
        }
    }

    /// A list of which only the records can tell what they are.
    pub fn found(shape: &Shape) -> Self {
        Self::of(Rowed::Found, shape)
    }

    /// How many rows there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether rows are printed as they come.
    pub fn streams(&self) -> bool {
        self.streams
    }

    /// One row.
    ///
    /// # Errors
    /// Where `--jq` cannot take the row.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        self.count += 1;
        self.printer.as_mut().ok_or_else(away)?.row(record)
    }

    /// The rows of a page, made and written beside all else: they take their time, and whoever reads them may be slow.
    ///
    /// # Errors
    /// Where stdout takes no more, or `--jq` cannot take a row.
    pub async fn page(&mut self, records: Vec<Record>) -> Result<()> {
        self.count += records.len() as u64;
        let mut printer = self.printer.take().ok_or_else(away)?;
        let printing = tokio::task::spawn_blocking(move || (printer.page(&records), printer));
        let (printed, printer) = printing.await.map_err(|error| away().source(error))?;
        self.printer = Some(printer);
        printed
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
        let Printer { sink, choice, page, escape, .. } = self.printer.as_mut().ok_or_else(away)?;
        let mut out = Escaping { out: BufWriter::with_capacity(1 << 16, std::io::stdout()), escape: *escape };
        out.write_all(page).map_err(|error| Error::stdout(&error))?;
        page.clear();
        let ended = end(sink.as_mut(), &mut out);
        out.flush().map_err(|error| Error::stdout(&error))?;
        for missed in choice.iter().flat_map(Choice::missed) {
            self.ui.warn(&missed);
        }
        for remark in sink.remarks() {
            match remark {
                Remark::Note(text) => self.ui.note(&text),
                Remark::Warning(text) => self.ui.warn(&text),
            }
        }
        ended
    }
}

impl Printer {
    fn row(&mut self, record: &Record) -> Result<()> {
        let lone = (self.fielded && !record.json().starts_with('{')).then(|| value(record));
        let record = lone.as_ref().unwrap_or(record);
        match &mut self.choice {
            Some(choice) => self.sink.row(&choice.of(record), &mut self.page),
            None => self.sink.row(record, &mut self.page),
        }
    }

    /// What a page brings is seen before the next, also where one of its rows cannot be taken.
    fn page(&mut self, records: &[Record]) -> Result<()> {
        let taken = records.iter().try_for_each(|record| self.row(record));
        let paged = taken.and_then(|()| self.sink.page(&mut self.page));
        let mut stdout = std::io::stdout().lock();
        let page = String::from_utf8_lossy(&self.page);
        let written = stdout.write_all((self.escape)(&page).as_bytes()).and_then(|()| stdout.flush());
        self.page.clear();
        written.map_err(|error| Error::stdout(&error)).and(paged)
    }
}

/// Escapes text on its way out. It is given whole characters only.
struct Escaping<W> {
    out: W,
    escape: Escape,
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.out.write_all((self.escape)(&String::from_utf8_lossy(text)).as_bytes())?;
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// A value that is no object as the only field of one.
fn value(lone: &Record) -> Record {
    Record::whole(format!("{{\"value\":{}}}", lone.json()))
}

/// Whoever took a page to print it did not come back.
fn away() -> Error {
    Error::new(Kind::Error, "the rows could not be printed")
}
