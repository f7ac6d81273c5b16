//! Moves sites between clients: releases a site at the client that has it, before another client
//! claims it.

use super::changes::{ChangedClient, ClientWriter, unless_interrupted};
use super::compare::FieldChange;
use super::plan::{Action, Step};
use crate::commands::find_clients::{AllClients, name_and_id, sites_or_email};
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::resources::Record;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The service's code for a site that another client has.
const ALREADY_ASSIGNED: &str = "already_assigned";
/// The service's code for a site that is not valid or not available.
const INVALID_ID: &str = "invalid_id";

/// Returns the sites of a client; none if the service does not show them.
pub fn sites_of(client: &Record) -> BTreeSet<String> {
    let sites = client.value("site_ids").unwrap_or_default();
    sites_or_email(&sites)
}

/// Returns an update for each client that has some of these sites, except the client with this id:
/// it releases the sites.
pub fn find_site_releases(
    clients: &AllClients,
    sites: &BTreeSet<String>,
    id: Option<&str>,
) -> Vec<Step> {
    let mut releases = Vec::new();
    for client in &clients.list {
        let before = client.texts("site_ids").unwrap_or_default();
        let mut after = before.clone();
        after.retain(|site| !sites.contains(site));
        if client.id().as_deref() == id || after.len() == before.len() {
            continue;
        }
        releases.push(Step {
            action: Action::Update,
            key: client.id().unwrap_or_default(),
            id: client.id(),
            changes: vec![FieldChange {
                field: "site_ids".into(),
                from: json!(before),
                to: json!(after),
            }],
            client: Some(client.clone()),
            ..Step::default()
        });
    }
    releases
}

/// Describes sites and the clients that release them, such as `site-0001 from Anna Kowalska
/// (client-0021)`.
pub fn describe_releases(releases: &[Step]) -> String {
    let mut parts = Vec::new();
    for release in releases {
        let sites = Vec::from_iter(release.given_up("site_ids")).join(", ");
        let client = release.client.as_ref().map(name_and_id);
        parts.push(format!("{sites} from {}", client.unwrap_or_default()));
    }
    parts.join(", ")
}

/// Returns the note that a site was released by the client with the id `from`, and was not claimed.
/// Both may be unknown.
pub fn unclaimed_site(site: &str, from: &str, is_certain: bool) -> Detail {
    let has = if is_certain { "has" } else { "may have" };
    Detail::note(format!("{site} of {from} {has} no client now"))
}

/// Reads the sites of the client with this id.
///
/// # Errors
/// `Conflict` if they are not those of `client`.
pub async fn require_sites(
    writer: ClientWriter<'_>,
    id: &str,
    client: Option<&Record>,
) -> Result<()> {
    let interrupted = Error::new(Kind::Interrupted, "interrupted");
    let current = unless_interrupted(writer.api.client(id), interrupted).await?;
    let Some(sites) = current.texts("site_ids") else {
        return Ok(());
    };
    if client.map(sites_of).unwrap_or_default() == sites_of(&current) {
        return Ok(());
    }
    let sites = if sites.is_empty() {
        "none".into()
    } else {
        sites.join(", ")
    };
    let detail = format!("The sites of {id} are now: {sites}");
    let message = "the client's sites have changed since they were read";
    Err(Error::new(Kind::Conflict, message)
        .with_details(vec![Detail::new("changed", "site_ids", detail)])
        .with_hint("run the same command again"))
}

/// Changes the fields of the client with this id. To the error of a site that the service refuses,
/// adds the sites that `client` had already: the user did not specify them, but the complete list is
/// sent.
///
/// # Errors
/// Those of [`ClientWriter::update`].
pub async fn update_sites(
    writer: ClientWriter<'_>,
    id: &str,
    client: Option<&Record>,
    fields: &Map<String, Value>,
) -> Result<ChangedClient> {
    let updated = writer.update(id, fields).await;
    updated.map_err(|error| {
        let sent = fields.get("site_ids").map(sites_or_email);
        let sites = &sent.unwrap_or_default() & &client.map(sites_of).unwrap_or_default();
        let mut details = error.details.clone();
        if !sites.is_empty() && details.iter().any(|detail| detail.code() == INVALID_ID) {
            let sites = Vec::from_iter(sites).join(", ");
            let note = format!("The sites that the client has were sent too: {sites}");
            details.push(Detail::note(note));
        }
        error.with_details(details)
    })
}

/// Returns the error of a change that waits for sites which a client did not release. The details
/// become notes, because they are not about the client that waits.
pub fn not_released(error: &Error, id: &str, sites: &[String]) -> Error {
    let did = if error.has_unknown_outcome() {
        "may not have released"
    } else {
        "did not release"
    };
    let message = format!("{id} {did} {}: {}", sites.join(", "), error.message);
    let notes = error.details.iter();
    let notes = notes.map(|detail| Detail::note(&*detail.message));
    let kind = match error.kind {
        // Only the outcome of the release is unknown.
        Kind::UnknownOutcome => Kind::Unavailable,
        kind => kind,
    };
    Error::new(kind, message)
        .with_details(notes.collect())
        .with_hints(error.hints.clone())
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
    let mut details = error.details.iter();
    if !details.any(|detail| detail.code() == ALREADY_ASSIGNED) {
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
    let (first_step, last_step) = if id.is_some() {
        ("", " before you run the same command again")
    } else {
        ("create the client without these sites, then ", "")
    };
    let sites = describe_releases(&releases);
    let purpose = format!("{first_step}move {sites}{last_step}");
    let mut hint = Hint::command(purpose, "clients update").ids(&[id_or_email]);
    for site in releases
        .iter()
        .flat_map(|release| release.given_up("site_ids"))
    {
        hint = hint.option("--move-site", &site);
    }
    error.add_hint(hint)
}
