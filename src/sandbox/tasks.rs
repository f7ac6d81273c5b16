//! Tasks: what a restore has come to, computed from its row and the clock, so that it goes on while no process runs.

use super::answer::{Answer, Answered, Refusal};
use super::call::Call;
use super::clock::{self, Millis};
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Value, json};

/// The share of its time that a task waits in the queue, in percent.
const QUEUED: i64 = 10;
/// The progress at which a restore that fails does so.
const BREAKS_AT: i64 = 60;

/// Of a task and of each of its steps; the last two are final.
pub(super) const STATUSES: &[&str] = &["queued", "running", "succeeded", "failed"];

/// A task as it is stored.
struct Task {
    id: String,
    site_id: String,
    snapshot_id: String,
    files: bool,
    database: bool,
    will_fail: bool,
    duration: Millis,
    created_at: Millis,
}

/// `GET /tasks/{task_id}`
pub(super) fn show(call: &Call) -> Answered {
    let task = call.read(|db| one(db, call, call.path("task_id")))?;
    Ok(Answer::ok(task))
}

/// `{"task": {…}}`, or 404 where the account has no such task.
pub(super) fn one(db: &Transaction<'_>, call: &Call, id: &str) -> Result<Vec<u8>, Refusal> {
    let sql = "SELECT * FROM tasks WHERE account = ? AND id = ?";
    let task = db
        .prepare_cached(sql)?
        .query_row((call.account.key, id), Task::read)
        .optional()?;
    let task = task.ok_or_else(|| Refusal::not_found("Task"))?;
    Ok(json!({ "task": task.at(call.now) })
        .to_string()
        .into_bytes())
}

/// Whether a restore of the site has not ended.
pub(super) fn is_busy(db: &Transaction<'_>, site: &str, now: Millis) -> rusqlite::Result<bool> {
    let sql = "SELECT * FROM tasks WHERE site_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 1";
    let newest = db
        .prepare_cached(sql)?
        .query_row([site], Task::read)
        .optional()?;
    Ok(newest.is_some_and(|task| !task.has_ended(now)))
}

impl Task {
    fn read(row: &Row<'_>) -> rusqlite::Result<Task> {
        Ok(Task {
            id: row.get("id")?,
            site_id: row.get("site_id")?,
            snapshot_id: row.get("snapshot_id")?,
            files: row.get("files")?,
            database: row.get("database")?,
            will_fail: row.get("will_fail")?,
            duration: row.get("duration")?,
            created_at: row.get("created_at")?,
        })
    }

    /// How much of its time has passed, in percent. A clock that was set back does not count below nothing.
    fn elapsed(&self, now: Millis) -> i64 {
        let elapsed = i128::from(now.saturating_sub(self.created_at).max(0));
        let percent = (elapsed * 100)
            .checked_div(i128::from(self.duration))
            .unwrap_or(100);
        i64::try_from(percent.min(100)).unwrap_or(100)
    }

    /// 0 to 100; stays at 0 in the queue, and where the restore broke.
    fn progress(&self, now: Millis) -> i64 {
        let elapsed = self.elapsed(now);
        let most = if self.will_fail { BREAKS_AT } else { 100 };
        if elapsed < QUEUED {
            0
        } else {
            elapsed.min(most)
        }
    }

    fn has_ended(&self, now: Millis) -> bool {
        matches!(self.status(now), "succeeded" | "failed")
    }

    fn status(&self, now: Millis) -> &'static str {
        match self.progress(now) {
            100 => "succeeded",
            BREAKS_AT if self.will_fail => "failed",
            _ if self.elapsed(now) < QUEUED => "queued",
            _ => "running",
        }
    }

    /// The task as a caller sees it at that moment.
    fn at(&self, now: Millis) -> Value {
        let progress = self.progress(now);
        // It changed last when it came to this progress, so equal answers have equal times.
        let since = i128::from(self.duration) * i128::from(progress) / 100;
        let updated_at = self
            .created_at
            .saturating_add(i64::try_from(since).unwrap_or(i64::MAX));
        json!({
            "id": self.id, "type": "restore", "status": self.status(now), "progress": progress,
            "site_id": self.site_id, "snapshot_id": self.snapshot_id, "steps": self.steps(now),
            "created_at": clock::text(self.created_at), "updated_at": clock::text(updated_at),
        })
    }

    /// The steps share the time evenly, one after the other. After the one that failed, the others stay queued.
    fn steps(&self, now: Millis) -> Vec<Value> {
        let parts = [
            (true, "prepare"),
            (self.files, "restore_files"),
            (self.database, "restore_database"),
            (true, "finish"),
        ];
        let names = parts
            .iter()
            .filter(|(included, _)| *included)
            .map(|(_, name)| *name)
            .collect::<Vec<_>>();
        let (progress, status) = (self.progress(now), self.status(now));
        let count = i64::try_from(names.len()).unwrap_or(1);
        let step = |(index, name): (i64, &str)| {
            let (start, end) = (index * 100 / count, (index + 1) * 100 / count);
            let status = match progress {
                _ if progress >= end => "succeeded",
                _ if progress >= start => status,
                _ => "queued",
            };
            json!({ "site_id": self.site_id, "name": name, "status": status })
        };
        (0..).zip(names).map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(duration: Millis, will_fail: bool) -> Task {
        let text = String::new;
        let (id, site_id, snapshot_id) = (text(), text(), text());
        let (files, database) = (true, duration % 2 == 0);
        Task {
            id,
            site_id,
            snapshot_id,
            files,
            database,
            will_fail,
            duration,
            created_at: 1000,
        }
    }

    /// (rank of the status, progress, ranks of the steps), which may only grow; queued is the least.
    fn state(task: &Task, now: Millis) -> (usize, i64, Vec<usize>) {
        let rank = |status: &str| {
            STATUSES
                .iter()
                .position(|known| *known == status)
                .unwrap_or(9)
        };
        let steps = task.steps(now);
        let steps = steps
            .iter()
            .map(|step| rank(step["status"].as_str().unwrap_or_default()));
        (rank(task.status(now)), task.progress(now), steps.collect())
    }

    #[test]
    fn a_life_only_goes_forward_and_ends_in_time() {
        for (duration, will_fail) in (0..300).flat_map(|time| [(time, false), (time, true)]) {
            let task = task(duration, will_fail);
            let life: Vec<_> = (900..=1000 + duration)
                .map(|now| state(&task, now))
                .collect();
            for pair in life.windows(2) {
                assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1, "{pair:?}");
                assert!(
                    pair[0]
                        .2
                        .iter()
                        .zip(&pair[1].2)
                        .all(|(old, new)| old <= new),
                    "{pair:?}"
                );
            }
            assert!(task.has_ended(1000 + duration) && task.has_ended(Millis::MAX));
            let end = state(&task, Millis::MAX);
            assert_eq!(
                (end.0, end.1),
                if will_fail { (3, BREAKS_AT) } else { (2, 100) }
            );
            assert_eq!(
                end.2.iter().filter(|step| **step == 3).count(),
                usize::from(will_fail)
            );
        }
    }

    #[test]
    fn clocks_and_times_beyond_all_measure_are_survived() {
        for duration in [Millis::MAX, Millis::MAX - 1000] {
            let task = task(duration, false);
            for now in [Millis::MIN, 0, 1000, Millis::MAX] {
                assert!(task.at(now).is_object());
            }
            assert_eq!(task.status(0), "queued");
        }
    }
}
