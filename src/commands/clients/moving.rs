//! Moves sites from the clients that have them to another client.

use super::changes::{Changed, Changes};
use super::lookup::{AllClients, items, short_name};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::{shell_arguments, shell_option};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A client that releases sites, because another client claims them.
#[derive(Debug)]
pub struct Owner {
    /// Its id.
    pub id: String,
    name: String,
    /// The sites that it has while it has these, in the service's order.
    before: Vec<String>,
    /// The sites that the other client claims.
    sites: Vec<String>,
}

impl Owner {
    /// Returns a client that releases these sites; none if it has none of them. It releases `others` for other clients.
    pub fn new(
        client: &Record,
        sites: &BTreeSet<String>,
        others: &BTreeSet<String>,
    ) -> Option<Self> {
        let mut before = client.texts("site_ids").unwrap_or_default();
        before.retain(|site| sites.contains(site) || !others.contains(site));
        let sites: Vec<String> = before
            .iter()
            .filter(|site| sites.contains(*site))
            .cloned()
            .collect();
        let (id, name) = (client.id().unwrap_or_default(), short_name(client));
        (!sites.is_empty()).then_some(Self {
            id,
            name,
            before,
            sites,
        })
    }

    /// Returns the sites that it keeps.
    pub fn kept(&self) -> Vec<&String> {
        self.before
            .iter()
            .filter(|site| !self.sites.contains(site))
            .collect()
    }
}

/// Returns the clients that have these sites, except the client with this id.
pub fn owners(clients: &AllClients, sites: &BTreeSet<String>, id: Option<&str>) -> Vec<Owner> {
    let others = clients
        .list
        .iter()
        .filter(|client| client.id().as_deref() != id);
    others
        .filter_map(|client| Owner::new(client, sites, &BTreeSet::new()))
        .collect()
}

/// Returns the sites and their clients, such as `site-0001 from Anna Kowalska (client-0021)`.
pub fn described(owners: &[Owner]) -> String {
    let each = owners
        .iter()
        .map(|owner| format!("{} from {}", owner.sites.join(", "), owner.name));
    each.collect::<Vec<_>>().join(", ")
}

/// Releases the sites at their owners, then updates the client. If that fails, the owners get their sites back.
///
/// # Errors
/// As an update, with a detail for each site that was released.
pub async fn update(
    changes: Changes<'_>,
    id: &str,
    fields: &Map<String, Value>,
    owners: &[Owner],
) -> Result<Changed> {
    for (number, owner) in owners.iter().enumerate() {
        if let Err(error) = set_sites(changes, owner, owner.kept()).await {
            return Err(give_back(changes, &owners[..number], error).await);
        }
    }
    match changes.update(id, fields).await {
        Err(error) => Err(give_back(changes, owners, error).await),
        Ok(Changed {
            client,
            kept: Err(error),
        }) => {
            let shown = client.texts("site_ids").unwrap_or_default();
            let has_all = owners
                .iter()
                .flat_map(|owner| &owner.sites)
                .all(|site| shown.contains(site));
            let error = if has_all {
                error
            } else {
                give_back(changes, owners, error).await
            };
            Ok(Changed {
                client,
                kept: Err(error),
            })
        }
        changed => changed,
    }
}

/// Gives released sites back, unless the change was interrupted or its outcome is unknown. Returns the error with a note
/// on each owner.
async fn give_back(changes: Changes<'_>, owners: &[Owner], error: Error) -> Error {
    let mut details = error.details.clone();
    for owner in owners {
        let names = owner.sites.join(", ");
        let note = if error.is_in_doubt() || error.kind == Kind::Interrupted {
            format!(
                "{} has released {names}; run the same command again to finish",
                owner.id
            )
        } else {
            match set_sites(changes, owner, owner.before.iter().collect()).await {
                Ok(()) => format!("{names} was given back to {}", owner.id),
                Err(error) => format!(
                    "{names} could not be given back to {}: {}",
                    owner.id, error.message
                ),
            }
        };
        details.push(Detail::new("", "", note));
    }
    error.with_details(details)
}

async fn set_sites(changes: Changes<'_>, owner: &Owner, sites: Vec<&String>) -> Result<()> {
    changes
        .update(
            &owner.id,
            &Map::from_iter([("site_ids".into(), json!(sites))]),
        )
        .await?
        .kept
}

/// Adds to the error of a site that another client has the command that moves the site. `id` is the client's, if it exists.
pub async fn with_owners(
    changes: Changes<'_>,
    error: Error,
    fields: &Map<String, Value>,
    (name, id): (&str, Option<&str>),
) -> Error {
    if error
        .details
        .iter()
        .all(|detail| detail.code != "already_assigned")
    {
        return error;
    }
    let sites = fields.get("site_ids").map(items).unwrap_or_default();
    let Ok(clients) = AllClients::read(changes.api).await else {
        return error;
    };
    let owners = owners(&clients, &sites, id);
    if owners.is_empty() {
        return error;
    }
    let flags = owners
        .iter()
        .flat_map(|owner| &owner.sites)
        .map(|site| shell_option("--move-site", site));
    let flags = flags.collect::<Vec<_>>().join(" ");
    let first = if id.is_some() {
        ""
    } else {
        "create the client without these sites, then "
    };
    let command = format!(
        "{} clients update {} {flags}",
        changes.context.program(),
        shell_arguments(&[name])
    );
    error.with_hint(format!("{first}move {}: {command}", described(&owners)))
}
