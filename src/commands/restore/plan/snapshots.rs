//! Whether the snapshots of a plan can be restored, as far as that can be read: where they are listed is not shown in
//! the spec ("Other operations").

use crate::client::{Api, IN_FLIGHT, created_at, is_usable, latest};
use crate::commands::context::Context;
use crate::commands::restore::LATEST;
use crate::commands::restore::choose::Choice;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// What could be read of the snapshots of sites.
#[derive(Default)]
pub struct Snapshots {
    of_sites: HashMap<String, Known>,
}

/// What is known of the snapshots of one site.
enum Known {
    All(Vec<Record>),
    /// There is no such site.
    NoSite,
    /// They can't be read.
    Unread(Error),
}

/// Why there is none: the field that it is about, a code, and the same in words.
pub type Wrong = (&'static str, &'static str, String);

impl Snapshots {
    /// Reads the snapshots of these sites.
    ///
    /// # Errors
    /// Where the service can't be reached or lets nobody in.
    pub async fn read(context: &Context, api: &Api, site_ids: HashSet<&str>) -> Result<Self> {
        let counter = context.ui.tally("sites checked", site_ids.len() as u64);
        api.begin_bulk();
        let mut snapshots = Self::default();
        let read = async {
            let all = site_ids.into_iter().map(|id| async move { (id, api.all_snapshots(id).await) });
            let mut answers = stream::iter(all.collect::<Vec<_>>()).buffer_unordered(IN_FLIGHT);
            while let Some((id, answer)) = answers.next().await {
                snapshots.of_sites.insert(id.into(), Known::of(answer)?);
                counter.reached(snapshots.of_sites.len() as u64);
            }
            snapshots.look_for_sites(api).await;
            Ok(())
        };
        counter.while_waiting(read).await.map(|()| snapshots)
    }

    /// A 404 may be about the site, or about a list that is elsewhere: the list of sites tells, where it can be read.
    async fn look_for_sites(&mut self, api: &Api) {
        let missing = |known: &Known| matches!(known, Known::Unread(error) if error.kind == Kind::NotFound);
        if !self.of_sites.values().any(missing) {
            return;
        }
        let Ok(sites) = api.all_sites().await else { return };
        let ids: HashSet<String> = sites.iter().filter_map(Record::id).collect();
        for (id, known) in &mut self.of_sites {
            if missing(known) && !ids.contains(id) {
                *known = Known::NoSite;
            }
        }
    }

    /// The snapshot of this site that `wanted` means: an id, or `latest`.
    ///
    /// # Errors
    /// Why it can't be restored.
    pub fn find(&self, site_id: &str, wanted: &str) -> Result<Choice, Wrong> {
        let unchecked = Choice { id: wanted.into(), taken_at: None };
        match self.of_sites.get(site_id) {
            Some(Known::NoSite) => Err(("site_id", "not_found", format!("There is no site '{site_id}'"))),
            Some(Known::All(all)) if wanted == LATEST => newest(site_id, all),
            Some(Known::All(all)) => named(all, wanted),
            Some(Known::Unread(_)) if wanted == LATEST => {
                let why = "Which is the latest can't be found out: there is no list of the site's snapshots";
                Err(("snapshot_id", "not_found", why.into()))
            }
            Some(Known::Unread(_)) | None => Ok(unchecked),
        }
    }

    /// How many sites have snapshots that can't be read, and why not.
    pub fn unread(&self) -> Option<(usize, String)> {
        let mut unread = self.of_sites.values().filter_map(|known| match known {
            Known::Unread(error) => Some(error),
            _ => None,
        });
        let why = match unread.next()? {
            error if error.kind == Kind::NotFound => "there is no list of them (404)".into(),
            error => error.message.clone(),
        };
        Some((unread.count() + 1, why))
    }

    /// Fails where the service could not say which snapshot of this site is the latest.
    ///
    /// # Errors
    /// Why it could not.
    pub fn require(&self, site_id: &str) -> Result<()> {
        match self.of_sites.get(site_id) {
            Some(Known::Unread(error)) if error.kind != Kind::NotFound => {
                Err(error.brief().context(format!("which snapshot of {site_id} is the latest can't be read")))
            }
            _ => Ok(()),
        }
    }
}

impl Known {
    fn of(answer: Result<Vec<Record>>) -> Result<Self> {
        match answer {
            Ok(all) => Ok(Self::All(all)),
            Err(error) if matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted) => Err(error),
            // Nothing answers at all.
            Err(error) if error.kind == Kind::Unavailable && error.status.is_none() => Err(error),
            Err(error) => Ok(Self::Unread(error)),
        }
    }
}

fn newest(site_id: &str, all: &[Record]) -> Result<Choice, Wrong> {
    let code = |error: &Error| if error.kind == Kind::NotFound { "not_found" } else { "ambiguous" };
    let wrong = |error: Error| ("snapshot_id", code(&error), error.message.clone());
    latest(site_id, all).and_then(|newest| Choice::of(&newest)).map_err(wrong)
}

fn named(all: &[Record], id: &str) -> Result<Choice, Wrong> {
    let Some(snapshot) = all.iter().find(|snapshot| snapshot.id().as_deref() == Some(id)) else {
        return Err(("snapshot_id", "not_found", "The site has no such snapshot".into()));
    };
    match snapshot.text("status") {
        Some(status) if !is_usable(snapshot) => {
            Err(("snapshot_id", "not_succeeded", format!("Is {status}; only one that succeeded can be restored")))
        }
        _ => Ok(Choice { id: id.into(), taken_at: created_at(snapshot) }),
    }
}
