//! Writes the failed rows to a file, ready to be fixed and applied.

use super::Document;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file for failed rows. An existing file is replaced if rows fail, and removed if none do.
#[derive(Debug)]
pub struct FailedRows(PathBuf);

impl FailedRows {
    /// Checks that the file can be written, before any request. `input` is the path of the input
    /// file, or `-` for stdin; None if there is no input.
    ///
    /// # Errors
    /// `Usage` if it can't be written, or is the input file.
    pub fn new(path: &Path, input: Option<&str>) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Err(
                Error::usage("--failed-to requires a file; stdout has the result")
                    .with_hint("pass the path of a file"),
            );
        }
        let file = Self(path.to_owned());
        let opened = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
            // A pipe or a device is opened only once, when rows are written.
            Ok(metadata) if !metadata.is_file() => return Ok(file),
            Ok(_) if input.is_some_and(|input| is_input(path, input)) => {
                return Err(Error::usage("--failed-to is the input file")
                    .with_hint("pass the path of another file"));
            }
            // Opening shows whether rows could be written, and leaves the file as it is.
            Ok(_) => File::options().append(true).open(path).map(drop),
            // A new file is removed again: it stays only if rows fail.
            Err(_) => File::create_new(path).and_then(|_| fs::remove_file(path)),
        };
        opened.map(|()| file).map_err(|error| {
            Error::usage(format!("--failed-to {}: {error}", path.display()))
                .with_hint("pass the path of a writable file")
        })
    }

    /// Writes the rows with these indexes, or removes the file if there are none.
    ///
    /// # Errors
    /// If the file can't be written or removed.
    pub fn write(&self, document: &Document, rows: &[usize]) -> Result<()> {
        if rows.is_empty() {
            return self.remove();
        }
        self.write_text(&document.excerpt(rows))
    }

    /// Writes a text to the file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write_text(&self, text: &str) -> Result<()> {
        fs::write(&self.0, text).map_err(|error| Error::file("write", &self.0, &error))
    }

    /// Removes the file of an earlier command, because nothing failed.
    ///
    /// # Errors
    /// If the file can't be removed.
    pub fn remove(&self) -> Result<()> {
        if self.0.is_file() {
            fs::remove_file(&self.0).map_err(|error| Error::file("remove", &self.0, &error))?;
        }
        Ok(())
    }

    /// Returns the path of the file.
    pub fn path_for_display(&self) -> String {
        self.0.display().to_string()
    }
}

/// Whether both paths are names of the same file, such as hard links, also if stdin is redirected
/// from it.
fn is_input(path: &Path, input: &str) -> bool {
    #[cfg(not(unix))]
    use fs::canonicalize as identity;
    let input = if input == "-" { "/dev/stdin" } else { input };
    #[cfg(unix)]
    let identity = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
    };
    match (identity(path), identity(Path::new(input))) {
        (Ok(file), Ok(input)) => file == input,
        _ => false,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// A pipe without a reader blocks the program that opens it.
    #[test]
    fn a_pipe_is_not_opened_before_rows_are_written() -> std::io::Result<()> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("pipe");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode)?;
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(FailedRows::new(&path, None).is_ok()));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(true));
        Ok(())
    }
}
