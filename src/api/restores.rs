//! Starting a restore (spec, "Site restore"): it overwrites live content, so it is sent once.

use super::envelope::{self, Wrapping};
use super::tasks::{NO_TASK, holds_error, task_id};
use super::{Api, Path, Request, Task};
use crate::consent::Consent;
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What of the site is restored, as it is sent.
#[derive(Debug, Clone)]
pub struct Scope(Box<RawValue>);

/// The scope of the spec: paths, tables and subsite ids are assumed to be arrays of strings (rule 7: not shown).
#[derive(Serialize)]
struct Fields<'f> {
    include_files: bool,
    include_database: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    paths: &'f [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tables: &'f [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    subsite_ids: &'f [String],
}

/// What a scope that is written by hand looks like.
const SCOPE: &str = r#"it is an object such as {"include_files":true,"include_database":false}"#;

impl Scope {
    /// Files, database, or both, narrowed where the lists are not empty.
    ///
    /// # Errors
    /// None in practice: every string is JSON.
    pub fn new(
        files: bool,
        database: bool,
        paths: &[String],
        tables: &[String],
        subsite_ids: &[String],
    ) -> Result<Self> {
        let fields = Fields { include_files: files, include_database: database, paths, tables, subsite_ids };
        to_raw_value(&fields)
            .map(Self)
            .map_err(|error| Error::new(Kind::Error, "could not write the scope").source(error))
    }

    /// A scope written by hand, sent as it is.
    ///
    /// # Errors
    /// `Usage` where it is not a JSON object.
    pub fn from_json(text: &str) -> Result<Self> {
        let refused = |why: &str| Error::usage(format!("--scope-json {why}")).hint(SCOPE);
        let raw: Box<RawValue> =
            serde_json::from_str(text).map_err(|error| refused(&format!("is not JSON: {error}")))?;
        if raw.get().starts_with('{') { Ok(Self(raw)) } else { Err(refused("is not a JSON object")) }
    }

    /// As it is sent.
    pub fn raw(&self) -> &RawValue {
        &self.0
    }
}

impl Api {
    /// Where the restore of a snapshot onto its site is started.
    ///
    /// # Errors
    /// `Usage` for an id that no path can hold, `Unavailable` for one that holds the token: it would be written down.
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
    /// `NotFound`, `Conflict`, `Invalid` where the service refuses; `UnknownOutcome` where the answer was lost.
    pub async fn start_restore(&self, consent: &Consent, path: &Path, scope: &Scope) -> Result<Task> {
        let body = format!(r#"{{"restore":{{"scope":{}}}}}"#, scope.raw().get());
        let request = Request::post(path, body, consent);
        let answer = self.transport.call(&request, async |body| accepted(&body)).await;
        answer.map(|record| self.read_task(record))
    }
}

/// What was accepted: the task, or nothing at all, which is an acceptance too.
fn accepted(body: &[u8]) -> Result<Record, String> {
    match body.trim_ascii() {
        b"" => Ok(Record::new(RawValue::NULL.to_owned())),
        body => {
            let record = envelope::object(body, "task", Wrapping::Either)?;
            if task_id(&record).is_none() && holds_error(&record) { Err(NO_TASK.into()) } else { Ok(record) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_says_no_more_than_was_asked() -> Result<()> {
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
        let whole = Scope::new(true, true, &[], &[], &[])?;
        assert_eq!(whole.raw().get(), r#"{"include_files":true,"include_database":true}"#);
        let some = Scope::new(true, false, &list(&["a/b"]), &[], &list(&["2"]))?;
        assert_eq!(
            some.raw().get(),
            r#"{"include_files":true,"include_database":false,"paths":["a/b"],"subsite_ids":["2"]}"#
        );
        Ok(())
    }

    #[test]
    fn a_scope_by_hand_is_sent_as_it_is() -> Result<()> {
        assert_eq!(Scope::from_json(r#"{"include_files": 1.0}"#)?.raw().get(), r#"{"include_files": 1.0}"#);
        for text in ["", "[]", "true", "{", "{}x"] {
            assert!(Scope::from_json(text).is_err(), "{text}");
        }
        Ok(())
    }
}
