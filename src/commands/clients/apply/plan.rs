//! The changes that make the account's clients match the file: known, and found possible, before anything is sent.

use super::rows::{ClientRow, Problem};
use crate::client::REQUIRED_FIELDS;
use crate::commands::clients::columns;
use crate::commands::clients::difference::{Change, differences, same};
use crate::commands::clients::lookup::AllClients;
use crate::error::Detail;
use crate::input::Document;
use crate::resources::{Record, scalar};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The change of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is in the file, but not in the account.
    Create,
    /// It differs from the file.
    Update,
    /// It matches the file.
    Unchanged,
    /// It is not in the file, and `--prune` is given.
    Delete,
}

/// One client of the plan.
#[derive(Debug, Serialize)]
pub struct Step {
    /// Its change.
    pub action: Action,
    /// The key of the row, or the id of a client that is not in the file.
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
}

/// One request to make.
#[derive(Debug, PartialEq)]
pub struct Task {
    /// The number of its step in the plan.
    pub step: usize,
    /// The number of its outcome: that of the step, or, of a release, a number above those of all steps.
    pub row: usize,
    /// The fields to send.
    pub fields: Map<String, Value>,
    /// The sites that it releases ahead of the step's own change; empty for that change itself.
    pub releases: BTreeSet<String>,
    /// The rows that must have an outcome before it is sent.
    pub after: Vec<usize>,
}

/// The changes in the order of the file; clients that are not in the file come last.
#[derive(Debug, Default)]
pub struct Plan {
    /// Each client once.
    pub steps: Vec<Step>,
    /// The requests that create and update clients.
    pub tasks: Vec<Task>,
    /// The problems of rows that are skipped, by the numbers of the rows.
    pub skipped: BTreeMap<usize, Vec<Detail>>,
}

impl Plan {
    /// Returns the clients with this change, and their numbers.
    pub fn steps_to(&self, action: Action) -> impl Iterator<Item = (usize, &Step)> {
        self.steps.iter().enumerate().filter(move |(_, step)| step.action == action)
    }

    /// Returns the number of clients with this change.
    pub fn count(&self, action: Action) -> usize {
        self.steps_to(action).count()
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> usize {
        self.steps.len() - self.count(Action::Unchanged)
    }
}

/// Compares the rows with the clients of the account. Returns a step for each client, and the problems of the rows.
pub fn compare(
    document: &Document,
    rows: &[ClientRow],
    clients: &AllClients,
    prune: bool,
) -> (Vec<Step>, Vec<Problem>) {
    let unknown = unknown_columns(document, clients);
    let problems = unknown.iter().map(|column| (None, column.clone())).collect();
    let mut planner = Planner { document, clients, problems, unknown, matched: HashMap::new() };
    let mut steps: Vec<Step> = rows.iter().filter_map(|row| planner.step(row)).collect();
    planner.problems.extend(contested(document, rows, &steps));
    if prune {
        let unmatched = (0..clients.list.len()).filter(|number| !planner.matched.contains_key(number));
        steps.extend(unmatched.map(|number| deletion(&clients.list[number])));
    }
    (steps, planner.problems)
}

struct Planner<'m> {
    document: &'m Document,
    clients: &'m AllClients,
    problems: Vec<Problem>,
    /// The columns that neither sitectl nor the service knows.
    unknown: Vec<Detail>,
    /// The row that each client was matched by.
    matched: HashMap<usize, usize>,
}

impl Planner<'_> {
    /// Returns the change for a row, if its client can be determined.
    fn step(&mut self, row: &ClientRow) -> Option<Step> {
        let Some(number) = self.find(row)? else { return Some(self.creation(row)) };
        if let Some(other) = self.matched.insert(number, row.number) {
            let position = self.document.rows[other].position;
            let field = if row.id.is_some() { "id" } else { "email" };
            return self.problem(row, field, "duplicate", format!("Is the same client as in {position}"));
        }
        let client = &self.clients.list[number];
        self.compare_unknown(row, Some(client));
        let changes = differences(client, &row.fields);
        if row.id.is_some() {
            let is_changed = |problem: &&Detail| changes.iter().any(|change| change.field == problem.param);
            let problems = row.problems.iter().filter(is_changed);
            self.problems.extend(problems.map(|problem| (Some(row.number), problem.clone())));
        }
        let action = if changes.is_empty() { Action::Unchanged } else { Action::Update };
        let id = client.id();
        Some(Step { action, key: row.key(), id, row: Some(row.number), client: Some(client.clone()), changes })
    }

    /// Returns the number of the row's client, if it exists; nothing if that cannot be determined.
    fn find(&mut self, row: &ClientRow) -> Option<Option<usize>> {
        let key = row.key();
        let found = match row.id {
            _ if key.is_empty() => return None,
            Some(_) => self.clients.by_id(&key).map(Some).ok_or((
                "id",
                "not_found",
                "Not found; remove the id to create a client",
            )),
            None => self.clients.by_email(&key).map_err(|_| {
                ("email", "ambiguous", "Is the email of several clients, in different letter case; specify the id")
            }),
        };
        found.map_or_else(|(field, code, message)| self.problem(row, field, code, message), Some)
    }

    /// Refuses fields that sitectl cannot change and that differ from the service's.
    fn compare_unknown(&mut self, row: &ClientRow, client: Option<&Record>) {
        let source = &self.document.rows[row.number];
        let skip = |name: &str| columns::MANY.allows(name) || self.unknown.iter().any(|column| column.param == name);
        let fields: Vec<_> = source.fields.iter().filter(|(name, _)| !skip(name)).collect();
        let found = client.filter(|_| !fields.is_empty()).map(Record::fields).unwrap_or_default();
        for (name, value) in fields {
            let found = found.get(name).unwrap_or(&Value::Null);
            if !same(found, value) {
                let message = format!("Is {found} in the service, and sitectl cannot change this field");
                self.problem::<()>(row, name, "unknown_field", message);
            }
        }
    }

    fn creation(&mut self, row: &ClientRow) -> Step {
        self.compare_unknown(row, None);
        for field in REQUIRED_FIELDS.iter().filter(|field| !row.fields.contains_key(**field)) {
            self.problem::<()>(row, field, "blank", "Can't be blank for a new client");
        }
        let change =
            |(field, to): (&String, &Value)| Change { field: field.clone(), from: Value::Null, to: to.clone() };
        let changes = row.fields.iter().map(change).collect();
        Step { action: Action::Create, key: row.key(), id: None, row: Some(row.number), client: None, changes }
    }

    /// Adds a problem of a row. Returns nothing, for the caller to return.
    fn problem<T>(&mut self, row: &ClientRow, field: &str, code: &str, message: impl Into<String>) -> Option<T> {
        let problem = self.document.detail(&self.document.rows[row.number], field, code, message);
        self.problems.push((Some(row.number), problem));
        None
    }
}

/// The columns that neither sitectl nor the service knows.
fn unknown_columns(document: &Document, clients: &AllClients) -> Vec<Detail> {
    let is_known = |column: &&Detail| clients.list.iter().any(|client| client.value(&column.param).is_some());
    document.unknown.iter().filter(|column| !is_known(column)).cloned().collect()
}

fn deletion(client: &Record) -> Step {
    let id = client.id();
    let key = id.clone().unwrap_or_default();
    Step { action: Action::Delete, key, id, row: None, client: Some(client.clone()), changes: Vec::new() }
}

/// Finds emails and sites that two rows claim, if at least one of their clients does not have them yet: no order of
/// changes makes that succeed.
fn contested(document: &Document, rows: &[ClientRow], steps: &[Step]) -> Vec<Problem> {
    let by_row: HashMap<_, _> = steps.iter().filter_map(|step| Some((step.row?, step))).collect();
    let claims = rows.iter().filter_map(|row| Some((row, *by_row.get(&row.number)?)));
    let mut problems = Vec::new();
    for field in ["email", "site_ids"] {
        let mut first: HashMap<String, (usize, bool)> = HashMap::new();
        for (client, step) in claims.clone() {
            let taken = step.taken(field);
            for item in client.fields.get(field).map(items).unwrap_or_default() {
                let takes = taken.contains(&item);
                let (row, was_taken) = *first.entry(item.clone()).or_insert((client.number, takes));
                if row != client.number && (takes || was_taken) {
                    let message = format!("'{item}' is in {} too", document.rows[row].position);
                    let row = &document.rows[client.number];
                    problems.push((Some(client.number), document.detail(row, field, "duplicate", message)));
                }
            }
        }
    }
    problems
}

/// Returns the problems of steps that wait for each other's emails.
pub fn swapped_emails(document: &Document, steps: &[Step], stuck: &BTreeSet<usize>) -> Vec<Problem> {
    let message = "Clients cannot swap emails in one run: change one of them to another email first";
    let rows = stuck.iter().filter_map(|step| steps[*step].row);
    rows.map(|row| (Some(row), document.detail(&document.rows[row], "email", "already_exists", message))).collect()
}

impl Step {
    /// Returns the change of a field, if it changes.
    pub fn change(&self, field: &str) -> Option<&Change> {
        self.changes.iter().find(|change| change.field == field)
    }

    /// Returns the sites, or the email in lower case, that the client takes and does not have.
    pub fn taken(&self, field: &str) -> BTreeSet<String> {
        self.change(field).map(|change| &items(&change.to) - &items(&change.from)).unwrap_or_default()
    }

    /// Returns the sites, or the email in lower case, that the client gives up.
    pub fn given_up(&self, field: &str) -> BTreeSet<String> {
        self.change(field).map(|change| &items(&change.from) - &items(&change.to)).unwrap_or_default()
    }
}

/// Returns the sites of a list, or an email in lower case, because emails that differ in case are the same.
fn items(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(scalar).collect(),
        value => scalar(value).map(|text| text.to_lowercase()).into_iter().collect(),
    }
}

fn by_field<S: Serializer>(changes: &[Change], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
