//! `--jq`: the JSON result as a filter makes it, each value that comes out on a line of its own.

use super::Shape;
use super::interrupt::interruptible;
use super::jq::{Filter, text, value};
use super::sink::{Sink, put};
use crate::error::Result;
use crate::resources::Record;
use crate::terminal::Ui;
use jaq_json::Val;
use std::io::Write;
use std::sync::Arc;

/// Filters each record by itself.
pub struct FilteredEach(Printer);

impl FilteredEach {
    /// Nothing printed yet.
    pub fn new(filter: &Arc<Filter>, shape: &Shape) -> Self {
        Self(Printer::new(filter, &shape.ui))
    }
}

impl Sink for FilteredEach {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        self.0.print(value(record.json())?, out)
    }
}

/// Filters all records as one list. Of a list that broke off nothing is printed: no answer is right for a part of it.
pub struct FilteredWhole {
    printer: Printer,
    held: Vec<Val>,
}

impl FilteredWhole {
    /// Nothing printed yet.
    pub fn new(filter: &Arc<Filter>, shape: &Shape) -> Self {
        Self { printer: Printer::new(filter, &shape.ui), held: Vec::new() }
    }
}

impl Sink for FilteredWhole {
    fn row(&mut self, record: &Record, _out: &mut dyn Write) -> Result<()> {
        self.held.push(value(record.json())?);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        let all = std::mem::take(&mut self.held);
        self.printer.print(all.into_iter().collect(), out)
    }

    fn streams(&self) -> bool {
        false
    }
}

struct Printer {
    filter: Arc<Filter>,
    ui: Ui,
}

impl Printer {
    fn new(filter: &Arc<Filter>, ui: &Ui) -> Self {
        Self { filter: Arc::clone(filter), ui: ui.clone() }
    }

    fn print(&self, input: Val, out: &mut dyn Write) -> Result<()> {
        let mut each = |output: &Val| {
            put(out, &text(output)?)?;
            put(out, "\n")
        };
        interruptible(&self.ui, || self.filter.run(input, &mut each))
    }
}
