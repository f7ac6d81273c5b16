//! Starts restores (spec, "Site restore"), whose requests are never retried after a lost response.

use super::envelope::{self, FAILURE, Wrapping};
use super::tasks::{self, NO_TASK};
use super::{Api, Path, Request, Task};
use crate::client::request::Consent;
use crate::config::TaskStates;
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, unquoted};
use serde_json::value::RawValue;

impl Api {
    /// Returns the path that starts the restore of a snapshot.
    ///
    /// # Errors
    /// `Usage` for an id that no path can hold, `Unavailable` for one that holds the token, because the journal would keep it.
    pub fn restore_path(&self, site_id: &str, snapshot_id: &str) -> Result<Path> {
        if [site_id, snapshot_id]
            .iter()
            .any(|id| self.contains_token(id))
        {
            return Err(Error::new(
                Kind::Unavailable,
                "the id of the site or the snapshot contains the API token; no request was sent",
            ));
        }
        let path = Path::new("/sites/{site_id}/backups/{snapshot_id}/restore");
        path.fill("site_id", site_id)?
            .fill("snapshot_id", snapshot_id)
    }

    /// Starts the restore at this path and returns the task that does it.
    ///
    /// # Errors
    /// `NotFound`, `Conflict`, `Invalid` if the service refuses; `UnknownOutcome` if the response was lost.
    pub async fn start_restore(
        &self,
        consent: &Consent,
        path: &Path,
        scope: &RawValue,
    ) -> Result<Task> {
        let body = format!(r#"{{"restore":{{"scope":{}}}}}"#, scope.get());
        let request = Request::post(path, body, consent);
        let response = self
            .transport
            .call(&request, async |response| {
                accepted(&response.body, &self.task_states)
            })
            .await;
        response.map(|record| self.read_task(record))
    }
}

/// Statuses of a response that refuses, besides those of a failed task and HTTP statuses from 400.
const REFUSALS: [&str; 8] = [
    "error", "rejected", "denied", "refused", "fail", "failed", "failure", "conflict",
];

/// Returns the task that a response shows. An empty response is an acceptance too. After any other response
/// that shows no task or reports a failure, the outcome of the restore is unknown. A task that has failed was accepted.
pub(super) fn accepted(body: &[u8], words: &TaskStates) -> Result<Record, String> {
    if body.trim_ascii().is_empty() {
        return Ok(Record::new(RawValue::NULL.to_owned()));
    }
    let task = envelope::object(body, "task", Wrapping::Either)?;
    let response = Record::new(envelope::parse::<&RawValue>(body)?.to_owned());
    if [&response, &task]
        .iter()
        .any(|object| envelope::reports_failure(&object.members()))
    {
        return Err(FAILURE.into());
    }
    if let Some(named) = [&task, &response]
        .into_iter()
        .find(|object| tasks::id(object, "task_id").is_some())
    {
        return Ok(named.clone());
    }
    let (has_id, has_status) = (
        tasks::id(&task, "id").is_some(),
        tasks::status(&task).is_some(),
    );
    if refuses(&response, words) || (!has_id && refuses(&task, words)) {
        return Err(FAILURE.into());
    }
    let is_wrapped = task.json() != response.json();
    // Without a status, an id next to a code or a message is that of the request.
    let is_message = || {
        ["code", "message"]
            .iter()
            .any(|name| task.value(name).is_some_and(|value| !value.is_null()))
    };
    let shows_task = if has_id {
        has_status || !is_message()
    } else {
        is_wrapped && has_status
    };
    if shows_task {
        Ok(task)
    } else {
        Err(NO_TASK.into())
    }
}

/// Whether the status of an object is one of refusal.
fn refuses(object: &Record, words: &TaskStates) -> bool {
    let is_refusal = |status: &str| {
        let mut refusals = REFUSALS
            .into_iter()
            .chain(words.failed.iter().map(String::as_str));
        status.parse::<u32>().is_ok_and(|status| status >= 400)
            || refusals.any(|word| word.eq_ignore_ascii_case(status))
    };
    let is_status = |name: &str| {
        ["status", "state"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    object
        .members()
        .iter()
        .any(|(name, raw)| is_status(name) && is_refusal(unquoted(raw.get()).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_an_acceptance_if_it_is_empty_or_shows_a_task() {
        let read = |body: &str| accepted(body.as_bytes(), &TaskStates::default());
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
                read(body).map(|task| tasks::task_id(&task)),
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
