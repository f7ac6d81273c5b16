//! Updates a client. If the response is lost, reading the client shows whether it has the values.

use super::kept::{Comparison, kept};
use super::{Changed, Means, differences, resolve};
use crate::commands::consent::Question;
use crate::error::{Error, Result};
use crate::resources::Record;
use serde_json::{Map, Value};

const SAFE: &str = "run the same command again: it is safe, because an update is idempotent";

/// Whether to change these fields of a client, which goes by its id or email.
pub fn question(client: &str, fields: &Map<String, Value>) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    Question::new(format!("Update {} of the client {client}", names.join(", ")))
}

/// Changes the fields of a client. If the response lacks one of them, the client is read.
///
/// # Errors
/// As the API's; `UnknownOutcome` because the response was lost and the client does not have the values.
pub async fn update(means: Means<'_>, id: &str, fields: &Map<String, Value>) -> Result<Changed> {
    let Means { ui, api, consent } = means;
    let answer = api.update_client(consent, id, fields).await;
    let mut client = resolve(answer, async |lost| look_up(means, id, fields, lost).await, SAFE).await?;
    let unshown = |client: &Record| Comparison::new(client, fields).unshown;
    if !unshown(&client).is_empty() {
        client = api.client(id).await.unwrap_or(client);
        let unshown = unshown(&client);
        if !unshown.is_empty() {
            ui.warn(&format!("the service does not show these fields of the client {id}: {}", unshown.join(", ")));
        }
    }
    Ok(Changed { kept: kept(api, "updated", &client, fields), client })
}

/// Takes an update for done only where every value is exactly as sent: a value that differs in case may be the old one.
async fn look_up(means: Means<'_>, id: &str, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let Means { ui, api, .. } = means;
    match api.client(id).await {
        Ok(client) if differences(&client, fields).is_empty() => {
            let reason = &lost.message;
            ui.note(&format!("the response was lost ({reason}), but the client {id} has the values that were sent"));
            Ok(client)
        }
        _ => Err(lost.context(format!("the outcome of updating the client {id} is unknown"))),
    }
}
