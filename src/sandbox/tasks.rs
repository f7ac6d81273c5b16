//! Tasks. The progress of a restore is computed from its row and the clock, so that a restore
//! continues while no sandbox is running.

use super::response::{ApiError, ApiResult};
use super::time::{self, Millis};
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Value, json};

/// The table of restores. `ends_at` is when the restore succeeds or fails.
pub const SCHEMA: &str = "CREATE TABLE tasks (account INTEGER NOT NULL, id TEXT PRIMARY KEY,
    site_id TEXT NOT NULL REFERENCES sites (id), \
    snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    files INTEGER NOT NULL, database INTEGER NOT NULL, will_fail INTEGER NOT NULL,
    created_at INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT;
CREATE INDEX tasks_site ON tasks (site_id, ends_at);\n";

/// The percentage of its duration for which a task is queued.
const QUEUED_PERCENT: i64 = 10;
/// The progress in percent at which a failing restore fails.
pub const FAILURE_PERCENT: i64 = 60;

/// Returns `{"task": {…}}`, or 404 if the task does not exist in the account.
pub fn read_task(db: &Transaction<'_>, account: i64, id: &str, now: Millis) -> ApiResult {
    let sql = "SELECT * FROM tasks WHERE account = ? AND id = ?";
    db.prepare_cached(sql)?
        .query_row((account, id), |row| task_from_row(row, now))
        .optional()?
        .ok_or_else(|| ApiError::not_found("Task"))
}

fn task_from_row(row: &Row<'_>, now: Millis) -> rusqlite::Result<Value> {
    let site: String = row.get("site_id")?;
    let created_at: Millis = row.get("created_at")?;
    let ends_at: Millis = row.get("ends_at")?;
    let elapsed = elapsed_percent(created_at, ends_at, now);
    let (status, progress) = status_and_progress(elapsed, row.get("will_fail")?);
    let steps = task_steps(
        &site,
        row.get("files")?,
        row.get("database")?,
        status,
        progress,
    );
    // A task changes at each percent of its duration.
    let updated_at = created_at + (ends_at - created_at).saturating_mul(elapsed) / 100;
    Ok(json!({ "task": {
        "id": row.get::<_, String>("id")?,
        "type": "restore",
        "status": status,
        "progress": progress,
        "site_id": site,
        "snapshot_id": row.get::<_, String>("snapshot_id")?,
        "steps": steps,
        "created_at": time::format_time(created_at),
        "updated_at": time::format_time(updated_at),
    } }))
}

pub fn has_unfinished_restore(
    db: &Transaction<'_>,
    site: &str,
    now: Millis,
) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM tasks WHERE site_id = ? AND ends_at > ?")?
        .exists((site, now))
}

/// Returns the elapsed percentage of the duration; 0 if the clock was set back.
fn elapsed_percent(created_at: Millis, ends_at: Millis, now: Millis) -> i64 {
    if now >= ends_at {
        return 100;
    }
    let elapsed = now.saturating_sub(created_at).max(0);
    let duration = (ends_at - created_at).max(1);
    elapsed.saturating_mul(100) / duration
}

/// Returns the status, and the progress from 0 to 100. A failed restore keeps its last progress.
fn status_and_progress(elapsed_percent: i64, will_fail: bool) -> (&'static str, i64) {
    match elapsed_percent {
        ..QUEUED_PERCENT => ("queued", 0),
        100 if will_fail => ("failed", FAILURE_PERCENT),
        100 => ("succeeded", 100),
        _ if will_fail => ("running", elapsed_percent * FAILURE_PERCENT / 100),
        _ => ("running", elapsed_percent),
    }
}

/// Returns the steps, which take equal time one after the other. Steps after a failed step stay
/// queued.
fn task_steps(
    site: &str,
    files: bool,
    database: bool,
    task_status: &str,
    progress: i64,
) -> Vec<Value> {
    let mut names = vec!["prepare"];
    if files {
        names.push("restore_files");
    }
    if database {
        names.push("restore_database");
    }
    names.push("finish");
    // The progress when this number of steps has succeeded.
    let progress_after = |steps: usize| i64::try_from(steps * 100 / names.len()).unwrap_or(100);
    let mut steps = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let status = if progress >= progress_after(index + 1) {
            "succeeded"
        } else if progress >= progress_after(index) {
            // The current step.
            task_status
        } else {
            "queued"
        };
        steps.push(json!({ "site_id": site, "name": name, "status": status }));
    }
    steps
}
