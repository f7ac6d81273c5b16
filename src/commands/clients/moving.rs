//! Moves sites from the clients that have them to another client.

use super::changes::{ChangedClient, ClientWriter};
use super::lookup::{AllClients, name_and_id, sites_or_email};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::{shell_arguments, shell_option};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The release of sites by their client, because another client gets them.
#[derive(Debug)]
pub struct SiteRelease {
    pub id: String,
    name: String,
    /// The sites of the client before the release, in the service's order, without those that it
    /// releases for other clients.
    sites_before: Vec<String>,
    /// The sites that the other client gets.
    released: Vec<String>,
}

impl SiteRelease {
    /// Creates the release of those of `sites` that the client has; None if it has none of them.
    /// `released_early` are the sites that the client gives up in early requests, for any client:
    /// the list of sites that this release sends must not contain them.
    pub fn new(
        client: &Record,
        sites: &BTreeSet<String>,
        released_early: &BTreeSet<String>,
    ) -> Option<Self> {
        let mut sites_before = client.texts("site_ids").unwrap_or_default();
        sites_before.retain(|site| sites.contains(site) || !released_early.contains(site));
        let mut released = sites_before.clone();
        released.retain(|site| sites.contains(site));
        if released.is_empty() {
            return None;
        }
        Some(Self {
            id: client.id().unwrap_or_default(),
            name: name_and_id(client),
            sites_before,
            released,
        })
    }

    /// Returns the sites of the client after the release.
    pub fn remaining_sites(&self) -> Vec<&String> {
        self.sites_before
            .iter()
            .filter(|site| !self.released.contains(site))
            .collect()
    }
}

/// Returns a release for each client that has some of these sites, except the client with this id.
pub fn find_site_releases(
    clients: &AllClients,
    sites: &BTreeSet<String>,
    id: Option<&str>,
) -> Vec<SiteRelease> {
    let mut releases = Vec::new();
    for client in &clients.list {
        if client.id().as_deref() != id {
            releases.extend(SiteRelease::new(client, sites, &BTreeSet::new()));
        }
    }
    releases
}

/// Describes sites and the clients that release them, such as `site-0001 from Anna Kowalska
/// (client-0021)`.
pub fn describe_releases(releases: &[SiteRelease]) -> String {
    let mut parts = Vec::new();
    for SiteRelease { released, name, .. } in releases {
        parts.push(format!("{} from {name}", released.join(", ")));
    }
    parts.join(", ")
}

/// Releases the sites at their clients, then updates the client. If that fails, the clients get
/// their sites back.
///
/// # Errors
/// The error of the update, with a note for each client that released sites.
pub async fn update_with_moves(
    writer: ClientWriter<'_>,
    id: &str,
    fields: &Map<String, Value>,
    releases: &[SiteRelease],
) -> Result<ChangedClient> {
    for (index, release) in releases.iter().enumerate() {
        if let Err(error) = set_sites(writer, release, release.remaining_sites()).await {
            return Err(give_back(writer, &releases[..index], error).await);
        }
    }
    let mut changed = match writer.update(id, fields).await {
        Ok(changed) => changed,
        Err(error) => return Err(give_back(writer, releases, error).await),
    };
    if let Err(mut error) = changed.all_values_stored {
        let stored = changed.client.texts("site_ids").unwrap_or_default();
        // If the sites arrived and only another value was not stored, they stay moved.
        let mut released = releases.iter().flat_map(|release| &release.released);
        if !released.all(|site| stored.contains(site)) {
            error = give_back(writer, releases, error).await;
        }
        changed.all_values_stored = Err(error);
    }
    Ok(changed)
}

/// Gives released sites back, unless the change was interrupted or its outcome is unknown. Returns
/// the error with a note on each client that released sites.
async fn give_back(writer: ClientWriter<'_>, releases: &[SiteRelease], error: Error) -> Error {
    let mut details = error.details.clone();
    for release in releases {
        let id = &release.id;
        let sites = release.released.join(", ");
        let note = if error.has_unknown_outcome() || error.kind == Kind::Interrupted {
            format!("{id} has released {sites}; run the same command again to finish")
        } else {
            match set_sites(writer, release, release.sites_before.iter().collect()).await {
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

async fn set_sites(
    writer: ClientWriter<'_>,
    release: &SiteRelease,
    sites: Vec<&String>,
) -> Result<()> {
    let fields = Map::from_iter([("site_ids".into(), json!(sites))]);
    writer.update(&release.id, &fields).await?.all_values_stored
}

/// Adds a hint to an error about sites that other clients have: the command that moves them.
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
    let releases = find_site_releases(&clients, &sites, id);
    if releases.is_empty() {
        return error;
    }
    let mut flags = Vec::new();
    for site in releases.iter().flat_map(|release| &release.released) {
        flags.push(shell_option("--move-site", site));
    }
    let command = format!(
        "{} clients update {} {}",
        writer.context.program(),
        shell_arguments(&[id_or_email]),
        flags.join(" ")
    );
    let first_step = if id.is_some() {
        ""
    } else {
        "create the client without these sites, then "
    };
    let releases = describe_releases(&releases);
    error.with_hint(format!("{first_step}move {releases}: {command}"))
}
