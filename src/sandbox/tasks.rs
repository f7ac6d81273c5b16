//! Tasks: restores, and syncs, which have no snapshot. The progress of a task is computed from its
//! row and the clock, so that it continues while no sandbox is running.

use super::time::{self, Millis};
use rusqlite::{Row, Transaction};
use serde_json::{Value, json};

/// The percentage of its duration for which a task is queued.
const QUEUED_PERCENT: i64 = 10;
/// The progress in percent at which a failing task fails.
pub const FAILURE_PERCENT: i64 = 60;

/// Converts a row to the task at this time.
pub fn task_from_row(row: &Row<'_>, now: Millis) -> rusqlite::Result<Value> {
    let site: String = row.get("site_id")?;
    let created_at: Millis = row.get("created_at")?;
    let ends_at: Millis = row.get("ends_at")?;
    let canceled_at: Option<Millis> = row.get("canceled_at")?;
    let elapsed = elapsed_percent(created_at, ends_at, canceled_at.unwrap_or(now));
    let snapshot: Option<String> = row.get("snapshot_id")?;
    let kind = if snapshot.is_some() {
        "restore"
    } else {
        "sync"
    };
    let (mut status, progress) = status_and_progress(elapsed, row.get("will_fail")?);
    let mut message = match status {
        "queued" => "has not started",
        "running" => "is running",
        "succeeded" => "succeeded",
        _ => "failed",
    };
    let error_message = (status == "failed").then_some("The site's disk is full.");
    // A task changes at each percent of its duration.
    let time_at = |percent| created_at + (ends_at - created_at).saturating_mul(percent) / 100;
    let started_at = (status != "queued").then(|| time_at(QUEUED_PERCENT));
    let finished_at = canceled_at.or((elapsed == 100).then_some(ends_at));
    if canceled_at.is_some() {
        status = "failed";
        message = "was canceled";
    }
    let steps = task_steps(
        &site,
        kind,
        row.get("files")?,
        row.get("database")?,
        status,
        progress,
    );
    Ok(json!({
        "id": row.get::<_, String>("id")?,
        "type": kind,
        "status": status,
        "progress": progress,
        "message": format!("The {kind} {message}."),
        "error_message": error_message,
        "site_id": site,
        "snapshot_id": snapshot,
        "steps": steps,
        "created_at": time::format_time(created_at),
        "updated_at": time::format_time(finished_at.unwrap_or_else(|| time_at(elapsed))),
        "started_at": started_at.map(time::format_time),
        "finished_at": finished_at.map(time::format_time),
    }))
}

pub fn has_unfinished_task(
    db: &Transaction<'_>,
    site: &str,
    now: Millis,
) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM tasks WHERE site_id = ? AND ends_at > ? AND canceled_at IS NULL";
    db.prepare_cached(sql)?.exists((site, now))
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

/// Returns the status, and the progress from 0 to 100. A failed task keeps its last progress.
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
    kind: &str,
    files: bool,
    database: bool,
    task_status: &str,
    progress: i64,
) -> Vec<Value> {
    let mut names = vec!["prepare".to_owned()];
    if files {
        names.push(format!("{kind}_files"));
    }
    if database {
        names.push(format!("{kind}_database"));
    }
    names.push("finish".to_owned());
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
