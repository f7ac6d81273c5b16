//! Reads tasks. The spec shows neither their path nor their fields ("States and transitions"), so
//! that they are read in every usual form, and an unknown state means that the task is still
//! running.

use super::envelope::{self, Envelope, UnexpectedResponse};
use super::{Api, Path, Request, Response};
use crate::config::TaskStates;
use crate::error::Result;
use crate::resources::Record;
use serde_json::Value;

/// The meaning of a task's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// The task is running, or its state is unknown.
    Running,
    Succeeded,
    Failed,
}

/// A task as the last response showed it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The task as the service sent it.
    pub record: Record,
    pub id: Option<String>,
    /// The status as the service sent it.
    pub status: Option<String>,
    pub state: TaskState,
    /// Percent done, 0 to 100.
    pub progress: Option<f64>,
    /// The site that is restored.
    pub site_id: Option<String>,
}

impl Api {
    /// Reads a task. With `send_once`, failed requests are not retried, because the caller polls.
    ///
    /// # Errors
    /// `NotFound` if it does not exist.
    pub async fn task(&self, id: &str, send_once: bool) -> Result<Task> {
        let path = Path::new(&self.endpoints.task).fill("task_id", id)?;
        let request = Request {
            send_once,
            ..Request::get(path)
        };
        let decode = async |response: Response| task_record(&response.body);
        match self.transport.call(&request, decode).await {
            Ok(record) => Ok(self.read_task(record)),
            Err(error) => Err(error.name_record_if_not_found("task", id)),
        }
    }

    pub fn read_task(&self, record: Record) -> Task {
        let status = task_status(&record);
        let state = match &status {
            Some(status) => task_state(status, &self.task_states),
            None => TaskState::Running,
        };
        let progress = record.value("progress");
        Task {
            // Because ids are written to the journal.
            id: task_id(&record).filter(|id| !self.contains_token(id)),
            state,
            status,
            progress: progress.as_ref().and_then(percent),
            site_id: nonempty_id(&record, "site_id"),
            record,
        }
    }
}

/// The problem of a response that shows no task.
pub const NO_TASK: &str = "the response shows no task";

/// Returns the task in a response. A status such as `error` is the task's own only if the response
/// shows a task.
pub fn task_record(body: &[u8]) -> Result<Record, UnexpectedResponse> {
    let record = envelope::single_object(body, "task", Envelope::Optional)?;
    if task_id(&record).is_none() && is_error(&record) {
        return Err(NO_TASK.into());
    }
    Ok(record)
}

fn is_error(record: &Record) -> bool {
    if envelope::reports_failure(&record.members()) {
        return true;
    }
    let status = task_status(record).unwrap_or_default();
    let has_error_status = status.trim().eq_ignore_ascii_case("error");
    has_error_status && record.text("message").is_some()
}

pub fn task_id(record: &Record) -> Option<String> {
    ["task_id", "id", "task"]
        .iter()
        .find_map(|name| nonempty_id(record, name))
}

/// Returns an id, which is a string or a number.
pub fn nonempty_id(record: &Record, name: &str) -> Option<String> {
    match record.value(name)? {
        Value::String(_) | Value::Number(_) => nonempty_field(record, name),
        _ => None,
    }
}

pub fn task_status(record: &Record) -> Option<String> {
    nonempty_field(record, "status").or_else(|| nonempty_field(record, "state"))
}

fn nonempty_field(record: &Record, name: &str) -> Option<String> {
    record.text(name).filter(|text| !text.is_empty())
}

fn task_state(status: &str, states: &TaskStates) -> TaskState {
    let status = status.trim();
    if contains_status(&states.failed, status) {
        TaskState::Failed
    } else if contains_status(&states.succeeded, status) {
        TaskState::Succeeded
    } else {
        TaskState::Running
    }
}

/// Whether one of the states is this status, in any case.
pub fn contains_status<S: AsRef<str>>(states: &[S], status: &str) -> bool {
    for state in states {
        if state.as_ref().eq_ignore_ascii_case(status) {
            return true;
        }
    }
    false
}

/// Reads a number from 0 to 100, or `{completed, total}`.
pub fn percent(progress: &Value) -> Option<f64> {
    let percent = match progress {
        Value::Object(_) => {
            let completed = progress["completed"].as_f64()?;
            let total = progress["total"].as_f64()?;
            if total <= 0.0 {
                return None;
            }
            completed * 100.0 / total
        }
        number => number.as_f64()?,
    };
    Some(percent.clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn states_ignore_case_and_an_unknown_one_means_running() {
        let states = TaskStates::default();
        for (status, expected) in [
            ("succeeded", TaskState::Succeeded),
            ("COMPLETED", TaskState::Succeeded),
            (" Failed ", TaskState::Failed),
            ("rejected", TaskState::Failed),
            ("queued", TaskState::Running),
            ("finalizing", TaskState::Running),
            ("", TaskState::Running),
        ] {
            assert_eq!(task_state(status, &states), expected, "{status}");
        }
    }

    #[test]
    fn progress_is_read_in_every_form() {
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
