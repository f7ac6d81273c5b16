//! Compares the rows of a file with the clients and the sites of the account.

use crate::client::{ClientChange, field_problems, is_address};
use crate::commands::clients::columns::{
    APPLY_COLUMNS, empty_value, meant_field, settable_fields, trim_texts,
};
use crate::commands::clients::compare::{FieldChange, differences, is_misread, is_same_value};
use crate::commands::clients::moving::{INVALID_ID, site_problem, taken_email};
use crate::commands::clients::plan::{Action, Step};
use crate::commands::find_clients::{AllClients, email_key};
use crate::commands::find_sites::AccountSites;
use crate::error::Detail;
use crate::input::{Document, InputRow, Problem, is_error_value};
use crate::resources::{Record, scalar_text};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The options that decide what a file changes.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct PlanOptions {
    /// Delete clients that are not in the file.
    ///
    /// If the input is incomplete, sitectl also deletes the missing clients.
    #[arg(long)]
    pub prune: bool,
    /// Clear the fields of empty CSV cells.
    ///
    /// Required fields and the fields of new clients stay as they are.
    #[arg(long)]
    pub clear_empty: bool,
    /// Leave out unknown columns, but not those that may mean a field
    #[arg(long)]
    pub ignore_unknown: bool,
}

/// The changes of a file.
#[derive(Default)]
pub struct Comparison<'c> {
    /// A step for each row whose client can be determined and, with `prune`, for each client
    /// without a row.
    pub steps: Vec<Step>,
    pub problems: Vec<Problem>,
    /// The columns that are left out.
    pub ignored_columns: Vec<&'c str>,
}

/// Compares the rows with the clients of the account and, if the list of sites was read, with its
/// sites.
pub fn compare<'c>(
    document: &'c Document,
    clients: &'c AllClients,
    sites: Option<&'c AccountSites>,
    options: PlanOptions,
) -> Comparison<'c> {
    let mut planner = Planner {
        document,
        clients,
        sites,
        options,
        problems: Vec::new(),
        may_lack_fields: false,
        row_of: HashMap::new(),
    };
    let ignored_columns = planner.check_columns();
    let mut steps = Vec::new();
    for row in 0..document.rows.len() {
        steps.extend(planner.plan_row(row));
    }
    if options.prune {
        let is_in_file = |id: String| planner.row_of.contains_key(&("id", id));
        let clients = clients.list.iter();
        let others = clients.filter(|client| !client.id().is_some_and(is_in_file));
        steps.extend(others.map(Step::deletion));
    }
    planner.check_sites(&steps);
    Comparison {
        steps,
        problems: planner.problems,
        ignored_columns,
    }
}

const USE_TWO_FILES: &str = "; to exchange emails, use two files, the first without --prune";

struct Planner<'c> {
    document: &'c Document,
    clients: &'c AllClients,
    sites: Option<&'c AccountSites>,
    options: PlanOptions,
    problems: Vec<Problem>,
    /// Whether an unknown column may have the values of a field that the rows lack.
    may_lack_fields: bool,
    /// The row of each client (`id`), and of each email and site that a client gets.
    row_of: HashMap<(&'static str, String), usize>,
}

impl<'c> Planner<'c> {
    /// Adds one problem with all unknown columns. Returns those that are left out: fields that
    /// clients of the account have and, with `ignore_unknown`, those that can mean no field.
    fn check_columns(&mut self) -> Vec<&'c str> {
        let document = self.document;
        let (mut ignored, mut refused, mut renames) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        for Detail { param: column, .. } in &document.unknown_column_problems {
            let mut clients = self.clients.list.iter();
            let has_field = |name| {
                document
                    .rows
                    .iter()
                    .any(|row| document.has_column(row, name))
            };
            if clients.any(|client| client.value(column).is_some()) {
                ignored.push(&**column);
            } else if let Some(field) = meant_field(column).filter(|field| !has_field(field)) {
                refused.push(&**column);
                renames.push(format!("{column} to {field}"));
            } else if self.options.ignore_unknown {
                ignored.push(column);
            } else {
                refused.push(column);
                others.push(&**column);
            }
        }
        self.may_lack_fields = !refused.is_empty();
        if self.may_lack_fields {
            let known = APPLY_COLUMNS.names().join(", ");
            let mut message = format!("No field of a client; known: {known}");
            if !renames.is_empty() {
                message += &format!("; rename {}", renames.join(", "));
            }
            if !others.is_empty() {
                message += &format!("; --ignore-unknown leaves out {}", others.join(", "));
            }
            let columns = refused.join(", ");
            let detail = Detail {
                position: Some(format!("{}, column {columns}", document.name)),
                ..Detail::new("unknown_field", &columns, message)
            };
            self.problems.push(Problem {
                position: None,
                detail,
            });
        }
        ignored
    }

    /// Returns the step of a row, if its client can be determined, and adds the problems of the
    /// row.
    fn plan_row(&mut self, row: usize) -> Option<Step> {
        let input_row = &self.document.rows[row];
        let mut fields = settable_fields(input_row);
        trim_texts(&mut fields);
        let text = |value: &Value| scalar_text(value).unwrap_or_else(|| value.to_string());
        let id = input_row
            .value("id")
            .map(|id| text(id).trim().to_string())
            .filter(|id| !id.is_empty());
        let email = fields.get("email").map(text).unwrap_or_default();
        let matched = self.match_client(row, id.as_deref(), &email);
        let client = matched.unwrap_or_default();
        let mut ignored_cells = Vec::new();
        let (action, changes) = if let Some(client) = client {
            let empty = self.empty_fields(input_row);
            let values = fields.clone().into_iter().chain(empty.clone());
            let mut changes = differences(client, &values.collect());
            if !self.options.clear_empty {
                let is_empty = |change: &mut FieldChange| empty.contains_key(&change.field);
                let ignored = changes.extract_if(.., is_empty);
                ignored_cells.extend(ignored.map(|change| change.field));
            }
            let action = if changes.is_empty() {
                Action::Unchanged
            } else {
                Action::Update
            };
            (action, changes)
        } else {
            // All fields of a row whose client is not known are checked below, too, so that one run
            // reports all problems.
            (Action::Create, additions(&fields))
        };
        let change = match matched {
            Some(None) => ClientChange::Create,
            _ => ClientChange::Update,
        };
        self.check_fields(row, &fields, change, &changes);
        for change in &changes {
            self.check_change(row, change, matched);
        }
        matched?;
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

    /// Finds the client with the id or, without an id, the email of the row: `Some(None)` for a new
    /// client, and None after a problem.
    #[expect(clippy::option_option, reason = "a problem is not a new client")]
    fn match_client(
        &mut self,
        row: usize,
        id: Option<&str>,
        email: &str,
    ) -> Option<Option<&'c Record>> {
        let (field, index) = if let Some(id) = id {
            ("id", self.clients.index_of_id(id))
        } else if let Ok(index) = self.clients.index_of_email(email) {
            ("email", index)
        } else {
            let message =
                "Is the email of several clients, in different letter case; specify the id";
            self.add_problem(row, "email", "ambiguous", message);
            return None;
        };
        let Some(index) = index else {
            if id.is_none() {
                return Some(None);
            }
            let message = "Not found; without an id, the row is matched by its email";
            self.add_problem(row, "id", "not_found", message);
            return None;
        };
        let client = &self.clients.list[index];
        let id = client.id().unwrap_or_default();
        self.claim(row, field, "id", id).then_some(Some(client))
    }

    /// Notes the row of a client, an email or a site. If an earlier row has it, that is a problem
    /// of `field`.
    fn claim(&mut self, row: usize, field: &str, kind: &'static str, value: String) -> bool {
        let rows = &self.document.rows;
        let Some(other) = self.row_of.get(&(kind, value.clone())) else {
            self.row_of.insert((kind, value), row);
            return true;
        };
        let other = &rows[*other];
        let differs = |field| {
            let values = rows[row].value(field).zip(other.value(field));
            values.is_some_and(|(one, other)| !is_same_value(field, one, other))
        };
        let mut message = format!("Is in {} too", other.position);
        if kind == "site_ids" {
            message = format!("'{value}' is in {} too", other.position);
        } else if differs("email") {
            message += USE_TWO_FILES;
        } else if differs("site_ids") {
            message += "; put all sites of a client into one row, separated by ;";
        }
        self.add_problem(row, field, "duplicate", message);
        false
    }

    /// Checks the fields that sitectl can set. For an existing client, only changed fields are
    /// checked: the service may already store a value that these rules refuse, and an exported file
    /// contains it unchanged.
    fn check_fields(
        &mut self,
        row: usize,
        fields: &Map<String, Value>,
        change: ClientChange,
        changes: &[FieldChange],
    ) {
        let input_row = &self.document.rows[row];
        for problem in field_problems(fields, change) {
            let has_column = self.document.has_column(input_row, &problem.param);
            // The unknown column is a problem of its own.
            if !has_column && self.may_lack_fields {
                continue;
            }
            let is_changed = || changes.iter().any(|change| change.field == problem.param);
            if change == ClientChange::Create || is_changed() {
                self.add_problem(row, &problem.param, problem.code(), problem.message.clone());
            }
        }
    }

    /// Refuses a text that a spreadsheet spoiled, and an email that another client has or gets.
    #[expect(clippy::option_option, reason = "a problem is not a new client")]
    fn check_change(&mut self, row: usize, change: &FieldChange, matched: Option<Option<&Record>>) {
        let Some(text) = change.to.as_str() else {
            return;
        };
        let field = &*change.field;
        // The blanks at the end can be a part of a letter that was read in another encoding.
        let read = self.document.rows[row].value(field).and_then(Value::as_str);
        if is_error_value(text) {
            let message = "Is an error value of a spreadsheet";
            self.add_problem(row, field, "error_value", message);
        } else if let Some(stored) = change.from.as_str()
            && is_misread(stored, read.unwrap_or_default())
        {
            let message = format!(
                "Is '{stored}' in the wrong encoding; open the export as UTF-8, and edit it \
                 again (clients update takes such a value)"
            );
            self.add_problem(row, field, "wrong_encoding", message);
        } else if let Some(client) = matched
            && field == "email"
            && !text.is_empty()
        {
            let id = client.and_then(Record::id);
            if let Some((code, message)) = taken_email(self.clients, text, id.as_deref()) {
                self.add_problem(row, field, code, message + USE_TWO_FILES);
            } else {
                self.claim(row, field, "email", email_key(text));
            }
        }
    }

    /// Refuses the sites that two clients would have, and unknown sites.
    fn check_sites(&mut self, steps: &[Step]) {
        let released_sites = steps.iter().flat_map(|step| step.released_sites());
        let released: HashSet<String> = released_sites.collect();
        for step in steps {
            for site in step.claimed_sites() {
                let (Some(row), id) = (step.row, step.id.as_deref()) else {
                    continue;
                };
                let is_released = released.contains(&site);
                let problem = site_problem(self.clients, self.sites, &site, id, is_released);
                match problem {
                    // An address that was not found is a problem already.
                    Some((INVALID_ID, _)) if is_address(&site) => {}
                    Some((code, mut message)) => {
                        if site.contains(['\n', '|', ',', ' ']) {
                            message += "; separate sites with semicolons";
                        }
                        self.add_problem(row, "site_ids", code, message);
                    }
                    None => drop(self.claim(row, "site_ids", "site_ids", site)),
                }
            }
        }
    }

    fn add_problem(&mut self, row: usize, field: &str, code: &str, message: impl Into<String>) {
        self.problems
            .push(self.document.problem(row, field, code, message));
    }
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
