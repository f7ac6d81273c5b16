//! Decides what a response says about a task. The spec shows neither tasks nor their states, so a
//! response counts only as far as it is about the expected task and does not contradict itself.

use super::envelope::{NO_TASK, REPORTS_FAILURE, UnexpectedResponse, parse_json, reports_failure};
use crate::config::TaskStates;
use crate::resources::{Member, Record, member_value, unquote};
use serde_json::Value;
use serde_json::value::RawValue;

/// The task that a response should show.
#[derive(Debug, Clone, Copy)]
pub enum ExpectedTask<'e> {
    /// The task of a restore of this site that was just requested.
    Started { site_id: &'e str },
    /// The task with this id, which restores this site if it is known.
    Polled {
        task_id: &'e str,
        site_id: Option<&'e str>,
    },
}

/// What a response says about the expected task.
#[derive(Debug)]
pub struct TaskEvidence {
    /// The object of the response that shows the task; null after an empty response.
    pub record: Record,
    pub id: Option<String>,
    pub state: TaskState,
}

impl TaskEvidence {
    /// Returns what remains of the evidence if the response has a problem: the id of the task, so
    /// that the task can be watched.
    ///
    /// # Errors
    /// The problem, if the response shows no id.
    pub fn without_confirmation(
        self,
        problem: UnexpectedResponse,
    ) -> Result<Self, UnexpectedResponse> {
        match self.id {
            Some(_) => Ok(Self {
                state: TaskState::Contradictory,
                ..self
            }),
            None => Err(problem),
        }
    }
}

/// The state of a task, as far as a response shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// The task is running, or its state is unknown.
    Running,
    Succeeded,
    Failed,
    /// The response contradicts itself, such as a status of success beside an error, or is
    /// incomplete.
    Contradictory,
}

/// Status words that mean the restore was rejected, in addition to failed task states and numbers
/// from 400.
const REJECTED: [&str; 8] = [
    "error", "rejected", "denied", "refused", "fail", "failed", "failure", "conflict",
];

/// The fields of a task, or of a part of it, that can show a failure beside the status.
const RESULT_FIELDS: [&str; 3] = ["result", "conclusion", "outcome"];

/// Reads what the response to the start or the poll of a task says about it.
///
/// # Errors
/// If the response does not show the expected task. A start without a task is not an acceptance,
/// unless the response is empty.
pub fn read_evidence(
    body: &[u8],
    expected: ExpectedTask<'_>,
    states: &TaskStates,
) -> Result<TaskEvidence, UnexpectedResponse> {
    let is_start = matches!(expected, ExpectedTask::Started { .. });
    if is_start && body.trim_ascii().is_empty() {
        return Ok(accepted_without_id(Record::new(RawValue::NULL.to_owned())));
    }
    let response = Record::new(parse_json::<&RawValue>(body)?.to_owned());
    if !response.json().starts_with('{') {
        return Err("the response is not a JSON object".into());
    }
    let objects = task_objects(&response);
    let found = match expected {
        ExpectedTask::Polled { task_id, .. } => Some(find_polled_task(&objects, task_id)?),
        ExpectedTask::Started { .. } => find_started_task(&objects, &response, states),
    };
    let Some((record, id)) = found else {
        return evidence_without_id(&objects, &response, states);
    };
    let has_failed = if is_start {
        has_rejected_status(&record, states)
    } else {
        is_status_in(&record, &states.failed)
    };
    let is_contradicted = has_signs_of_failure(&record, &objects, expected, states);
    let state = if has_failed {
        TaskState::Failed
    } else if is_status_in(&record, &states.succeeded) && !is_contradicted {
        TaskState::Succeeded
    } else if is_contradicted && (is_start || is_status_in(&record, &states.succeeded)) {
        TaskState::Contradictory
    } else {
        TaskState::Running
    };
    Ok(TaskEvidence {
        record,
        id: Some(id),
        state,
    })
}

fn accepted_without_id(record: Record) -> TaskEvidence {
    TaskEvidence {
        record,
        id: None,
        state: TaskState::Running,
    }
}

/// Returns the objects that can be the task: under its name or under `data`, and at last the
/// response itself.
fn task_objects(response: &Record) -> Vec<Record> {
    let data = nested_object(response, "data");
    let mut objects = Vec::from_iter(nested_object(response, "task"));
    if let Some(data) = data {
        objects.extend(nested_object(&data, "task"));
        objects.push(data);
    }
    objects.push(response.clone());
    objects
}

fn nested_object(object: &Record, name: &str) -> Option<Record> {
    let members = object.members();
    let nested = member_value(&members, name)?;
    let is_object = nested.get().starts_with('{');
    is_object.then(|| Record::new(nested.to_owned()))
}

fn find_polled_task(
    objects: &[Record],
    task_id: &str,
) -> Result<(Record, String), UnexpectedResponse> {
    let mut shows_other_task = false;
    for object in objects {
        for name in ["task_id", "id", "task"] {
            match nonempty_id(object, name) {
                Some(id) if id == task_id => return Ok((object.clone(), id)),
                Some(_) => shows_other_task = true,
                None => {}
            }
        }
    }
    if shows_other_task {
        Err(format!("the response does not show task '{task_id}'"))
    } else {
        Err(NO_TASK.into())
    }
}

/// Returns the object with the id of the task. An id that is called `task_id` counts anywhere,
/// because nothing else leads to the restore.
fn find_started_task(
    objects: &[Record],
    response: &Record,
    states: &TaskStates,
) -> Option<(Record, String)> {
    for object in objects {
        if let Some(id) = nonempty_id(object, "task_id") {
            return Some((object.clone(), id));
        }
        let id = nonempty_id(object, "id");
        if let Some(id) = id.filter(|_| !is_about_request(object, response, states)) {
            return Some((object.clone(), id));
        }
    }
    if let Some(id) = nonempty_id(response, "task") {
        return Some((response.clone(), id));
    }
    for (name, _) in response.members() {
        let nested = nested_object(response, &name);
        if let Some(nested) = nested
            && let Some(id) = nonempty_id(&nested, "task_id")
        {
            return Some((nested, id));
        }
    }
    None
}

/// Whether an object with an id describes the request, not a task: it has a code or a message, and
/// no status. The response itself may also have a status of rejection, or report a failure.
fn is_about_request(object: &Record, response: &Record, states: &TaskStates) -> bool {
    let has_value = |name| object.value(name).is_some_and(|value| !value.is_null());
    let has_message = has_value("code") || has_value("message");
    let has_status = task_status(object).is_some();
    if object.json() != response.json() {
        return has_message && !has_status;
    }
    let has_failed = has_rejected_status(response, states) || reports_failure(&response.members());
    (has_message && (has_failed || !has_status)) || (has_failed && !has_status)
}

/// Judges the response to a start that shows no task id.
fn evidence_without_id(
    objects: &[Record],
    response: &Record,
    states: &TaskStates,
) -> Result<TaskEvidence, UnexpectedResponse> {
    for object in objects {
        if reports_failure(&object.members()) || has_rejected_status(object, states) {
            return Err(REPORTS_FAILURE.into());
        }
    }
    let shows_task =
        |object: &&Record| object.json() != response.json() && task_status(object).is_some();
    match objects.iter().find(shows_task) {
        Some(task) => Ok(accepted_without_id(task.clone())),
        None => Err(NO_TASK.into()),
    }
}

/// Whether anything but the task's own status speaks against its success. `objects` are all objects
/// of the response that could be the task.
fn has_signs_of_failure(
    task: &Record,
    objects: &[Record],
    expected: ExpectedTask<'_>,
    states: &TaskStates,
) -> bool {
    let expected_site = match expected {
        ExpectedTask::Started { site_id } => Some(site_id),
        ExpectedTask::Polled { site_id, .. } => site_id,
    };
    let site = site_of_task(task);
    let is_other_site =
        site.is_some() && expected_site.is_some() && site.as_deref() != expected_site;
    // The result of the task itself can be a number like a status of HTTP.
    let has_failure_code = RESULT_FIELDS
        .iter()
        .filter_map(|name| nonempty_field(task, name))
        .any(|result| is_rejected(&result, states));
    let mut others = objects.iter().filter(|object| object.json() != task.json());
    is_other_site
        || others.any(|object| has_rejected_status(object, states))
        || objects
            .iter()
            .any(|object| reports_failure(&object.members()))
        || has_failure_code
        || has_failed_result(task, states)
        || has_failed_step(task, states)
}

/// Returns the id of the site that a task restores, if it shows one.
pub fn site_of_task(task: &Record) -> Option<String> {
    nonempty_id(task, "site_id").or_else(|| nonempty_id(&nested_object(task, "site")?, "id"))
}

fn has_failed_result(task: &Record, states: &TaskStates) -> bool {
    RESULT_FIELDS
        .iter()
        .filter_map(|name| task.value(name))
        .any(|result| is_failure(&result, states))
}

/// Whether a step has failed. The steps can be a list, or an object with the names of the steps.
fn has_failed_step(task: &Record, states: &TaskStates) -> bool {
    match task.value("steps") {
        Some(Value::Array(steps)) => steps.iter().any(|step| is_failure(step, states)),
        Some(Value::Object(steps)) => steps.values().any(|step| is_failure(step, states)),
        _ => false,
    }
}

/// Whether a part of a task, such as a step or its result, shows a failure. A number does not,
/// because it can be a count.
fn is_failure(part: &Value, states: &TaskStates) -> bool {
    match part {
        Value::String(text) => is_rejected(text, states),
        Value::Object(_) => {
            let part = Record::from_json(part.to_string());
            has_rejected_status(&part, states)
                || has_failed_result(&part, states)
                || reports_failure(&part.members())
        }
        _ => false,
    }
}

/// Whether any status of an object, in any letter case, is one of rejection or failure.
fn has_rejected_status(object: &Record, states: &TaskStates) -> bool {
    let is_status = |(name, _): &&Member<'_>| {
        name.eq_ignore_ascii_case("status") || name.eq_ignore_ascii_case("state")
    };
    object
        .members()
        .iter()
        .filter(is_status)
        .any(|(_, raw)| is_rejected(&unquote(raw.get()), states))
}

fn is_rejected(status: &str, states: &TaskStates) -> bool {
    let status = status.trim();
    let is_word = |word: &str| word.eq_ignore_ascii_case(status);
    status.parse::<u32>().is_ok_and(|number| number >= 400)
        || REJECTED.into_iter().any(is_word)
        || states.failed.iter().any(|state| is_word(state))
}

fn is_status_in(task: &Record, states: &[String]) -> bool {
    let status = task_status(task).unwrap_or_default();
    let status = status.trim();
    states
        .iter()
        .any(|state| state.eq_ignore_ascii_case(status))
}

pub fn task_status(task: &Record) -> Option<String> {
    nonempty_field(task, "status").or_else(|| nonempty_field(task, "state"))
}

/// Returns an id, which is a string or a number.
pub fn nonempty_id(record: &Record, name: &str) -> Option<String> {
    match record.value(name)? {
        Value::String(_) | Value::Number(_) => nonempty_field(record, name),
        _ => None,
    }
}

fn nonempty_field(record: &Record, name: &str) -> Option<String> {
    record.text(name).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: ExpectedTask<'_> = ExpectedTask::Started { site_id: "s1" };
    const POLL: ExpectedTask<'_> = ExpectedTask::Polled {
        task_id: "t1",
        site_id: Some("s1"),
    };

    /// Returns the state and the id, or none if the response does not show the task.
    fn read(body: &str, expected: ExpectedTask<'_>) -> Option<(TaskState, Option<String>)> {
        let evidence = read_evidence(body.as_bytes(), expected, &TaskStates::default()).ok()?;
        Some((evidence.state, evidence.id))
    }

    #[test]
    fn the_response_to_a_start_is_an_acceptance_only_if_it_is_empty_or_shows_a_task() {
        use TaskState::{Contradictory, Failed, Running, Succeeded};
        for (body, state, id) in [
            ("", Running, None),
            (r#"{"task":{"status":"queued"}}"#, Running, None),
            (r#"{"task":{"id":"t1"}}"#, Running, Some("t1")),
            (r#"{"task":"t1"}"#, Running, Some("t1")),
            (r#"{"data":{"id":"t1"}}"#, Running, Some("t1")),
            (
                r#"{"status":"success","data":{"task":{"id":"t1"}}}"#,
                Running,
                Some("t1"),
            ),
            (
                r#"{"restore":{"task_id":"t1","status":"queued"}}"#,
                Running,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1"},"success":true,"code":0,"message":"ok"}"#,
                Running,
                Some("t1"),
            ),
            (r#"{"task_id":7,"state":"running"}"#, Running, Some("7")),
            (r#"{"id":"t1","message":null}"#, Running, Some("t1")),
            (
                r#"{"code":0,"message":"ok","task_id":"t1","status":"queued"}"#,
                Running,
                Some("t1"),
            ),
            (
                r#"{"task_id":"t1","task":{"status":"queued"}}"#,
                Running,
                Some("t1"),
            ),
            (
                r#"{"task":{"task_id":"t1","code":0,"message":"ok"}}"#,
                Running,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","status":"succeeded"}}"#,
                Succeeded,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","status":"rejected"}}"#,
                Failed,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","status":"failed","error":"disk full"}}"#,
                Failed,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","status":"failed"},"errors":[],"error":null}"#,
                Failed,
                Some("t1"),
            ),
            (r#"{"id":"t1","state":" Refused "}"#, Failed, Some("t1")),
            (
                r#"{"task":{"id":"t1","status":"conflict"}}"#,
                Failed,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","status":"aborted"}}"#,
                Failed,
                Some("t1"),
            ),
            (
                r#"{"success":false,"task":{"id":"t1","status":"queued"}}"#,
                Contradictory,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","success":false,"error":null}}"#,
                Contradictory,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1","site_id":"s2"}}"#,
                Contradictory,
                Some("t1"),
            ),
            (
                r#"{"task":{"id":"t1"},"status":"error"}"#,
                Contradictory,
                Some("t1"),
            ),
            (
                r#"{"accepted":false,"task":{"id":"t1"}}"#,
                Contradictory,
                Some("t1"),
            ),
            (
                r#"{"task_id":"t1","error":"no"}"#,
                Contradictory,
                Some("t1"),
            ),
        ] {
            assert_eq!(
                read(body, START),
                Some((state, id.map(String::from))),
                "{body}"
            );
        }
        for body in [
            "null",
            "{}",
            r#"{"status":"queued"}"#,
            r#"{"status":"error","message":"no"}"#,
            r#"{"code":"busy","message":"no"}"#,
            r#"{"task":{"status":"queued"},"error":"no"}"#,
            r#"{"id":"req-1","code":409,"message":"no"}"#,
            r#"{"id":"req-1","code":409}"#,
            r#"{"id":"req-1","status":409,"message":"no"}"#,
            r#"{"task":{"status":"error","message":"no"}}"#,
            r#"{"error":409,"message":"busy","id":"req-1"}"#,
            r#"{"id":"req-1","status":"error","message":"no"}"#,
            r#"{"fault":{"code":7},"id":"r"}"#,
            r#"{"Success":"False","id":"r"}"#,
            r#"{"task":{"code":"busy","message":"no","id":"r"}}"#,
        ] {
            assert_eq!(read(body, START), None, "{body}");
        }
    }

    #[test]
    fn a_poll_shows_success_only_without_signs_of_failure() {
        use TaskState::{Contradictory, Failed, Running, Succeeded};
        for (body, state) in [
            (r#"{"task":"t1","status":"running"}"#, Running),
            (r#"{"task":{"id":"t1","status":" finalizing "}}"#, Running),
            (r#"{"task":{"id":"t1"}}"#, Running),
            (r#"{"task":{"id":"t1","status":" Rejected "}}"#, Failed),
            (r#"{"task":{"id":"t1","status":"Done"}}"#, Succeeded),
            (
                r#"{"task_id":"t1","state":"completed","errors":[],"success":true}"#,
                Succeeded,
            ),
            (
                r#"{"task":{"id":"t1","site_id":"s1","status":"succeeded"}}"#,
                Succeeded,
            ),
            (
                r#"{"status":"success","data":{"id":"t1","status":"running"}}"#,
                Running,
            ),
            (
                r#"{"status":"success","data":{"task":{"id":"t1","status":"failed"}}}"#,
                Failed,
            ),
            (
                r#"{"task":{"id":"t1","status":"running","success":false}}"#,
                Running,
            ),
            (
                r#"{"task":{"id":"t1","status":"completed","success":false}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","error":{"message":"disk full"}}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"finished","errors":["no space"]}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"finished","result":"failed"}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","steps":[{"state":"failed"}]}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","steps":{"db":{"error":"boom"}}}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","result":{"success":false}}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","site":{"id":"s9"}}}"#,
                Contradictory,
            ),
            (
                r#"{"data":{"task":{"id":"t1","status":"done"},"success":false}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","steps":[{"state":"done","result":1500}]}}"#,
                Succeeded,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","steps":{"total":500},"result":{"files":900}}}"#,
                Succeeded,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","result":500}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"completed","conclusion":"failure"}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"done","steps":[{"status":"failed"}]}}"#,
                Contradictory,
            ),
            (
                r#"{"task":{"id":"t1","status":"succeeded","site_id":"s2"}}"#,
                Contradictory,
            ),
            (
                r#"{"status":"error","task":{"id":"t1","status":"succeeded"}}"#,
                Contradictory,
            ),
        ] {
            assert_eq!(read(body, POLL), Some((state, Some("t1".into()))), "{body}");
        }
        for body in [
            "",
            "{}",
            r#"{"status":"success"}"#,
            r#"{"task":{"status":"succeeded"}}"#,
            r#"{"task":{"id":"t77","status":"succeeded"}}"#,
            r#"{"tasks":[{"id":"t1","status":"running"}],"status":"success"}"#,
        ] {
            assert_eq!(read(body, POLL), None, "{body}");
        }
    }
}
