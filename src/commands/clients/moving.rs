//! Moves sites between clients: one client releases a site before another claims it. What became of
//! the sites is known from [`ClientSites`], one per client.

use super::changes::{ALREADY_EXISTS, ChangedClient, ClientWriter, unless_interrupted};
use super::compare::FieldChange;
use super::plan::{Action, Step};
use crate::client::SendStep;
use crate::commands::find_clients::{AllClients, email_key, name_and_id, sites_of, sites_or_email};
use crate::commands::find_sites::AccountSites;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::resources::Record;
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The service's code for a site that another client has.
pub const ALREADY_ASSIGNED: &str = "already_assigned";
/// The service's code for a site that is not valid or not available.
pub const INVALID_ID: &str = "invalid_id";
/// After a longer wait, the sites of a client are read again before they are replaced.
const MAX_AGE: Duration = Duration::from_secs(1);
/// The most times that the sites are read again, because each read can use up the rate limit.
const MAX_READS: usize = 5;

/// The sites of a client, before the command and now.
#[derive(Default)]
pub struct ClientSites {
    pub id: String,
    /// The client's name and id.
    pub name: String,
    before: BTreeSet<String>,
    now: RefCell<BTreeSet<String>>,
    /// The sites that the client has now, if a change was made whose outcome is not known.
    in_doubt: RefCell<Option<BTreeSet<String>>>,
    /// When the sites were read, if they need not be read again before they are replaced.
    pub read_at: Option<Instant>,
}

impl ClientSites {
    /// `client` is None for a new client, and for one whose sites stay unchanged.
    pub fn new(id: &str, client: Option<&Record>) -> Self {
        let sites = client.map(sites_of).unwrap_or_default();
        Self {
            id: id.into(),
            name: client.map(name_and_id).unwrap_or_default(),
            before: sites.clone(),
            now: sites.into(),
            ..Self::default()
        }
    }

    /// Begins a change: until [`Self::end`], and if the command is interrupted before, its outcome
    /// is in doubt.
    pub fn begin(&self, after: BTreeSet<String>) {
        self.in_doubt.replace(Some(after));
    }

    /// Ends a change; None for a client that was deleted.
    pub fn end(&self, result: Result<Option<&Record>, &Error>) {
        match result {
            Err(error) if error.has_unknown_outcome() => return,
            Err(_) => {}
            Ok(None) => self.now.borrow_mut().clear(),
            Ok(Some(client)) if client.value("site_ids").is_none() => {}
            Ok(Some(client)) => drop(self.now.replace(sites_of(client))),
        }
        self.in_doubt.take();
    }

    /// Whether the client has the site now, and surely.
    pub fn keeps(&self, site: &str) -> bool {
        self.now.borrow().contains(site) && self.in_doubt.borrow().is_none()
    }

    /// Returns those of these sites that the client released, and those that it may have released.
    fn released(&self, sites: &BTreeSet<String>) -> [BTreeSet<String>; 2] {
        let had = &self.before & sites;
        let now = self.now.borrow();
        let doubtful = self
            .in_doubt
            .borrow()
            .as_ref()
            .map(|after| &(&had & &now) - after);
        [&had - &now, doubtful.unwrap_or_default()]
    }

    /// Describes which of these sites the client released, or may have released; None if none.
    pub fn describe_release(&self, sites: &BTreeSet<String>) -> Option<String> {
        let mut parts = Vec::new();
        for (verb, sites) in ["released", "may have released"]
            .iter()
            .zip(self.released(sites))
        {
            if !sites.is_empty() {
                parts.push(format!("{verb} {}", Vec::from_iter(sites).join(", ")));
            }
        }
        (!parts.is_empty()).then(|| format!("{} {}", self.name, parts.join(" and ")))
    }

    /// Returns those of these sites that the client surely or possibly lacks.
    pub fn missing(&self, sites: &BTreeSet<String>) -> BTreeSet<String> {
        sites - &self.now.borrow()
    }

    /// Reads the client.
    ///
    /// # Errors
    /// `Conflict` if its sites have changed.
    async fn require_unchanged(&self, writer: ClientWriter<'_>) -> Result<()> {
        let interrupted = Error::new(Kind::Interrupted, "interrupted");
        let current = unless_interrupted(writer.api.client(&self.id), interrupted).await?;
        let Some(sites) = current.texts("site_ids") else {
            return Ok(());
        };
        if *self.now.borrow() == sites_of(&current) {
            return Ok(());
        }
        let sites = if sites.is_empty() {
            "none".into()
        } else {
            sites.join(", ")
        };
        let detail = format!("The sites of {} are now: {sites}", self.id);
        let message = "the client's sites have changed since they were read";
        Err(Error::new(Kind::Conflict, message)
            .with_details(vec![Detail::new("changed", "site_ids", detail)])
            .with_hint("run the same command again"))
    }

    /// Changes the fields of the client. If they replace its sites, reads the client before, and
    /// again after any wait.
    ///
    /// # Errors
    /// Those of [`ClientWriter::update`]; `Conflict` if the sites have changed.
    pub async fn update(
        &self,
        writer: ClientWriter<'_>,
        fields: &Map<String, Value>,
    ) -> Result<ChangedClient> {
        let Some(after) = fields.get("site_ids").map(sites_or_email) else {
            return writer.update(&self.id, fields, async |_| Ok(())).await;
        };
        let mut read_at = self.read_at;
        let mut reads = 0;
        loop {
            let read = if let Some(read_at) = read_at {
                read_at
            } else {
                self.require_unchanged(writer).await?;
                Instant::now()
            };
            let [has_waited, is_stale] = [const { Cell::new(false) }; 2];
            let record = async |step| {
                if step == SendStep::Repeating {
                    has_waited.set(true);
                    self.in_doubt.take();
                } else if has_waited.get() || read.elapsed() > MAX_AGE {
                    is_stale.set(true);
                    let message = "the rate limit leaves no time to read the client's sites";
                    return Err(Error::new(Kind::RateLimited, message));
                } else {
                    self.begin(after.clone());
                }
                Ok(())
            };
            let updated = writer.update(&self.id, fields, record).await;
            reads += 1;
            if is_stale.get() && reads < MAX_READS {
                read_at = None;
                continue;
            }
            self.end(updated.as_ref().map(|changed| Some(&changed.client)));
            return updated;
        }
    }
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
pub fn describe_releases(releases: &[Step], site_name: impl Fn(&String) -> String) -> String {
    let mut parts = Vec::new();
    for release in releases {
        let sites: Vec<String> = release.released_sites().iter().map(&site_name).collect();
        let client = release.client.as_ref().map(name_and_id);
        parts.push(format!(
            "{} from {}",
            sites.join(", "),
            client.unwrap_or_default()
        ));
    }
    parts.join(", ")
}

/// Returns the code and the message if the lists show that the client with this id, or a new one,
/// cannot get a site: another client has it and does not release it, or it is not in the account.
pub fn site_problem(
    clients: &AllClients,
    sites: Option<&AccountSites>,
    site: &str,
    id: Option<&str>,
    is_released: bool,
) -> Option<(&'static str, String)> {
    let name = sites.map_or(site.into(), |sites| sites.name(site));
    match clients.owner("site_ids", site, id) {
        Some(owner) if !is_released => {
            let message = format!("'{name}' is assigned to {}", name_and_id(owner));
            Some((ALREADY_ASSIGNED, message))
        }
        None if sites.is_some_and(|sites| !sites.may_have(site)) => {
            Some((INVALID_ID, format!("'{name}' is not a site of the account")))
        }
        _ => None,
    }
}

/// Returns the code and the message if a client other than the one with this id has an email.
pub fn taken_email(
    clients: &AllClients,
    email: &str,
    id: Option<&str>,
) -> Option<(&'static str, String)> {
    let owner = clients.owner("email", &email_key(email), id)?;
    let message = format!("'{email}' is the email of {}", name_and_id(owner));
    Some((ALREADY_EXISTS, message))
}

/// Returns the error of a change that waits for a site which a client did not release. The details
/// become notes, because they are not about the client that waits.
pub fn not_released(error: &Error, name: &str, site: &str) -> Error {
    let message = format!("{name} did not release {site}: {}", error.message);
    let notes = error.details.iter();
    let notes = notes.map(|detail| Detail::note(&*detail.message));
    Error::new(error.kind, message)
        .with_details(notes.collect())
        .with_hints(error.hints.clone())
}

/// Adds to the error of a claim the sites that were released for it, and the commands that give them
/// back, unless the service reports that another client has a site.
pub fn name_released_sites(
    mut error: Error,
    releasing: &[ClientSites],
    missing: &BTreeSet<String>,
) -> Error {
    let is_assigned = error
        .details
        .iter()
        .any(|detail| detail.code() == ALREADY_ASSIGNED);
    for client in releasing {
        let Some(release) = client.describe_release(missing) else {
            continue;
        };
        let [mut sites, mut doubtful] = client.released(missing);
        let kind = match error.kind {
            Kind::Interrupted | Kind::UnknownOutcome => error.kind,
            _ if doubtful.is_empty() => Kind::Partial,
            _ => Kind::UnknownOutcome,
        };
        error = error.append_to_message(&release).with_kind(kind);
        sites.append(&mut doubtful);
        if !is_assigned {
            let hint = Hint::command("give the site back", "clients update").ids(&[&client.id]);
            let add = |hint: Hint, site: &String| hint.option("--add-site", site);
            error = error.with_hint(sites.iter().fold(hint, add));
        }
    }
    error
}

/// Adds a hint to an error about sites that other clients have: the command that moves them to the
/// client with this id.
pub fn suggest_moving_sites(
    error: Error,
    clients: &AllClients,
    account_sites: Option<&AccountSites>,
    sites: &BTreeSet<String>,
    id: &str,
) -> Error {
    let releases = find_site_releases(clients, sites, Some(id));
    if releases.is_empty() {
        return error;
    }
    let name = |id: &String| account_sites.map_or(id.clone(), |sites| sites.name(id));
    let purpose = format!("to move {}", describe_releases(&releases, name));
    let hint = Hint::command(purpose, "clients update").ids(&[id]);
    let sites = releases.iter().flat_map(Step::released_sites);
    error.with_hint(sites.fold(hint, |hint, site| hint.option("--move-site", &name(&site))))
}
