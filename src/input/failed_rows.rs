//! Writes the failed rows to a file, ready to be fixed and applied.

use super::Document;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The file for failed rows.
#[derive(Debug)]
pub struct FailedRows(PathBuf);

impl FailedRows {
    /// Checks that the file can be written, before any request. `input` is the path of the input
    /// file, or `-` for stdin.
    ///
    /// # Errors
    /// `Usage` if it can't be written, or is the input file.
    pub fn new(path: &Path, input: &str) -> Result<Self> {
        let hint = "pass the path of another file";
        if path.as_os_str() == "-" {
            let message = "--failed-to requires a file; stdout has the result";
            return Err(Error::usage(message).with_hint(hint));
        }
        let canonical = fs::canonicalize(path).ok();
        if canonical.is_some() && canonical == fs::canonicalize(input).ok() {
            return Err(Error::usage("--failed-to is the input file").with_hint(hint));
        }
        // A pipe or a device is opened only once, when rows are written.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            return Ok(Self(path.into()));
        }
        let opened = File::options().append(true).create(true).open(path);
        opened.map(|_| Self(path.into())).map_err(|error| {
            let error = Error::file("write", path, &error);
            Error::usage(format!("--failed-to: {}", error.message)).with_hint(hint)
        })
    }

    /// Writes the rows with these indexes.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&self, document: &Document, rows: Vec<usize>) -> Result<()> {
        fs::write(&self.0, document.excerpt(rows))
            .map_err(|error| Error::file("write", &self.0, &error))
    }

    /// Returns the path of the file.
    pub fn path_for_display(&self) -> String {
        self.0.display().to_string()
    }
}
