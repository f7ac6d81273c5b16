//! What the processes of one machine tell each other while they work: a value for each name, in one small file that is
//! read and written under a lock. Nothing depends on it: who cannot read it, write it or lock it in time goes on alone,
//! and what is damaged or old counts for nothing.

use crate::private;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What was written longer ago counts for nothing.
const KEPT: Duration = Duration::from_secs(600);
/// Who finds the file locked for so long goes on alone: others hold the lock only while they read and write.
const PATIENCE: Duration = Duration::from_millis(250);
/// For so long it is not tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// A larger file is none of ours.
const LARGEST: u64 = 1 << 20;

/// One value of the file.
pub struct Ledger {
    path: PathBuf,
    name: String,
    /// When it could not be used: that may go on for a while, and each try costs time.
    failed: Cell<Option<Instant>>,
}

/// The file while nobody else may touch it: others wait until this is dropped.
pub struct Locked<'l> {
    ledger: &'l Ledger,
    file: File,
    entries: Entries,
}

/// All values by name.
type Entries = BTreeMap<String, Entry>;

/// A value, and when it was written, in milliseconds since the epoch.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    at: u64,
    value: Box<RawValue>,
}

impl Ledger {
    /// The value of this name in a file of this directory, which need not exist yet.
    pub fn new(directory: &Path, name: String) -> Self {
        Self { path: directory.join("rate.json"), name, failed: Cell::default() }
    }

    /// Keeps everyone else out; none where that can't be. Somebody may have taken the file away: it is opened anew.
    pub fn lock(&self) -> Option<Locked<'_>> {
        if self.failed.get().is_some_and(|at| at.elapsed() < PAUSE) {
            return None;
        }
        let locked = self.open().and_then(|mut file| {
            private::lock_within(&file, PATIENCE)?;
            let entries = read(&mut file)?;
            Ok(Locked { ledger: self, file, entries })
        });
        self.failed.set(locked.is_err().then(Instant::now));
        locked.ok()
    }

    fn open(&self) -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let open = || private::open(&mut options.clone(), &self.path);
        match (open(), self.path.parent()) {
            (Err(error), Some(directory)) if error.kind() == std::io::ErrorKind::NotFound => {
                private::directory(directory)?;
                open()
            }
            (opened, _) => opened,
        }
    }
}

impl Locked<'_> {
    /// The value as it was last written; none where there is none that can be used.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.entries.get(&self.ledger.name)?.value.get()).ok()
    }

    /// Writes the value, and lets others in again.
    pub fn write(mut self, value: &impl Serialize) {
        let Ok(value) = serde_json::value::to_raw_value(value) else { return };
        self.entries.insert(self.ledger.name.clone(), Entry { at: now(), value });
        let text = serde_json::to_vec(&self.entries).unwrap_or_default();
        self.ledger.failed.set(replace(&mut self.file, &text).is_err().then(Instant::now));
    }
}

/// What is there and can be used.
fn read(file: &mut File) -> std::io::Result<Entries> {
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file).take(LARGEST).read_to_end(&mut text)?;
    let mut entries: Entries = serde_json::from_slice(&text).unwrap_or_default();
    let kept = u64::try_from(KEPT.as_millis()).unwrap_or(u64::MAX);
    // What was written in the future was written by another clock.
    entries.retain(|_, entry| now().abs_diff(entry.at) <= kept);
    Ok(entries)
}

/// What a crash leaves half done is damaged, and counts for nothing.
fn replace(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text)?;
    file.set_len(text.len() as u64)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(directory: &tempfile::TempDir, name: &str) -> Ledger {
        Ledger::new(&directory.path().join("new"), name.into())
    }

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn value(ledger: &Ledger) -> Option<u64> {
        ledger.lock().and_then(|locked| locked.read())
    }

    fn write(ledger: &Ledger, value: u64) {
        if let Some(locked) = ledger.lock() {
            locked.write(&value);
        }
    }

    #[test]
    fn what_one_writes_the_others_read() {
        let directory = directory();
        let [one, other, third] = ["a", "a", "b"].map(|name| ledger(&directory, name));
        assert_eq!(value(&one), None);
        write(&one, 1234);
        write(&third, 7);
        write(&other, 5);
        assert_eq!((value(&one), value(&other), value(&third)), (Some(5), Some(5), Some(7)));
    }

    #[test]
    fn a_file_that_was_taken_away_is_made_anew() {
        let directory = directory();
        let [one, other] = ["a", "a"].map(|name| ledger(&directory, name));
        write(&one, 1);
        assert!(std::fs::remove_file(directory.path().join("new/rate.json")).is_ok());
        assert_eq!(value(&one), None);
        write(&one, 2);
        assert_eq!(value(&other), Some(2));
    }

    /// Counts one more, where it gets its turn.
    fn counted(ledger: &Ledger) -> bool {
        let Some(locked) = ledger.lock() else { return false };
        let value = locked.read().unwrap_or(0_u64);
        locked.write(&(value + 1));
        true
    }

    #[test]
    fn nobody_is_lost_where_many_count() {
        let directory = directory();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        // A machine may stop for longer than a ledger waits: another one tries again.
                        while !counted(&ledger(&directory, "a")) {}
                    }
                });
            }
        });
        assert_eq!(value(&ledger(&directory, "a")), Some(200));
    }

    #[test]
    fn what_is_old_or_damaged_counts_for_nothing() {
        let directory = directory();
        let path = directory.path().join("new/rate.json");
        write(&ledger(&directory, "a"), 1);
        let entry = |at: u64, value: &str| format!(r#"{{"a":{{"at":{at},"value":{value}}}}}"#);
        let damaged = ["", "{", "[]", "\0\0\0", r#"{"a":1}"#].map(String::from);
        let old = [entry(0, "1"), entry(now() - 601_000, "1"), entry(now() + 660_000, "1"), entry(now(), r#""x""#)];
        for text in damaged.into_iter().chain(old) {
            assert!(std::fs::write(&path, &text).is_ok());
            assert_eq!(value(&ledger(&directory, "a")), None, "{text}");
            write(&ledger(&directory, "a"), 2);
            assert_eq!(value(&ledger(&directory, "a")), Some(2), "{text}");
        }
    }

    #[test]
    fn who_cannot_have_it_goes_on_alone() {
        let directory = directory();
        let (one, other) = (ledger(&directory, "a"), ledger(&directory, "a"));
        let held = one.lock();
        assert!(held.is_some() && other.lock().is_none());
        drop(held);
        assert!(other.lock().is_none(), "it is not tried again at once");
        let file = directory.path().join("file");
        assert!(std::fs::write(&file, "").is_ok());
        assert!(Ledger::new(&file, "a".into()).lock().is_none());
    }
}
