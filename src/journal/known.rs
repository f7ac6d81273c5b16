//! What has been read of the journal. The file only grows, so what is known of it need not be read again.

use super::entry::{Entry, Fold, Line};
use std::fs::File;
use std::io::{Error, Read, Result as IoResult, Seek, SeekFrom};

/// The lines so far, folded.
#[derive(Debug, Default)]
pub struct Known {
    fold: Fold,
    /// How much of the file that is.
    bytes: u64,
    lines: usize,
    /// The last of the lines that were torn.
    torn: Option<Damage>,
}

/// A line that can't be read, and why.
#[derive(Debug, Clone)]
pub struct Damage {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Known {
    /// The restores that the journal tells of, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.fold.entries
    }

    /// Reads what has been added since. A file that is shorter than it was is another one.
    pub fn read(&mut self, file: &mut File) -> IoResult<Result<(), Damage>> {
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(Error::other("it is not a file"));
        }
        if found.len() < self.bytes {
            *self = Self::default();
        }
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(self.bytes))?;
        file.read_to_end(&mut text)?;
        let read = self.take(&text);
        if read.is_err() {
            *self = Self::default();
        }
        Ok(read)
    }

    fn take(&mut self, text: &[u8]) -> Result<(), Damage> {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            // A last line without an end is one where it can be read; else it is looked at again when there is more.
            if !line.ends_with(b"\n") && serde_json::from_slice::<Line>(line).is_err() {
                break;
            }
            self.lines += 1;
            self.line(line.strip_suffix(b"\n").unwrap_or(line))?;
            self.bytes += line.len() as u64;
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), Damage> {
        let damage = |what: String| Damage { line: self.lines, what };
        match serde_json::from_slice(line) {
            Ok(line) => {
                // What was accepted must have been intended: the torn line was whole once.
                if let (false, Some(torn)) = (self.fold.take(line), &self.torn) {
                    return Err(torn.clone());
                }
            }
            // Where power fails, a system may leave room that nothing was written to.
            Err(_) if line.iter().all(|byte| *byte == 0) => {}
            // A crash tears a line; the next append begins a new one behind it.
            Err(error) if error.is_eof() => self.torn = Some(damage(error.to_string())),
            Err(error) => return Err(damage(error.to_string())),
        }
        Ok(())
    }
}
