//! Changes clients, and follows which of them has each site: the report of a command names the
//! sites that moved, and those that have no client now.

use super::changes::{ChangedClient, ClientWriter, unless_interrupted};
use super::lookup::{AllClients, name_and_id, sites_or_email};
use crate::error::{Detail, Error, Hint, Kind, MAX_HINTS, Result};
use crate::resources::Record;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The service's code for a site that another client has.
const ALREADY_ASSIGNED: &str = "already_assigned";
/// The service's code for a site that is not valid or not available.
const INVALID_ID: &str = "invalid_id";

/// The release of sites by their client, because another client gets them.
pub struct SiteRelease {
    /// The client before the release.
    pub client: Record,
    /// The released sites, in the service's order.
    pub sites: Vec<String>,
}

impl SiteRelease {
    /// Creates the release of those of `sites` that the client has; None if it has none of them.
    fn new(client: &Record, sites: &BTreeSet<String>) -> Option<Self> {
        let mut released = client.texts("site_ids").unwrap_or_default();
        released.retain(|site| sites.contains(site));
        (!released.is_empty()).then(|| Self {
            client: client.clone(),
            sites: released,
        })
    }

    fn id(&self) -> String {
        self.client.id().unwrap_or_default()
    }

    /// Returns the update that releases the sites.
    pub fn fields(&self) -> Map<String, Value> {
        let mut sites = self.client.texts("site_ids").unwrap_or_default();
        sites.retain(|site| !self.sites.contains(site));
        Map::from_iter([("site_ids".into(), json!(sites))])
    }

    /// Whether the same client releases the same sites, and has the same others.
    pub fn is_same(&self, other: &Self) -> bool {
        let sites = |release: &Self| release.client.texts("site_ids");
        self.id() == other.id() && self.sites == other.sites && sites(self) == sites(other)
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
            releases.extend(SiteRelease::new(client, sites));
        }
    }
    releases
}

/// Describes sites and the clients that release them, such as `site-0001 from Anna Kowalska
/// (client-0021)`.
pub fn describe_releases(releases: &[SiteRelease]) -> String {
    let mut parts = Vec::new();
    for SiteRelease { sites, client } in releases {
        parts.push(format!("{} from {}", sites.join(", "), name_and_id(client)));
    }
    parts.join(", ")
}

/// A site that a command moved from one client to another.
#[derive(Debug, Serialize)]
pub struct SiteMove {
    pub site_id: String,
    /// The id of the client that had the site.
    pub from: String,
    /// The id of the client that has the site.
    pub to: String,
}

/// How a site lost its client.
#[derive(Debug)]
struct Loss {
    /// The id of the client that had the site.
    from: String,
    /// Whether the client surely released the site, and no other client can have it. If not, the
    /// outcome of a change is unknown.
    is_certain: bool,
}

/// The outcome for the sites of the clients that a command changed.
#[derive(Debug, Default)]
pub struct SiteReport {
    pub moved: Vec<SiteMove>,
    /// The sites that lost their client, or may have lost it, and are not known to have one.
    lost: BTreeMap<String, Loss>,
    deleted: HashSet<String>,
}

impl SiteReport {
    /// Returns the sites without a client.
    pub fn without_client(&self) -> Vec<String> {
        self.lost.keys().cloned().collect()
    }

    /// Returns the kind of the error of a command that left sites without a client; None if it left
    /// none.
    pub fn kind(&self) -> Option<Kind> {
        let mut lost = self.lost.values();
        if lost.any(|loss| !loss.is_certain) {
            Some(Kind::UnknownOutcome)
        } else {
            (!self.lost.is_empty()).then_some(Kind::Partial)
        }
    }

    /// Returns a note for each of these sites that has no client now.
    pub fn notes<'s>(&self, sites: impl IntoIterator<Item = &'s String>) -> Vec<Detail> {
        let mut notes = Vec::new();
        for site in sites {
            if let Some(Loss { from, is_certain }) = self.lost.get(site) {
                let has = if *is_certain { "has" } else { "may have" };
                let note = format!("{site} of {from} {has} no client now");
                notes.push(Detail::note(note));
            }
        }
        notes
    }

    /// Returns the commands that give these sites back; none for many clients, because the command
    /// that released them is the way to finish, too.
    pub fn hints<'s>(&self, sites: impl IntoIterator<Item = &'s String>) -> Vec<Hint> {
        let mut hints: BTreeMap<&str, Hint> = BTreeMap::new();
        for site in sites {
            if let Some(Loss { from, is_certain }) = self.lost.get(site)
                && *is_certain
                && !self.deleted.contains(from)
            {
                let hint = hints.remove(&**from).unwrap_or_else(|| {
                    Hint::command("give the site back", "clients update").ids(&[from])
                });
                hints.insert(from, hint.option("--add-site", site));
            }
        }
        if hints.len() > MAX_HINTS {
            return Vec::new();
        }
        hints.into_values().collect()
    }
}

/// The sites of clients, as far as a command knows them.
#[derive(Debug, Default)]
struct KnownSites {
    /// The sites of each client by its id: as they were when the changes were decided, or as this
    /// command has changed them.
    by_client: HashMap<String, BTreeSet<String>>,
    lost: BTreeMap<String, Loss>,
    /// The sites that a client gained, with its id.
    gained: BTreeMap<String, String>,
    /// The sites that a client may have gained, because the outcome of its change is unknown.
    may_be_gained: BTreeSet<String>,
    deleted: HashSet<String>,
}

impl KnownSites {
    fn of(&self, id: &str) -> BTreeSet<String> {
        self.by_client.get(id).cloned().unwrap_or_default()
    }

    fn lose(&mut self, from: &str, sites: BTreeSet<String>, is_certain: bool) {
        for site in sites {
            let from = from.to_string();
            self.lost.insert(site, Loss { from, is_certain });
        }
    }

    /// Records that the client has the sites `stored` after its change.
    fn accept(&mut self, id: &str, stored: BTreeSet<String>) {
        let before = self.of(id);
        self.undo_loss(id);
        self.lose(id, &before - &stored, true);
        for site in &stored - &before {
            self.gained.insert(site, id.to_string());
        }
        self.by_client.insert(id.to_string(), stored);
    }

    /// Records that the change of the client that was begun was not made.
    fn undo_loss(&mut self, id: &str) {
        self.lost
            .retain(|_, loss| loss.from != id || loss.is_certain);
    }
}

/// Makes the changes of a command that can change the sites of clients.
pub struct SiteWriter<'c> {
    pub writer: ClientWriter<'c>,
    known: RefCell<KnownSites>,
}

impl<'c> SiteWriter<'c> {
    /// Begins with these clients as they were when the changes were decided.
    pub fn new<'r>(
        writer: ClientWriter<'c>,
        clients: impl IntoIterator<Item = &'r Record>,
    ) -> Self {
        let mut known = KnownSites::default();
        for client in clients {
            let sites = client.texts("site_ids").unwrap_or_default();
            let id = client.id().unwrap_or_default();
            known.by_client.insert(id, sites.into_iter().collect());
        }
        Self {
            writer,
            known: known.into(),
        }
    }

    /// Creates a client, as [`ClientWriter::create`] does.
    pub async fn create(&self, fields: &Map<String, Value>) -> Result<ChangedClient> {
        let claimed = fields
            .get("site_ids")
            .map(sites_or_email)
            .unwrap_or_default();
        self.known
            .borrow_mut()
            .may_be_gained
            .extend(claimed.clone());
        let result = self.writer.create(fields).await;
        if !matches!(&result, Err(error) if error.has_unknown_outcome()) {
            let mut known = self.known.borrow_mut();
            known.may_be_gained.retain(|site| !claimed.contains(site));
        }
        let created = result?;
        let id = created.client.id().unwrap_or_default();
        let sites = stored_sites(&created, fields).unwrap_or_default();
        self.known.borrow_mut().accept(&id, sites);
        Ok(created)
    }

    /// Changes the fields of a client. Sites are sent only if `checks_sites` is not set, or if the
    /// client's sites are still those that the command knows.
    ///
    /// # Errors
    /// `Conflict` if they are not; else those of [`ClientWriter::update`].
    pub async fn update(
        &self,
        id: &str,
        fields: &Map<String, Value>,
        checks_sites: bool,
    ) -> Result<ChangedClient> {
        let Some(after) = fields.get("site_ids").map(sites_or_email) else {
            return self.writer.update(id, fields).await;
        };
        if checks_sites {
            self.require_known_sites(id).await?;
        }
        let before = self.known.borrow().of(id);
        // Before the request, because an interruption leaves it without an outcome.
        {
            let mut known = self.known.borrow_mut();
            known.lose(id, &before - &after, false);
            known.may_be_gained.extend(&after - &before);
        }
        let result = self.writer.update(id, fields).await;
        let mut known = self.known.borrow_mut();
        match result {
            Err(error) if error.has_unknown_outcome() => Err(error),
            Ok(changed) => {
                known.may_be_gained.retain(|site| !after.contains(site));
                known.accept(id, stored_sites(&changed, fields).unwrap_or(after));
                Ok(changed)
            }
            Err(error) => {
                known.may_be_gained.retain(|site| !after.contains(site));
                known.undo_loss(id);
                Err(name_present_sites(error, &(&before & &after)))
            }
        }
    }

    /// Releases sites, because another client gets them.
    ///
    /// # Errors
    /// That the client did not release them.
    pub async fn release(&self, release: &SiteRelease) -> Result<()> {
        let checks_sites = true;
        let id = release.id();
        let released = self.update(&id, &release.fields(), checks_sites).await;
        let released = released.and_then(|changed| changed.all_values_stored);
        released.map_err(|error| not_released(&error, &id, &release.sites))
    }

    /// Deletes clients, as [`ClientWriter::delete`] does.
    pub async fn delete(&self, ids: &[String]) -> Vec<Result<()>> {
        for id in ids {
            let mut known = self.known.borrow_mut();
            let sites = known.of(id);
            known.lose(id, sites, false);
        }
        let results = self.writer.delete(ids).await;
        let mut known = self.known.borrow_mut();
        for (id, result) in ids.iter().zip(&results) {
            match result {
                Ok(()) => {
                    known.accept(id, BTreeSet::new());
                    known.deleted.insert(id.clone());
                }
                Err(error) if error.has_unknown_outcome() => {}
                Err(_) => known.undo_loss(id),
            }
        }
        results
    }

    /// Reads the sites of a client.
    ///
    /// # Errors
    /// `Conflict` if they are not those that the command knows.
    async fn require_known_sites(&self, id: &str) -> Result<()> {
        let interrupted = Error::new(Kind::Interrupted, "interrupted");
        let client = unless_interrupted(self.writer.api.client(id), interrupted).await?;
        let Some(sites) = client.texts("site_ids") else {
            return Ok(());
        };
        if self.known.borrow().of(id) == sites.iter().cloned().collect() {
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

    /// Returns the outcome for the sites.
    pub fn finish(self) -> SiteReport {
        let known = self.known.into_inner();
        let mut report = SiteReport {
            lost: known.lost,
            deleted: known.deleted,
            ..SiteReport::default()
        };
        for (site_id, to) in known.gained {
            if let Some(Loss { from, .. }) = report.lost.remove(&site_id) {
                report.moved.push(SiteMove { site_id, from, to });
            }
        }
        for site in known.may_be_gained {
            if let Some(loss) = report.lost.get_mut(&site) {
                loss.is_certain = false;
            }
        }
        report
    }
}

fn stored_sites(changed: &ChangedClient, sent: &Map<String, Value>) -> Option<BTreeSet<String>> {
    match changed.client.texts("site_ids") {
        Some(sites) => Some(sites.into_iter().collect()),
        None => sent.get("site_ids").map(sites_or_email),
    }
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

/// Adds the sites that the client had already to the error of a site that the service refuses: the
/// user did not specify them, but the complete list is sent.
fn name_present_sites(error: Error, sites: &BTreeSet<String>) -> Error {
    let mut details = error.details.iter();
    if sites.is_empty() || !details.any(|detail| detail.code() == INVALID_ID) {
        return error;
    }
    let sites: Vec<&str> = sites.iter().map(String::as_str).collect();
    let mut details = error.details.clone();
    let note = format!(
        "The sites that the client has were sent too: {}",
        sites.join(", ")
    );
    details.push(Detail::note(note));
    error.with_details(details)
}

/// Returns the error of a change that is not the one that was confirmed.
pub fn changed_during_confirmation() -> Error {
    let message = "the clients were changed during the confirmation";
    Error::new(Kind::Conflict, message)
        .with_hint("No changes were made. Run the same command again")
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
    for site in releases.iter().flat_map(|release| &release.sites) {
        hint = hint.option("--move-site", site);
    }
    error.add_hint(hint)
}
