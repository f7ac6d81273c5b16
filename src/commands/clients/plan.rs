//! The changes that a command would make to clients.

use super::compare::{FieldChange, is_same_value};
use crate::commands::find_clients::{AllClients, sites_or_email};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::Document;
use crate::resources::Record;
use crate::terminal::pluralize;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// The action of a plan for a client.
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
#[derive(Debug, Default, Clone, Serialize)]
pub struct Step {
    pub action: Action,
    /// The id or the email as it was specified, or the id of a client that is not in the file.
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
}

#[derive(Debug, Default)]
pub struct Plan {
    /// Each client once, in the order of the file; clients that are not in the file come last.
    pub steps: Vec<Step>,
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

    /// Returns the steps that give up each value of `site_ids`, or of `email`.
    pub fn givers(&self, field: &str) -> HashMap<String, usize> {
        let mut givers = HashMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            let given_up = step.given_up(field).into_iter();
            givers.extend(given_up.map(|value| (value, index)));
        }
        givers
    }

    /// Checks, after the confirmation, that the fields that the plan replaces are as it shows them,
    /// and so are the email and the sites of the clients that it deletes.
    ///
    /// # Errors
    /// `Conflict` with each field that has changed.
    pub fn require_unchanged(&self, document: &Document, clients: &AllClients) -> Result<()> {
        let mut details = Vec::new();
        for step in &self.steps {
            let (Some(id), Some(before)) = (&step.id, &step.client) else {
                continue;
            };
            let client = clients.index_of_id(id).map(|index| &clients.list[index]);
            let changed = step.changes.iter().map(|change| change.field.as_str());
            let fields: Vec<&str> = match step.action {
                Action::Delete => vec!["email", "site_ids"],
                _ => changed.collect(),
            };
            for field in fields {
                let from = before.value(field).unwrap_or_default();
                let value = client.map(|client| client.value(field).unwrap_or_default());
                let message = match value {
                    // A client that no longer exists need not be deleted.
                    None if step.action == Action::Delete => continue,
                    None => "The client no longer exists".to_string(),
                    Some(value) if is_same_value(field, &value, &from) => continue,
                    Some(value) => format!("Is now {value}"),
                };
                details.push(match step.row {
                    Some(row) => document.detail(&document.rows[row], field, "changed", message),
                    None => Detail::new("changed", id, format!("{field}: {message}")),
                });
            }
        }
        if details.is_empty() {
            return Ok(());
        }
        Err(changed_during_confirmation().with_details(details))
    }
}

impl Step {
    pub fn deletion(client: &Record) -> Self {
        let id = client.id();
        Self {
            action: Action::Delete,
            key: id.clone().unwrap_or_default(),
            id,
            client: Some(client.clone()),
            ..Self::default()
        }
    }

    /// Returns the fields to send, with their new values.
    pub fn fields(&self) -> Map<String, Value> {
        let changes = self.changes.iter();
        Map::from_iter(changes.map(|change| (change.field.clone(), change.to.clone())))
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

/// Returns the error of a change that is not the one that was confirmed.
pub fn changed_during_confirmation() -> Error {
    let message = "the clients were changed during the confirmation";
    Error::new(Kind::Conflict, message)
        .with_hint("No changes were made. Run the same command again")
}

fn serialize_by_field<S: Serializer>(
    changes: &[FieldChange],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
