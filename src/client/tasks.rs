//! Tasks. The spec shows neither their paths nor their fields ("States and transitions"), so that
//! they are read in every usual form.

use super::envelope::{parse_json, refuse_failure};
use super::evidence::{
    ExpectedTask, SiteNames, TaskEvidence, TaskState, is_word_in, parts_of_task, read_evidence,
    site_ids, task_status,
};
use super::failure::quoted_part;
use super::{Api, Consent, Path, Request, Response};
use crate::error::Result;
use crate::resources::{Record, ServiceTime, members};
use jiff::Timestamp;
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
    /// Why the task failed, or what contradicts its success, as the service says, without the token.
    pub failure: Option<String>,
    /// The steps that have succeeded.
    pub ended_steps: Vec<String>,
}

impl Task {
    /// Whether the task is complete or its end time has passed, although its state is neither one
    /// of an end nor a usual one of work in progress.
    pub fn looks_ended(&self) -> bool {
        let status = self.status.as_deref().unwrap_or_default();
        let has_passed = |time: ServiceTime| time.instant <= Timestamp::now();
        let is_complete =
            self.progress == Some(100.0) || self.finished_at().is_some_and(has_passed);
        is_complete
            && !IN_PROGRESS
                .iter()
                .any(|word| word.eq_ignore_ascii_case(status.trim()))
    }

    /// Returns when the task ended, if the service says so. Services name this time differently, and
    /// some send the first second of their calendar for none.
    pub fn finished_at(&self) -> Option<ServiceTime> {
        let fields = ["finished_at", "completed_at", "ended_at"];
        let mut texts = fields.iter().filter_map(|field| self.record.text(field));
        let time = texts.find_map(|text| ServiceTime::parse(&text))?;
        (time.instant > Timestamp::UNIX_EPOCH).then_some(time)
    }
}

/// The usual states of work in progress.
const IN_PROGRESS: [&str; 10] = [
    "queued",
    "pending",
    "scheduled",
    "waiting",
    "started",
    "running",
    "processing",
    "restoring",
    "in_progress",
    "in progress",
];

impl Api {
    /// Reads a task, of this site if it is known.
    ///
    /// # Errors
    /// `NotFound` if it does not exist; `Unavailable` if the response shows another task, or none.
    pub async fn task(&self, id: &str, site: Option<&SiteNames>) -> Result<Task> {
        let path = Path::new(&self.endpoints.task).fill("task_id", id)?;
        self.read_task(Request::get(path), id, site).await
    }

    /// Reads a task as [`Self::task`] does, but without retries, because the caller repeats it.
    pub async fn poll_task(&self, id: &str, site: Option<&SiteNames>) -> Result<Task> {
        let path = Path::new(&self.endpoints.task).fill("task_id", id)?;
        let request = Request {
            send_once: true,
            ..Request::get(path)
        };
        self.read_task(request, id, site).await
    }

    async fn read_task(
        &self,
        request: Request,
        id: &str,
        site: Option<&SiteNames>,
    ) -> Result<Task> {
        let expected = ExpectedTask::Polled { task_id: id, site };
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
    pub async fn cancel_task(&self, consent: &Consent, id: &str) -> Result<Option<Task>> {
        let path = Path::new(&self.endpoints.task_cancel).fill("task_id", id)?;
        let request = Request::change(Method::POST, path, None, consent);
        let expected = ExpectedTask::Polled {
            task_id: id,
            site: None,
        };
        let decode = |Response { body, .. }: Response| {
            if body.trim_ascii().is_empty() {
                return Ok(None);
            }
            refuse_failure(&members(parse_json::<&RawValue>(&body)?.get()).unwrap_or_default())?;
            let evidence = read_evidence(&body, expected, &self.task_states);
            Ok(evidence.ok().map(|evidence| self.task_from(evidence)))
        };
        self.transport.call(&request, decode).await
    }

    pub fn task_from(&self, evidence: TaskEvidence) -> Task {
        let TaskEvidence {
            record,
            id,
            state,
            contradiction,
        } = evidence;
        let task = Value::Object(record.fields());
        let parts = parts_of_task(&task);
        let with_status = |words: &[String]| {
            let has_status = |part: &&&Value| {
                let names = ["status", "state"];
                let status = names.iter().find_map(|name| part.get(name)?.as_str());
                status.is_some_and(|status| is_word_in(status, words))
            };
            let parts = parts[1..].iter().filter(has_status).copied();
            parts.collect::<Vec<_>>()
        };
        let failed = with_status(&self.task_states.failed);
        let failure = contradiction.or_else(|| failure_of(&task));
        let failure = failure.or_else(|| failed.into_iter().find_map(failure_of));
        let failure = failure.filter(|_| state != TaskState::Running);
        let ended_steps = with_status(&self.task_states.succeeded).into_iter();
        let site_id = site_ids(&task).next();
        Task {
            id,
            state,
            status: task_status(&record),
            progress: record.value("progress").as_ref().and_then(percent),
            failure: failure.map(|text| quoted_part(self.transport.masked(text.as_bytes()).trim())),
            ended_steps: ended_steps
                .filter_map(|step| step.get("name")?.as_str().map(String::from))
                .collect(),
            site_id,
            record,
        }
    }
}

/// Returns why a task or a step of it failed, in its own words.
fn failure_of(part: &Value) -> Option<String> {
    let error = part.get("error");
    let values = [
        part.get("error_message"),
        error,
        error.and_then(|error| error.get("message")),
        part.get("message"),
    ];
    let mut texts = values.into_iter().flatten().filter_map(Value::as_str);
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
