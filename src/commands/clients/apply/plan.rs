//! The changes that make the account's clients match the file: known, and found possible, before anything is sent.

use crate::client::field_problems;
use crate::commands::clients::columns::{self, known_fields};
use crate::commands::clients::difference::{Change, differences, same};
use crate::commands::clients::lookup::{AllClients, items};
use crate::commands::clients::moving::Owner;
use crate::error::Detail;
use crate::input::Document;
use crate::resources::{Record, scalar};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The client after its change; none if it was deleted.
pub type Done = Option<Record>;

/// The change of a client.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is in the file, but not in the account.
    Create,
    /// It differs from the file.
    Update,
    /// It matches the file.
    #[default]
    Unchanged,
    /// It is not in the file, and `--prune` is given.
    Delete,
    /// Its row has problems, and `--skip-invalid` is given.
    Skip,
}

/// One client of the plan.
#[derive(Debug, Default, Serialize)]
pub struct Step {
    /// Its change.
    pub action: Action,
    /// The id or the email of the row, or the id of a client that is not in the file.
    pub key: String,
    /// The client's id, if it exists.
    pub id: Option<String>,
    /// The number of its row.
    #[serde(skip)]
    pub row: Option<usize>,
    /// The client before the change, if it exists.
    #[serde(skip)]
    pub client: Option<Record>,
    /// The fields that differ; for a new client, all fields of the row.
    #[serde(serialize_with = "by_field")]
    pub changes: Vec<Change>,
    /// The steps that must have an outcome before it.
    #[serde(skip)]
    pub after: Vec<usize>,
    /// The clients that release sites for it ahead of their own changes.
    #[serde(skip)]
    pub owners: Vec<Owner>,
}

/// A problem, and the number of its row; none for a problem of the file itself.
pub type Problem = (Option<usize>, Detail);

/// The changes in the order of the file; clients that are not in the file come last.
#[derive(Debug, Default)]
pub struct Plan {
    /// Each client and each skipped row once.
    pub steps: Vec<Step>,
}

impl Plan {
    /// Returns the number of clients with this change.
    pub fn count(&self, action: Action) -> usize {
        self.steps
            .iter()
            .filter(|step| step.action == action)
            .count()
    }

    /// Returns the number of changes, also those of skipped rows.
    pub fn changes(&self) -> usize {
        self.steps.len() - self.count(Action::Unchanged)
    }
}

/// Compares the rows that are not `skipped` with the clients of the account. Returns a step for each client, and the
/// problems of the rows.
pub fn compare(
    document: &Document,
    clients: &AllClients,
    prune: bool,
    skipped: &BTreeMap<usize, Vec<Detail>>,
) -> (Vec<Step>, Vec<Problem>) {
    let is_known = |column: &&Detail| {
        clients
            .list
            .iter()
            .any(|client| client.value(&column.param).is_some())
    };
    let unknown: Vec<&Detail> = document
        .unknown
        .iter()
        .filter(|column| !is_known(column))
        .collect();
    let problems = unknown
        .iter()
        .map(|column| (None, (*column).clone()))
        .collect();
    let mut planner = Planner {
        document,
        clients,
        problems,
        unknown,
        matched: HashMap::new(),
    };
    let rows = (0..document.rows.len()).filter(|row| !skipped.contains_key(row));
    let mut steps: Vec<Step> = rows.filter_map(|row| planner.step(row)).collect();
    if prune {
        let unmatched = clients
            .list
            .iter()
            .enumerate()
            .filter(|(number, _)| !planner.matched.contains_key(number));
        steps.extend(unmatched.map(|(_, client)| Step::deletion(client)));
    }
    (steps, planner.problems)
}

struct Planner<'m> {
    document: &'m Document,
    clients: &'m AllClients,
    problems: Vec<Problem>,
    /// The columns that neither sitectl nor the service knows.
    unknown: Vec<&'m Detail>,
    /// The row that each client was matched by.
    matched: HashMap<usize, usize>,
}

impl Planner<'_> {
    /// Returns the change for a row, if its client can be determined.
    fn step(&mut self, row: usize) -> Option<Step> {
        let source = &self.document.rows[row];
        let fields = known_fields(source);
        let id = source
            .value("id")
            .map(|id| scalar(id).unwrap_or_else(|| id.to_string()))
            .filter(|id| !id.is_empty());
        let email = fields.get("email").and_then(scalar).unwrap_or_default();
        let found = self.find(row, id.as_deref(), &email);
        let client = found.flatten().map(|number| &self.clients.list[number]);
        let changes =
            client.map_or_else(|| additions(&fields), |client| differences(client, &fields));
        self.check_known(row, &fields, found, &changes);
        self.check_unknown(row, client);
        let action = match client {
            None => Action::Create,
            Some(_) if changes.is_empty() => Action::Unchanged,
            Some(_) => Action::Update,
        };
        let (key, id, client) = (
            id.unwrap_or(email),
            client.and_then(Record::id),
            client.cloned(),
        );
        found.map(|_| Step {
            action,
            key,
            id,
            row: Some(row),
            client,
            changes,
            ..Step::default()
        })
    }

    /// Returns the number of the row's client, if it exists; nothing if that cannot be determined.
    fn find(&mut self, row: usize, id: Option<&str>, email: &str) -> Option<Option<usize>> {
        let several = "Is the email of several clients, in different letter case; specify the id";
        let missing = "Not found; remove the id to create a client";
        let (field, found) = match id {
            Some(id) => (
                "id",
                self.clients
                    .by_id(id)
                    .map(Some)
                    .ok_or(("not_found", missing)),
            ),
            None => (
                "email",
                self.clients
                    .by_email(email)
                    .map_err(|_| ("ambiguous", several)),
            ),
        };
        let number = match found {
            Ok(number) => number,
            Err((code, message)) => return self.problem(row, field, code, message),
        };
        match number.and_then(|number| self.matched.insert(number, row)) {
            None => Some(number),
            Some(other) => {
                let position = self.document.rows[other].position;
                self.problem(
                    row,
                    field,
                    "duplicate",
                    format!("Is the same client as in {position}"),
                )
            }
        }
    }

    /// Checks the fields of a row: of an existing client only its changes, because an export can contain any value.
    fn check_known(
        &mut self,
        row: usize,
        fields: &Map<String, Value>,
        found: Option<Option<usize>>,
        changes: &[Change],
    ) {
        for problem in field_problems(fields, found == Some(None)) {
            if found.flatten().is_none()
                || changes.iter().any(|change| change.field == problem.param)
            {
                self.problem::<()>(row, &problem.param, &problem.code, problem.message);
            }
        }
    }

    /// Refuses fields that sitectl cannot change and that differ from the service's.
    fn check_unknown(&mut self, row: usize, client: Option<&Record>) {
        let skip = |name: &str| {
            columns::MANY.allows(name) || self.unknown.iter().any(|column| column.param == name)
        };
        let fields: Vec<_> = self.document.rows[row]
            .fields
            .iter()
            .filter(|(name, _)| !skip(name))
            .collect();
        for (name, value) in fields {
            let found = client
                .and_then(|client| client.value(name))
                .unwrap_or_default();
            if !same(&found, value) {
                let message =
                    format!("Is {found} in the service, and sitectl cannot change this field");
                self.problem::<()>(row, name, "unknown_field", message);
            }
        }
    }

    /// Adds a problem of a row. Returns nothing, for the caller to return.
    fn problem<T>(
        &mut self,
        row: usize,
        field: &str,
        code: &str,
        message: impl Into<String>,
    ) -> Option<T> {
        let problem = self
            .document
            .detail(&self.document.rows[row], field, code, message);
        self.problems.push((Some(row), problem));
        None
    }
}

/// Returns the changes that create a client.
fn additions(fields: &Map<String, Value>) -> Vec<Change> {
    let change = |(field, to): (&String, &Value)| Change {
        field: field.clone(),
        from: Value::Null,
        to: to.clone(),
    };
    fields.iter().map(change).collect()
}

impl Step {
    /// Returns the step of a row that is skipped, or of a row of CSV that has no fields.
    pub fn skipped(document: &Document, row: usize) -> Self {
        let value = |name| {
            document
                .rows
                .get(row)
                .and_then(|row| row.value(name))
                .and_then(scalar)
        };
        let key = value("id").or_else(|| value("email")).unwrap_or_default();
        Self {
            action: Action::Skip,
            key,
            row: Some(row),
            ..Self::default()
        }
    }

    fn deletion(client: &Record) -> Self {
        let id = client.id();
        let key = id.clone().unwrap_or_default();
        Self {
            action: Action::Delete,
            key,
            id,
            client: Some(client.clone()),
            ..Self::default()
        }
    }

    /// Returns the sites, or the email in lower case, that the client takes and does not have.
    pub fn taken(&self, field: &str) -> BTreeSet<String> {
        self.change(field)
            .map(|change| &items(&change.to) - &items(&change.from))
            .unwrap_or_default()
    }

    /// Returns the sites, or the email in lower case, that the client gives up.
    pub fn given_up(&self, field: &str) -> BTreeSet<String> {
        let deleted = self
            .client
            .as_ref()
            .filter(|_| self.action == Action::Delete);
        match deleted.and_then(|client| client.value(field)) {
            Some(value) => items(&value),
            None => self
                .change(field)
                .map(|change| &items(&change.from) - &items(&change.to))
                .unwrap_or_default(),
        }
    }

    fn change(&self, field: &str) -> Option<&Change> {
        self.changes.iter().find(|change| change.field == field)
    }
}

fn by_field<S: Serializer>(
    changes: &[Change],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
