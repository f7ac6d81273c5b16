//! Deletes clients, batch after batch, and accounts for every one.

use super::{Means, look};
use crate::api::{Api, Deleted, NotDeleted};
use crate::commands::clients::roster::{FEW, Roster};
use crate::error::{Error, Kind, Result};
use crate::ui::stopped;
use std::collections::{HashMap, HashSet};

/// Ids in one request.
const BATCH: usize = 100;

/// What became of a client that was to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is gone.
    Gone,
    /// The service has none with this id.
    Missing(NotDeleted),
    /// The service keeps it, and says why.
    Refused(NotDeleted),
    /// It is still there, or the service does not say what became of it.
    Left(NotDeleted),
    /// Its batch failed: see what stopped the deletion.
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

/// Deletes batch after batch. Where one fails, or nobody knows what became of it, the rest is not sent.
pub async fn delete(means: Means<'_>, ids: &[String]) -> Deletion {
    let mut fates = Vec::with_capacity(ids.len());
    if ids.len() > BATCH {
        means.api.begin_bulk();
    }
    for batch in ids.chunks(BATCH) {
        let told = tokio::select! {
            biased;
            told = delete_batch(means, batch) => told,
            // What a lost answer meant was being found out.
            () = stopped() => Err(interrupted(means.api)),
        };
        match told {
            Ok(told) => fates.extend(told),
            Err(error) => {
                fates.extend(batch.iter().map(|_| Fate::Failed));
                fates.resize(ids.len(), Fate::NotSent);
                return Deletion { fates, stopped: Some(error) };
            }
        }
    }
    Deletion { fates, stopped: None }
}

fn look_first(api: &Api) -> String {
    format!("look which are gone before you repeat it: {} clients show CLIENT_ID", api.program())
}

fn interrupted(api: &Api) -> Error {
    let what = "interrupted before it was known which clients were deleted";
    Error::new(Kind::Interrupted, what).in_flight(true).hint(look_first(api))
}

async fn delete_batch(means: Means<'_>, batch: &[String]) -> Result<Vec<Fate>> {
    let Means { api, consent, .. } = means;
    match api.delete_clients(consent, batch).await {
        Ok(answer) => Ok(accounted(batch, answer)),
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(means, batch, error).await,
        Err(error) if error.in_flight => Err(error.or_hint(|| look_first(api))),
        Err(error) => Err(error.name_flags(|param| (param == "ids").then(|| "CLIENT_ID".to_string()))),
    }
}

/// Every id of the batch once, whatever else the answer tells of.
fn accounted(batch: &[String], answer: Deleted) -> Vec<Fate> {
    let gone: HashSet<&str> = answer.ids.iter().map(String::as_str).collect();
    let errors: HashMap<&str, &NotDeleted> = answer.errors.iter().map(|error| (error.id.as_str(), error)).collect();
    let fate = |id: &String| match errors.get(id.as_str()) {
        _ if gone.contains(id.as_str()) => Fate::Gone,
        Some(error) if error.code == "not_found" => Fate::Missing((*error).clone()),
        Some(error) => Fate::Refused((*error).clone()),
        None => Fate::Left(NotDeleted::new(id, "unreported", "The service did not say what became of it")),
    };
    batch.iter().map(fate).collect()
}

/// The answer was lost: which clients are gone tells what became of it.
async fn find_out(means: Means<'_>, batch: &[String], lost: Error) -> Result<Vec<Fate>> {
    let Means { ui, api, .. } = means;
    let in_doubt = |lost: Error| lost.context("it is not known which clients were deleted").hint(look_first(api));
    let found = look(async || those_there(api, batch).await, |there| !there.is_empty()).await;
    let Ok(there) = found else { return Err(in_doubt(lost)) };
    if lost.in_flight && !there.is_empty() {
        return Err(in_doubt(lost));
    }
    if there.len() == batch.len() {
        return Err(Error::new(Kind::Unavailable, format!("no client was deleted ({})", lost.message))
            .hint("it is safe to run the command again"));
    }
    ui.note(&format!("the answer was lost ({}); those that are not there now count as deleted", lost.message));
    let fate = |id: &String| match there.contains(id) {
        true => Fate::Left(NotDeleted::new(id, "not_deleted", "Is still there")),
        false => Fate::Gone,
    };
    Ok(batch.iter().map(fate).collect())
}

/// Those of the clients that are there.
async fn those_there(api: &Api, ids: &[String]) -> Result<HashSet<String>> {
    if ids.len() > FEW {
        let roster = Roster::read(api).await?;
        return Ok(ids.iter().filter(|id| roster.by_id(id).is_some()).cloned().collect());
    }
    let mut there = HashSet::new();
    for id in ids {
        match api.client(id).await {
            Ok(_) => drop(there.insert(id.clone())),
            Err(error) if error.kind == Kind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(there)
}
