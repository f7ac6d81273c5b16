//! The changes that a command would make to clients.

use super::compare::FieldChange;
use crate::commands::find_clients::{sites_of, sites_or_email};
use crate::commands::find_sites::AccountSites;
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

#[derive(Default)]
pub struct Plan {
    /// Each client once, in the order of the file; clients that are not in the file come last.
    pub steps: Vec<Step>,
    /// The sites of the account, if their list was read.
    pub sites: Option<AccountSites>,
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

    /// Describes the empty cells that are ignored; None if there are none.
    pub fn ignored_cells(&self) -> Option<String> {
        let cells = self.steps.iter().flat_map(|step| &step.ignored_cells);
        let count = cells.clone().count();
        let names: BTreeSet<&str> = cells.map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let cells = pluralize(count, "empty cell");
        (count > 0).then(|| format!("{cells} ignored ({})", names.join(", ")))
    }

    /// Returns the name of a site for a person.
    pub fn site_name(&self, id: &str) -> String {
        let sites = self.sites.as_ref();
        sites.map_or(id.into(), |sites| sites.name(id))
    }

    /// Checks, after the confirmation, that the file still makes these changes, and that the clients
    /// that it deletes have the same emails and sites. `current` has the steps that follow from the
    /// account now.
    ///
    /// # Errors
    /// `Conflict` with each change that is another one now.
    pub fn require_unchanged(&self, document: &Document, current: &[Step]) -> Result<()> {
        let current: HashMap<&str, &Step> = current.iter().map(|step| (&*step.key, step)).collect();
        let basis = |step: &Step| {
            let deleted = step
                .client
                .as_ref()
                .filter(|_| step.action == Action::Delete);
            let values = deleted.map(|client| ["email", "site_ids"].map(|name| client.value(name)));
            (step.action, step.id.clone(), step.changes.clone(), values)
        };
        let mut details = Vec::new();
        for step in &self.steps {
            let is_unchanged = match current.get(&*step.key) {
                Some(current) => basis(step) == basis(current),
                // A client that no longer exists need not be deleted.
                None => step.action == Action::Delete,
            };
            if !is_unchanged {
                let message = "The client has changed";
                details.push(match step.row {
                    Some(row) => document.detail(&document.rows[row], "", "changed", message),
                    None => Detail::new("changed", &step.key, message),
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

    /// Returns the sites that the client has only after the step.
    pub fn claimed_sites(&self) -> BTreeSet<String> {
        match self.change_of_sites() {
            Some(change) => &sites_or_email(&change.to) - &sites_or_email(&change.from),
            None => BTreeSet::new(),
        }
    }

    /// Returns the sites that the client has only before the step.
    pub fn released_sites(&self) -> BTreeSet<String> {
        match (&self.client, self.change_of_sites()) {
            (Some(client), _) if self.action == Action::Delete => sites_of(client),
            (_, Some(change)) => &sites_or_email(&change.from) - &sites_or_email(&change.to),
            _ => BTreeSet::new(),
        }
    }

    fn change_of_sites(&self) -> Option<&FieldChange> {
        self.changes
            .iter()
            .find(|change| change.field == "site_ids")
    }
}

/// Returns the error of a change that is not the one that was confirmed.
pub fn changed_during_confirmation() -> Error {
    let message = "the clients were changed during the confirmation";
    let error = Error::new(Kind::Conflict, message).without_changes();
    error.with_hint("run the same command again")
}

fn serialize_by_field<S: Serializer>(
    changes: &[FieldChange],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
