//! The journal's file: one JSON event per line, appended under a lock and synced before anything is sent.

use super::entry::{Entry, Event, Intent, Line, Outcome, fold};
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
    pub(super) path: PathBuf,
}

impl Journal {
    /// Returns the journal in this directory, which need not exist yet.
    pub fn new(directory: &Path) -> Self {
        Self {
            path: directory.join("restores.ndjson"),
        }
    }

    /// Returns all restores, oldest first. Lines that a crash left incomplete are ignored.
    ///
    /// # Errors
    /// If the file cannot be read, or another line is damaged.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        match File::open(&self.path) {
            Ok(mut file) => self.read(&mut file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.failed("read", &error)),
        }
    }

    /// Returns the restores of the service with this canonical base URL, oldest first.
    ///
    /// # Errors
    /// As [`Self::entries`].
    pub fn entries_of(&self, service: &str) -> Result<Vec<Entry>> {
        Ok(of_service(self.entries()?, service))
    }

    /// Writes an intent, and returns its id. `permit` receives the entries of its service under the lock and may
    /// refuse, so that only one of two starts at once passes.
    ///
    /// # Errors
    /// The refusal, or an error of the file. The restore must not be started then.
    pub fn begin(
        &self,
        intent: Intent,
        permit: impl FnOnce(&[Entry]) -> Result<()>,
    ) -> Result<String> {
        let mut file = self.open().map_err(|error| self.failed("write", &error))?;
        let entries = self.read(&mut file)?;
        let restore = format!(
            "{}-{}",
            intent.started_at.as_microsecond(),
            entries.len() + 1
        );
        permit(&of_service(entries, &BaseUrl::canonical(&intent.base_url)))?;
        let line = Line {
            restore: restore.clone(),
            event: Event::Intended(Box::new(intent)),
        };
        self.append(&mut file, &line)
            .map_err(|error| self.failed("write", &error))?;
        Ok(restore)
    }

    /// Records that the service accepted a restore, and its task.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn accepted(&self, restore: &str, task_id: Option<String>) -> Result<()> {
        self.add(restore, Event::Accepted { task_id })
    }

    /// Records how a restore ended.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn ended(&self, restore: &str, outcome: Outcome) -> Result<()> {
        self.add(
            restore,
            Event::Ended {
                outcome,
                at: Timestamp::now(),
            },
        )
    }

    /// Removes all entries, for a sandbox that was reset.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn clear(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file("remove the journal", &self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn add(&self, restore: &str, event: Event) -> Result<()> {
        let line = Line {
            restore: restore.into(),
            event,
        };
        let written = self
            .open()
            .and_then(|mut file| self.append(&mut file, &line));
        written.map_err(|error| self.failed("write", &error))
    }

    /// Opens the file, and locks it until it is closed.
    fn open(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            private_files::create_directory(directory)?;
        }
        let file = private_files::open(
            OpenOptions::new().read(true).append(true).create(true),
            &self.path,
        )?;
        private_files::lock_file(&file).map(|()| file)
    }

    fn read(&self, file: &mut File) -> Result<Vec<Entry>> {
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(|error| self.failed("read", &error))?;
        let (mut lines, mut intended, mut torn) = (Vec::new(), HashSet::new(), None);
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            match serde_json::from_slice::<Line>(line) {
                Ok(line) => {
                    if matches!(line.event, Event::Intended(_)) {
                        intended.insert(line.restore.clone());
                    } else if let (false, Some((number, error))) =
                        (intended.contains(&line.restore), &torn)
                    {
                        // The restore was sent, so its intent was complete once and was damaged later.
                        return Err(self.damaged(*number, error));
                    }
                    lines.push(line);
                }
                // A crash leaves a line incomplete or filled with zeros. Its restore was not sent.
                Err(_) if line.iter().all(|byte| *byte == 0) => {}
                Err(error) if error.is_eof() => torn = Some((number + 1, error)),
                Err(error) => return Err(self.damaged(number + 1, &error)),
            }
        }
        Ok(fold(lines))
    }

    /// Uses one write and one sync per event, and first ends an incomplete line.
    fn append(&self, file: &mut File, line: &Line) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        if file.seek(SeekFrom::End(0))? > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                line.insert(0, b'\n');
            }
        }
        let new = file.metadata()?.len() == 0;
        file.write_all(&line)?;
        file.sync_all()?;
        if !new {
            return Ok(());
        }
        // Another program, such as the sandbox, may have created the directories without syncing them.
        let _ = self
            .path
            .ancestors()
            .skip(1)
            .take(3)
            .try_for_each(private_files::sync_parent);
        private_files::sync_parent(&self.path)
    }

    fn failed(&self, doing: &str, error: &std::io::Error) -> Error {
        Error::file(&format!("{doing} the journal"), &self.path, error)
            .with_hint("use a writable state directory: export SITECTL_STATE_DIR=DIR")
    }

    fn damaged(&self, line: usize, error: &serde_json::Error) -> Error {
        Error::new(
            Kind::Error,
            format!(
                "line {line} of the journal {} is damaged: {error}",
                self.path.display()
            ),
        )
        .with_hint("fix the line, or move the file away if all its restores have finished")
    }
}

/// Keeps the entries of the service with this canonical base URL.
fn of_service(mut entries: Vec<Entry>, service: &str) -> Vec<Entry> {
    entries.retain(|entry| BaseUrl::canonical(&entry.intent.base_url) == service);
    entries
}
