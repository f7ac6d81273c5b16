//! Single records and sitectl's own results: laid out for reading, since there are few.

use super::sink::{Sink, put};
use super::{json, yaml};
use crate::error::Result;
use crate::resources::Record;
use std::io::Write;

/// Indented JSON: a value, or an array of values.
pub struct Indented {
    single: bool,
    begun: bool,
}

impl Indented {
    /// Of one value, which stands for itself, or of any number.
    pub fn new(single: bool) -> Self {
        Self { single, begun: false }
    }
}

impl Sink for Indented {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        if self.single {
            return put(out, &format!("{}\n", json::indented(record.json(), 0)));
        }
        put(out, if std::mem::replace(&mut self.begun, true) { ",\n  " } else { "[\n  " })?;
        put(out, &json::indented(record.json(), 1))
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        match (self.single, self.begun) {
            (true, _) => Ok(()),
            (false, true) => put(out, "\n]\n"),
            (false, false) => put(out, "[]\n"),
        }
    }
}

/// A YAML document.
pub struct Document;

impl Sink for Document {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        put(out, &yaml::document(record.json()))
    }
}
