//! Moves sites from the clients that have them to other clients, and gives back the sites that no
//! other client gets.

use super::changes::{ChangedClient, ClientWriter, unless_interrupted};
use super::lookup::{AllClients, name_and_id, sites_or_email};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::shell::{shell_arguments, shell_option};
use crate::signal::mark_signal_handled;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tokio::sync::Mutex;

/// The service's code for a site that another client has.
const ALREADY_ASSIGNED: &str = "already_assigned";

/// The release of sites by their client, because other clients get them.
#[derive(Debug, PartialEq)]
pub struct SiteRelease {
    pub id: String,
    name: String,
    /// The released sites, in the service's order.
    pub sites: Vec<String>,
    /// All sites of the client before the release.
    sites_before: BTreeSet<String>,
}

impl SiteRelease {
    /// Creates the release of those of `sites` that the client has; None if it has none of them.
    pub fn new(client: &Record, sites: &BTreeSet<String>) -> Option<Self> {
        let mut released = client.texts("site_ids").unwrap_or_default();
        let sites_before = released.iter().cloned().collect();
        released.retain(|site| sites.contains(site));
        if released.is_empty() {
            return None;
        }
        Some(Self {
            id: client.id().unwrap_or_default(),
            name: name_and_id(client),
            sites: released,
            sites_before,
        })
    }

    /// Returns the error of a release that failed: the client `to`, which gets the sites, was not
    /// changed. The details become notes, because they are not about that client.
    fn failure(&self, error: &Error, to: &str) -> Error {
        let Self { id, sites, .. } = self;
        let sites = sites.join(", ");
        let reason = if error.has_unknown_outcome() {
            error.message.clone()
        } else if error.kind == Kind::Error {
            format!("{id} did not release {sites}")
        } else {
            format!("{id} did not release {sites}: {}", error.message)
        };
        let notes = error
            .details
            .iter()
            .map(|detail| Detail::new("", "", &*detail.message));
        let kind = match error.kind {
            // Only the outcome of the release is unknown, as the report of the moves says.
            Kind::UnknownOutcome => Kind::Unavailable,
            kind => kind,
        };
        let message = format!("{reason}; client {to} was not changed");
        let failure = Error::new(kind, message).with_details(notes.collect());
        failure.with_hints(error.hints.clone())
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
    for SiteRelease { sites, name, .. } in releases {
        parts.push(format!("{} from {name}", sites.join(", ")));
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

/// What became of the sites that lost their client during a command.
#[derive(Debug, Default)]
pub struct MoveReport {
    pub moved: Vec<SiteMove>,
    /// The sites that no client is known to have.
    pub without_client: Vec<String>,
    /// The clients that got sites back.
    pub restored_clients: Vec<Record>,
    /// A note for each client that got sites back, or should have.
    notes: Vec<Detail>,
    /// The kind of the command's error, if a client may have released or got back a site, or giving
    /// back was interrupted.
    kind: Option<Kind>,
    /// The command that gives a site back, or shows whether a client has released it.
    hint: Option<String>,
}

impl MoveReport {
    /// Adds the notes and the hint to the error of the command.
    pub fn add_to_error(&self, error: Error) -> Error {
        let mut details = error.details.clone();
        details.extend(self.notes.iter().cloned());
        let kind = match self.kind {
            Some(kind) if error.kind != Kind::Interrupted => kind,
            _ => error.kind,
        };
        let error = error.with_kind(kind).with_details(details);
        match &self.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    /// Whether a client released sites that did not move.
    pub fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    fn add_note(&mut self, note: String) {
        self.notes.push(Detail::new("", "", note));
    }

    /// Adds sites that were not given back to their former client.
    fn add_lost(&mut self, program: &str, loss: &Loss, sites: Vec<String>, reason: &str) {
        let id = &loss.from;
        let client = shell_arguments(&[id]);
        let joined = sites.join(", ");
        let hint = if loss.is_released {
            self.add_note(format!(
                "{joined} could not be given back to {id}: {reason}"
            ));
            let mut command = format!("{program} clients update {client}");
            for site in &sites {
                command += &format!(" {}", shell_option("--add-site", site));
            }
            self.without_client.extend(sites);
            format!("give the site back: {command}")
        } else {
            self.add_note(format!("{id} may have released {joined}: {reason}"));
            self.kind.get_or_insert(Kind::UnknownOutcome);
            format!("check the client: {program} clients show {client}")
        };
        self.hint.get_or_insert(hint);
    }

    /// Adds sites whose former client was deleted.
    fn add_without_former_client(&mut self, id: &str, sites: Vec<String>) {
        let have = if sites.len() == 1 { "has" } else { "have" };
        let joined = sites.join(", ");
        self.add_note(format!(
            "{joined} {have} no client now, because {id} was deleted"
        ));
        self.without_client.extend(sites);
    }
}

/// How a site lost its client.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Loss {
    /// The id of the client that had the site.
    from: String,
    /// Whether the client surely released the site. If not, the outcome of its change is unknown.
    is_released: bool,
}

/// The change of the sites of one client.
struct SiteChange {
    /// The id of the client; None if the client is new.
    id: Option<String>,
    before: BTreeSet<String>,
    after: BTreeSet<String>,
}

/// The sites of the clients, as far as a command knows them.
#[derive(Debug, Default)]
struct KnownSites {
    /// The sites of each client by its id.
    by_client: BTreeMap<String, BTreeSet<String>>,
    /// The ids of the clients whose last change of sites has an unknown outcome.
    unsettled: BTreeSet<String>,
    /// The sites that lost their client, or may have lost it.
    lost: BTreeMap<String, Loss>,
    /// The ids of the clients that were deleted.
    deleted: BTreeSet<String>,
    /// The sites that a client may have gained, because the outcome of its change is unknown.
    in_doubt: BTreeSet<String>,
    /// The sites that moved, with the ids of both clients.
    moved: BTreeMap<String, (String, String)>,
}

impl KnownSites {
    /// Records a change before it is sent, so that it is in doubt if its outcome stays unknown.
    fn begin(&mut self, change: &SiteChange, claimed: &BTreeSet<String>) {
        self.in_doubt.extend(&change.after - &change.before);
        if let Some(id) = &change.id {
            for site in &(&change.before - &change.after) & claimed {
                let loss = Loss {
                    from: id.clone(),
                    is_released: false,
                };
                self.lost.insert(site, loss);
            }
        }
    }

    /// Records that the service refused the change.
    fn refuse(&mut self, change: &SiteChange) {
        self.in_doubt = &self.in_doubt - &change.after;
        for site in &change.before - &change.after {
            if self.lost.get(&site).map(|loss| &loss.from) == change.id.as_ref() {
                self.lost.remove(&site);
            }
        }
    }

    /// Records that the client with this id has the sites `stored` after the change.
    fn accept(&mut self, change: &SiteChange, id: String, stored: BTreeSet<String>) {
        self.refuse(change);
        // An earlier change of the client can have an unknown outcome.
        let losses = self.lost.iter().filter(|(_, loss)| loss.from == id);
        let mut released: BTreeSet<String> = losses.map(|(site, _)| site.clone()).collect();
        released.extend(change.before.iter().cloned());
        for site in &released - &stored {
            let loss = Loss {
                from: id.clone(),
                is_released: true,
            };
            self.lost.insert(site, loss);
        }
        for site in &stored - &change.before {
            if let Some(Loss { from, .. }) = self.lost.remove(&site)
                && from != id
            {
                self.moved.insert(site, (from, id.clone()));
            }
        }
        self.unsettled.remove(&id);
        self.by_client.insert(id, stored);
    }
}

/// Makes the changes of a command that can change the sites of clients, and follows where the
/// sites are.
pub struct SiteMoves<'c> {
    writer: ClientWriter<'c>,
    /// The sites that should have a client when the command ends.
    claimed: BTreeSet<String>,
    known: RefCell<KnownSites>,
    /// Locked during a release, because several changes can need the same one.
    release_lock: Mutex<()>,
}

impl<'c> SiteMoves<'c> {
    /// Begins with these clients as they were when the changes were decided.
    pub fn new<'r>(
        writer: ClientWriter<'c>,
        claimed: BTreeSet<String>,
        clients: impl IntoIterator<Item = &'r Record>,
    ) -> Self {
        let mut known = KnownSites::default();
        for client in clients {
            if let Some(id) = client.id() {
                // The check of an update must also find sites that a list does not show.
                let sites = client.texts("site_ids").unwrap_or_default();
                known.by_client.insert(id, sites.into_iter().collect());
            }
        }
        Self {
            writer,
            claimed,
            known: RefCell::new(known),
            release_lock: Mutex::new(()),
        }
    }

    /// Begins for the update of one client. Its sites are known from `client`, if it was read.
    pub fn for_update(
        writer: ClientWriter<'c>,
        client: Option<&Record>,
        releases: &[SiteRelease],
    ) -> Self {
        let claimed = releases.iter().flat_map(|release| release.sites.clone());
        let moves = Self::new(writer, claimed.collect(), client);
        for SiteRelease {
            id, sites_before, ..
        } in releases
        {
            let mut known = moves.known.borrow_mut();
            known.by_client.insert(id.clone(), sites_before.clone());
        }
        moves
    }

    /// Creates a client, as [`ClientWriter::create`] does.
    pub async fn create(&self, fields: &Map<String, Value>) -> Result<ChangedClient> {
        let change = self.begin_change(None, fields);
        self.end_change(change, self.writer.create(fields).await)
    }

    /// Changes the fields of a client, after other clients have released sites for it.
    ///
    /// # Errors
    /// `Conflict` if the sites of a client are not those that the command knows.
    pub async fn update(
        &self,
        id: &str,
        fields: &Map<String, Value>,
        releases: &[SiteRelease],
    ) -> Result<ChangedClient> {
        for release in releases {
            if let Err(error) = self.release(release).await {
                return Err(release.failure(&error, id));
            }
        }
        if fields.contains_key("site_ids") {
            if self.known.borrow().unsettled.contains(id) {
                return Err(unsettled_sites(id));
            }
            // Right before the update, so that a site that a colleague adds is not overwritten.
            if self.known_sites(id).is_some() {
                self.read_sites(id).await?;
            }
        }
        self.send_update(id, fields).await
    }

    /// Deletes clients, as [`ClientWriter::delete`] does.
    pub async fn delete(&self, ids: &[String]) -> Vec<Result<()>> {
        let mut changes = Vec::new();
        for id in ids {
            let no_sites = Map::from_iter([("site_ids".into(), json!([]))]);
            changes.extend(self.begin_change(Some(id), &no_sites));
        }
        let results = self.writer.delete(ids).await;
        let mut known = self.known.borrow_mut();
        for ((id, change), result) in ids.iter().zip(changes).zip(&results) {
            match result {
                Ok(()) => {
                    known.accept(&change, id.clone(), BTreeSet::new());
                    known.deleted.insert(id.clone());
                }
                Err(error) if error.has_unknown_outcome() => {}
                Err(_) => known.refuse(&change),
            }
        }
        results
    }

    /// Releases the sites that the client still has.
    async fn release(&self, release: &SiteRelease) -> Result<()> {
        let _locked = self.release_lock.lock().await;
        let id = &release.id;
        let is_released = |sites: &BTreeSet<String>| {
            let mut released = release.sites.iter();
            released.all(|site| !sites.contains(site))
        };
        if self
            .known_sites(id)
            .is_some_and(|sites| is_released(&sites))
        {
            return Ok(());
        }
        let mut remaining = self.read_sites(id).await?;
        remaining.retain(|site| !release.sites.contains(site));
        let fields = Map::from_iter([("site_ids".into(), json!(remaining))]);
        self.send_update(id, &fields).await?.all_values_stored
    }

    fn known_sites(&self, id: &str) -> Option<BTreeSet<String>> {
        self.known.borrow().by_client.get(id).cloned()
    }

    /// Reads the sites of a client.
    ///
    /// # Errors
    /// `Conflict` if they are not those that the command knows.
    async fn read_sites(&self, id: &str) -> Result<Vec<String>> {
        let known = self.known_sites(id);
        let interrupted = Error::new(Kind::Interrupted, "interrupted");
        let client = unless_interrupted(self.writer.api.client(id), interrupted).await?;
        let Some(sites) = client.texts("site_ids") else {
            return Ok(known.into_iter().flatten().collect());
        };
        if known.is_none_or(|known| known == sites.iter().cloned().collect()) {
            return Ok(sites);
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

    async fn send_update(&self, id: &str, fields: &Map<String, Value>) -> Result<ChangedClient> {
        let undoes_change = false;
        let change = self.begin_change(Some(id), fields);
        let result = self.writer.update(id, fields, undoes_change).await;
        self.end_change(change, result)
    }

    /// Returns the change of the sites before it is sent; None if the sites stay unchanged.
    fn begin_change(&self, id: Option<&str>, fields: &Map<String, Value>) -> Option<SiteChange> {
        let change = SiteChange {
            id: id.map(Into::into),
            before: id.and_then(|id| self.known_sites(id)).unwrap_or_default(),
            after: sites_or_email(fields.get("site_ids")?),
        };
        self.known.borrow_mut().begin(&change, &self.claimed);
        Some(change)
    }

    fn end_change(
        &self,
        change: Option<SiteChange>,
        result: Result<ChangedClient>,
    ) -> Result<ChangedClient> {
        let Some(change) = change else {
            return result;
        };
        let mut known = self.known.borrow_mut();
        match &result {
            Ok(ChangedClient { client, .. }) => {
                let id = change.id.clone().or_else(|| client.id());
                let stored = client
                    .texts("site_ids")
                    .map(|sites| sites.into_iter().collect());
                let stored = stored.unwrap_or_else(|| change.after.clone());
                known.accept(&change, id.unwrap_or_default(), stored);
            }
            Err(error) if error.has_unknown_outcome() => {
                // Either list can be the current one.
                let id = change.id.unwrap_or_default();
                known.by_client.remove(&id);
                known.unsettled.insert(id);
            }
            Err(_) => known.refuse(&change),
        }
        result
    }

    /// Gives back the sites that lost their client and should have one, after all other changes.
    /// Nothing is sent after an interruption, or if another client may have got the site.
    pub async fn finish(self, was_interrupted: bool) -> MoveReport {
        let known = self.known.take();
        let mut report = MoveReport::default();
        for (site_id, (from, to)) in known.moved {
            report.moved.push(SiteMove { site_id, from, to });
        }
        let mut unfinished: BTreeMap<Loss, Vec<String>> = BTreeMap::new();
        let mut lost = unfinished.clone();
        let mut without_former_client: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (site, loss) in known.lost {
            if !self.claimed.contains(&site) {
                report.without_client.push(site);
            } else if was_interrupted || known.in_doubt.contains(&site) {
                unfinished.entry(loss).or_default().push(site);
            } else if known.deleted.contains(&loss.from) {
                let sites = without_former_client.entry(loss.from).or_default();
                sites.push(site);
            } else {
                lost.entry(loss).or_default().push(site);
            }
        }
        for (Loss { from, is_released }, sites) in unfinished {
            let has = if is_released { "has" } else { "may have" };
            let joined = sites.join(", ");
            report.add_note(format!(
                "{from} {has} released {joined}; run the same command again to finish"
            ));
            if is_released {
                report.without_client.extend(sites);
            }
        }
        for (id, sites) in without_former_client {
            report.add_without_former_client(&id, sites);
        }
        self.give_back_all(lost, &mut report).await;
        report.without_client.sort();
        report
    }

    /// Gives sites back to their former clients. An error that the other requests would have too
    /// ends this.
    async fn give_back_all(&self, lost: BTreeMap<Loss, Vec<String>>, report: &mut MoveReport) {
        let program = self.writer.context.program();
        let mut waiting = VecDeque::from_iter(lost);
        let mut stopped_by: Option<String> = None;
        while let Some((mut loss, sites)) = waiting.pop_front() {
            if let Some(reason) = &stopped_by {
                report.add_lost(&program, &loss, sites, reason);
                continue;
            }
            let error = match self.give_back(&mut loss, &sites).await {
                Ok(None) => {
                    if !loss.is_released {
                        // The change that releases the sites may still be processed.
                        report.kind = Some(Kind::UnknownOutcome);
                    }
                    continue;
                }
                Ok(Some(client)) => {
                    let were = if sites.len() == 1 { "was" } else { "were" };
                    let (id, sites) = (loss.from, sites.join(", "));
                    report.add_note(format!("{sites} {were} given back to {id}"));
                    report.restored_clients.push(client);
                    continue;
                }
                Err(error) => error,
            };
            if error.kind == Kind::NotFound {
                report.add_without_former_client(&loss.from, sites);
                continue;
            }
            if error.kind == Kind::Invalid && sites.len() > 1 {
                // One refused site does not keep the others from their client.
                for site in sites.into_iter().rev() {
                    waiting.push_front((loss.clone(), vec![site]));
                }
                continue;
            }
            let mut codes = error.details.iter().map(|detail| &detail.code);
            if codes.any(|code| code == ALREADY_ASSIGNED) {
                let (id, site) = (loss.from, sites.join(", "));
                report.add_note(format!(
                    "{site} was not given back to {id}: another client has it"
                ));
                continue;
            }
            if error.kind == Kind::Interrupted {
                // So that the report is printed.
                mark_signal_handled();
                report.kind = Some(Kind::Interrupted);
            } else if error.has_unknown_outcome() {
                report.kind = Some(Kind::UnknownOutcome);
            }
            if !matches!(error.kind, Kind::Invalid | Kind::Conflict | Kind::Error) {
                stopped_by = Some(error.message.clone());
            }
            report.add_lost(&program, &loss, sites, &error.message);
        }
    }

    /// Adds sites to those that their former client has now. Returns the client after that; None if
    /// it still has the sites. Sets `is_released` if it lacks one of them.
    async fn give_back(&self, loss: &mut Loss, sites: &[String]) -> Result<Option<Record>> {
        let id = &loss.from;
        let interrupted = Error::new(Kind::Interrupted, "interrupted");
        let read = self.writer.api.client_before_undo(id);
        let client = unless_interrupted(read, interrupted).await?;
        let mut all_sites = client.texts("site_ids").unwrap_or_default();
        let count = all_sites.len();
        for site in sites {
            if !all_sites.contains(site) {
                all_sites.push(site.clone());
            }
        }
        if all_sites.len() == count {
            return Ok(None);
        }
        loss.is_released = true;
        let undoes_change = true;
        let fields = Map::from_iter([("site_ids".into(), json!(all_sites))]);
        let changed = self.writer.update(id, &fields, undoes_change).await?;
        changed.all_values_stored?;
        Ok(Some(changed.client))
    }
}

/// Returns the error of a client whose sites are not known, because an earlier change of them may
/// still be processed.
fn unsettled_sites(id: &str) -> Error {
    let message = format!("{id} may have released sites for another client, and was not changed");
    Error::new(Kind::Conflict, message)
        .with_hint("check the clients, then run the same command again")
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
    // With other problems, a move alone does not help.
    let mut codes = error.details.iter().map(|detail| detail.code.as_str());
    if error.details.is_empty() || !codes.all(|code| code == ALREADY_ASSIGNED) {
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
    for site in releases.iter().flat_map(|release| &release.sites) {
        flags.push(shell_option("--move-site", site));
    }
    let command = format!(
        "{} clients update {} {}",
        writer.context.program(),
        shell_arguments(&[id_or_email]),
        flags.join(" ")
    );
    let (first_step, last_step) = if id.is_some() {
        ("", " before you run the same command again")
    } else {
        ("create the client without these sites, then ", "")
    };
    let releases = describe_releases(&releases);
    error.with_hint(format!("{first_step}move {releases}{last_step}: {command}"))
}
