//! Starts restores (spec, "Site restore"), whose requests are never retried after a lost response.

use super::envelope::{self, Envelope, REPORTS_FAILURE, UnexpectedResponse};
use super::tasks::{NO_TASK, contains_status, nonempty_id, task_status};
use super::{Api, Path, Request, Response, Task};
use crate::client::request::Consent;
use crate::config::TaskStates;
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, unquote};
use serde_json::value::RawValue;

impl Api {
    /// Returns the path that starts the restore of a snapshot.
    ///
    /// # Errors
    /// `Usage` if no path can contain an id; `Unavailable` if an id contains the token, because the
    /// journal would store it.
    pub fn restore_path(&self, site_id: &str, snapshot_id: &str) -> Result<Path> {
        if self.contains_token(site_id) || self.contains_token(snapshot_id) {
            return Err(Error::new(
                Kind::Unavailable,
                "the id of the site or the snapshot contains the API token; no request was sent",
            ));
        }
        Path::new("/sites/{site_id}/backups/{snapshot_id}/restore")
            .fill("site_id", site_id)?
            .fill("snapshot_id", snapshot_id)
    }

    /// Starts the restore at this path and returns the task that performs it.
    ///
    /// # Errors
    /// `NotFound`, `Conflict`, `Invalid` if the service rejects the restore; `UnknownOutcome` if
    /// the response was lost.
    pub async fn start_restore(
        &self,
        consent: &Consent,
        path: &Path,
        scope: &RawValue,
    ) -> Result<Task> {
        let body = format!(r#"{{"restore":{{"scope":{}}}}}"#, scope.get());
        let request = Request::post(path.clone(), body, consent);
        let decode = async |response: Response| accepted_task(&response.body, &self.task_states);
        let record = self.transport.call(&request, decode).await?;
        Ok(self.read_task(record))
    }
}

/// Status words that mean the restore was rejected, in addition to failed task states and numbers
/// from 400.
const REJECTED: [&str; 8] = [
    "error", "rejected", "denied", "refused", "fail", "failed", "failure", "conflict",
];

/// Returns the task that a response shows. An empty response is an acceptance too. After any other
/// response that shows no task or reports a failure, the outcome of the restore is unknown. A task
/// that has failed was accepted.
pub fn accepted_task(body: &[u8], states: &TaskStates) -> Result<Record, UnexpectedResponse> {
    if body.trim_ascii().is_empty() {
        return Ok(Record::new(RawValue::NULL.to_owned()));
    }
    let task = envelope::single_object(body, "task", Envelope::Optional)?;
    let response = Record::new(envelope::parse_json::<&RawValue>(body)?.to_owned());
    for object in [&response, &task] {
        envelope::refuse_failure(&object.members())?;
    }
    for object in [&task, &response] {
        if nonempty_id(object, "task_id").is_some() {
            return Ok(object.clone());
        }
    }
    let has_id = nonempty_id(&task, "id").is_some();
    let has_status = task_status(&task).is_some();
    if has_rejected_status(&response, states) || (!has_id && has_rejected_status(&task, states)) {
        return Err(REPORTS_FAILURE.into());
    }
    // Without a status, an id next to a code or a message is that of the request.
    let has_result = has_value(&task, "code") || has_value(&task, "message");
    let shows_task = if has_id {
        has_status || !has_result
    } else {
        has_status && task.json() != response.json()
    };
    if shows_task {
        Ok(task)
    } else {
        Err(NO_TASK.into())
    }
}

fn has_value(object: &Record, name: &str) -> bool {
    object.value(name).is_some_and(|value| !value.is_null())
}

fn has_rejected_status(object: &Record, states: &TaskStates) -> bool {
    for (name, raw) in object.members() {
        if !matches!(&*name.to_ascii_lowercase(), "status" | "state") {
            continue;
        }
        let status = unquote(raw.get());
        if is_rejected(status.trim(), states) {
            return true;
        }
    }
    false
}

fn is_rejected(status: &str, states: &TaskStates) -> bool {
    if let Ok(number) = status.parse::<u32>()
        && number >= 400
    {
        return true;
    }
    contains_status(&REJECTED, status) || contains_status(&states.failed, status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::tasks::task_id;

    #[test]
    fn a_response_is_an_acceptance_if_it_is_empty_or_shows_a_task() {
        let read = |body: &str| accepted_task(body.as_bytes(), &TaskStates::default());
        for (body, id) in [
            ("", None),
            (r#"{"task":{"status":"queued"}}"#, None),
            (r#"{"task":{"id":"t1"}}"#, Some("t1")),
            (
                r#"{"task":{"id":"t1","status":"failed"},"errors":[],"error":null}"#,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1"},"success":true,"code":0,"message":"ok"}"#,
                Some("t1"),
            ),
            (r#"{"task_id":7,"state":"running"}"#, Some("7")),
            (r#"{"id":"t1","message":null}"#, Some("t1")),
            (
                r#"{"code":0,"message":"ok","task_id":"t1","status":"queued"}"#,
                Some("t1"),
            ),
            (r#"{"task_id":"t1","task":{"status":"queued"}}"#, Some("t1")),
            (
                r#"{"task":{"task_id":"t1","code":0,"message":"ok"}}"#,
                Some("t1"),
            ),
        ] {
            assert_eq!(
                read(body).map(|task| task_id(&task)),
                Ok(id.map(Into::into)),
                "{body}"
            );
        }
        for body in [
            "null",
            "{}",
            r#"{"status":"error","message":"no"}"#,
            r#"{"id":"req-1","status":"failed"}"#,
            r#"{"success":false,"task":{"id":"t1"}}"#,
            r#"{"code":"busy","message":"no"}"#,
            r#"{"id":"req-1","code":409,"message":"no"}"#,
            r#"{"task":{"status":"error","message":"no"}}"#,
            r#"{"task":{"id":"t1"},"status":"error"}"#,
            r#"{"status":"queued"}"#,
            r#"{"data":{"id":"t1"}}"#,
            r#"{"error":409,"message":"busy","id":"req-1"}"#,
            r#"{"accepted":false,"task":{"id":"t1"}}"#,
            r#"{"fault":{"code":7},"id":"r"}"#,
            r#"{"Success":"False","id":"r"}"#,
            r#"{"Status":"FAILED","id":"r"}"#,
            r#"{"status":409,"message":"conflict","id":"r"}"#,
            r#"{"status":"ok","state":" Refused ","id":"r"}"#,
            r#"{"task":{"code":"busy","message":"no","id":"r"}}"#,
            r#"{"task":{"id":"t1","status":"failed","error":"disk full"}}"#,
            r#"{"task_id":"t1","error":"no"}"#,
        ] {
            assert!(read(body).is_err(), "{body}");
        }
    }
}
