//! One id per line. Records without an id are counted and reported.

use super::cell::simple;
use super::sink::Sink;
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, last};
use crate::terminal::pluralize;
use serde_json::value::RawValue;

/// The ids of records.
#[derive(Default)]
pub struct Ids {
    without: usize,
}

impl Sink for Ids {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        let members = record.members();
        // A value that is not an object is an id itself.
        let raw = if record.json().starts_with('{') {
            last(&members, "id").map(RawValue::get)
        } else {
            Some(record.json())
        };
        // A reader would take an id with a line break for two ids.
        match raw
            .and_then(simple)
            .filter(|id| !id.is_empty() && !id.contains('\n'))
        {
            Some(id) => out.extend([&id, "\n"]),
            None => self.without += 1,
        }
        Ok(())
    }

    fn end(&mut self, is_complete: bool, _out: &mut String) -> Result<()> {
        if self.without == 0 || !is_complete {
            return Ok(());
        }
        let message = format!(
            "left out {} without an id",
            pluralize(self.without, "record")
        );
        Err(Error::new(Kind::Incomplete, message)
            .with_hint("print complete records with -o ndjson"))
    }
}
