//! Creates a client. If the response is lost, the email shows whether it was created.

use super::kept::{Comparison, kept};
use super::{Changed, Means, resolve, show};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use serde_json::{Map, Value};

const SAFE: &str = "run the same command again: it is safe, because no two clients can have the same email";

/// Creates the client and returns it as the service has it.
///
/// # Errors
/// `Invalid` with the service's details, or because the email belongs to a client with other details;
/// `UnknownOutcome` because the response was lost and the client was not found.
pub async fn create(means: Means<'_>, fields: &Map<String, Value>) -> Result<Changed> {
    let Means { api, consent, .. } = means;
    let answer = api.create_client(consent, fields).await;
    let client = resolve(answer, async |lost| look_up(means, fields, lost).await, SAFE).await?;
    Ok(Changed { kept: kept(api, "created", &client, fields), client })
}

async fn look_up(means: Means<'_>, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let Means { ui, api, .. } = means;
    let email = fields.get("email").and_then(Value::as_str).unwrap_or_default();
    if let Ok(Some(client)) = api.client_by_email(email).await {
        let reason = &lost.message;
        match Comparison::new(&client, fields) {
            Comparison { other, .. } if !other.is_empty() => {
                let message = format!("a client with the email '{email}' exists, with other details than were sent");
                return Err(Error::new(Kind::Invalid, format!("{message} ({reason})")).hint(show(api, email)));
            }
            Comparison { unshown, .. } if unshown.is_empty() => {
                ui.note(&format!("the response was lost ({reason}), but the client {email} was created"));
                return Ok(client);
            }
            _ => {}
        }
    }
    Err(lost.context(format!("the outcome of creating the client {email} is unknown")))
}
