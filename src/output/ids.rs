//! An id a line. Records without one are counted: they must not be lost in silence.

use super::cell::simple;
use super::sink::{Sink, put};
use crate::error::{Error, Kind, Result};
use crate::resource::{Record, raw_id};
use crate::ui::visible;
use std::io::Write;

/// The ids of records.
#[derive(Default)]
pub struct Ids {
    without: u64,
}

impl Sink for Ids {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        // A value that is no object is what an id would be.
        let raw = if record.json().starts_with('{') { raw_id(record.json()) } else { Some(record.json()) };
        let id = raw.and_then(simple).filter(|id| !id.is_empty());
        match id {
            Some(id) => put(out, &visible(&id)).and_then(|()| put(out, "\n")),
            None => {
                self.without += 1;
                Ok(())
            }
        }
    }

    fn finish(&mut self, _out: &mut dyn Write) -> Result<()> {
        let message = match self.without {
            0 => return Ok(()),
            1 => "1 record has no id, and is not among the ids".to_string(),
            count => format!("{count} records have no id, and are not among the ids"),
        };
        Err(Error::new(Kind::Incomplete, message).hint("-o ndjson shows them whole"))
    }
}
