//! The formats that print each record as it comes and hold none: a JSON array, JSON lines, a YAML sequence.

use super::sink::{Sink, put};
use super::{json, yaml};
use crate::error::Result;
use crate::resources::Record;
use std::io::Write;

/// One JSON array, the service's own bytes. Broken off, it stays open: what broke off never looks whole.
#[derive(Default)]
pub struct Array {
    begun: bool,
}

impl Sink for Array {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        put(out, if std::mem::replace(&mut self.begun, true) { ",\n" } else { "[\n" })?;
        put(out, record.json())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        put(out, if self.begun { "\n]\n" } else { "[]\n" })
    }
}

/// A JSON object a line.
pub struct Lines;

impl Sink for Lines {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        let raw = record.json();
        match memchr::memchr2(b'\n', b'\r', raw.as_bytes()) {
            Some(_) => put(out, &json::compact(raw))?,
            None => put(out, raw)?,
        }
        put(out, "\n")
    }
}

/// A YAML sequence.
#[derive(Default)]
pub struct Sequence {
    begun: bool,
}

impl Sink for Sequence {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        self.begun = true;
        put(out, &yaml::item(record.json()))
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.begun { Ok(()) } else { put(out, "[]\n") }
    }
}
