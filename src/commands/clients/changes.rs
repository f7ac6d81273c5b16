//! Changes to clients: sends each change, looks the client up if the response is lost, and checks which values the service
//! kept. The commands for one client and for many make their changes here.

use super::difference::{Change, differences, not_kept};
use super::lookup::{by_email, find_all};
use crate::client::{Api, Consent, DeleteError, DeleteResponse};
use crate::commands::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::signal::stopped;
use crate::terminal::shell_arguments;
use serde_json::{Map, Value};

/// The code of a client that a deletion did not find.
pub const MISSING: &str = "not_found";
/// Ids in one request to delete clients.
pub const BATCH: usize = 100;

const CREATE_AGAIN: &str =
    "run the same command again: it is safe, because no two clients can have the same email";
const UPDATE_AGAIN: &str =
    "run the same command again: it is safe, because an update is idempotent";
const DELETE_AGAIN: &str = "run the same command again with --ignore-not-found: it is safe, because a deletion is idempotent";

/// Makes changes.
#[derive(Clone, Copy)]
pub struct Changes<'c> {
    /// This invocation.
    pub context: &'c Context,
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

impl Changes<'_> {
    /// Creates a client and returns it as the service has it. If the response is lost, the email shows whether it exists.
    ///
    /// # Errors
    /// `Invalid` with the service's details, or because the email belongs to a client with other details;
    /// `UnknownOutcome` because the response was lost and the client was not found.
    pub async fn create(self, fields: &Map<String, Value>) -> Result<Changed> {
        let email = fields
            .get("email")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let look_up = async |lost: Error| {
            let lost = lost.context(format!(
                "the outcome of creating the client {email} is unknown"
            ));
            let Ok(Some(client)) = by_email(self.api, email).await else {
                return Err(lost);
            };
            if !not_kept(&client, fields).is_empty() {
                let message = format!(
                    "a client with the email '{email}' exists, but with other details than those sent"
                );
                return Err(Error::new(Kind::Invalid, message).with_hint(self.show(email)));
            }
            let is_shown = fields.keys().all(|field| client.value(field).is_some());
            if is_shown { Ok(client) } else { Err(lost) }
        };
        let client = resolve(
            self.api.create_client(self.consent, fields).await,
            look_up,
            CREATE_AGAIN,
        )
        .await?;
        Ok(Changed {
            kept: self.kept("created", &client, fields),
            client,
        })
    }

    /// Changes the fields of a client. If the response lacks one of them, or is lost, the client is read.
    ///
    /// # Errors
    /// As the API's; `UnknownOutcome` because the response was lost and the client does not have the values.
    pub async fn update(self, id: &str, fields: &Map<String, Value>) -> Result<Changed> {
        let unknown = |lost: Error| {
            lost.context(format!(
                "the outcome of updating the client {id} is unknown"
            ))
        };
        let look_up = async |lost: Error| match self.api.client(id).await {
            // A value that differs in case may be the old one: every value must be exactly as sent.
            Ok(client)
                if client.id().is_none_or(|shown| shown == id)
                    && differences(&client, fields).is_empty() =>
            {
                Ok(client)
            }
            _ => Err(unknown(lost)),
        };
        let mut client = resolve(
            self.api.update_client(self.consent, id, fields).await,
            look_up,
            UPDATE_AGAIN,
        )
        .await?;
        if fields.keys().any(|field| client.value(field).is_none()) {
            let read = self.api.client(id).await;
            client = read.map_err(|error| {
                unknown(error.with_kind(Kind::UnknownOutcome)).with_hint(UPDATE_AGAIN)
            })?;
        }
        Ok(Changed {
            kept: self.kept("updated", &client, fields),
            client,
        })
    }

    /// Deletes up to [`BATCH`] clients with one request and returns a result for each. Clients that the response does not
    /// mention are looked up. [`is_missing`] identifies the error of a missing client.
    pub async fn delete(self, ids: &[String]) -> Vec<Result<()>> {
        let (response, lost) = match self.api.delete_clients(self.consent, ids).await {
            Ok(response) => (
                response,
                Error::new(
                    Kind::UnknownOutcome,
                    "the response does not mention every client",
                ),
            ),
            Err(lost) if lost.kind == Kind::UnknownOutcome => (DeleteResponse::default(), lost),
            Err(error) => {
                let error =
                    error.with_flags(|param| (param == "ids").then(|| "CLIENT_ID".to_string()));
                let error = if error.in_flight {
                    error.with_hint(DELETE_AGAIN)
                } else {
                    error
                };
                return ids
                    .iter()
                    .map(|_| Err(error.without_response().with_details(error.details.clone())))
                    .collect();
            }
        };
        let unreported = ids
            .iter()
            .filter(|id| reported(&response, id).is_none())
            .cloned()
            .collect::<Vec<_>>();
        // None if the lookup fails.
        let found = unless_interrupted(find_all(self.context, self.api, &unreported)).await;
        let mut found = found.into_iter().flatten();
        let mut look_up = || match found.next() {
            Some(None) => Ok(()),
            _ => Err(lost
                .without_response()
                .context("the outcome of the deletion is unknown")
                .with_hint(DELETE_AGAIN)),
        };
        ids.iter()
            .map(|id| reported(&response, id).unwrap_or_else(&mut look_up))
            .collect()
    }

    /// Checks that the service kept the values that were sent. The spec does not show whether `site_ids` replaces the
    /// sites or adds to them.
    fn kept(self, done: &str, client: &Record, sent: &Map<String, Value>) -> Result<()> {
        let other = not_kept(client, sent);
        if other.is_empty() {
            return Ok(());
        }
        let detail = |change: &Change| Detail::new("not_kept", &change.field, change.not_kept());
        let id = client
            .id()
            .or_else(|| client.text("email"))
            .unwrap_or_default();
        Err(Error::new(
            Kind::Error,
            format!("the client was {done}, but the service did not keep every value"),
        )
        .with_details(other.iter().map(detail).collect())
        .map_text(|text| self.api.mask(text))
        .with_hint(self.show(&id)))
    }

    fn show(self, client: &str) -> String {
        format!(
            "check the client: {} clients show {}",
            self.context.program(),
            shell_arguments(&[client])
        )
    }
}

/// Replaces the error of a lost response by what `look_up` finds, unless the user interrupts. `again` is the hint for an
/// outcome that stays unknown.
async fn resolve<T>(
    response: Result<T>,
    look_up: impl AsyncFnOnce(Error) -> Result<T>,
    again: &str,
) -> Result<T> {
    let resolved = match response {
        Err(lost) if lost.kind == Kind::UnknownOutcome => unless_interrupted(look_up(lost)).await,
        response => response,
    };
    resolved.map_err(|error| {
        if error.is_in_doubt() {
            error.with_hint(again)
        } else {
            error
        }
    })
}

/// Looks up the outcome of a change that was sent, unless the user interrupts.
async fn unless_interrupted<T>(look_up: impl Future<Output = Result<T>>) -> Result<T> {
    let what = "interrupted; the change was sent and its outcome is unknown";
    tokio::select! {
        biased;
        found = look_up => found,
        () = stopped() => Err(Error::new(Kind::Interrupted, what).with_in_flight(true)),
    }
}

/// Returns the result that the response reports for a client; none if it reports nothing, or both.
fn reported(response: &DeleteResponse, id: &String) -> Option<Result<()>> {
    let refused = response.errors.iter().find(|error| error.id == *id);
    match (response.ids.contains(id), refused) {
        (true, None) => Some(Ok(())),
        (false, Some(DeleteError { code, message, .. })) => {
            Some(Err(not_deleted(id, code, message)))
        }
        _ => None,
    }
}

/// Returns the error of a client that was not deleted, with the service's code and message.
pub fn not_deleted(id: &str, code: &str, message: &str) -> Error {
    let kind = if code == MISSING {
        Kind::NotFound
    } else {
        Kind::Invalid
    };
    Error::new(kind, message).with_details(vec![Detail::new(code, id, message)])
}

/// Whether a deletion failed because the client does not exist. A response that refuses the whole request does not say that.
pub fn is_missing(error: &Error, id: &str) -> bool {
    error
        .details
        .iter()
        .any(|detail| detail.code == MISSING && detail.param == id)
}
