//! What has to change for the account's clients to be as the file says: known, and found possible, before anything is
//! sent.

use super::rows::{self, ClientRow};
use crate::client::{REQUIRED_FIELDS, field_problems};
use crate::commands::clients::columns;
use crate::commands::clients::difference::{Change, differences, same};
use crate::commands::clients::lookup::{AllClients, Match, full_name};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::Document;
use crate::resources::{Record, scalar};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What is to be done with a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is in the file, and not in the account.
    Create,
    /// It differs from the file.
    Update,
    /// It is as the file says.
    Unchanged,
    /// It is not in the file, and such are to go.
    Delete,
}

/// One client of the plan.
#[derive(Debug, Serialize)]
pub struct Step {
    /// What is to be done.
    pub action: Action,
    /// What the row is called, or the id of a client that no row is about.
    pub key: String,
    /// The client's id, where there is a client.
    pub id: Option<String>,
    /// The number of its row.
    #[serde(skip)]
    pub row: Option<usize>,
    /// The client as it is, if it exists.
    #[serde(skip)]
    pub client: Option<Record>,
    /// What differs; of a client that is to be created, all that the row has.
    #[serde(serialize_with = "by_field")]
    pub changes: Vec<Change>,
}

/// What is to be done, in the order of the file; what no row is about comes last.
#[derive(Debug, Default)]
pub struct Plan {
    /// Each client once.
    pub steps: Vec<Step>,
    /// Whether clients that no row is about are to go.
    pub prune: bool,
}

impl Plan {
    /// Compares the rows with the clients of the account.
    ///
    /// # Errors
    /// `Invalid` with every row that cannot be meant so.
    pub fn new(document: &Document, rows: &[ClientRow], clients: &AllClients, prune: bool) -> Result<Self> {
        let unknown = unknown(document, clients);
        let mut planner = Planner { document, clients, problems: unknown.clone(), unknown, matched: HashMap::new() };
        let mut steps: Vec<Step> = rows.iter().filter_map(|row| planner.step(row)).collect();
        planner.problems.extend(contested(document, rows, &steps));
        document.refuse(planner.problems)?;
        if prune {
            let unmatched = (0..clients.list.len()).filter(|number| !planner.matched.contains_key(number));
            steps.extend(unmatched.map(|number| deletion(&clients.list[number])));
        }
        Ok(Self { steps, prune })
    }

    /// Returns the clients that have this done with them, and their numbers.
    pub fn steps_to(&self, action: Action) -> impl Iterator<Item = (usize, &Step)> {
        self.steps.iter().enumerate().filter(move |(_, step)| step.action == action)
    }

    /// Returns how many clients have this done with them.
    pub fn count(&self, action: Action) -> usize {
        self.steps_to(action).count()
    }

    /// The error of clients that would swap their emails.
    pub fn swapped_emails(&self, document: &Document, stuck: &[usize]) -> Error {
        let rows = stuck.iter().filter_map(|step| self.steps[*step].row).map(|row| &document.rows[row]);
        let message = "Is handed round in a circle, and no two clients may have the same for a moment";
        let problems = rows.map(|row| document.detail(row, "email", "already_exists", message)).collect();
        Error::new(Kind::Invalid, "clients would swap their emails, which the service cannot do in one step")
            .details(problems)
            .hint("nothing was changed; give one of them another email first, then apply the file again")
    }

    /// How many clients change, come or go.
    pub fn changes(&self) -> usize {
        self.steps.len() - self.count(Action::Unchanged)
    }
}

struct Planner<'m> {
    document: &'m Document,
    clients: &'m AllClients,
    problems: Vec<Detail>,
    /// The columns that neither sitectl nor the service knows.
    unknown: Vec<Detail>,
    /// The row that each client was matched by.
    matched: HashMap<usize, usize>,
}

impl Planner<'_> {
    /// What is to be done for a row; none where it cannot be meant so.
    fn step(&mut self, row: &ClientRow) -> Option<Step> {
        let Some(number) = self.find(row)? else { return self.creation(row) };
        if let Some(other) = self.matched.insert(number, row.number) {
            let position = self.document.rows[other].position;
            let field = if row.id.is_some() { "id" } else { "email" };
            let until_now = if row.id.is_some() { "" } else { ", whose email this is until now" };
            return self.problem(row, field, "duplicate", format!("Is the same client as in {position}{until_now}"));
        }
        let client = &self.clients.list[number];
        self.compare_unknown(row, Some(client));
        let changes = differences(client, &row.fields);
        let changes_it = |problem: &&Detail| changes.iter().any(|change| change.field == problem.param);
        self.problems.extend(row.problems.iter().filter(changes_it).cloned());
        let action = if changes.is_empty() { Action::Unchanged } else { Action::Update };
        let id = client.id();
        Some(Step { action, key: row.key(), id, row: Some(row.number), client: Some(client.clone()), changes })
    }

    /// The client that the row is about, where there is one; none at all where that cannot be said.
    fn find(&mut self, row: &ClientRow) -> Option<Option<usize>> {
        if let Some(id) = &row.id {
            return match self.clients.by_id(id) {
                None => self.problem(
                    row,
                    "id",
                    "not_found",
                    format!("There is no client '{id}'; one without an id is created"),
                ),
                found => Some(found),
            };
        }
        match self.clients.by_email(row.email().unwrap_or_default()) {
            Match::None => Some(None),
            Match::One(number) => Some(Some(number)),
            Match::Several => self.problem(
                row,
                "email",
                "ambiguous",
                "Is the email of several clients, in different cases; name the id",
            ),
        }
    }

    /// Refuses fields that sitectl cannot change and that differ from what the service has.
    fn compare_unknown(&mut self, row: &ClientRow, client: Option<&Record>) {
        let source = &self.document.rows[row.number];
        let skip = |name: &str| columns::MANY.allows(name) || self.unknown.iter().any(|column| column.param == name);
        let fields: Vec<_> = source.fields.iter().filter(|(name, _)| !skip(name)).collect();
        let found = client.filter(|_| !fields.is_empty()).map(Record::fields).unwrap_or_default();
        for (name, value) in fields {
            let found = found.get(name).unwrap_or(&Value::Null);
            if !same(found, value) {
                let message = format!("Is {found} in the service, and sitectl cannot change this field");
                self.problems.push(self.document.detail(source, name, "unknown_field", message));
            }
        }
    }

    fn creation(&mut self, row: &ClientRow) -> Option<Step> {
        self.compare_unknown(row, None);
        let missing = field_problems(&row.fields, &REQUIRED_FIELDS);
        if !missing.is_empty() {
            let source = &self.document.rows[row.number];
            let missing = missing.into_iter().map(|problem| rows::at(self.document, source, problem));
            self.problems.extend(missing.map(|problem| Detail {
                message: format!("{}: there is no client with this email yet", problem.message),
                ..problem
            }));
            return None;
        }
        let change =
            |(field, to): (&String, &Value)| Change { field: field.clone(), from: Value::Null, to: to.clone() };
        Some(Step {
            action: Action::Create,
            key: row.key(),
            id: None,
            row: Some(row.number),
            client: None,
            changes: row.fields.iter().map(change).collect(),
        })
    }

    fn problem<T>(&mut self, row: &ClientRow, field: &str, code: &str, message: impl Into<String>) -> Option<T> {
        self.problems.push(self.document.detail(&self.document.rows[row.number], field, code, message));
        None
    }
}

/// The columns that neither sitectl nor the service knows.
fn unknown(document: &Document, clients: &AllClients) -> Vec<Detail> {
    if document.unknown.is_empty() {
        return Vec::new();
    }
    let names: HashSet<_> = clients.list.iter().flat_map(Record::members).map(|(name, _)| name).collect();
    document.unknown.iter().filter(|column| !names.contains(column.param.as_str())).cloned().collect()
}

fn deletion(client: &Record) -> Step {
    let id = client.id();
    let key = id.clone().unwrap_or_default();
    Step { action: Action::Delete, key, id, row: None, client: Some(client.clone()), changes: Vec::new() }
}

/// Emails and sites that two rows want at once, where at least one of them has it not yet: no order of changes makes that
/// succeed.
fn contested(document: &Document, rows: &[ClientRow], steps: &[Step]) -> Vec<Detail> {
    let by_row: HashMap<_, _> = steps.iter().filter_map(|step| Some((step.row?, step))).collect();
    let mut problems = Vec::new();
    for field in ["email", "site_ids"] {
        let mut first: HashMap<String, (usize, bool)> = HashMap::new();
        for client in rows {
            let Some(step) = by_row.get(&client.number) else { continue };
            let taken = step.taken(field);
            for item in client.fields.get(field).map(items).unwrap_or_default() {
                let takes = taken.contains(&item);
                let (row, was_taken) = *first.entry(item.clone()).or_insert((client.number, takes));
                if row != client.number && (takes || was_taken) {
                    let position = document.rows[row].position;
                    let message = format!("'{item}' is wanted in {position} too");
                    problems.push(document.detail(&document.rows[client.number], field, "duplicate", message));
                }
            }
        }
    }
    problems
}

impl Step {
    /// Returns the name and email of the client, if it exists.
    pub fn name(&self) -> String {
        self.client.as_ref().map(full_name).unwrap_or_default()
    }

    /// The change of a field, where it changes.
    pub fn change(&self, field: &str) -> Option<&Change> {
        self.changes.iter().find(|change| change.field == field)
    }

    /// What the client takes that it does not have: sites, or an email in lower case.
    pub fn taken(&self, field: &str) -> BTreeSet<String> {
        self.change(field).map(|change| &items(&change.to) - &items(&change.from)).unwrap_or_default()
    }

    /// What the client gives up.
    pub fn given_up(&self, field: &str) -> BTreeSet<String> {
        self.change(field).map(|change| &items(&change.from) - &items(&change.to)).unwrap_or_default()
    }
}

/// The sites of a list; a text alone in lower case, since emails that differ in case are the same.
fn items(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(scalar).collect(),
        value => scalar(value).map(|text| text.to_lowercase()).into_iter().collect(),
    }
}

fn by_field<S: Serializer>(changes: &[Change], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
