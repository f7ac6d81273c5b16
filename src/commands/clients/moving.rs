//! Moves sites from the clients that have them to another client.

use super::changes::{Changed, Changes};
use super::lookup::{AllClients, short_name};
use crate::client::Api;
use crate::commands::context::Context;
use crate::error::{Detail, Error, Result};
use crate::resources::Record;
use crate::signal::handled;
use crate::terminal::{arguments, option};
use serde_json::{Map, Value, json};

/// A client, and those of its sites that another client claims.
pub struct Owner {
    client: Record,
    id: String,
    sites: Vec<String>,
}

/// Returns the clients that have these sites, except the client with this id.
pub fn owners(clients: &AllClients, sites: &[String], id: Option<&str>) -> Vec<Owner> {
    let owner = |client: &Record| {
        let id = client.id()?;
        let mut owned = client.texts("site_ids").unwrap_or_default();
        owned.retain(|site| sites.contains(site));
        (!owned.is_empty()).then(|| Owner { client: client.clone(), id, sites: owned })
    };
    clients.list.iter().filter(|client| client.id().as_deref() != id).filter_map(owner).collect()
}

/// Returns what moves from whom, such as `site-0001 from Anna Kowalska (client-0021)`.
pub fn described(owners: &[Owner]) -> String {
    let each = owners.iter().map(|owner| format!("{} from {}", owner.sites.join(", "), short_name(&owner.client)));
    each.collect::<Vec<_>>().join(", ")
}

/// Releases the sites at their owners, then updates the client. If that fails, the owners get their sites back.
///
/// # Errors
/// As an update, with a detail for each site that was released.
pub async fn update(changes: Changes<'_>, id: &str, fields: &Map<String, Value>, owners: &[Owner]) -> Result<Changed> {
    for (number, owner) in owners.iter().enumerate() {
        let released = set_sites(changes, owner, |site| !owner.sites.contains(site)).await;
        if let Err(error) = released {
            return Err(give_back(changes, &owners[..number], error).await);
        }
    }
    match changes.update(id, fields).await {
        Err(error) => Err(give_back(changes, owners, error).await),
        Ok(Changed { client, kept: Err(error) }) => {
            let shown = client.texts("site_ids").unwrap_or_default();
            let has_all = owners.iter().flat_map(|owner| &owner.sites).all(|site| shown.contains(site));
            let error = if has_all { error } else { give_back(changes, owners, error).await };
            Ok(Changed { client, kept: Err(error) })
        }
        changed => changed,
    }
}

/// Gives released sites back, unless the outcome of the error's change is unknown. Returns the error with a note on each
/// owner.
async fn give_back(changes: Changes<'_>, owners: &[Owner], error: Error) -> Error {
    let mut details = error.details.clone();
    if !error.is_in_doubt() {
        handled();
    }
    for owner in owners {
        let names = owner.sites.join(", ");
        let note = if error.is_in_doubt() {
            format!("{} has released {names}; run the same command again to finish", owner.id)
        } else {
            match set_sites(changes, owner, |_| true).await {
                Ok(()) => format!("{names} was given back to {}", owner.id),
                Err(error) => format!("{names} could not be given back to {}: {}", owner.id, error.message),
            }
        };
        details.push(Detail::new("", "", note));
    }
    error.details(details)
}

async fn set_sites(changes: Changes<'_>, owner: &Owner, keep: impl Fn(&String) -> bool) -> Result<()> {
    let mut sites = owner.client.texts("site_ids").unwrap_or_default();
    sites.retain(keep);
    changes.update(&owner.id, &Map::from_iter([("site_ids".into(), json!(sites))])).await?.kept
}

/// Adds to the error of a site that another client has the command that moves the site. `id` is the client's, if it exists.
pub async fn with_owners(
    context: &Context,
    api: &Api,
    error: Error,
    fields: &Map<String, Value>,
    (name, id): (&str, Option<&str>),
) -> Error {
    let sites: Vec<String> =
        fields.get("site_ids").and_then(|sites| serde_json::from_value(sites.clone()).ok()).unwrap_or_default();
    if sites.is_empty() || error.details.iter().all(|detail| detail.code != "already_assigned") {
        return error;
    }
    let Ok(clients) = AllClients::read(api).await else { return error };
    let owners = owners(&clients, &sites, id);
    if owners.is_empty() {
        return error;
    }
    let flags = owners.iter().flat_map(|owner| &owner.sites).map(|site| option("--move-site", site));
    let flags = flags.collect::<Vec<_>>().join(" ");
    let first = if id.is_some() { "" } else { "create the client without these sites, then " };
    let command = format!("{} clients update {} {flags}", context.program(), arguments(&[name]));
    error.hint(format!("{first}move {}: {command}", described(&owners)))
}
