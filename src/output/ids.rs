//! An id a line. Records without one that fits are counted: they must not be lost in silence.

use super::cell::simple;
use super::sink::{Sink, put};
use crate::error::{Error, Kind, Result};
use crate::resources::{Member, Record, last};
use serde_json::value::RawValue;
use std::io::Write;

/// The ids of records.
#[derive(Default)]
pub struct Ids {
    without: u64,
}

impl Sink for Ids {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        // A value that is no object is what an id would be.
        let members = record.members();
        let raw = if record.json().starts_with('{') { id_of(&members) } else { Some(record.json()) };
        // With a line break in it, an id would be read as two.
        let id = raw.and_then(simple).filter(|id| !id.is_empty() && !id.contains('\n'));
        match id {
            Some(id) => put(out, &id).and_then(|()| put(out, "\n")),
            None => {
                self.without += 1;
                Ok(())
            }
        }
    }

    fn finish(&mut self, _out: &mut dyn Write) -> Result<()> {
        let message = match self.without {
            0 => return Ok(()),
            1 => "1 record has no id on one line, and is not among the ids".to_string(),
            count => format!("{count} records have no id on one line, and are not among the ids"),
        };
        Err(Error::new(Kind::Incomplete, message).hint("-o ndjson shows them whole"))
    }
}

/// The last of several, as everywhere.
fn id_of<'r>(members: &[Member<'r>]) -> Option<&'r str> {
    last(members, "id").map(RawValue::get).filter(|id| *id != "null")
}
