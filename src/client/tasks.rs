//! Tasks. The spec shows neither their paths nor their fields ("States and transitions"), so that
//! they are read in every usual form.

use super::envelope::{has_content, parse_json, refuse_failure};
use super::evidence::{
    ExpectedTask, TaskEvidence, TaskState, read_evidence, site_ids, task_status,
};
use super::failure::quoted_part;
use super::{Api, Consent, Path, Request, Response};
use crate::error::Result;
use crate::resources::{Record, member_value, members};
use reqwest::Method;
use serde_json::Value;
use serde_json::value::RawValue;

/// A task as the last response showed it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The task as the service sent it.
    pub record: Record,
    pub id: String,
    /// The status as the service sent it.
    pub status: Option<String>,
    pub state: TaskState,
    /// Percent done, 0 to 100.
    pub progress: Option<f64>,
    /// The site that is restored.
    pub site_id: Option<String>,
    /// Why the task failed, as the service says, without the token.
    pub failure: Option<String>,
}

impl Task {
    /// Whether the task is complete or has an end time, whatever its state is.
    pub fn looks_ended(&self) -> bool {
        let members = self.record.members();
        let has_time = |name| member_value(&members, name).is_some_and(has_content);
        self.progress == Some(100.0) || END_TIMES.into_iter().any(has_time)
    }
}

/// The fields of a task that say when it ended.
const END_TIMES: [&str; 3] = ["finished_at", "completed_at", "ended_at"];

impl Api {
    /// Reads a task, of this site if it is known. With `send_once`, failed requests are not
    /// retried, because the caller polls.
    ///
    /// # Errors
    /// `NotFound` if it does not exist; `Unavailable` if the response shows another task, or none.
    pub async fn task(&self, id: &str, site_id: Option<&str>, send_once: bool) -> Result<Task> {
        let path = Path::new(&self.endpoints.task).fill("task_id", id)?;
        let request = Request {
            send_once,
            ..Request::get(path)
        };
        let expected = ExpectedTask::Polled {
            task_id: id,
            site_id,
        };
        let decode =
            |response: Response| read_evidence(&response.body, expected, &self.task_states);
        let evidence = self.transport.call(&request, decode).await;
        let evidence = evidence.map_err(|error| error.name_record_if_not_found("task", id))?;
        Ok(self.task_from(evidence))
    }

    /// Asks the service to cancel a task. Returns the task, if the response shows it.
    ///
    /// # Errors
    /// `Conflict` if the service refuses; `UnknownOutcome` if the response was lost.
    pub async fn cancel_task(&self, consent: &Consent, id: &str) -> Result<Option<Record>> {
        let path = Path::new(&self.endpoints.task_cancel).fill("task_id", id)?;
        let request = Request::change(Method::POST, path, None, consent);
        let expected = ExpectedTask::Polled {
            task_id: id,
            site_id: None,
        };
        let decode = |Response { body, .. }: Response| {
            if body.trim_ascii().is_empty() {
                return Ok(None);
            }
            refuse_failure(&members(parse_json::<&RawValue>(&body)?.get()).unwrap_or_default())?;
            let evidence = read_evidence(&body, expected, &self.task_states);
            Ok(evidence.ok().map(|evidence| evidence.record))
        };
        self.transport.call(&request, decode).await
    }

    pub fn task_from(&self, evidence: TaskEvidence) -> Task {
        let TaskEvidence { record, id, state } = evidence;
        let failure = failure_of(&record);
        Task {
            id,
            state,
            status: task_status(&record),
            progress: record.value("progress").as_ref().and_then(percent),
            site_id: site_ids(&Value::Object(record.fields())).next(),
            failure: failure.map(|text| quoted_part(self.transport.masked(text.as_bytes()).trim())),
            record,
        }
    }
}

/// Returns why a task failed, in its own words.
fn failure_of(task: &Record) -> Option<String> {
    let error = task.value("error");
    let message_of_error = error.as_ref().and_then(|error| error.get("message"));
    let message_of_error = message_of_error.cloned();
    let values = [
        task.value("error_message"),
        error,
        message_of_error,
        task.value("message"),
    ];
    let mut texts = values.iter().flatten().filter_map(Value::as_str);
    texts.find(|text| !text.trim().is_empty()).map(String::from)
}

/// Reads a number from 0 to 100, or `{completed, total}`.
pub fn percent(progress: &Value) -> Option<f64> {
    let number = |name: &str| progress.get(name).and_then(Value::as_f64);
    let percent = match (number("completed"), number("total")) {
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
    fn progress_is_read_in_every_form() {
        let cases = [
            (json!(40), Some(40.0)),
            (json!({"completed": 1, "total": 4}), Some(25.0)),
            (json!(250), Some(100.0)),
            (json!(-1), Some(0.0)),
            (json!({"completed": 1, "total": 0}), None),
            (json!({"completed": null, "total": 4}), None),
        ];
        for (progress, expected) in cases {
            assert_eq!(percent(&progress), expected, "{progress}");
        }
    }
}
