//! Reads tasks. The spec shows neither their path nor their fields ("States and transitions"), so
//! that they are read in every usual form, and an unknown state means that the task is still
//! running.

use super::envelope::UnexpectedResponse;
use super::evidence::{
    ExpectedTask, TaskEvidence, TaskState, read_evidence, site_of_task, task_status,
};
use super::transport::content_problem;
use super::{Api, Path, Request, Response};
use crate::error::Result;
use crate::resources::Record;
use serde_json::Value;

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
        let evidence = self
            .transport
            .call(&request, self.task_decoder(expected))
            .await
            .map_err(|error| error.name_record_if_not_found("task", id))?;
        Ok(self.task_from(evidence))
    }

    /// Returns the function that reads from a response what it says about the expected task.
    pub fn task_decoder<'a>(
        &'a self,
        expected: ExpectedTask<'a>,
    ) -> impl AsyncFn(Response) -> Result<TaskEvidence, UnexpectedResponse> + 'a {
        async move |response: Response| {
            let evidence = read_evidence(&response.body, expected, &self.task_states)?;
            match content_problem(&response) {
                Some(problem) => evidence.without_confirmation(problem),
                None => Ok(evidence),
            }
        }
    }

    pub fn task_from(&self, evidence: TaskEvidence) -> Task {
        let record = evidence.record;
        // Because ids are written to the journal.
        let without_token = |id: &String| !self.contains_token(id);
        Task {
            id: evidence.id.filter(without_token),
            state: evidence.state,
            status: task_status(&record),
            progress: record.value("progress").as_ref().and_then(percent),
            site_id: site_of_task(&record).filter(without_token),
            record,
        }
    }
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
