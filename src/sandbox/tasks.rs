//! Tasks. The progress of a restore is computed from its row and the clock, so that it continues without a process.

use super::response::{ApiError, ApiResult};
use super::time::{self, Millis};
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Value, json};

/// The table of restores. A failing restore ends early.
pub(super) const SCHEMA: &str = "CREATE TABLE tasks (account INTEGER NOT NULL, id TEXT PRIMARY KEY,
    site_id TEXT NOT NULL REFERENCES sites (id), snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    files INTEGER NOT NULL, database INTEGER NOT NULL, will_fail INTEGER NOT NULL,
    created_at INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT;
CREATE INDEX tasks_site ON tasks (site_id, ends_at);\n";

/// The share of the duration in the queue, in percent.
const QUEUED: i64 = 10;
/// The progress at which a failing restore fails.
pub(super) const FAILS_AT: i64 = 60;

/// Returns `{"task": {…}}`, or 404 if the task does not exist in the account.
pub(super) fn read(db: &Transaction<'_>, account: i64, id: &str, now: Millis) -> ApiResult {
    let sql = "SELECT created_at, ends_at, will_fail, files, database, site_id, snapshot_id FROM tasks
               WHERE account = ? AND id = ?";
    let read = |row: &Row<'_>| {
        let state = State { created_at: row.get(0)?, ends_at: row.get(1)?, will_fail: row.get(2)?, now };
        let (site, snapshot) = (row.get::<_, String>(5)?, row.get::<_, String>(6)?);
        Ok(json!({ "task": {
            "id": id, "type": "restore", "status": state.status(), "progress": state.progress(), "site_id": site,
            "snapshot_id": snapshot, "steps": state.steps(&site, row.get(3)?, row.get(4)?),
            "created_at": time::text(state.created_at), "updated_at": time::text(state.updated_at()),
        } }))
    };
    let task = db.prepare_cached(sql)?.query_row((account, id), read).optional()?;
    task.ok_or_else(|| ApiError::not_found("Task"))
}

/// Whether a restore of the site is queued or running.
pub(super) fn is_busy(db: &Transaction<'_>, site: &str, now: Millis) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM tasks WHERE site_id = ? AND ends_at > ?")?.exists((site, now))
}

/// A task at a point in time.
#[derive(Debug, Clone, Copy)]
struct State {
    created_at: Millis,
    ends_at: Millis,
    will_fail: bool,
    now: Millis,
}

impl State {
    /// Returns the elapsed share of the duration in percent; 0 if the clock was set back.
    fn elapsed(&self) -> i64 {
        let (elapsed, whole) = (self.now.saturating_sub(self.created_at), self.ends_at - self.created_at);
        if self.now >= self.ends_at { 100 } else { elapsed.max(0).saturating_mul(100) / whole.max(1) }
    }

    /// Returns the progress from 0 to 100; 0 in the queue. A failed restore keeps its last progress.
    fn progress(&self) -> i64 {
        match (self.elapsed(), self.will_fail) {
            (..QUEUED, _) => 0,
            (elapsed, true) => elapsed * FAILS_AT / 100,
            (elapsed, false) => elapsed,
        }
    }

    fn status(&self) -> &'static str {
        match self.elapsed() {
            100 if self.will_fail => "failed",
            100 => "succeeded",
            ..QUEUED => "queued",
            _ => "running",
        }
    }

    /// Returns the time of this progress, so that equal states have equal times.
    fn updated_at(&self) -> Millis {
        let share = if self.progress() == 0 { 0 } else { self.elapsed() };
        self.created_at + (self.ends_at - self.created_at).saturating_mul(share) / 100
    }

    /// Returns the steps, which take equal time one after the other. Steps after a failed step stay queued.
    fn steps(&self, site: &str, files: bool, database: bool) -> Vec<Value> {
        let mut names = vec!["prepare"];
        names.extend(files.then_some("restore_files"));
        names.extend(database.then_some("restore_database"));
        names.push("finish");
        let share = |part: usize| i64::try_from(part * 100 / names.len()).unwrap_or(100);
        let step = |(index, name): (usize, &&str)| {
            let status = match self.progress() {
                progress if progress >= share(index + 1) => "succeeded",
                progress if progress >= share(index) => self.status(),
                _ => "queued",
            };
            json!({ "site_id": site, "name": name, "status": status })
        };
        names.iter().enumerate().map(step).collect()
    }
}
