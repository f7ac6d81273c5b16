//! The journal's file: one JSON event a line, appended under a lock and synced before anything is sent.

use super::entry::{Entry, Event, Intent, Line, Outcome};
use super::known::{Damage, Known};
use crate::config::private_files;
use crate::error::{Error, Kind, Result};
use jiff::Timestamp;
use std::cell::{RefCell, RefMut};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The journal of one state directory.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    known: RefCell<Known>,
}

impl Journal {
    /// The journal in this directory, which need not exist yet.
    pub fn new(directory: &Path) -> Self {
        Self { path: directory.join("restores.ndjson"), known: RefCell::default() }
    }

    /// All restores, oldest first. A torn last line, left by a crash, is passed over.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line before the last is damaged.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        match File::open(&self.path) {
            Ok(mut file) => self.read(&mut file).map(|known| known.entries().to_vec()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.unread(&error)),
        }
    }

    /// Writes an intent down, and returns the journal's name for it. `permit` sees, under the lock, what is there
    /// already, and may refuse: two starts at once cannot both pass it.
    ///
    /// # Errors
    /// What `permit` says, or where it cannot be written: then nothing may be started.
    pub fn begin(&self, intent: Intent, permit: impl FnOnce(&[Entry]) -> Result<()>) -> Result<String> {
        let mut file = self.open().map_err(|error| self.unwritable(&error))?;
        private_files::lock(&file).map_err(|error| self.unwritable(&error))?;
        let number = {
            let known = self.read(&mut file)?;
            permit(known.entries())?;
            known.entries().len() + 1
        };
        let restore = format!("{}-{number}", intent.started_at.as_microsecond());
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
            private_files::lock(&file)?;
            self.append(&mut file, &line)
        };
        write().map_err(|error| Error::file("write the journal", &self.path, &error))
    }

    fn open(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            private_files::directory(directory)?;
        }
        private_files::open(OpenOptions::new().read(true).append(true).create(true), &self.path)
    }

    /// What the file tells. What has been read before is not read again.
    fn read(&self, file: &mut File) -> Result<RefMut<'_, Known>> {
        let mut known = self.known.borrow_mut();
        let read = known.read(file).map_err(|error| self.unread(&error))?;
        read.map_err(|damage| self.damaged(&damage))?;
        Ok(known)
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
        if new { private_files::sync_directory(&self.path) } else { Ok(()) }
    }

    fn unwritable(&self, error: &std::io::Error) -> Error {
        Error::file("write the journal", &self.path, error)
            .hint("nothing was started; set SITECTL_STATE_DIR to a directory that can be written")
    }

    fn unread(&self, error: &std::io::Error) -> Error {
        Error::file("read the journal", &self.path, error).hint("SITECTL_STATE_DIR names another place for it")
    }

    fn damaged(&self, damage: &Damage) -> Error {
        let Damage { line, what } = damage;
        Error::new(Kind::Error, format!("line {line} of the journal {} is damaged: {what}", self.path.display()))
            .hint("mend the line, or move the file away if its restores have all ended")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::tests::intent;

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

    #[test]
    fn a_line_that_was_torn_later_is_damage() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(directory.path());
        let fail = |error: std::io::Error| Error::file("write", Path::new("tmp"), &error);
        let restore = journal.begin(intent("site-1"), |_| Ok(()))?;
        journal.accepted(&restore, Some("task-1".into()))?;
        let whole = std::fs::read_to_string(&journal.path).map_err(fail)?;
        let (first, rest) = whole.split_once('\n').unwrap_or_default();
        std::fs::write(&journal.path, format!("{}\n{rest}", &first[..first.len() / 2])).map_err(fail)?;
        // What was accepted must have been intended.
        assert!(Journal::new(directory.path()).entries().is_err_and(|error| error.message.contains("line 1 of")));
        // Who keeps only the newest lines has the same, and nothing is torn.
        std::fs::write(&journal.path, rest).map_err(fail)?;
        assert!(Journal::new(directory.path()).entries()?.is_empty());
        Ok(())
    }

    #[test]
    fn what_the_system_left_empty_is_passed_over() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(directory.path());
        let fail = |error: std::io::Error| Error::file("write", Path::new("tmp"), &error);
        journal.begin(intent("site-1"), |_| Ok(()))?;
        let whole = std::fs::read(&journal.path).map_err(fail)?;
        std::fs::write(&journal.path, [&whole[..], &[0; 100]].concat()).map_err(fail)?;
        journal.begin(intent("site-2"), |_| Ok(()))?;
        assert_eq!(Journal::new(directory.path()).entries()?.len(), 2);
        Ok(())
    }

    #[test]
    fn an_editor_may_leave_the_last_line_without_its_end() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let journal = Journal::new(directory.path());
        let fail = |error: std::io::Error| Error::file("write", Path::new("tmp"), &error);
        journal.begin(intent("site-1"), |_| Ok(()))?;
        let whole = std::fs::read(&journal.path).map_err(fail)?;
        std::fs::write(&journal.path, whole.trim_ascii_end()).map_err(fail)?;
        let other = Journal::new(directory.path());
        assert_eq!(other.entries()?.len(), 1);
        other.begin(intent("site-2"), |entries| {
            assert_eq!(entries.len(), 1);
            Ok(())
        })?;
        assert_eq!((other.entries()?.len(), Journal::new(directory.path()).entries()?.len()), (2, 2));
        Ok(())
    }

    #[test]
    fn others_write_too() -> Result<()> {
        let directory = tempfile::tempdir().map_err(|error| Error::file("make", Path::new("tmp"), &error))?;
        let (one, other) = (Journal::new(directory.path()), Journal::new(directory.path()));
        for number in 0..20 {
            let journal = if number % 3 == 0 { &one } else { &other };
            let restore = journal.begin(intent("site-1"), |entries| {
                assert_eq!(entries.len(), number);
                Ok(())
            })?;
            one.accepted(&restore, Some(number.to_string()))?;
        }
        let tasks: Vec<_> = other.entries()?.into_iter().filter_map(|entry| entry.task_id).collect();
        assert_eq!(tasks, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
        // A journal that was put away or begun anew is another one.
        one.forget()?;
        assert!(other.entries()?.is_empty());
        one.begin(intent("site-2"), |_| Ok(()))?;
        assert_eq!(other.entries()?.len(), 1);
        Ok(())
    }
}
