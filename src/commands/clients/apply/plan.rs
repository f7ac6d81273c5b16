//! Plans the changes that make the account's clients match the file, and checks them before
//! anything is sent.

use crate::client::field_problems;
use crate::commands::clients::columns::{APPLY_COLUMNS, empty_value, settable_fields};
use crate::commands::clients::difference::{FieldChange, differences, is_same_value};
use crate::commands::clients::lookup::{AllClients, sites_or_email};
use crate::commands::clients::moving::{SiteRelease, changed_during_confirmation};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputRow, Problem};
use crate::resources::{Record, scalar_text};
use crate::terminal::pluralize;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The client as the service has it after the change; None if it was deleted.
pub type ClientAfterChange = Option<Record>;

/// What the plan does with a client.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The client is in the file, but not in the account.
    Create,
    /// The client differs from the file.
    Update,
    /// The client matches the file.
    #[default]
    Unchanged,
    /// The client is not in the file, and `--prune` is set.
    Delete,
}

/// One client of the plan.
#[derive(Debug, Default, Serialize)]
pub struct Step {
    pub action: Action,
    /// The id or the email of the row, or the id of a client that is not in the file.
    pub key: String,
    /// The id of the client, if it exists.
    pub id: Option<String>,
    /// The index of the row; None for a deletion.
    #[serde(skip)]
    pub row: Option<usize>,
    /// The client before the change, if it exists.
    #[serde(skip)]
    pub client: Option<Record>,
    /// The fields that differ; for a new client, all fields of the row.
    #[serde(serialize_with = "serialize_by_field")]
    pub changes: Vec<FieldChange>,
    /// The fields that the client has, and whose CSV cells are empty and ignored.
    #[serde(skip)]
    pub ignored_cells: Vec<String>,
    /// The indexes of the steps that must have an outcome before this step.
    #[serde(skip)]
    pub runs_after: Vec<usize>,
    /// Clients that must give up sites in an extra request before this step, because their own step
    /// comes later.
    #[serde(skip)]
    pub early_releases: Vec<SiteRelease>,
}

/// A row that `--skip-invalid` leaves out because of its problems.
#[derive(Debug)]
pub struct SkippedRow {
    /// The id or the email; empty if the row has neither.
    pub key: String,
    /// The index of the row in the document.
    pub row: usize,
    pub error: Error,
}

#[derive(Debug, Default)]
pub struct Plan {
    /// Each client once, in the order of the file; clients that are not in the file come last.
    pub steps: Vec<Step>,
    pub skipped: Vec<SkippedRow>,
}

impl Plan {
    /// Returns the number of clients with this action.
    pub fn count(&self, action: Action) -> usize {
        self.steps
            .iter()
            .filter(|step| step.action == action)
            .count()
    }

    /// Returns the number of changes: of all steps except the unchanged clients.
    pub fn change_count(&self) -> usize {
        self.steps.len() - self.count(Action::Unchanged)
    }

    /// Returns the number of sites that a client gives up and no other client gets.
    pub fn sites_without_client(&self) -> usize {
        let mut given_up = BTreeSet::new();
        let mut gained = BTreeSet::new();
        for step in &self.steps {
            given_up.extend(step.given_up("site_ids"));
            gained.extend(step.gained("site_ids"));
        }
        given_up.difference(&gained).count()
    }

    /// Describes the empty cells that are ignored; None if there are none.
    pub fn ignored_cells(&self) -> Option<String> {
        let cells = self.steps.iter().flat_map(|step| &step.ignored_cells);
        let count = cells.clone().count();
        let names: BTreeSet<&str> = cells.map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let cells = pluralize(count, "empty cell");
        (count > 0).then(|| format!("{cells} ignored ({})", names.join(", ")))
    }

    /// Checks, after the confirmation, that the fields that the plan replaces are as it shows them.
    ///
    /// # Errors
    /// `Conflict` with each field that has changed.
    pub fn require_unchanged(&self, document: &Document, clients: &AllClients) -> Result<()> {
        let mut details = Vec::new();
        for step in &self.steps {
            let (Action::Update, Some(row), Some(id)) = (step.action, step.row, &step.id) else {
                continue;
            };
            let client = clients.index_of_id(id).map(|index| &clients.list[index]);
            for FieldChange { field, from, .. } in &step.changes {
                let value = client.map(|client| client.value(field).unwrap_or_default());
                let message = match value {
                    None => "The client no longer exists".to_string(),
                    Some(value) if is_same_value(&value, from) => continue,
                    Some(value) => format!("Is now {value}"),
                };
                details.push(document.problem(row, field, "changed", message).detail);
            }
        }
        if details.is_empty() {
            return Ok(());
        }
        Err(changed_during_confirmation().with_details(details))
    }
}

/// The options that decide what a file changes.
#[derive(Debug, Clone, Copy)]
pub struct PlanOptions {
    /// Whether clients without a row are deleted.
    pub prune: bool,
    /// Whether an empty CSV cell clears the field.
    pub clear_empty: bool,
}

/// Compares the rows with the clients of the account. Returns a step for each row whose client can
/// be determined and, with `prune`, for each client without a row. Also returns the problems of the
/// rows, and of columns that no client of the account has.
pub fn compare(
    document: &Document,
    clients: &AllClients,
    options: PlanOptions,
) -> (Vec<Step>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut unknown_columns = Vec::new();
    for column in &document.unknown_column_problems {
        let mut values = clients
            .list
            .iter()
            .map(|client| client.value(&column.param));
        if values.all(|value| value.is_none()) {
            unknown_columns.push(column);
            if document.has_header() {
                problems.push(Problem {
                    row: None,
                    detail: column.clone(),
                });
            }
        }
    }
    let mut planner = Planner {
        document,
        clients,
        clear_empty: options.clear_empty,
        problems,
        unknown_columns,
        row_of_client: HashMap::new(),
        renamed_clients: renamed_clients(document, clients),
    };
    let mut steps = Vec::new();
    for row in 0..document.rows.len() {
        steps.extend(planner.plan_row(row));
    }
    if options.prune {
        for (index, client) in clients.list.iter().enumerate() {
            if !planner.row_of_client.contains_key(&index) {
                steps.push(Step::deletion(client));
            }
        }
    }
    (steps, planner.problems)
}

/// The client of a row.
#[derive(Clone, Copy)]
enum Match<'c> {
    Existing(&'c Record),
    New,
    /// The client cannot be determined, and the row has a problem.
    Problem,
}

struct Planner<'c> {
    document: &'c Document,
    clients: &'c AllClients,
    clear_empty: bool,
    problems: Vec<Problem>,
    /// The problems of columns that neither sitectl nor the service knows.
    unknown_columns: Vec<&'c Detail>,
    /// The indexes of the clients that a row matched, with the indexes of their rows.
    row_of_client: HashMap<usize, usize>,
    /// The indexes of the clients that get another email, so that a row can have their former one.
    renamed_clients: HashSet<usize>,
}

impl<'c> Planner<'c> {
    /// Returns the step of a row, if its client can be determined, and adds the problems of the
    /// row.
    fn plan_row(&mut self, row: usize) -> Option<Step> {
        let input_row = &self.document.rows[row];
        let fields = settable_fields(input_row);
        let id = input_row
            .value("id")
            .map(|id| scalar_text(id).unwrap_or_else(|| id.to_string()))
            .filter(|id| !id.is_empty());
        let email = fields
            .get("email")
            .and_then(scalar_text)
            .unwrap_or_default();
        let matched = self.match_client(row, id.as_deref(), email.trim());
        let mut ignored_cells = Vec::new();
        let (client, action, changes) = match matched {
            Match::Existing(client) => {
                let empty = self.empty_fields(input_row);
                let values = fields.clone().into_iter().chain(empty.clone());
                let mut changes = differences(client, &values.collect());
                if !self.clear_empty {
                    let is_empty = |change: &mut FieldChange| empty.contains_key(&change.field);
                    let ignored = changes.extract_if(.., is_empty);
                    ignored_cells.extend(ignored.map(|change| change.field));
                }
                // The service may normalize values: then a second run would change them again.
                changes.retain(|change| {
                    let is_email = change.field == "email";
                    !(change.is_trimmed() || is_email && change.is_normalization())
                });
                let action = if changes.is_empty() {
                    Action::Unchanged
                } else {
                    Action::Update
                };
                (Some(client), action, changes)
            }
            // A row with a problem gets no step, but all of its fields are checked below, so that
            // one run reports all problems.
            Match::New | Match::Problem => (None, Action::Create, additions(&fields)),
        };
        let is_new = matches!(matched, Match::New);
        self.check_known_fields(row, &fields, is_new, &changes);
        self.check_unknown_fields(row, client);
        if matches!(matched, Match::Problem) {
            return None;
        }
        Some(Step {
            action,
            key: id.unwrap_or(email),
            id: client.and_then(Record::id),
            row: Some(row),
            client: client.cloned(),
            changes,
            ignored_cells,
            ..Step::default()
        })
    }

    /// Returns the fields that the empty cells of a CSV row would clear.
    fn empty_fields(&self, row: &InputRow) -> Map<String, Value> {
        let mut fields = Map::new();
        for name in self.document.empty_columns(row) {
            if let Some(value) = empty_value(name) {
                fields.insert(name.clone(), value);
            }
        }
        fields
    }

    /// Finds the client with the id or, without an id, the email of the row.
    fn match_client(&mut self, row: usize, id: Option<&str>, email: &str) -> Match<'c> {
        let (field, index) = if let Some(id) = id {
            ("id", self.clients.index_of_id(id))
        } else if let Ok(index) = self.clients.index_of_email(email) {
            let is_renamed = |index: &usize| self.renamed_clients.contains(index);
            ("email", index.filter(|index| !is_renamed(index)))
        } else {
            let message =
                "Is the email of several clients, in different letter case; specify the id";
            self.add_problem(row, "email", "ambiguous", message);
            return Match::Problem;
        };
        let Some(index) = index else {
            if id.is_none() {
                return Match::New;
            }
            let message = "Not found; without an id, the row is matched by its email";
            self.add_problem(row, "id", "not_found", message);
            return Match::Problem;
        };
        if let Some(other) = self.row_of_client.insert(index, row) {
            let position = self.document.rows[other].position;
            let message = format!("Is the same client as in {position}");
            self.add_problem(row, field, "duplicate", message);
            return Match::Problem;
        }
        Match::Existing(&self.clients.list[index])
    }

    /// Checks the fields that sitectl can set. For an existing client, only changed fields are
    /// checked: the service may already store a value that these rules refuse, and an exported file
    /// contains it unchanged.
    fn check_known_fields(
        &mut self,
        row: usize,
        fields: &Map<String, Value>,
        is_new: bool,
        changes: &[FieldChange],
    ) {
        let input_row = &self.document.rows[row];
        for problem in field_problems(fields, is_new) {
            let has_column = |name: &str| self.document.has_column(input_row, name);
            // Its column may be the unknown one, which is a problem of its own.
            if !has_column(&problem.param)
                && self
                    .unknown_columns
                    .iter()
                    .any(|column| has_column(&column.param))
            {
                continue;
            }
            if is_new || changes.iter().any(|change| change.field == problem.param) {
                self.add_problem(row, &problem.param, &problem.code, problem.message);
            }
        }
    }

    /// Refuses fields that sitectl cannot change and that differ from the service's.
    fn check_unknown_fields(&mut self, row: usize, client: Option<&Record>) {
        for (name, value) in &self.document.rows[row].fields {
            if APPLY_COLUMNS.allows(name) {
                continue;
            }
            let mut unknown = self.unknown_columns.iter();
            if let Some(column) = unknown.find(|column| column.param == *name) {
                // A heading is a problem of the file.
                if !self.document.has_header() && !value.is_null() {
                    self.add_problem(row, name, &column.code, &*column.message);
                }
                continue;
            }
            let stored = client
                .and_then(|client| client.value(name))
                .unwrap_or_default();
            if !is_same_value(&stored, value) {
                let message =
                    format!("Is {stored} in the service, and sitectl cannot change this field");
                self.add_problem(row, name, "unknown_field", message);
            }
        }
    }

    fn add_problem(&mut self, row: usize, field: &str, code: &str, message: impl Into<String>) {
        self.problems
            .push(self.document.problem(row, field, code, message));
    }
}

/// Returns the indexes of the clients whose row has their id and another email.
fn renamed_clients(document: &Document, clients: &AllClients) -> HashSet<usize> {
    let mut renamed = HashSet::new();
    for row in &document.rows {
        let id = row.value("id").and_then(scalar_text).unwrap_or_default();
        if let Some(email) = row.value("email").map(sites_or_email)
            && let Some(index) = clients.index_of_id(&id)
            && let Some(current) = clients.list[index].value("email")
            && !email.is_empty()
            && email != sites_or_email(&current)
        {
            renamed.insert(index);
        }
    }
    renamed
}

/// Returns the changes that create a client with these fields.
fn additions(fields: &Map<String, Value>) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    for (field, to) in fields {
        changes.push(FieldChange {
            field: field.clone(),
            from: Value::Null,
            to: to.clone(),
        });
    }
    changes
}

impl SkippedRow {
    pub fn new(document: &Document, row: usize, problems: Vec<Detail>) -> Self {
        let key = document.row(row).and_then(|row| document.key(row));
        Self {
            key: key.unwrap_or_default(),
            row,
            error: Error::new(Kind::Invalid, "invalid row").with_details(problems),
        }
    }
}

impl Step {
    fn deletion(client: &Record) -> Self {
        let id = client.id();
        Self {
            action: Action::Delete,
            key: id.clone().unwrap_or_default(),
            id,
            client: Some(client.clone()),
            ..Self::default()
        }
    }

    /// Returns the values of `field` (`site_ids`, or `email` in lower case) that the client has
    /// only after the step.
    pub fn gained(&self, field: &str) -> BTreeSet<String> {
        match self.change_of(field) {
            Some(change) => &sites_or_email(&change.to) - &sites_or_email(&change.from),
            None => BTreeSet::new(),
        }
    }

    /// Returns the values of `field` (`site_ids`, or `email` in lower case) that the client has
    /// only before the step.
    pub fn given_up(&self, field: &str) -> BTreeSet<String> {
        if self.action == Action::Delete
            && let Some(client) = &self.client
            && let Some(value) = client.value(field)
        {
            return sites_or_email(&value);
        }
        match self.change_of(field) {
            Some(change) => &sites_or_email(&change.from) - &sites_or_email(&change.to),
            None => BTreeSet::new(),
        }
    }

    fn change_of(&self, field: &str) -> Option<&FieldChange> {
        self.changes.iter().find(|change| change.field == field)
    }
}

fn serialize_by_field<S: Serializer>(
    changes: &[FieldChange],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
