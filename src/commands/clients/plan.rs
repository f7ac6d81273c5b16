//! The changes that a command would make to clients.

use super::compare::{FieldChange, is_same_value};
use super::moving::sites_of;
use crate::commands::find_clients::{AllClients, looks_like_email, name_and_id, sites_or_email};
use crate::commands::find_sites::AccountSites;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::Document;
use crate::resources::Record;
use crate::terminal::pluralize;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

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

    /// Returns the number of sites that a client gives up and no other client gets.
    pub fn sites_without_client(&self) -> usize {
        let mut given_up = BTreeSet::new();
        let mut gained = BTreeSet::new();
        for step in &self.steps {
            given_up.extend(step.released_sites());
            gained.extend(step.claimed_sites());
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

    /// Returns the name of a site for a person.
    pub fn site_name(&self, id: &str, is_terminal: bool) -> String {
        let sites = self.sites.as_ref();
        sites.map_or(id.into(), |sites| sites.name(id, is_terminal))
    }

    /// Checks, after the confirmation, that the fields that the plan replaces are as it shows them,
    /// and so are the emails that rows are matched by, and the email and the sites of the clients
    /// that it deletes.
    ///
    /// # Errors
    /// `Conflict` with each field that has changed.
    pub fn require_unchanged(&self, document: &Document, clients: &AllClients) -> Result<()> {
        let mut details = Vec::new();
        for step in &self.steps {
            let before = step.client.as_ref();
            let client = match &step.id {
                Some(id) => clients.index_of_id(id),
                // No client had the email.
                None => clients.index_of_email(&step.key).ok().flatten(),
            };
            let client = client.map(|index| &clients.list[index]);
            let changed = step.changes.iter().map(|change| &*change.field);
            let fields: Vec<&str> = match step.action {
                Action::Delete => vec!["email", "site_ids"],
                Action::Create => vec!["email"],
                _ if looks_like_email(&step.key) => changed.chain(["email"]).collect(),
                _ => changed.collect(),
            };
            for field in fields {
                let value = |client: &Record| client.value(field).unwrap_or_default();
                let message = match (client, before) {
                    // A client that no longer exists need not be deleted.
                    (None, _) if step.action == Action::Delete => continue,
                    (None, None) => continue,
                    (None, Some(_)) => "The client no longer exists".into(),
                    (Some(client), None) => format!("Is now the email of {}", name_and_id(client)),
                    (Some(client), Some(before)) => match value(client) {
                        now if is_same_value(field, &now, &value(before)) => continue,
                        now => format!("Is now {now}"),
                    },
                };
                details.push(match step.row {
                    Some(row) => document.detail(&document.rows[row], field, "changed", message),
                    None => Detail::new("changed", &step.key, format!("{field}: {message}")),
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
    Error::new(Kind::Conflict, message)
        .with_hint("No changes were made. Run the same command again")
}

fn serialize_by_field<S: Serializer>(
    changes: &[FieldChange],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(changes.iter().map(|change| (&change.field, change)))
}
