//! Decides what a response says about a task. The spec shows neither the fields of tasks nor their
//! states, so a word of success counts only if nothing in the response speaks against it.

use super::envelope::{UnexpectedResponse, has_content, parse_json};
use super::sites::SiteUrl;
use crate::config::TaskStates;
use crate::resources::{Record, member_value, members, scalar_text, unquote};
use serde_json::Value;
use serde_json::value::RawValue;

/// The depth below which a response is not searched, so that it cannot show a success.
const MAX_DEPTH: usize = 100;

/// A site, by all that a response can call it.
#[derive(Debug, Clone, Default)]
pub struct SiteNames {
    pub id: String,
    pub url: Option<String>,
    pub title: Option<String>,
}

impl SiteNames {
    /// Whether a text is the id, the address or the title of the site.
    fn includes(&self, text: &str) -> bool {
        let url = self.url.as_deref().and_then(SiteUrl::parse);
        text == self.id
            || Some(text) == self.title.as_deref()
            || url.is_some_and(|url| SiteUrl::parse(text) == Some(url))
    }
}

/// The task that a response should show.
#[derive(Debug, Clone, Copy)]
pub enum ExpectedTask<'e> {
    /// The task of a restore of this site that was just requested.
    Started { site: &'e SiteNames },
    /// The task with this id, which restores this site if it is known.
    Polled {
        task_id: &'e str,
        site: Option<&'e SiteNames>,
    },
}

/// A task as a response shows it.
#[derive(Debug)]
pub struct TaskEvidence {
    /// The object of the response that has the id of the task.
    pub record: Record,
    pub id: String,
    pub state: TaskState,
    /// The member that speaks against a state of success, such as `result: "failure"`.
    pub contradiction: Option<String>,
}

/// The state of a task, as far as a response shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// The state is in neither list of `task_states`.
    Running,
    Succeeded,
    Failed,
    /// The state is one of success, but something in the response speaks against it.
    Contradictory,
}

/// Reads what the response to the start or the poll of a task says about it.
///
/// # Errors
/// If the response does not show a task, or not the one that was polled.
pub fn read_evidence(
    body: &[u8],
    expected: ExpectedTask<'_>,
    states: &TaskStates,
) -> Result<TaskEvidence, UnexpectedResponse> {
    let response = Record::new(parse_json::<&RawValue>(body)?.to_owned());
    let data = nested_object(&response, "data");
    let task_of_data = data.as_ref().and_then(|data| nested_object(data, "task"));
    let task = nested_object(&response, "task");
    let objects = [task, task_of_data, data, Some(response.clone())];
    let objects: Vec<Record> = objects.into_iter().flatten().collect();
    let (expected_id, expected_site) = match expected {
        ExpectedTask::Started { site } => (None, Some(site)),
        ExpectedTask::Polled { task_id, site } => (Some(task_id), site),
    };
    let find_id = |object: &Record| {
        let ids = ["task_id", "id"].map(|name| nonempty_field(object, name));
        let mut ids = ids.into_iter().flatten();
        ids.find(|id| expected_id.is_none_or(|expected| id == expected))
    };
    let shown = objects
        .iter()
        .find_map(|object| Some((object, find_id(object)?)));
    let Some((task, id)) = shown else {
        return Err(match expected_id {
            Some(id) => format!("the response does not show task '{id}'"),
            None => "the response shows no task".into(),
        });
    };
    let status = task_status(task).unwrap_or_default();
    let mut contradiction = None;
    let state = if is_word_in(&status, &states.failed) {
        TaskState::Failed
    } else if !is_word_in(&status, &states.succeeded) {
        TaskState::Running
    } else {
        let mut objects = objects.iter();
        contradiction = objects
            .find_map(|object| other_status(object, states))
            .or_else(|| find_failure(response.json(), states, 0))
            .or_else(|| other_site(task, expected_site?));
        if contradiction.is_some() {
            TaskState::Contradictory
        } else {
            TaskState::Succeeded
        }
    };
    Ok(TaskEvidence {
        record: task.clone(),
        id,
        state,
        contradiction,
    })
}

fn nested_object(object: &Record, name: &str) -> Option<Record> {
    let members = object.members();
    let nested = member_value(&members, name)?;
    let is_object = nested.get().starts_with('{');
    is_object.then(|| Record::new(nested.to_owned()))
}

/// Returns a status of an object that is not one of success.
fn other_status(object: &Record, states: &TaskStates) -> Option<String> {
    ["status", "state"].iter().find_map(|name| {
        let status = object.value(name)?;
        let is_other = !is_word_in(status.as_str()?, &states.succeeded);
        is_other.then(|| format!("{name}: {status}"))
    })
}

/// Returns the part of a response that reports a failure. The objects of a site and a snapshot have
/// states of their own.
fn find_failure(json: &str, states: &TaskStates, depth: usize) -> Option<String> {
    if depth == MAX_DEPTH {
        return Some(format!("more than {MAX_DEPTH} levels"));
    }
    let in_part = |part: &RawValue| find_failure(part.get(), states, depth + 1);
    let Ok(members) = members(json) else {
        let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        return items.into_iter().find_map(in_part);
    };
    members.iter().find_map(|(name, value)| {
        let is_failure = match &**name {
            "site" | "snapshot" if value.get().starts_with('{') => return None,
            "status" | "state" | "result" | "outcome"
                if is_word_in(&unquote(value.get()), &states.failed) =>
            {
                true
            }
            "error" | "errors" | "error_message" => has_content(value),
            "success" => value.get() == "false",
            _ => return in_part(value),
        };
        is_failure.then(|| format!("{name}: {}", value.get()))
    })
}

/// Returns another site that the task, one of its steps or one of its sites names.
fn other_site(task: &Record, expected: &SiteNames) -> Option<String> {
    let task = Value::Object(task.fields());
    let mut site_ids = parts_of_task(&task).into_iter().flat_map(site_ids);
    let other = site_ids.find(|site| !expected.includes(site))?;
    Some(format!("site: {other}"))
}

/// Returns a task, its steps, its sites and their steps.
pub fn parts_of_task(task: &Value) -> Vec<&Value> {
    let mut parts = vec![task];
    let mut index = 0;
    while index < parts.len() {
        for name in ["steps", "sites"] {
            match parts[index].get(name) {
                Some(Value::Array(items)) => parts.extend(items),
                Some(Value::Object(items)) => parts.extend(items.values()),
                _ => {}
            }
        }
        index += 1;
    }
    parts
}

/// Returns the ids of the sites that a task or a part of it names.
pub fn site_ids(part: &Value) -> impl Iterator<Item = String> + use<> {
    let values = [
        part.get("site_id"),
        part.get("site"),
        part.pointer("/site/id"),
    ];
    let ids = values.map(|value| value.and_then(scalar_text));
    ids.into_iter().flatten().filter(|id| !id.trim().is_empty())
}

pub fn is_word_in(status: &str, words: &[String]) -> bool {
    let status = status.trim();
    words.iter().any(|word| word.eq_ignore_ascii_case(status))
}

pub fn task_status(task: &Record) -> Option<String> {
    nonempty_field(task, "status").or_else(|| nonempty_field(task, "state"))
}

fn nonempty_field(record: &Record, name: &str) -> Option<String> {
    record.text(name).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::TaskState::{Contradictory, Failed, Running, Succeeded};
    use super::*;

    const START: bool = true;
    const POLL: bool = false;

    /// Returns the id and the state, or none if the response does not show the task.
    fn read(body: &str, is_start: bool) -> Option<(String, TaskState)> {
        let site = &SiteNames {
            id: "s1".into(),
            url: Some("https://shop.example/".into()),
            title: Some("Shop".into()),
        };
        let expected = if is_start {
            ExpectedTask::Started { site }
        } else {
            ExpectedTask::Polled {
                task_id: "t1",
                site: Some(site),
            }
        };
        let evidence = read_evidence(body.as_bytes(), expected, &TaskStates::default()).ok()?;
        assert_eq!(
            evidence.contradiction.is_some(),
            evidence.state == Contradictory
        );
        Some((evidence.id, evidence.state))
    }

    #[test]
    fn a_task_is_an_object_with_an_id() {
        for body in [
            r#"{"task":{"id":"t1"}}"#,
            r#"{"task":{"id":"other","task_id":"t1"}}"#,
            r#"{"data":{"task":{"id":"t1"}},"id":"other"}"#,
            r#"{"data":{"task_id":"t1"}}"#,
            r#"{"task":null,"id":"t1","message":null}"#,
        ] {
            for expected in [START, POLL] {
                let shown = Some(("t1".into(), Running));
                assert_eq!(read(body, expected), shown, "{body}");
            }
        }
        let number = read(r#"{"task_id":7}"#, START);
        assert_eq!(number, Some(("7".into(), Running)));
        for body in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"status":"queued"}"#,
            r#"{"task":{"id":" ","status":"queued"}}"#,
            r#"{"tasks":[{"id":"t1"}]}"#,
        ] {
            assert_eq!(read(body, START), None, "{body}");
            assert_eq!(read(body, POLL), None, "{body}");
        }
        assert_eq!(read(r#"{"task":{"id":"t7"}}"#, POLL), None);
    }

    #[test]
    fn the_word_of_the_task_is_its_state() {
        for (fields, state) in [
            (r#""status":"running""#, Running),
            (
                r#""status":"partially_failed","error":"disk full""#,
                Running,
            ),
            (r#""status":" Failed ""#, Failed),
            (r#""status":null,"state":"cancelled""#, Failed),
            (r#""status":" Done ""#, Succeeded),
            (r#""state":"completed","success":true"#, Succeeded),
        ] {
            let body = format!(r#"{{"data":{{"id":"t1",{fields}}},"status":"success"}}"#);
            assert_eq!(read(&body, POLL), Some(("t1".into(), state)), "{body}");
        }
    }

    #[test]
    fn a_word_of_success_counts_only_if_nothing_speaks_against_it() {
        let mut deep = "1".to_string();
        for _ in 0..MAX_DEPTH {
            deep = format!("[{deep}]");
        }
        let deep = format!(r#""output":{deep}"#);
        let against = [
            r#""state":"verifying""#,
            r#""outcome":"failed""#,
            r#""result":{"success":false}"#,
            r#""steps":[{"state":"error"}]"#,
            r#""steps":{"db":{"errors":["no space"]}}"#,
            r#""report":[[{"result":"Aborted"}]]"#,
            r#""error":{"message":"disk full"}"#,
            r#""error":7"#,
            r#""error_message":"disk full""#,
            r#""site_id":"s2""#,
            r#""site":"s2""#,
            r#""site":{"id":"s2"}"#,
            r#""steps":[{"site_id":"s1"},{"site_id":"s2"}]"#,
            r#""sites":[{"site":{"id":"s2"}}]"#,
            &deep,
        ];
        let not_against = [
            r#""status":"succeeded","state":null"#,
            r#""error":null,"errors":[],"error_message":" ""#,
            r#""error":{"code":0,"message":""},"errors":[null,{"items":[]}]"#,
            r#""error":false,"errors":{},"error_message":0"#,
            r#""site":{"id":"s1","status":"failed","sync":{"error":"no"}}"#,
            r#""site":"shop.example""#,
            r#""site":"Shop""#,
            r#""snapshot":{"status":"failed","success":false}"#,
            r#""site_id":"s1","steps":[{"site_id":"s1","state":"done","result":1500}]"#,
            r#""result":500,"message":"no error","caf\ud83d":1e400"#,
        ];
        let cases = against.iter().map(|fields| (fields, Contradictory));
        let cases = cases.chain(not_against.iter().map(|fields| (fields, Succeeded)));
        for (fields, state) in cases {
            let body = format!(r#"{{"task":{{"id":"t1","status":"succeeded",{fields}}}}}"#);
            assert_eq!(read(&body, POLL), Some(("t1".into(), state)), "{body}");
        }
        for around in [
            r#""status":"pending""#,
            r#""data":{"state":"error"}"#,
            r#""success":false"#,
            r#""meta":{"error":"no"}"#,
        ] {
            let body = format!(r#"{{"task":{{"id":"t1","status":"succeeded"}},{around}}}"#);
            let shown = Some(("t1".into(), Contradictory));
            assert_eq!(read(&body, POLL), shown, "{body}");
        }
    }
}
