//! Starting a restore (spec, "Site restore"): it overwrites live content, so it is sent once.

use super::envelope::{self, Wrapping};
use super::tasks::{self, NO_TASK};
use super::{Api, Path, Request, Task};
use crate::client::request::Consent;
use crate::config::TaskStates;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use serde_json::value::RawValue;

impl Api {
    /// Returns the path that starts the restore of a snapshot.
    ///
    /// # Errors
    /// `Usage` for an id that no path can hold, `Unavailable` for one that holds the token, because the journal would keep it.
    pub fn restore_path(&self, site_id: &str, snapshot_id: &str) -> Result<Path> {
        if [site_id, snapshot_id].iter().any(|id| self.transport.tells_token(id)) {
            return Err(Error::new(
                Kind::Unavailable,
                "an id of the site or the snapshot holds the token; nothing was sent",
            ));
        }
        Ok(Path::new("/sites").id(site_id)?.then("backups").id(snapshot_id)?.then("restore"))
    }

    /// Starts the restore at this path and returns the task that does it.
    ///
    /// # Errors
    /// `NotFound`, `Conflict`, `Invalid` if the service refuses; `UnknownOutcome` if the response was lost.
    pub async fn start_restore(&self, consent: &Consent, path: &Path, scope: &RawValue) -> Result<Task> {
        let body = format!(r#"{{"restore":{{"scope":{}}}}}"#, scope.get());
        let request = Request::post(path, body, consent);
        let answer = self.transport.call(&request, async |body| accepted(&body, &self.task_states)).await;
        answer.map(|record| self.read_task(record))
    }
}

/// Returns the task that a response shows. An empty response is an acceptance too; any other that shows no task, or
/// reports a failure outside the task, is not: what became of the restore is unknown then.
fn accepted(body: &[u8], words: &TaskStates) -> Result<Record, String> {
    if body.trim_ascii().is_empty() {
        return Ok(Record::new(RawValue::NULL.to_owned()));
    }
    let task = envelope::object(body, "task", Wrapping::Either)?;
    let response = Record::new(envelope::parse::<&RawValue>(body)?.to_owned());
    if response.members().is_empty() {
        return Ok(response);
    }
    let is_bare = task.json() == response.json();
    let is_error_body = is_bare && ["code", "message"].iter().all(|name| response.text(name).is_some());
    if is_error_body || tasks::holds_error(&response) || tasks::has_failed(&response, words) {
        return Err("it reports a failure".into());
    }
    let is_unnamed_task =
        !is_bare && tasks::status(&task).is_some() && !tasks::holds_error(&task) && !tasks::has_failed(&task, words);
    if is_unnamed_task || tasks::task_id(&task).is_some() { Ok(task) } else { Err(NO_TASK.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_an_acceptance_if_it_is_empty_or_shows_a_task() {
        let read = |body: &str| accepted(body.as_bytes(), &TaskStates::default());
        for (body, id) in [
            ("", None),
            (" {} ", None),
            (r#"{"task":{"status":"queued"}}"#, None),
            (r#"{"task":{"id":"t1"}}"#, Some("t1")),
            (r#"{"task":{"id":"t1","status":"failed","error":"disk full"},"errors":[],"error":null}"#, Some("t1")),
            (r#"{"task":{"id":"t1"},"success":true,"code":0,"message":"ok"}"#, Some("t1")),
            (r#"{"task":"t1"}"#, Some("t1")),
            (r#"{"task_id":7,"state":"running"}"#, Some("7")),
            (r#"{"id":"t1","status":"queued","message":"soon"}"#, Some("t1")),
        ] {
            assert_eq!(read(body).map(|task| tasks::task_id(&task)), Ok(id.map(Into::into)), "{body}");
        }
        for body in [
            "null",
            "[]",
            "true",
            "{",
            r#"{"status":"error","message":"no"}"#,
            r#"{"id":"req-1","status":"error","message":"no"}"#,
            r#"{"id":"req-1","status":"failed"}"#,
            r#"{"success":false}"#,
            r#"{"success":false,"task":{"id":"t1"}}"#,
            r#"{"errors":[{"code":"no"}]}"#,
            r#"{"id":"req-1","errors":{"base":["no"]}}"#,
            r#"{"error":"no","id":"req-1"}"#,
            r#"{"error":{"message":"no"}}"#,
            r#"{"error":true}"#,
            r#"{"code":"busy","message":"no"}"#,
            r#"{"id":"req-1","code":409,"message":"no"}"#,
            r#"{"task":null}"#,
            r#"{"task":{}}"#,
            r#"{"task":{"status":"error","message":"no"}}"#,
            r#"{"task":{"id":"t1"},"status":"error"}"#,
            r#"{"status":"queued"}"#,
            r#"{"message":"scheduled"}"#,
            r#"{"data":{"id":"t1"}}"#,
        ] {
            assert!(read(body).is_err(), "{body}");
        }
    }
}
