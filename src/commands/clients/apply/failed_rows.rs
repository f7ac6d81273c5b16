//! The file of the rows that failed, ready to be mended and applied.

use crate::error::{Error, Result};
use crate::input::Document;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Where they go. A file that exists is theirs after the run: it is replaced, or removed where no row failed.
#[derive(Debug)]
pub struct FailedRows(PathBuf);

impl FailedRows {
    /// Makes sure, before anything is sent, that they can be written.
    ///
    /// # Errors
    /// `Usage` where they cannot, or where they would take the place of the input.
    pub fn new(path: &Path, input: &str) -> Result<Self> {
        let named = |error: &std::io::Error| Error::usage(format!("--failed-to {}: {error}", path.display()));
        let existed = path.exists();
        File::options().append(true).create(true).open(path).map_err(|error| named(&error))?;
        let same = fs::canonicalize(path).is_ok_and(|path| fs::canonicalize(input).is_ok_and(|input| path == input));
        if same {
            return Err(Error::usage("--failed-to names the file that is applied").hint("name another file"));
        }
        if !existed {
            fs::remove_file(path).map_err(|error| named(&error))?;
        }
        Ok(Self(path.to_owned()))
    }

    /// Writes these rows.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn write(&self, document: &Document, rows: &[usize]) -> Result<()> {
        let written = match rows {
            [] if self.0.exists() => fs::remove_file(&self.0),
            [] => Ok(()),
            rows => fs::write(&self.0, document.excerpt(rows)),
        };
        written.map_err(|error| Error::file("write", &self.0, &error))
    }

    /// What the file is called.
    pub fn name(&self) -> String {
        self.0.display().to_string()
    }
}
