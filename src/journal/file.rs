//! The journal's file: one JSON event per line, appended under a lock and synced before anything is
//! sent.

use super::entry::{Entry, Event, Intent, JournalLine, Outcome, build_entries};
use crate::config::{BaseUrl, private_files};
use crate::error::{Error, Kind, Result};
use jiff::Timestamp;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The journal of one state directory.
#[derive(Debug)]
pub struct Journal {
    pub path: PathBuf,
}

impl Journal {
    /// Returns the journal in this directory, which need not exist yet.
    pub fn new(directory: &Path) -> Self {
        Self {
            path: directory.join("restores.ndjson"),
        }
    }

    /// Returns all restores, oldest first; none if the file does not exist. Lines that a crash left
    /// incomplete are ignored.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is damaged that is not merely incomplete.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        match File::open(&self.path) {
            Ok(mut file) => self.read_entries(&mut file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.file_error("read", &error)),
        }
    }

    /// Returns the restores of the service with this canonical base URL, oldest first.
    pub fn entries_of_service(&self, service_key: &str) -> Result<Vec<Entry>> {
        Ok(only_of_service(self.entries()?, service_key))
    }

    /// Writes an intent, and returns the id of the restore. `check` receives the entries of the
    /// service while the file is locked, and may refuse the restore. So only one of two processes
    /// that start a restore of the same site at once proceeds.
    ///
    /// # Errors
    /// The error of `check`, or an error of the file. The restore must not be sent then.
    pub fn record_intent(
        &self,
        intent: Intent,
        check: impl FnOnce(&[Entry]) -> Result<()>,
    ) -> Result<String> {
        let mut file = self
            .open_locked()
            .map_err(|error| self.file_error("write", &error))?;
        let entries = self.read_entries(&mut file)?;
        let number = entries.len() + 1;
        let restore_id = format!("{}-{number}", intent.started_at.as_microsecond());
        let service_key = BaseUrl::canonical(&intent.base_url);
        check(&only_of_service(entries, &service_key))?;
        let line = JournalLine {
            restore_id: restore_id.clone(),
            event: Event::Intended(Box::new(intent)),
        };
        append_line(&self.path, &mut file, &line)
            .map_err(|error| self.file_error("write", &error))?;
        Ok(restore_id)
    }

    /// Records that the service accepted a restore, and the id of its task.
    pub fn record_acceptance(&self, restore_id: &str, task_id: Option<String>) -> Result<()> {
        self.record(restore_id, Event::Accepted { task_id })
    }

    /// Records how a restore ended.
    pub fn record_outcome(&self, restore_id: &str, outcome: Outcome) -> Result<()> {
        let at = Timestamp::now();
        self.record(restore_id, Event::Ended { outcome, at })
    }

    /// Removes all entries, for a sandbox that was reset.
    pub fn clear(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file("remove the journal", &self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn record(&self, restore_id: &str, event: Event) -> Result<()> {
        let line = JournalLine {
            restore_id: restore_id.into(),
            event,
        };
        self.open_locked()
            .and_then(|mut file| append_line(&self.path, &mut file, &line))
            .map_err(|error| self.file_error("write", &error))
    }

    /// Opens the file, and locks it until it is closed.
    fn open_locked(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            private_files::create_directory(directory)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = private_files::open(&mut options, &self.path)?;
        private_files::lock_file(&file)?;
        Ok(file)
    }

    fn read_entries(&self, file: &mut File) -> Result<Vec<Entry>> {
        let mut content = Vec::new();
        file.read_to_end(&mut content)
            .map_err(|error| self.file_error("read", &error))?;
        let mut lines = Vec::new();
        let mut intended_ids = HashSet::new();
        let mut last_incomplete = None;
        for (index, bytes) in content.split(|byte| *byte == b'\n').enumerate() {
            // A crash leaves a line incomplete or filled with zeros. Its restore was not sent. The
            // text after the last line break is empty.
            if bytes.iter().all(|byte| *byte == 0) {
                continue;
            }
            let line: JournalLine = match serde_json::from_slice(bytes) {
                Ok(line) => line,
                Err(error) if error.is_eof() => {
                    last_incomplete = Some((index, error));
                    continue;
                }
                Err(error) => return Err(self.damaged_line(index, &error)),
            };
            if matches!(line.event, Event::Intended(_)) {
                intended_ids.insert(line.restore_id.clone());
            } else if let Some((incomplete_index, error)) = &last_incomplete
                && !intended_ids.contains(&line.restore_id)
            {
                // The restore has later events, so it was sent, and its intent was complete then.
                // The incomplete line may be this intent, damaged since.
                return Err(self.damaged_line(*incomplete_index, error));
            }
            lines.push(line);
        }
        Ok(build_entries(lines))
    }

    fn file_error(&self, action: &str, error: &std::io::Error) -> Error {
        Error::file(&format!("{action} the journal"), &self.path, error)
            .with_hint("use a writable state directory: export SITECTL_STATE_DIR=DIR")
    }

    /// Returns the error of a damaged line. `index` counts the lines from 0.
    fn damaged_line(&self, index: usize, error: &serde_json::Error) -> Error {
        let path = self.path.display();
        let number = index + 1;
        let message = format!("line {number} of the journal {path} is damaged: {error}");
        Error::new(Kind::Error, message)
            .with_hint("fix the line, or move the file away if all its restores have finished")
    }
}

/// Appends a line with one write and one sync. An incomplete last line is ended first.
fn append_line(path: &Path, file: &mut File, line: &JournalLine) -> std::io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    let is_new = file.seek(SeekFrom::End(0))? == 0;
    if !is_new {
        let mut last_byte = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last_byte)?;
        if last_byte != *b"\n" {
            bytes.insert(0, b'\n');
        }
    }
    file.write_all(&bytes)?;
    file.sync_all()?;
    if !is_new {
        return Ok(());
    }
    // Another program, such as the sandbox, may have created the directories without syncing them.
    // An error is ignored, because a directory above the state directory may not be readable.
    let _ = path
        .ancestors()
        .skip(1)
        .take(3)
        .try_for_each(private_files::sync_parent);
    private_files::sync_parent(path)
}

/// Keeps the entries of the service with this canonical base URL.
fn only_of_service(mut entries: Vec<Entry>, service_key: &str) -> Vec<Entry> {
    entries.retain(|entry| BaseUrl::canonical(&entry.intent.base_url) == service_key);
    entries
}
