//! Reads tasks. The spec shows neither their path nor their fields ("States and transitions"), so that they are read in
//! every usual form, and an unknown state means that the task is still running.

use super::envelope::{self, Wrapping};
use super::{Api, Path, Request};
use crate::config::TaskStates;
use crate::error::Result;
use crate::resources::Record;
use serde_json::Value;

/// What a task's status means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// It is running, or its state is unknown.
    Running,
    /// It succeeded.
    Succeeded,
    /// It failed.
    Failed,
}

/// A task as the last response showed it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The task as the service sent it.
    pub record: Record,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// The status as the service sent it.
    pub status: Option<String>,
    /// The meaning of the status.
    pub state: TaskState,
    /// Percent done, 0 to 100, if it is shown.
    pub progress: Option<f64>,
    /// The site that is restored, if it is shown.
    pub site_id: Option<String>,
}

impl Api {
    /// Reads a task. A poll is sent only `once`, because it is repeated anyway.
    ///
    /// # Errors
    /// `NotFound` if it does not exist.
    pub async fn task(&self, id: &str, once: bool) -> Result<Task> {
        let path = Path::new(&self.endpoints.task).fill("task_id", id)?;
        let request = Request {
            once,
            ..Request::get(&path, &[])
        };
        let response = self
            .transport
            .call(&request, async |response| shown(&response.body))
            .await;
        response
            .map(|record| self.read_task(record))
            .map_err(|error| error.with_missing_record("task", id))
    }

    pub(super) fn read_task(&self, record: Record) -> Task {
        let status = status(&record);
        Task {
            // Because ids are written to the journal.
            id: task_id(&record).filter(|id| !self.contains_token(id)),
            state: status.as_deref().map_or(TaskState::Running, |status| {
                state(status, &self.task_states)
            }),
            status: status.map(|status| self.mask(&status)),
            progress: record.value("progress").as_ref().and_then(percent),
            site_id: id(&record, "site_id"),
            record,
        }
    }
}

/// Returns the task in a response. A status such as `error` is the task's own only if the response shows a task.
pub(super) fn shown(body: &[u8]) -> Result<Record, String> {
    let record = envelope::object(body, "task", Wrapping::Either)?;
    let is_error = || {
        let about_it =
            status(&record).is_some_and(|word| word.trim().eq_ignore_ascii_case("error"));
        envelope::reports_failure(&record.members())
            || (about_it && record.text("message").is_some())
    };
    if task_id(&record).is_none() && is_error() {
        Err(NO_TASK.into())
    } else {
        Ok(record)
    }
}

/// The problem of a response that shows no task.
pub(super) const NO_TASK: &str = "the response shows no task";

/// Returns a task's id.
pub(super) fn task_id(record: &Record) -> Option<String> {
    ["task_id", "id", "task"]
        .iter()
        .find_map(|name| id(record, name))
}

/// Returns an id, which is a string or a number.
pub(super) fn id(record: &Record, name: &str) -> Option<String> {
    record
        .value(name)
        .filter(|value| value.is_string() || value.is_number())?;
    record.text(name).filter(|text| !text.is_empty())
}

pub(super) fn status(record: &Record) -> Option<String> {
    let text = |name: &str| record.text(name).filter(|text| !text.is_empty());
    text("status").or_else(|| text("state"))
}

fn state(status: &str, words: &TaskStates) -> TaskState {
    let is_in = |list: &[String]| {
        list.iter()
            .any(|word| word.eq_ignore_ascii_case(status.trim()))
    };
    match () {
        () if is_in(&words.failed) => TaskState::Failed,
        () if is_in(&words.succeeded) => TaskState::Succeeded,
        () => TaskState::Running,
    }
}

/// Reads a number from 0 to 100, or `{completed, total}`.
pub(super) fn percent(progress: &Value) -> Option<f64> {
    let part = |name: &str| progress.get(name).and_then(Value::as_f64);
    let percent = match (part("completed"), part("total")) {
        (Some(completed), Some(total)) if total > 0.0 => completed * 100.0 / total,
        _ => progress.as_f64()?,
    };
    Some(percent.clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_mean_the_same_in_any_case_and_an_unknown_one_still_runs() {
        let words = TaskStates::default();
        for (word, expected) in [
            ("succeeded", TaskState::Succeeded),
            ("COMPLETED", TaskState::Succeeded),
            (" Failed ", TaskState::Failed),
            ("rejected", TaskState::Failed),
            ("queued", TaskState::Running),
            ("finalizing", TaskState::Running),
            ("", TaskState::Running),
        ] {
            assert_eq!(state(word, &words), expected, "{word}");
        }
    }

    #[test]
    fn progress_comes_in_every_form() {
        let cases = [
            (json!(40), Some(40.0)),
            (json!(12.5), Some(12.5)),
            (json!({"completed": 1, "total": 4}), Some(25.0)),
            (json!(250), Some(100.0)),
            (json!(-1), Some(0.0)),
            (json!({"completed": 1, "total": 0}), None),
            (json!({"completed": null, "total": 4}), None),
            (json!("half"), None),
            (json!([40]), None),
            (json!(true), None),
            (json!(null), None),
        ];
        for (progress, expected) in cases {
            assert_eq!(percent(&progress), expected, "{progress}");
        }
    }
}
