//! Changes to clients: sends each one, looks the client up if the response is lost, and checks which values the service
//! kept. The commands for one client and for many make their changes here.

use super::difference::{Change, Comparison, differences};
use super::lookup::{AllClients, FEW};
use crate::client::{Api, Consent, Deleted};
use crate::commands::consent::Question;
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::signal::stopped;
use crate::terminal::{Ui, arguments};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Ids in one request to delete clients.
pub const BATCH: usize = 100;

const CREATE_AGAIN: &str = "run the same command again: it is safe, because no two clients can have the same email";
const UPDATE_AGAIN: &str = "run the same command again: it is safe, because an update is idempotent";
const DELETE_AGAIN: &str = "run the same command again: it is safe, because a deletion is idempotent; --ignore-not-found accepts clients that \
     are gone";

/// Makes changes.
#[derive(Clone, Copy)]
pub struct Changes<'c> {
    /// The terminal.
    pub ui: &'c Ui,
    /// The service.
    pub api: &'c Api,
    /// The confirmation that they may be made.
    pub consent: &'c Consent,
}

/// A client after a change.
pub struct Changed {
    /// As the service has it.
    pub client: Record,
    /// Whether the service kept every value that was sent.
    pub kept: Result<()>,
}

/// What became of a client that was to be deleted.
#[derive(Debug, PartialEq)]
pub enum Deletion {
    /// It is gone.
    Gone,
    /// It did not exist, in the service's words.
    Missing(String),
}

/// Returns the question whether to change these fields of a client.
pub fn question(client: &str, fields: &Map<String, Value>) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    Question::new(format!("Update {} of the client {client}", names.join(", ")))
}

impl Changes<'_> {
    /// Creates a client and returns it as the service has it. If the response is lost, the email shows whether it exists.
    ///
    /// # Errors
    /// `Invalid` with the service's details, or because the email belongs to a client with other details;
    /// `UnknownOutcome` because the response was lost and the client was not found.
    pub async fn create(self, fields: &Map<String, Value>) -> Result<Changed> {
        let email = fields.get("email").and_then(Value::as_str).unwrap_or_default();
        let look_up = async |lost: Error| {
            if let Ok(Some(client)) = self.api.client_by_email(email).await {
                let (found, reason) = (Comparison::new(&client, fields), &lost.message);
                if !found.other.is_empty() {
                    let message =
                        format!("a client with the email '{email}' exists, with other details than were sent");
                    return Err(Error::new(Kind::Invalid, format!("{message} ({reason})")).hint(self.show(email)));
                }
                if found.absent.is_empty() {
                    self.ui.note(&format!("the response was lost ({reason}), but the client {email} was created"));
                    return Ok(client);
                }
            }
            Err(lost.context(format!("the outcome of creating the client {email} is unknown")))
        };
        let client = resolve(self.api.create_client(self.consent, fields).await, look_up, CREATE_AGAIN).await?;
        Ok(Changed { kept: self.kept("created", &client, fields), client })
    }

    /// Changes the fields of a client. If the response lacks one of them, or is lost, the client is read.
    ///
    /// # Errors
    /// As the API's; `UnknownOutcome` because the response was lost and the client does not have the values.
    pub async fn update(self, id: &str, fields: &Map<String, Value>) -> Result<Changed> {
        let look_up = async |lost: Error| match self.api.client(id).await {
            // A value that differs in case may be the old one: every value must be exactly as sent.
            Ok(client) if client.id().is_none_or(|shown| shown == id) && differences(&client, fields).is_empty() => {
                let reason = &lost.message;
                self.ui.note(&format!(
                    "the response was lost ({reason}), but the client {id} has the values that were sent"
                ));
                Ok(client)
            }
            _ => Err(lost.context(format!("the outcome of updating the client {id} is unknown"))),
        };
        let mut client = resolve(self.api.update_client(self.consent, id, fields).await, look_up, UPDATE_AGAIN).await?;
        let shows_any = fields.keys().any(|field| client.value(field).is_some());
        if !shows_any || !Comparison::new(&client, fields).absent.is_empty() {
            client = match self.api.client(id).await {
                Err(error) if !shows_any => {
                    let what = format!(
                        "the outcome of updating the client {id} is unknown: the response shows none of the fields"
                    );
                    return Err(
                        Error::new(Kind::UnknownOutcome, format!("{what} ({})", error.message)).hint(UPDATE_AGAIN)
                    );
                }
                read => read.unwrap_or(client),
            };
            let absent = Comparison::new(&client, fields).absent;
            if !absent.is_empty() {
                let absent = absent.join(", ");
                self.ui.warn(&format!("the service does not show these fields of the client {id}: {absent}"));
            }
        }
        Ok(Changed { kept: self.kept("updated", &client, fields), client })
    }

    /// Deletes up to [`BATCH`] clients with one request and returns a result for each. Clients that the response does not
    /// mention are looked up.
    pub async fn delete(self, ids: &[String]) -> Vec<Result<Deletion>> {
        let (response, lost) = match self.api.delete_clients(self.consent, ids).await {
            Ok(response) => {
                (response, Error::new(Kind::UnknownOutcome, "the response does not say what became of every client"))
            }
            Err(lost) if lost.kind == Kind::UnknownOutcome => (Deleted::default(), lost),
            Err(error) => {
                let error = error.name_flags(|param| (param == "ids").then(|| "CLIENT_ID".to_string()));
                let error = if error.in_flight { error.hint(DELETE_AGAIN) } else { error };
                return ids.iter().map(|_| Err(error.brief().details(error.details.clone()))).collect();
            }
        };
        let reported: Vec<Option<Result<Deletion>>> = ids.iter().map(|id| reported(&response, id)).collect();
        let unreported: Vec<&String> =
            ids.iter().zip(&reported).filter(|(_, result)| result.is_none()).map(|(id, _)| id).collect();
        let existing = if unreported.is_empty() {
            Ok(HashSet::new())
        } else {
            unless_interrupted(self.existing(&unreported)).await
        };
        let is_gone = |id: &&String| existing.as_ref().is_ok_and(|existing| !existing.contains(*id));
        if unreported.iter().any(is_gone) {
            self.ui.note(&format!("{}; clients that no longer exist count as deleted", lost.message));
        }
        let unknown = || lost.brief().context("the outcome of the deletion is unknown").hint(DELETE_AGAIN);
        let looked_up = |id| if is_gone(&id) { Ok(Deletion::Gone) } else { Err(unknown()) };
        ids.iter().zip(reported).map(|(id, result)| result.unwrap_or_else(|| looked_up(id))).collect()
    }

    /// Returns those of the clients that exist.
    async fn existing(self, ids: &[&String]) -> Result<HashSet<String>> {
        if ids.len() > FEW {
            let all = AllClients::read(self.api).await?;
            return Ok(ids.iter().filter(|id| all.by_id(id).is_some()).map(ToString::to_string).collect());
        }
        let mut found = HashSet::new();
        for id in ids {
            match self.api.client(id).await {
                Ok(_) => drop(found.insert((*id).clone())),
                Err(error) if error.kind == Kind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Checks that the service kept what was sent. The spec does not show whether `site_ids` replaces the sites or adds to
    /// them.
    fn kept(self, done: &str, client: &Record, sent: &Map<String, Value>) -> Result<()> {
        let other = Comparison::new(client, sent).other;
        if other.is_empty() {
            return Ok(());
        }
        let detail = |change: &Change| Detail::new("not_kept", &change.field, change.not_kept());
        let id = client.id().or_else(|| client.text("email")).unwrap_or_default();
        Err(Error::new(Kind::Error, format!("the client was {done}, but the service did not keep every value"))
            .details(other.iter().map(detail).collect())
            .map_text(|text| self.api.mask(text))
            .hint(format!("look at the client: {}", self.show(&id))))
    }

    fn show(self, client: &str) -> String {
        format!("{} clients show {}", self.api.program(), arguments(&[client]))
    }
}

/// Replaces the error of a lost response by what `look_up` finds, unless the user interrupts. `again` is the hint for an
/// outcome that stays unknown.
async fn resolve<T>(response: Result<T>, look_up: impl AsyncFnOnce(Error) -> Result<T>, again: &str) -> Result<T> {
    let resolved = match response {
        Err(lost) if lost.kind == Kind::UnknownOutcome => unless_interrupted(look_up(lost)).await,
        response => response,
    };
    resolved.map_err(|error| match error.kind == Kind::UnknownOutcome || error.in_flight {
        true => error.hint(again),
        false => error,
    })
}

/// Looks up what became of a change that was sent, unless the user interrupts.
async fn unless_interrupted<T>(look_up: impl Future<Output = Result<T>>) -> Result<T> {
    let what = "interrupted before it was known what became of the change, which was sent";
    tokio::select! {
        biased;
        found = look_up => found,
        () = stopped() => Err(Error::new(Kind::Interrupted, what).in_flight(true)),
    }
}

/// What the response says of a client, if anything.
fn reported(response: &Deleted, id: &String) -> Option<Result<Deletion>> {
    if response.ids.contains(id) {
        return Some(Ok(Deletion::Gone));
    }
    let error = response.errors.iter().find(|error| error.id == *id)?;
    Some(match error.code.as_str() {
        "not_found" => Ok(Deletion::Missing(error.message.clone())),
        code => Err(Error::new(Kind::Invalid, &*error.message).details(vec![Detail::new(code, id, &*error.message)])),
    })
}
