//! The file of the rows that failed, ready to be mended and applied.

use super::Document;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Where they go. A file that is there is replaced when rows fail, and left alone when none does.
#[derive(Debug)]
pub struct FailedRows(PathBuf);

impl FailedRows {
    /// Makes sure, before anything is sent, that they can be written.
    ///
    /// # Errors
    /// `Usage` where they cannot, or where they would take the place of the input.
    pub fn new(path: &Path, input: &str) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Err(Error::usage("--failed-to names a file; stdout carries the result").hint("name a file"));
        }
        // A pipe or a device is opened once, when there is something to write.
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => return Ok(Self(path.to_owned())),
            Ok(_) if is_input(path, input) => {
                return Err(Error::usage("--failed-to names the file that is read").hint("name another file"));
            }
            Ok(_) => File::options().append(true).open(path).map(drop),
            Err(_) => File::create_new(path).and_then(|_| fs::remove_file(path)),
        }
        .map_err(|error| {
            Error::usage(format!("--failed-to {}: {error}", path.display())).hint("name a file that can be written")
        })?;
        Ok(Self(path.to_owned()))
    }

    /// Writes these rows, where there are any, and says whether there were.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn write(&self, document: &Document, rows: &[usize]) -> Result<bool> {
        if rows.is_empty() {
            return Ok(false);
        }
        let written = fs::write(&self.0, document.excerpt(rows));
        written.map(|()| true).map_err(|error| Error::file("write", &self.0, &error))
    }

    /// What the file is called.
    pub fn name(&self) -> String {
        self.0.display().to_string()
    }
}

fn is_input(path: &Path, input: &str) -> bool {
    let input = if input == "-" { "/dev/stdin" } else { input };
    fs::canonicalize(input).is_ok_and(|input| fs::canonicalize(path).is_ok_and(|path| path == input))
}
