//! One id per line. Records without an id are counted and reported.

use super::scalar::raw_scalar_text;
use super::sink::{OutputText, PrintedKind, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, member_value};
use crate::terminal::pluralize;
use serde_json::value::RawValue;

pub struct Ids {
    /// The field with the id.
    field: &'static str,
    /// Whether sitectl created the records: those without an id are left out.
    is_own: bool,
    /// The number of records without an id, or with one that does not fit on one line.
    left_out: usize,
}

impl Ids {
    pub fn new(content: PrintedKind) -> Self {
        Self {
            field: content.table().map_or("id", |table| table.id_field),
            is_own: matches!(content, PrintedKind::Rows(_)),
            left_out: 0,
        }
    }
}

impl Sink for Ids {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        let members = record.members();
        // A value that is not an object is an id itself.
        let raw = if record.json().starts_with('{') {
            member_value(&members, self.field).map(RawValue::get)
        } else {
            Some(record.json())
        };
        match raw.and_then(raw_scalar_text) {
            // A reader would read an id with a line break as two ids.
            Some(id) if !id.is_empty() && !id.contains('\n') => out.extend([&id, "\n"]),
            _ if self.is_own => {}
            _ => self.left_out += 1,
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut OutputText) -> Result<()> {
        if self.left_out == 0 {
            return Ok(());
        }
        let records = pluralize(self.left_out, "record");
        let message = format!("left out {records} without an id");
        Err(Error::new(Kind::Incomplete, message)
            .with_hint("print complete records with -o ndjson"))
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}
