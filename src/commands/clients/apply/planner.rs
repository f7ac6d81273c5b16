//! Compares the rows of a file with the clients of the account.

use crate::client::field_problems;
use crate::commands::clients::columns::{APPLY_COLUMNS, empty_value, settable_fields};
use crate::commands::clients::compare::{FieldChange, differences, is_misread};
use crate::commands::clients::plan::{Action, Step};
use crate::commands::find_clients::{AllClients, sites_or_email};
use crate::error::Detail;
use crate::input::{Document, InputRow, Problem};
use crate::resources::{Record, scalar_text};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The options that decide what a file changes.
#[derive(Debug, Clone, Copy)]
pub struct PlanOptions {
    /// Whether clients without a row are deleted.
    pub prune: bool,
    /// Whether an empty CSV cell clears the field.
    pub clear_empty: bool,
}

/// The changes of a file.
#[derive(Default)]
pub struct Comparison<'c> {
    /// A step for each row whose client can be determined and, with `prune`, for each client
    /// without a row.
    pub steps: Vec<Step>,
    pub problems: Vec<Problem>,
    /// The columns that sitectl ignores, because the service has the fields.
    pub ignored_columns: Vec<&'c str>,
}

/// Compares the rows with the clients of the account.
pub fn compare<'c>(
    document: &'c Document,
    clients: &'c AllClients,
    options: PlanOptions,
) -> Comparison<'c> {
    let is_field = |column: &&Detail| {
        let mut list = clients.list.iter();
        clients.list.is_empty() || list.any(|client| client.value(&column.param).is_some())
    };
    let columns = document.unknown_column_problems.iter();
    let (ignored, unknown_columns): (Vec<_>, Vec<_>) = columns.partition(is_field);
    let mut planner = Planner {
        document,
        clients,
        clear_empty: options.clear_empty,
        problems: unknown_columns_problem(document, &unknown_columns),
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
    Comparison {
        steps,
        problems: planner.problems,
        ignored_columns: ignored.iter().map(|column| column.param.as_str()).collect(),
    }
}

/// Returns one problem with all unknown columns, if there are any.
fn unknown_columns_problem(document: &Document, columns: &[&Detail]) -> Vec<Problem> {
    let detail = match columns {
        [] => return Vec::new(),
        [column] => (*column).clone(),
        [first, ..] => {
            let names: Vec<&str> = columns.iter().map(|column| column.param.as_str()).collect();
            let known = APPLY_COLUMNS.names().join(", ");
            Detail {
                param: names.join(", "),
                message: format!("Are not known columns; known: {known}"),
                position: Some(format!("{}, columns {}", document.name, names.join(", "))),
                ..(*first).clone()
            }
        }
    };
    vec![Problem {
        position: None,
        detail,
    }]
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
            .map(|id| id.trim().to_string())
            .filter(|id| !id.is_empty());
        let email = fields
            .get("email")
            .and_then(scalar_text)
            .unwrap_or_default();
        let matched = self.match_client(row, id.as_deref(), &email);
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
        self.check_fields(row, &fields, is_new, &changes);
        self.check_encoding(row, &changes);
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
    fn check_fields(
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
                self.add_problem(row, &problem.param, problem.code(), problem.message.clone());
            }
        }
    }

    /// Refuses texts that the client has, but that were read in another encoding.
    fn check_encoding(&mut self, row: usize, changes: &[FieldChange]) {
        for FieldChange { field, from, to } in changes {
            if let (Some(stored), Some(text)) = (from.as_str(), to.as_str())
                && is_misread(stored, text)
            {
                let message = format!(
                    "Is '{stored}' in the wrong encoding; open the export as UTF-8, and edit it again"
                );
                self.add_problem(row, field, "wrong_encoding", message);
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
        let id = id.trim();
        if let Some(email) = row.value("email").map(sites_or_email)
            && let Some(index) = clients.index_of_id(id)
            && let Some(current) = clients.list[index].value("email")
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
