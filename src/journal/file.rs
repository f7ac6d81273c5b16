//! The journal's file: one JSON event per line, appended under a lock and synced before anything is
//! sent. The process reads each line once: later only the lines that were appended since.

use super::run::{DecidedRestore, Event, Observation, RestoreId, RunDetails, Runs, current_time};
use crate::config::private_files;
use crate::error::{Error, Kind, Result};
use crate::shell::{SHOW_FREE_SPACE, set_variable};
use jiff::{SignedDuration, Timestamp};
use std::cell::{Ref, RefCell};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The maximum wait for the lock, which is held only for a line.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// The wait before another try to read a file that a writer has locked.
const LOCK_POLL: Duration = Duration::from_millis(20);
/// How much of the file is read at once.
const READ_BYTES: usize = 64 * 1024;

/// The journal of one state directory.
pub struct Journal {
    pub path: PathBuf,
    /// Not freed: that takes a tenth of the time of reading, and the process ends soon.
    content: ManuallyDrop<RefCell<Content>>,
    /// Says that another program holds the lock.
    on_wait: Box<dyn Fn(&str)>,
    /// The observations of restores that could not be written yet.
    unwritten: RefCell<Vec<Event>>,
}

/// The content that was read so far.
struct Content {
    runs: Runs,
    /// The number of bytes of the lines that were read.
    bytes: u64,
    /// The last line that was read.
    last_line: Vec<u8>,
}

impl Journal {
    /// Returns the journal in this directory, which need not exist yet. `service_key` is the
    /// canonical base URL of the service that restores are about. `on_wait` is called with a text
    /// while another program holds the lock.
    pub fn new(directory: &Path, service_key: String, on_wait: Box<dyn Fn(&str)>) -> Self {
        let content = Content {
            runs: Runs::new(service_key),
            bytes: 0,
            last_line: Vec::new(),
        };
        Self {
            path: directory.join("restores.ndjson"),
            content: ManuallyDrop::new(RefCell::new(content)),
            on_wait,
            unwritten: RefCell::default(),
        }
    }

    /// Reads what was appended since the last call, and returns all runs; none if the file does not
    /// exist.
    ///
    /// # Errors
    /// If the file cannot be read or was replaced, or a line is damaged that is not merely
    /// incomplete.
    pub fn read(&self) -> Result<Ref<'_, Runs>> {
        match File::open(&self.path) {
            Ok(mut file) => {
                let start = Instant::now();
                while is_locked(&mut file) && start.elapsed() < LOCK_TIMEOUT {
                    std::thread::sleep(LOCK_POLL);
                }
                self.read_new_lines(&mut file)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound && self.runs().lines == 0 => {}
            Err(error) => return Err(self.file_error("read", &error)),
        }
        Ok(self.runs())
    }

    /// Returns all runs, as they were last read or written.
    pub fn runs(&self) -> Ref<'_, Runs> {
        Ref::map(self.content.borrow(), |content| &content.runs)
    }

    /// Writes a run with all its restores, and returns its id. `check` receives the journal while
    /// the file is locked, and may refuse the run.
    ///
    /// # Errors
    /// The error of `check`, or an error of the file. Nothing must be sent then.
    pub async fn record_run(
        &self,
        details: RunDetails,
        restores: Vec<DecidedRestore>,
        check: impl FnOnce(&Runs) -> Result<()>,
    ) -> Result<String> {
        let mut run_id = String::new();
        self.append(|runs| {
            check(runs)?;
            run_id = unused_run_id(runs, details.started_at);
            Ok(vec![Event::Decided {
                run: run_id.clone(),
                details,
                restores,
            }])
        })
        .await?;
        Ok(run_id)
    }

    /// Records that the request of a restore is about to be sent, and that a response can arrive
    /// until `timeout` is over. `check` receives the journal while the file is locked, and may
    /// refuse the request. So only one of two processes sends it.
    ///
    /// # Errors
    /// The error of `check`, or an error of the file. The request must not be sent then.
    pub async fn record_request(
        &self,
        restore: RestoreId,
        timeout: Duration,
        check: impl FnOnce(&Runs) -> Result<()>,
    ) -> Result<()> {
        self.append(|runs| {
            check(runs)?;
            let timeout = SignedDuration::try_from(timeout).unwrap_or(SignedDuration::MAX);
            let due = Timestamp::now().saturating_add(timeout);
            Ok(vec![Event::Sent {
                restore,
                at: current_time(),
                response_due: due.unwrap_or(Timestamp::MAX),
            }])
        })
        .await
    }

    /// Records that the service shows the restores of a run to this account.
    ///
    /// # Errors
    /// An error of the file.
    pub async fn record_transfer(&self, run: String, account: String) -> Result<()> {
        self.append(|_| Ok(vec![Event::Transferred { run, account }]))
            .await
    }

    /// Records that a sync is about to be requested before a restore. `newest` is when the newest
    /// snapshot was taken that was listed before.
    ///
    /// # Errors
    /// `Conflict` if another process has sent the restore; an error of the file. The sync must not be
    /// requested then.
    pub async fn record_sync_request(
        &self,
        restore: RestoreId,
        newest: Option<Timestamp>,
    ) -> Result<()> {
        self.append(|runs| {
            if !runs.entry(&restore).is_some_and(|entry| entry.is_unsent()) {
                let message = "another process has sent it";
                return Err(Error::new(Kind::Conflict, message));
            }
            let at = Some(current_time());
            Ok(vec![Event::SyncRequested {
                restore,
                newest,
                at,
            }])
        })
        .await
    }

    /// Records the snapshot that a sync has made, or that it has surely made none.
    ///
    /// # Errors
    /// An error of the file. The restore must not be sent then.
    pub async fn record_synced(
        &self,
        restore: RestoreId,
        snapshot_id: Option<String>,
    ) -> Result<()> {
        let event = Event::Synced {
            restore,
            snapshot_id,
        };
        self.append(|_| Ok(vec![event])).await
    }

    /// Records why restores were not sent, unless another process has sent them meanwhile.
    ///
    /// # Errors
    /// An error of the file.
    pub async fn record_unsent(&self, unsent: Vec<(RestoreId, Observation)>) -> Result<()> {
        self.append(|runs| {
            let is_unsent = |id: &RestoreId| runs.entry(id).is_some_and(|entry| entry.is_unsent());
            let left = unsent.into_iter().filter(|(id, _)| is_unsent(id));
            let event = |(restore, observation)| Event::seen(restore, observation);
            Ok(left.map(event).collect())
        })
        .await
    }

    /// Records the outcomes of restores, as far as the journal does not say them already. What
    /// cannot be written is remembered, and written with the next event or by [`Self::write_rest`].
    pub async fn record_observations(&self, observed: Vec<(RestoreId, Observation)>) {
        let mut events = Vec::new();
        for (restore, observation) in observed {
            let runs = self.runs();
            let entry = runs.entry(&restore);
            if entry.is_none_or(|entry| entry.seen() != Some(&observation)) {
                events.push(Event::seen(restore, observation));
            }
        }
        self.unwritten.borrow_mut().extend(events.iter().cloned());
        if self.write_rest().await.is_err() {
            for event in events {
                self.assume(event);
            }
        }
    }

    /// Records the outcome of one restore, as [`Self::record_observations`] does.
    pub async fn record_observation(&self, restore: RestoreId, observation: Observation) {
        self.record_observations(vec![(restore, observation)]).await;
    }

    /// Remembers the outcome of a restore without writing it, for a dry run.
    pub fn assume_observation(&self, restore: RestoreId, observation: Observation) {
        self.assume(Event::seen(restore, observation));
    }

    fn assume(&self, event: Event) {
        // The restore was read from the journal, so it cannot be missing.
        let _ = self.content.borrow_mut().runs.add(event);
    }

    /// Writes what could not be written before.
    ///
    /// # Errors
    /// If the file still cannot be written.
    pub async fn write_rest(&self) -> Result<()> {
        if self.unwritten.borrow().is_empty() {
            return Ok(());
        }
        self.lock().await.map(drop)
    }

    /// Removes all entries, for a sandbox that was reset.
    #[cfg(feature = "sandbox")]
    pub fn clear(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::file("remove the journal", &self.path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Appends the events that `decide` returns while the file is locked.
    async fn append(&self, decide: impl FnOnce(&Runs) -> Result<Vec<Event>>) -> Result<()> {
        let mut file = self.lock().await?;
        let events = decide(&self.runs())?;
        self.append_events(&mut file, &events)
    }

    /// Locks the file until it is closed, reads what others appended, and writes what could not be
    /// written before. Other work of this process continues during the wait for the lock.
    async fn lock(&self) -> Result<File> {
        let mut file = self
            .open_locked()
            .await
            .map_err(|error| self.file_error("write", &error))?;
        self.read_new_lines(&mut file)?;
        let unwritten = self.unwritten.borrow().clone();
        if !unwritten.is_empty() {
            self.append_events(&mut file, &unwritten)?;
            self.unwritten.borrow_mut().drain(..unwritten.len());
        }
        Ok(file)
    }

    async fn open_locked(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            private_files::create_directory(directory)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = private_files::open(&mut options, &self.path)?;
        let path = self.path.display();
        let wait = || {
            (self.on_wait)(&format!(
                "waiting for another program that has locked {path}"
            ))
        };
        private_files::lock_file(&file, LOCK_TIMEOUT, wait).await?;
        Ok(file)
    }

    fn append_events(&self, file: &mut File, events: &[Event]) -> Result<()> {
        let complete_bytes = self.content.borrow().bytes;
        append_lines(&self.path, file, complete_bytes, events)
            .map_err(|error| self.file_error("write", &error))?;
        self.read_new_lines(file)
    }

    /// Reads the complete lines that follow those that were read before. The last line may still be
    /// incomplete: another process is writing it, or a crash ended it.
    fn read_new_lines(&self, file: &mut File) -> Result<()> {
        let mut content = self.content.borrow_mut();
        let known = content.last_line.len() as u64;
        let mut lines = BufReader::with_capacity(READ_BYTES, &mut *file);
        let mut line = Vec::new();
        let read = lines
            .seek(SeekFrom::Start(content.bytes - known))
            .and_then(|_| lines.by_ref().take(known).read_to_end(&mut line));
        read.map_err(|error| self.file_error("read", &error))?;
        // For example by a reset of the sandbox.
        if line != content.last_line {
            let message = format!("the journal {} was replaced", self.path.display());
            return Err(Error::new(Kind::Error, message));
        }
        loop {
            line.clear();
            let read = lines.read_until(b'\n', &mut line);
            read.map_err(|error| self.file_error("read", &error))?;
            let Some(json) = line.strip_suffix(b"\n") else {
                return Ok(());
            };
            self.read_line(&mut content.runs, json)?;
            content.runs.lines += 1;
            content.bytes += line.len() as u64;
            std::mem::swap(&mut content.last_line, &mut line);
        }
    }

    fn read_line(&self, runs: &mut Runs, json: &[u8]) -> Result<()> {
        // A crash leaves a line incomplete, or its end filled with zeros. Its request was not sent.
        let end = json.iter().rposition(|byte| *byte != 0);
        let json = &json[..end.map_or(0, |end| end + 1)];
        let number = runs.lines + 1;
        let text = match str::from_utf8(json) {
            Ok(text) => text,
            // The crash has cut a letter.
            Err(error) if error.error_len().is_none() => return Ok(()),
            Err(error) => return Err(self.damaged_line(number, &error.to_string())),
        };
        match serde_json::from_str(text) {
            Ok(event) => runs
                .add(event)
                .map_err(|problem| self.damaged_line(number, &problem)),
            Err(error) if error.is_eof() => Ok(()),
            Err(error) => Err(self.damaged_line(number, &error.to_string())),
        }
    }

    fn file_error(&self, action: &str, error: &std::io::Error) -> Error {
        let error = Error::file(&format!("{action} the journal"), &self.path, error);
        // Another directory would lack what this journal has.
        error.with_hint(if self.path.exists() {
            format!("make the file writable, and check the free space: {SHOW_FREE_SPACE}")
        } else {
            let variable = set_variable("SITECTL_STATE_DIR", "DIR");
            format!("use a writable state directory: {variable}")
        })
    }

    fn damaged_line(&self, number: usize, problem: &str) -> Error {
        let path = self.path.display();
        let message = format!("line {number} of the journal {path} is damaged: {problem}");
        Error::new(Kind::Error, message)
            .with_hint("fix the line, or move the file away if all its restores have finished")
    }
}

/// Returns an id that says when the run was started, in UTC.
fn unused_run_id(runs: &Runs, started_at: Timestamp) -> String {
    let id = started_at.strftime("%Y%m%d-%H%M%S").to_string();
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    std::iter::once(id.clone())
        .chain(numbered)
        .find(|id| runs.run(id).is_none())
        .unwrap_or(id)
}

/// Whether a writer has locked the file: on Windows, a locked file cannot be read (error 33).
fn is_locked(file: &mut File) -> bool {
    const ERROR_LOCK_VIOLATION: i32 = 33;
    let read = file.read(&mut [0]);
    cfg!(windows) && read.is_err_and(|error| error.raw_os_error() == Some(ERROR_LOCK_VIOLATION))
}

/// Appends a line per event with one write and one sync. `complete_bytes` is the length of the
/// complete lines: a line that a crash left incomplete after them is ended first.
fn append_lines(
    path: &Path,
    file: &mut File,
    complete_bytes: u64,
    events: &[Event],
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    for event in events {
        serde_json::to_writer(&mut bytes, event)?;
        bytes.push(b'\n');
    }
    let length = file.metadata()?.len();
    if length > complete_bytes {
        bytes.insert(0, b'\n');
    }
    file.write_all(&bytes)?;
    file.sync_all()?;
    if length > 0 {
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
