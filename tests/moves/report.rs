//! The report of a run: the JSON object on stdout.

use crate::common::Run;
use serde_json::Value;
use std::collections::BTreeSet;

pub struct Report(Value);

/// A failed change.
pub struct Failure {
    pub key: String,
    /// The client, if it exists.
    pub id: Option<String>,
    pub kind: String,
    notes: Vec<String>,
}

/// A site that an error names, because it was released for the row.
pub struct ReleasedSite<'f> {
    pub site: &'f str,
    /// The id of the client that had it.
    pub from: &'f str,
    pub is_certain: bool,
}

impl Failure {
    /// Reads notes such as `F (client-0001) released site-0001, site-0002`.
    pub fn released_sites(&self) -> Vec<ReleasedSite<'_>> {
        let mut released = Vec::new();
        for note in &self.notes {
            let Some((from, rest)) = note
                .strip_prefix("F (")
                .and_then(|name| name.split_once(") "))
            else {
                continue;
            };
            for part in rest.split(" and ") {
                let certain = part.strip_prefix("released ");
                let sites = certain.or_else(|| part.strip_prefix("may have released "));
                released.extend(sites.unwrap().split(", ").map(|site| ReleasedSite {
                    site,
                    from,
                    is_certain: certain.is_some(),
                }));
            }
        }
        released
    }
}

impl Report {
    /// Returns the report; None if the program printed none.
    pub fn of(run: &Run) -> Option<Self> {
        (!run.stdout.is_empty() && run.code != -1).then(|| Self(run.json()))
    }

    fn items(&self, name: &str) -> &[Value] {
        self.0[name].as_array().unwrap()
    }

    /// Returns the records of the created and updated clients.
    pub fn records(&self) -> impl Iterator<Item = &Value> {
        let created = self.items("created").iter();
        created.chain(self.items("updated"))
    }

    pub fn unchanged(&self) -> usize {
        self.0["unchanged"].as_u64().unwrap() as usize
    }

    /// The number of changes that were made or failed.
    pub fn change_count(&self) -> usize {
        let lists = ["created", "updated", "deleted", "errors"];
        lists.iter().map(|name| self.items(name).len()).sum()
    }

    pub fn failures(&self) -> Vec<Failure> {
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let failures = self.items("errors").iter().map(|error| Failure {
            key: text(&error["key"]),
            id: error["id"].as_str().map(String::from),
            kind: text(&error["kind"]),
            notes: notes(&error["details"]),
        });
        failures.collect()
    }

    /// Whether the client of a failed change was created or changed in part.
    pub fn has_changed(&self, failure: &Failure) -> bool {
        let id = failure.id.as_deref();
        id.is_some() && self.records().any(|record| record["id"].as_str() == id)
    }

    /// Returns the exit code that follows from the failures.
    pub fn exit_code(&self) -> i32 {
        let failures = self.failures();
        let kinds: BTreeSet<&str> = failures.iter().map(|error| &*error.kind).collect();
        let Some(first) = kinds.first() else {
            return 0;
        };
        let is_incomplete = failures.iter().any(|failure| self.has_changed(failure));
        if kinds.contains("interrupted") {
            130
        } else if is_incomplete && !kinds.contains("unknown_outcome") {
            9
        } else if kinds.len() == 1 && failures.len() == self.change_count() {
            code_of(first)
        } else if kinds.contains("unknown_outcome") {
            12
        } else {
            9
        }
    }
}

/// Returns the messages of the details without a code.
fn notes(details: &Value) -> Vec<String> {
    let details = details.as_array().unwrap().iter();
    let notes = details.filter(|detail| detail["code"].is_null());
    notes
        .map(|note| note["message"].as_str().unwrap().into())
        .collect()
}

fn code_of(kind: &str) -> i32 {
    match kind {
        "error" => 1,
        "auth" => 3,
        "not_found" => 4,
        "invalid" => 5,
        "conflict" => 6,
        "rate_limited" => 7,
        "unavailable" => 8,
        "unknown_outcome" => 12,
        kind => panic!("no row fails with {kind}"),
    }
}
