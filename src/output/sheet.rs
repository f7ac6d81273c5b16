//! One record for people: a field a line, its value whole.

use super::Shape;
use super::cell::{cell, is_wordy};
use super::fit::GAP;
use super::sink::{Rowed, Sink, put};
use super::width::{pad, width};
use crate::error::Result;
use crate::resources::Record;
use crate::terminal::visible;
use std::io::Write;

/// The fields of a record.
pub struct Sheet {
    /// Whether fields that only JSON could show are left out.
    wordy: bool,
}

impl Sheet {
    /// A record shows everything, a result of sitectl's own what can be said in words, unless more was asked for.
    pub fn new(what: Rowed, shape: &Shape) -> Self {
        Self { wordy: matches!(what, Rowed::Result) && shape.fields.is_none() }
    }
}

impl Sink for Sheet {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        let members = record.members();
        let shown = members.iter().filter(|(_, raw)| !self.wordy || is_wordy(raw.get()));
        let lines: Vec<_> = shown.map(|(name, raw)| (visible(name).into_owned(), cell(Some(raw)))).collect();
        let widest = lines.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
        for (name, value) in lines {
            let mut line = name;
            pad(&mut line, widest + GAP);
            line.push_str(&value);
            put(out, line.trim_end())?;
            put(out, "\n")?;
        }
        Ok(())
    }
}
