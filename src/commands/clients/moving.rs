//! Moves sites from the clients that have them to another client.

use super::changes::{ChangedClient, ClientWriter};
use super::lookup::{AllClients, name_and_id, sites_or_email};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::{shell_arguments, shell_option};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A client that releases sites, because another client claims them.
#[derive(Debug)]
pub struct Owner {
    pub id: String,
    name: String,
    /// All sites of the client before the release, in the service's order.
    all_sites: Vec<String>,
    /// The sites that the other client claims.
    claimed: Vec<String>,
}

impl Owner {
    /// Creates the owner of these sites. Returns None if the client has none of these sites.
    /// `others` are sites that it releases for other clients.
    pub fn new(
        client: &Record,
        sites: &BTreeSet<String>,
        others: &BTreeSet<String>,
    ) -> Option<Self> {
        let mut all_sites = client.texts("site_ids").unwrap_or_default();
        all_sites.retain(|site| sites.contains(site) || !others.contains(site));
        let mut claimed = all_sites.clone();
        claimed.retain(|site| sites.contains(site));
        if claimed.is_empty() {
            return None;
        }
        Some(Self {
            id: client.id().unwrap_or_default(),
            name: name_and_id(client),
            all_sites,
            claimed,
        })
    }

    /// Returns the sites of the client after the release.
    pub fn remaining(&self) -> Vec<&String> {
        self.all_sites
            .iter()
            .filter(|site| !self.claimed.contains(site))
            .collect()
    }
}

/// Returns the clients that have these sites, except the client with this id.
pub fn find_owners(clients: &AllClients, sites: &BTreeSet<String>, id: Option<&str>) -> Vec<Owner> {
    let mut owners = Vec::new();
    for client in &clients.list {
        if client.id().as_deref() != id {
            owners.extend(Owner::new(client, sites, &BTreeSet::new()));
        }
    }
    owners
}

/// Returns the sites and their clients, such as `site-0001 from Anna Kowalska (client-0021)`.
pub fn describe_owners(owners: &[Owner]) -> String {
    let mut parts = Vec::new();
    for Owner { claimed, name, .. } in owners {
        parts.push(format!("{} from {name}", claimed.join(", ")));
    }
    parts.join(", ")
}

/// Releases the sites at their owners, then updates the client. If that fails, the owners get their
/// sites back.
///
/// # Errors
/// The error of the update, with a detail for each owner that released sites.
pub async fn update_with_moves(
    writer: ClientWriter<'_>,
    id: &str,
    fields: &Map<String, Value>,
    owners: &[Owner],
) -> Result<ChangedClient> {
    for (index, owner) in owners.iter().enumerate() {
        if let Err(error) = set_sites(writer, owner, owner.remaining()).await {
            return Err(give_back(writer, &owners[..index], error).await);
        }
    }
    let mut changed = match writer.update(id, fields).await {
        Ok(changed) => changed,
        Err(error) => return Err(give_back(writer, owners, error).await),
    };
    if let Err(mut error) = changed.verified {
        let stored = changed.client.texts("site_ids").unwrap_or_default();
        let mut claimed = owners.iter().flat_map(|owner| &owner.claimed);
        if !claimed.all(|site| stored.contains(site)) {
            error = give_back(writer, owners, error).await;
        }
        changed.verified = Err(error);
    }
    Ok(changed)
}

/// Gives released sites back, unless the change was interrupted or its outcome is unknown. Returns
/// the error with a note on each owner.
async fn give_back(writer: ClientWriter<'_>, owners: &[Owner], error: Error) -> Error {
    let mut details = error.details.clone();
    for owner in owners {
        let id = &owner.id;
        let sites = owner.claimed.join(", ");
        let note = if error.has_unknown_outcome() || error.kind == Kind::Interrupted {
            format!("{id} has released {sites}; run the same command again to finish")
        } else {
            match set_sites(writer, owner, owner.all_sites.iter().collect()).await {
                Ok(()) => format!("{sites} was given back to {id}"),
                Err(error) => {
                    format!("{sites} could not be given back to {id}: {}", error.message)
                }
            }
        };
        details.push(Detail::new("", "", note));
    }
    error.with_details(details)
}

async fn set_sites(writer: ClientWriter<'_>, owner: &Owner, sites: Vec<&String>) -> Result<()> {
    let fields = Map::from_iter([("site_ids".into(), json!(sites))]);
    writer.update(&owner.id, &fields).await?.verified
}

/// Adds the command that moves the site to the error of a site that another client has.
/// `id_or_email` is the client that claims the site, and `id` is its id if it exists.
pub async fn suggest_moving_sites(
    writer: ClientWriter<'_>,
    error: Error,
    fields: &Map<String, Value>,
    id_or_email: &str,
    id: Option<&str>,
) -> Error {
    let mut codes = error.details.iter().map(|detail| detail.code.as_str());
    if !codes.any(|code| code == "already_assigned") {
        return error;
    }
    let sites = fields
        .get("site_ids")
        .map(sites_or_email)
        .unwrap_or_default();
    let Ok(clients) = AllClients::read(writer.api).await else {
        return error;
    };
    let owners = find_owners(&clients, &sites, id);
    if owners.is_empty() {
        return error;
    }
    let mut flags = Vec::new();
    for site in owners.iter().flat_map(|owner| &owner.claimed) {
        flags.push(shell_option("--move-site", site));
    }
    let command = format!(
        "{} clients update {} {}",
        writer.context.program(),
        shell_arguments(&[id_or_email]),
        flags.join(" ")
    );
    let first = if id.is_some() {
        ""
    } else {
        "create the client without these sites, then "
    };
    let owners = describe_owners(&owners);
    error.with_hint(format!("{first}move {owners}: {command}"))
}
