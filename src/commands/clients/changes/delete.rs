//! Deletes clients, batch after batch, and accounts for every one.

use super::Means;
use crate::client::{Api, Deleted, NotDeleted};
use crate::commands::clients::roster::{FEW, Roster};
use crate::error::{Error, Kind, Result};
use crate::signal::stopped;
use std::collections::HashSet;

/// Ids in one request.
const BATCH: usize = 100;

const SAFE: &str = "run the same command again: it is safe, because a deletion is idempotent; --ignore-not-found accepts clients that \
     are gone";

/// What became of a client that was to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is gone.
    Gone,
    /// The service has none with this id.
    Missing(NotDeleted),
    /// The service keeps it, and says why.
    Refused(NotDeleted),
    /// Its batch failed, or the outcome is unknown: see what stopped the deletion.
    Failed,
    /// Its batch was not sent, after another had failed.
    NotSent,
}

/// What became of many.
#[derive(Default)]
pub struct Deletion {
    /// Of each id, in their order.
    pub fates: Vec<Fate>,
    /// What stopped it before its end.
    pub stopped: Option<Error>,
}

impl Deletion {
    fn failed(batch: &[String], error: Error) -> Self {
        Self { fates: vec![Fate::Failed; batch.len()], stopped: Some(error) }
    }
}

/// Deletes batch after batch. If one fails, or its outcome is unknown, the rest is not sent.
pub async fn delete(means: Means<'_>, ids: &[String]) -> Deletion {
    if ids.len() > BATCH {
        means.api.begin_bulk();
    }
    let mut deletion = Deletion::default();
    for batch in ids.chunks(BATCH) {
        let done = tokio::select! {
            biased;
            done = delete_batch(means, batch) => done,
            // The outcome of a lost response was being looked up.
            () = stopped() => {
                let what = "interrupted before it was known which clients were deleted";
                Deletion::failed(batch, Error::new(Kind::Interrupted, what).in_flight(true).hint(SAFE))
            }
        };
        deletion.fates.extend(done.fates);
        deletion.stopped = done.stopped;
        if deletion.stopped.is_some() {
            break;
        }
    }
    deletion.fates.resize(ids.len(), Fate::NotSent);
    deletion
}

async fn delete_batch(means: Means<'_>, batch: &[String]) -> Deletion {
    let Means { ui, api, consent } = means;
    let (answer, lost) = match api.delete_clients(consent, batch).await {
        Ok(answer) => (answer, Error::new(Kind::UnknownOutcome, "the response does not mention every client")),
        Err(lost) if lost.kind == Kind::UnknownOutcome => (Deleted::default(), lost),
        Err(error) if error.in_flight => return Deletion::failed(batch, error.hint(SAFE)),
        Err(error) => {
            let error = error.name_flags(|param| (param == "ids").then(|| "CLIENT_ID".to_string()));
            return Deletion::failed(batch, error);
        }
    };
    let mut fates: Vec<Option<Fate>> = batch.iter().map(|id| reported(&answer, id)).collect();
    let unreported: Vec<&String> =
        batch.iter().zip(&fates).filter(|(_, fate)| fate.is_none()).map(|(id, _)| id).collect();
    if unreported.is_empty() {
        return Deletion { fates: fates.into_iter().flatten().collect(), stopped: None };
    }
    let existing = existing(api, &unreported).await;
    for (id, fate) in batch.iter().zip(&mut fates) {
        let gone = existing.as_ref().is_ok_and(|existing| !existing.contains(id));
        fate.get_or_insert(if gone { Fate::Gone } else { Fate::Failed });
    }
    let fates: Vec<Fate> = fates.into_iter().flatten().collect();
    if fates.contains(&Fate::Failed) {
        return Deletion { fates, stopped: Some(lost.context("the outcome of the deletion is unknown").hint(SAFE)) };
    }
    ui.note(&format!("{}; clients that no longer exist count as deleted", lost.message));
    Deletion { fates, stopped: None }
}

/// What the response says of a client, if anything.
fn reported(answer: &Deleted, id: &String) -> Option<Fate> {
    if answer.ids.contains(id) {
        return Some(Fate::Gone);
    }
    let error = answer.errors.iter().find(|error| error.id == *id)?.clone();
    Some(if error.code == "not_found" { Fate::Missing(error) } else { Fate::Refused(error) })
}

/// Those of the clients that exist.
async fn existing(api: &Api, ids: &[&String]) -> Result<HashSet<String>> {
    if ids.len() > FEW {
        let roster = Roster::read(api).await?;
        return Ok(ids.iter().filter(|id| roster.by_id(id).is_some()).map(ToString::to_string).collect());
    }
    let mut found = HashSet::new();
    for id in ids {
        match api.client(id).await {
            Ok(_) => drop(found.insert((*id).clone())),
            Err(error) if error.kind == Kind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
