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
    let sql =
        "SELECT created_at, ends_at, will_fail, files, database, site_id, snapshot_id FROM tasks
               WHERE account = ? AND id = ?";
    let read = |row: &Row<'_>| {
        let (created_at, ends_at): (Millis, Millis) = (row.get(0)?, row.get(1)?);
        let (elapsed, site) = (elapsed(created_at, ends_at, now), row.get::<_, String>(5)?);
        let (status, progress) = state(elapsed, row.get(2)?);
        let updated_at = created_at + (ends_at - created_at).saturating_mul(elapsed) / 100;
        Ok(json!({ "task": {
            "id": id, "type": "restore", "status": status, "progress": progress, "site_id": site,
            "snapshot_id": row.get::<_, String>(6)?, "steps": steps(&site, row.get(3)?, row.get(4)?, status, progress),
            "created_at": time::text(created_at), "updated_at": time::text(updated_at),
        } }))
    };
    let task = db
        .prepare_cached(sql)?
        .query_row((account, id), read)
        .optional()?;
    task.ok_or_else(|| ApiError::not_found("Task"))
}

/// Whether a restore of the site is queued or running.
pub(super) fn is_busy(db: &Transaction<'_>, site: &str, now: Millis) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM tasks WHERE site_id = ? AND ends_at > ?")?
        .exists((site, now))
}

/// Returns the elapsed share of the duration in percent; 0 if the clock was set back.
fn elapsed(created_at: Millis, ends_at: Millis, now: Millis) -> i64 {
    let (elapsed, whole) = (now.saturating_sub(created_at), ends_at - created_at);
    if now >= ends_at {
        100
    } else {
        elapsed.max(0).saturating_mul(100) / whole.max(1)
    }
}

/// Returns the status, and the progress from 0 to 100. A failed restore keeps its last progress.
fn state(elapsed: i64, will_fail: bool) -> (&'static str, i64) {
    match elapsed {
        ..QUEUED => ("queued", 0),
        100 if will_fail => ("failed", FAILS_AT),
        100 => ("succeeded", 100),
        _ if will_fail => ("running", elapsed * FAILS_AT / 100),
        _ => ("running", elapsed),
    }
}

/// Returns the steps, which take equal time one after the other. Steps after a failed step stay queued.
fn steps(site: &str, files: bool, database: bool, status: &str, progress: i64) -> Vec<Value> {
    let mut names = vec!["prepare"];
    names.extend(files.then_some("restore_files"));
    names.extend(database.then_some("restore_database"));
    names.push("finish");
    let share = |part: usize| i64::try_from(part * 100 / names.len()).unwrap_or(100);
    let step = |(index, name): (usize, &&str)| {
        let status = match progress {
            done if done >= share(index + 1) => "succeeded",
            done if done >= share(index) => status,
            _ => "queued",
        };
        json!({ "site_id": site, "name": name, "status": status })
    };
    names.iter().enumerate().map(step).collect()
}
