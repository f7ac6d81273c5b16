//! Tasks: the progress of a restore, computed from its row and the clock, so that it continues while no process runs.
//!
//! SQL calls these computations as functions, so that tasks are listed and filtered like all resources.

use super::time::Millis;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, Transaction};
use serde_json::{Value, json};

/// The share of its time that a task waits in the queue, in percent.
const QUEUED: i64 = 10;
/// The progress at which a failing restore fails.
const FAILS_AT: i64 = 60;

/// Whether a restore of the site is queued or running.
pub(super) fn is_busy(db: &Transaction<'_>, site: &str, now: Millis) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM tasks WHERE site_id = ?
               AND task_status(created_at, duration, will_fail, ?) IN ('queued', 'running')";
    db.prepare_cached(sql)?.exists((site, now))
}

/// Adds the functions of the SQL above to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let add = |name, state: fn(&TaskState) -> rusqlite::types::Value| {
        connection.create_scalar_function(name, 4, flags, move |context| Ok(state(&TaskState::read(context)?)))
    };
    add("task_status", |state| state.status().to_owned().into())?;
    add("task_progress", |state| state.progress().into())?;
    add("task_updated_at", |state| state.updated_at().into())?;
    connection.create_scalar_function("task_steps", 7, flags, |context| {
        let (site, files, database) = (context.get::<String>(4)?, context.get(5)?, context.get(6)?);
        Ok(Value::from(TaskState::read(context)?.steps(&site, files, database)).to_string())
    })
}

/// A task at one time.
#[derive(Debug, Clone, Copy)]
struct TaskState {
    created_at: Millis,
    duration: Millis,
    will_fail: bool,
    now: Millis,
}

impl TaskState {
    fn read(context: &Context<'_>) -> rusqlite::Result<TaskState> {
        let (created_at, duration) = (context.get(0)?, context.get(1)?);
        Ok(TaskState { created_at, duration, will_fail: context.get(2)?, now: context.get(3)? })
    }

    /// How much of its time has passed, in percent; 0 if the clock was set back.
    fn elapsed(&self) -> i64 {
        let elapsed = i128::from(self.now.saturating_sub(self.created_at).max(0));
        let percent = (elapsed * 100).checked_div(i128::from(self.duration));
        percent.and_then(|percent| i64::try_from(percent.min(100)).ok()).unwrap_or(100)
    }

    /// 0 to 100; 0 in the queue. A failed restore keeps its last progress.
    fn progress(&self) -> i64 {
        let most = if self.will_fail { FAILS_AT } else { 100 };
        match self.elapsed() {
            ..QUEUED => 0,
            elapsed => elapsed.min(most),
        }
    }

    fn status(&self) -> &'static str {
        match self.progress() {
            100 => "succeeded",
            FAILS_AT if self.will_fail => "failed",
            0 => "queued",
            _ => "running",
        }
    }

    /// When it reached this progress, so that equal states have equal times.
    fn updated_at(&self) -> Millis {
        let since = i128::from(self.duration) * i128::from(self.progress()) / 100;
        self.created_at.saturating_add(i64::try_from(since).unwrap_or(i64::MAX))
    }

    /// The steps share the time evenly, one after the other. After the one that failed, the others stay queued.
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

#[cfg(test)]
mod tests {
    use super::super::resources::STATUSES;
    use super::*;

    /// (rank of the status, progress, time, ranks of the steps), which may only grow; queued is the least.
    fn state(state: TaskState) -> (usize, i64, Millis, Vec<usize>) {
        let rank = |status: &str| STATUSES.iter().position(|known| *known == status).unwrap_or(9);
        let steps = state.steps("s", true, state.duration % 2 == 0);
        let steps = steps.iter().map(|step| rank(step["status"].as_str().unwrap_or_default()));
        (rank(state.status()), state.progress(), state.updated_at(), steps.collect())
    }

    #[test]
    fn a_state_only_goes_forward_and_ends_in_time() {
        for (duration, will_fail) in (0..300).flat_map(|time| [(time, false), (time, true)]) {
            let at = |now| state(TaskState { created_at: 1000, duration, will_fail, now });
            for now in 990..1001 + duration {
                let (old, new) = (at(now), at(now + 1));
                assert!(old.0 <= new.0 && old.1 <= new.1 && old.2 <= new.2, "{old:?} {new:?}");
                assert!(old.3.iter().zip(&new.3).all(|(old, new)| old <= new), "{old:?} {new:?}");
            }
            let end = at(1000 + duration);
            assert_eq!((end.0, end.1), if will_fail { (3, FAILS_AT) } else { (2, 100) });
            assert_eq!(end.3.iter().filter(|step| **step == 3).count(), usize::from(will_fail));
            assert_eq!(at(Millis::MAX), end);
        }
    }

    #[test]
    fn clocks_and_times_beyond_all_measure_are_survived() {
        for now in [Millis::MIN, 0, 1000, Millis::MAX] {
            let state = TaskState { created_at: 1000, duration: Millis::MAX, will_fail: false, now };
            assert!(state.updated_at() >= 1000 && (0..=100).contains(&state.progress()));
        }
    }
}
