//! Deletes clients, batch after batch, and accounts for every one.

use super::SETTLING;
use crate::api::{Api, Deleted, NotDeleted};
use crate::commands::clients::roster::{FEW, Roster};
use crate::error::{Error, Kind, Result};
use crate::ui::Ui;
use std::collections::HashSet;

/// Ids in one request.
const BATCH: usize = 100;
/// The code of an id that the answer leaves out.
pub const UNREPORTED: &str = "unreported";

/// Batch after batch. Where one cannot be sent, or nobody knows what became of it, the rest is not sent: each of its ids
/// is an error of its own, and what was done before stays told. The number is that of the batches before it.
///
/// # Errors
/// What stopped it.
pub async fn delete(ui: &Ui, api: &Api, ids: &[String], done: &mut Deleted) -> Result<(), (usize, Error)> {
    for (number, batch) in ids.chunks(BATCH).enumerate() {
        match delete_batch(ui, api, batch).await {
            Ok(more) => {
                done.ids.extend(more.ids);
                done.errors.extend(more.errors);
            }
            Err(error) => {
                let rest = ids[number * BATCH..].iter();
                done.errors.extend(rest.map(|id| not_deleted(id, error.kind.name(), &error.message)));
                return Err((number, error));
            }
        }
    }
    Ok(())
}

async fn delete_batch(ui: &Ui, api: &Api, batch: &[String]) -> Result<Deleted> {
    match api.delete_clients(batch).await {
        Ok(answer) => Ok(accounted(batch, answer)),
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(ui, api, batch, error).await,
        Err(error) if error.in_flight => {
            Err(error.or_hint(|| "look which are gone before you repeat it: sitectl clients show CLIENT_ID".into()))
        }
        Err(error) => Err(error.name_flags(|param| (param == "ids").then(|| "CLIENT_ID".to_string()))),
    }
}

/// Every id of the batch once: what the answer leaves out is an error, and what nobody asked for is left out.
fn accounted(batch: &[String], answer: Deleted) -> Deleted {
    let mut told = Deleted::default();
    for id in batch {
        let error = answer.errors.iter().find(|error| error.id == *id);
        match (answer.ids.contains(id), error) {
            (true, _) => told.ids.push(id.clone()),
            (false, Some(error)) => told.errors.push(error.clone()),
            (false, None) => told.errors.push(not_deleted(id, UNREPORTED, "The service did not say what became of it")),
        }
    }
    told
}

fn not_deleted(id: &str, code: &str, message: &str) -> NotDeleted {
    NotDeleted { id: id.into(), code: code.into(), message: message.into() }
}

/// The answer was lost: which clients are gone tells what became of it.
async fn find_out(ui: &Ui, api: &Api, batch: &[String], lost: Error) -> Result<Deleted> {
    let in_doubt = |lost: Error| {
        lost.context("it is not known which clients were deleted")
            .hint("look which are gone before you repeat it: sitectl clients show CLIENT_ID")
    };
    let mut found = Deleted::default();
    let mut there = those_there(api, batch).await;
    if there.as_ref().is_ok_and(|there| !there.is_empty()) {
        tokio::time::sleep(SETTLING).await;
        there = those_there(api, batch).await;
    }
    let Ok(there) = there else { return Err(in_doubt(lost)) };
    for id in batch {
        match there.contains(id) {
            false => found.ids.push(id.clone()),
            true => found.errors.push(not_deleted(id, "not_deleted", "Is still there")),
        }
    }
    if lost.in_flight && !found.errors.is_empty() {
        return Err(in_doubt(lost));
    }
    if found.ids.is_empty() {
        return Err(Error::new(Kind::Unavailable, format!("no client was deleted ({})", lost.message))
            .hint("it is safe to run the command again"));
    }
    ui.note(&format!("the answer was lost ({}); those that are not there now count as deleted", lost.message));
    Ok(found)
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
