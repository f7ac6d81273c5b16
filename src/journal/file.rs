//! The journal's file: one JSON event a line, appended under a lock and synced before anything is sent.

use super::entry::{Entry, Event, Intent, Line, Outcome, fold};
use crate::error::{Error, Kind, Result};
use jiff::Timestamp;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The journal of one state directory.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal in this directory, which need not exist yet.
    pub fn new(directory: &Path) -> Self {
        Self { path: directory.join("restores.ndjson") }
    }

    /// All restores, oldest first. A torn last line, left by a crash, is passed over.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line before the last is damaged.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        match File::open(&self.path) {
            Ok(mut file) => self.read(&mut file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::file("read the journal", &self.path, &error)),
        }
    }

    /// Writes an intent down, and returns the journal's name for it. `permit` sees, under the lock, what is there
    /// already, and may refuse: two starts at once cannot both pass it.
    ///
    /// # Errors
    /// What `permit` says, or where it cannot be written: then nothing may be started.
    pub fn begin(&self, intent: Intent, permit: impl FnOnce(&[Entry]) -> Result<()>) -> Result<String> {
        let mut file = self.open().map_err(|error| self.unwritable(&error))?;
        lock(&file).map_err(|error| self.unwritable(&error))?;
        let entries = self.read(&mut file)?;
        permit(&entries)?;
        let restore = format!("{}-{}", intent.started_at.as_microsecond(), entries.len() + 1);
        self.append(&mut file, &Line { restore: restore.clone(), event: Event::Intended(Box::new(intent)) })
            .map_err(|error| self.unwritable(&error))?;
        Ok(restore)
    }

    /// Writes down that the service accepted it, and as which task.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn accepted(&self, restore: &str, task_id: Option<String>) -> Result<()> {
        self.add(restore, Event::Accepted { task_id })
    }

    /// Writes down how it ended.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn ended(&self, restore: &str, outcome: Outcome) -> Result<()> {
        self.add(restore, Event::Ended { outcome, at: Timestamp::now() })
    }

    /// Forgets everything: for a practice service that has been put back to its first data.
    ///
    /// # Errors
    /// Where the file cannot be emptied.
    pub fn forget(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file("remove the journal", &self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn add(&self, restore: &str, event: Event) -> Result<()> {
        let line = Line { restore: restore.into(), event };
        let write = || {
            let mut file = self.open()?;
            lock(&file)?;
            self.append(&mut file, &line)
        };
        write().map_err(|error| Error::file("write the journal", &self.path, &error))
    }

    fn open(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            crate::private::directory(directory)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path)
    }

    fn read(&self, file: &mut File) -> Result<Vec<Entry>> {
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.read_to_end(&mut text))
            .map_err(|error| Error::file("read the journal", &self.path, &error))?;
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let mut known = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            match serde_json::from_slice(line) {
                Ok(line) => known.push(line),
                // A crash tears a line; the next append begins a new one behind it.
                Err(error) if line.is_empty() || error.is_eof() => {}
                Err(error) => return Err(self.damaged(number + 1, &error)),
            }
        }
        Ok(fold(known.into_iter()))
    }

    /// One write and one sync an event. A torn line before it is closed first.
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
        if new { self.sync_directory() } else { Ok(()) }
    }

    /// A new file's name is on disk only when its directory is.
    fn sync_directory(&self) -> std::io::Result<()> {
        match self.path.parent() {
            Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
            _ => Ok(()),
        }
    }

    fn unwritable(&self, error: &std::io::Error) -> Error {
        Error::file("write the journal", &self.path, error)
            .hint("nothing was started; set SITECTL_STATE_DIR to a directory that can be written")
    }

    fn damaged(&self, line: usize, error: &serde_json::Error) -> Error {
        Error::new(Kind::Error, format!("line {line} of the journal {} is damaged: {error}", self.path.display()))
            .hint("nothing was started; mend the line, or move the file away if its restores have all ended")
    }
}

/// Waits for the lock, but not for ever: another sitectl holds it only while it writes a line.
fn lock(file: &File) -> std::io::Result<()> {
    const LONGEST: Duration = Duration::from_secs(10);
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < LONGEST => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => return Err(std::io::Error::other("another program has locked it")),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::RawValue;

    fn intent(site_id: &str) -> Intent {
        Intent {
            started_at: Timestamp::now(),
            user: None,
            ci_url: None,
            profile: None,
            base_url: "sandbox".into(),
            site_id: site_id.into(),
            snapshot_id: "latest".into(),
            latest: false,
            plan: None,
            scope: RawValue::from_string("{}".into()).unwrap_or_else(|_| RawValue::NULL.to_owned()),
            reason: Some("a \"reason\"\nof two lines".into()),
        }
    }

    #[test]
    fn tells_what_it_was_told() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(&directory.path().join("new/state"));
        assert!(journal.entries()?.is_empty());
        let one = journal.begin(intent("site-1"), |_| Ok(()))?;
        let two = journal.begin(intent("site-2"), |_| Ok(()))?;
        journal.accepted(&one, Some("task-1".into()))?;
        journal.ended(&one, Outcome::Succeeded)?;
        let entries = journal.entries()?;
        assert_eq!((entries[0].task_id.as_deref(), entries[0].outcome), (Some("task-1"), Some(Outcome::Succeeded)));
        assert!(entries[1].restore == two && entries[1].is_open() && !entries[1].accepted);
        Ok(())
    }

    #[test]
    fn what_is_not_permitted_is_not_written() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(directory.path());
        assert!(journal.begin(intent("site-1"), |_| Err(Error::usage("no"))).is_err());
        assert!(journal.entries()?.is_empty());
        Ok(())
    }

    #[test]
    fn a_torn_line_is_passed_over_and_a_damaged_one_is_not() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(directory.path());
        let fail = |error: std::io::Error| Error::file("write", Path::new("tmp"), &error);
        journal.begin(intent("site-1"), |_| Ok(()))?;
        let whole = std::fs::read(&journal.path).map_err(fail)?;
        for cut in 1..whole.len() {
            std::fs::write(&journal.path, [&whole[..], &whole[..cut]].concat()).map_err(fail)?;
            journal.begin(intent("site-2"), |_| Ok(()))?;
            let sites: Vec<String> = journal.entries()?.into_iter().map(|entry| entry.intent.site_id).collect();
            let torn_is_whole = cut == whole.len() - 1;
            assert_eq!(sites.len(), if torn_is_whole { 3 } else { 2 }, "{cut}");
        }
        std::fs::write(&journal.path, b"{\"restore\":7}\n").map_err(fail)?;
        assert!(journal.entries().is_err());
        Ok(())
    }
}
