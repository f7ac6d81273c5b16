//! Changes to clients: sends each change, looks the client up if the response is lost, and verifies
//! that the service stored the values. The commands for one client and for many make their changes
//! here.

use super::compare::{differences, is_same_value, mismatches};
use crate::client::{Api, Consent, DeleteError, DeleteResponse, SendStep};
use crate::commands::context::Context;
use crate::commands::find_clients::{find_by_email, find_clients, name_and_id};
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::resources::{CLIENTS, Record};
use crate::signal::wait_for_signal;
use serde_json::{Map, Value};

/// The service's code for an email that another client has.
pub const ALREADY_EXISTS: &str = "already_exists";
/// The service's code for a client that a deletion did not find.
pub const NOT_FOUND: &str = "not_found";
/// The most ids in one request to delete clients.
pub const MAX_IDS_PER_DELETION: usize = 100;

const RETRY_CREATE: &str =
    "run the same command again: it is safe, because no two clients can have the same email";
const RETRY_UPDATE: &str =
    "run the same command again: it is safe, because an update is idempotent";
const RETRY_DELETE: &str = "run the same command again with --ignore-not-found: it is safe, \
                            because a deletion is idempotent";

/// Sends changes to clients.
#[derive(Clone, Copy)]
pub struct ClientWriter<'c> {
    pub context: &'c Context,
    pub api: &'c Api,
    pub consent: &'c Consent,
}

/// A client after a change.
pub struct ChangedClient {
    /// The client as the service has it.
    pub client: Record,
    /// An error if the service did not store every value that was sent.
    pub all_values_stored: Result<()>,
}

impl ClientWriter<'_> {
    /// Creates a client and returns it as the service has it. If the response is lost, or the email
    /// exists, the client is looked up by its email: one with exactly these values counts as
    /// created.
    ///
    /// # Errors
    /// `Invalid` with the service's details, or because the email belongs to another client;
    /// `UnknownOutcome` because the response was lost and the client was not found.
    pub async fn create(self, fields: &Map<String, Value>) -> Result<ChangedClient> {
        let response = match self.api.create_client(self.consent, fields).await {
            Err(error) if is_email_taken(&error) => self.find_created(fields, error).await,
            response => response,
        };
        let look_up = |lost| self.find_created(fields, lost);
        let mut client = resolve_lost(response, look_up, RETRY_CREATE).await?;
        if client.id().is_none()
            && let Some(email) = client.text("email")
            && let Ok(Some(found)) = find_by_email(self.api, &email).await
        {
            client = found;
        }
        Ok(self.verify("created", client, fields))
    }

    /// Returns the client with exactly these values, after the response to its creation was lost,
    /// or its email was refused with this error.
    ///
    /// # Errors
    /// The given error, or `Invalid` if another client has the email.
    async fn find_created(self, fields: &Map<String, Value>, error: Error) -> Result<Record> {
        let email = fields.get("email").and_then(Value::as_str);
        let email = email.unwrap_or_default();
        let error = if error.kind == Kind::UnknownOutcome {
            error.context(format!("the outcome of creating client {email} is unknown"))
        } else {
            error
        };
        let Ok(Some(client)) = find_by_email(self.api, email).await else {
            return Err(error);
        };
        let is_other = CLIENTS.inputs().any(|(field, _)| {
            let sent = fields.get(field.name).unwrap_or(&Value::Null);
            let stored = client.value(field.name);
            stored.is_some_and(|stored| !is_same_value(field.name, &stored, sent))
        });
        if is_other {
            let error = if error.kind == Kind::UnknownOutcome {
                let message = format!(
                    "a client with the email '{email}' exists, but with other details than those sent"
                );
                Error::new(Kind::Invalid, message)
            } else {
                error
            };
            return Err(self.with_owner_of_email(error, &client));
        }
        // A field that the service does not show can have another value.
        if lacks_any_field(&client, fields) {
            return Err(error);
        }
        let name = name_and_id(&client);
        let since = client
            .text("created_at")
            .unwrap_or("an unknown time".into());
        let note = format!("{name} has these values, and exists since {since}");
        self.context.ui.note(&note);
        Ok(client)
    }

    /// Adds the client that has an email as a hint.
    fn with_owner_of_email(self, error: Error, owner: &Record) -> Error {
        let name = name_and_id(owner);
        let hint = Hint::command(format!("{name} has the email"), "clients show");
        error.with_hint(hint.ids(&[&owner.id().unwrap_or_default()]))
    }

    /// Changes the fields of a client, and tells `record` of each step. If the response lacks one of
    /// the fields, or is lost, the client is read.
    ///
    /// # Errors
    /// That of `record`; `Invalid` with the service's details; `UnknownOutcome` because the response
    /// was lost and the client does not have the values, or because the response lacks a field and
    /// the client cannot be read.
    pub async fn update(
        self,
        id: &str,
        fields: &Map<String, Value>,
        record: impl AsyncFn(SendStep) -> Result<()>,
    ) -> Result<ChangedClient> {
        let response = self.api.update_client(self.consent, id, fields, record);
        let mut response = response.await;
        if let Err(error) = &response
            && is_email_taken(error)
            && let Some(email) = fields.get("email").and_then(Value::as_str)
            && let Ok(Some(owner)) = find_by_email(self.api, email).await
        {
            response = Err(self.with_owner_of_email(error.clone(), &owner));
        }
        let look_up = |lost| self.find_updated(id, fields, lost);
        let mut client = resolve_lost(response, look_up, RETRY_UPDATE).await?;
        if lacks_any_field(&client, fields) {
            client = match self.api.client(id).await {
                Ok(client) => client,
                Err(error) => {
                    // Without the field, a value that the service did not store goes unnoticed.
                    let error = error.with_kind(Kind::UnknownOutcome);
                    return Err(unknown_update_error(id, error)
                        .without_hints()
                        .with_hint(RETRY_UPDATE));
                }
            };
        }
        if client.id().is_none() {
            client = client.with_id(id);
        }
        Ok(self.verify("updated", client, fields))
    }

    /// Returns the client if it has the values after the response to its update was `lost`, or else
    /// that error.
    async fn find_updated(
        self,
        id: &str,
        fields: &Map<String, Value>,
        lost: Error,
    ) -> Result<Record> {
        if let Ok(client) = self.api.client(id).await
            && client
                .id()
                .is_none_or(|shown| shown.eq_ignore_ascii_case(id))
            && differences(&client, fields).is_empty()
        {
            return Ok(client);
        }
        Err(unknown_update_error(id, lost))
    }

    /// Deletes up to [`MAX_IDS_PER_DELETION`] clients with one request and returns a result for
    /// each. Clients that the response does not mention are looked up. [`is_missing`] identifies
    /// the error of a missing client.
    pub async fn delete(self, ids: &[String]) -> Vec<Result<()>> {
        let (response, unknown_outcome) = match self.api.delete_clients(self.consent, ids).await {
            Ok(response) => {
                // For the clients that are not mentioned.
                let message = "the response does not mention every client";
                (response, Error::new(Kind::UnknownOutcome, message))
            }
            Err(lost) if lost.kind == Kind::UnknownOutcome => (DeleteResponse::default(), lost),
            Err(error) => return fail_all(error, ids),
        };
        let mut unreported = ids.to_vec();
        unreported.retain(|id| reported_result(&response, id).is_none());
        let look_up = find_clients(self.api, &unreported);
        // A client, or None, for each of `unreported` in the same order; empty if the lookup fails.
        let mut clients = unless_interrupted(look_up, interrupted_lookup())
            .await
            .into_iter()
            .flatten();
        let mut results = Vec::new();
        for id in ids {
            let result = if let Some(result) = reported_result(&response, id) {
                result
            } else if let Some(None) = clients.next() {
                // The lookup worked, and the client no longer exists.
                Ok(())
            } else {
                Err(unknown_outcome
                    .clone_without_details()
                    .context("the outcome of the deletion is unknown")
                    .without_hints()
                    .with_hint(RETRY_DELETE))
            };
            results.push(result);
        }
        results
    }

    /// Verifies that the service stored the values that were sent. In particular, the spec does not
    /// say whether `site_ids` replaces the sites or adds to them. `done` is `created` or `updated`.
    fn verify(self, done: &str, client: Record, sent: &Map<String, Value>) -> ChangedClient {
        let changes = mismatches(&client, sent);
        if changes.is_empty() {
            let all_values_stored = Ok(());
            return ChangedClient {
                client,
                all_values_stored,
            };
        }
        let mut details = Vec::new();
        for change in &changes {
            let message = change.describe_mismatch();
            details.push(Detail::new("not_kept", &change.field, message));
        }
        let id = client.id().or_else(|| client.text("email"));
        let message = format!("the client was {done}, but the service did not keep every value");
        let error = Error::new(Kind::Error, message)
            .with_details(details)
            .with_hint(hint_to_check(&id.unwrap_or_default()));
        ChangedClient {
            client,
            all_values_stored: Err(error),
        }
    }
}

fn hint_to_check(id_or_email: &str) -> Hint {
    Hint::command("check the client", "clients show").ids(&[id_or_email])
}

/// Whether the service refuses an email because another client has it.
fn is_email_taken(error: &Error) -> bool {
    let mut details = error.details.iter();
    details.any(|detail| detail.code() == ALREADY_EXISTS)
}

fn lacks_any_field(client: &Record, fields: &Map<String, Value>) -> bool {
    fields.keys().any(|field| client.value(field).is_none())
}

fn unknown_update_error(id: &str, lost: Error) -> Error {
    lost.context(format!("the outcome of the update of {id} is unknown"))
}

/// Replaces the error of a lost response by the result of `look_up`, which gets that error.
/// `retry_hint` is for an outcome that stays unknown.
async fn resolve_lost<T>(
    response: Result<T>,
    look_up: impl AsyncFnOnce(Error) -> Result<T>,
    retry_hint: &str,
) -> Result<T> {
    let resolved = match response {
        Err(lost) if lost.kind == Kind::UnknownOutcome => {
            unless_interrupted(look_up(lost), interrupted_lookup()).await
        }
        response => response,
    };
    match resolved {
        Err(error) if error.has_unknown_outcome() => {
            Err(error.without_hints().with_hint(retry_hint))
        }
        resolved => resolved,
    }
}

/// Waits for a read after a change was sent. A signal ends this with `error`, so that the command
/// still reports the change, unless the result is known at the same time.
pub async fn unless_interrupted<T>(
    read: impl Future<Output = Result<T>>,
    error: Error,
) -> Result<T> {
    tokio::select! {
        biased;
        result = read => result,
        () = wait_for_signal() => Err(error),
    }
}

/// Returns the error of an interrupted lookup of a change.
fn interrupted_lookup() -> Error {
    let message = "interrupted; the change was sent and its outcome is unknown";
    Error::new(Kind::Interrupted, message).with_possibly_processed(true)
}

/// Returns the error of a failed request once for each client.
fn fail_all(error: Error, ids: &[String]) -> Vec<Result<()>> {
    let error = if error.possibly_processed {
        error.without_hints().with_hint(RETRY_DELETE)
    } else {
        error
    };
    ids.iter().map(|_| Err(error.clone())).collect()
}

/// Returns the result that the response reports for a client. None if the response does not mention
/// the client, or contradicts itself: then the client is looked up.
fn reported_result(response: &DeleteResponse, id: &String) -> Option<Result<()>> {
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
    let kind = if code == NOT_FOUND {
        Kind::NotFound
    } else {
        Kind::Invalid
    };
    Error::new(kind, message).with_details(vec![Detail::new(code, id, message)])
}

/// Whether a deletion failed because the client does not exist. A 404 of the whole request does
/// not count: only [`not_deleted`] puts the client's id in `param`.
pub fn is_missing(error: &Error, id: &str) -> bool {
    error
        .details
        .iter()
        .any(|detail| detail.code() == NOT_FOUND && detail.param == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_missing_only_if_the_service_names_it() {
        assert!(is_missing(&not_deleted("c1", NOT_FOUND, "no client"), "c1"));
        for error in [
            not_deleted("c1", "in_use", "it has sites"),
            not_deleted("c2", NOT_FOUND, "no client"),
            // The service refuses the whole request.
            not_deleted("ids", NOT_FOUND, "no clients"),
            Error::new(Kind::NotFound, "not found (404)"),
        ] {
            assert!(!is_missing(&error, "c1"), "{error:?}");
        }
    }
}
