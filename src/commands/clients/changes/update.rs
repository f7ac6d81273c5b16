//! Updates a client, and finds out what became of it.

use super::kept::{compare_sites, tell_kept};
use super::shown::{Verdict, updated};
use super::{Means, look, show, unless_interrupted};
use crate::consent::Question;
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use serde_json::{Map, Value};

/// A client after an update.
pub struct Updated {
    /// As the service has it.
    pub client: Record,
    /// Whether it has the sites that were sent, and only these.
    pub kept: Result<()>,
}

/// Whether to change these fields of a client, which goes by its id or email.
pub fn question(client: &str, fields: &Map<String, Value>) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    Question::new(format!("Update {} of the client {client}", names.join(", ")))
}

/// Changes the fields of a client. `before` is the client as it was, where that is known.
///
/// # Errors
/// As [`create`](super::create()), and `NotFound`.
pub async fn update(
    means: Means<'_>,
    id: &str,
    before: Option<&Record>,
    fields: &Map<String, Value>,
) -> Result<Updated> {
    let Means { ui, api, consent } = means;
    let client = match api.update_client(consent, id, fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => {
            unless_interrupted(find_out(means, id, before, fields, error)).await
        }
        answer => answer,
    };
    let hint = || format!("{} tells what became of it", show(api, id));
    let client = client.map_err(|error| if error.in_flight { error.or_hint(hint) } else { error })?;
    tell_kept(ui, &client, fields);
    Ok(Updated { kept: compare_sites(ui, api, id, &client, fields).await, client })
}

/// The answer was lost: the client as it is now tells what became of the change.
async fn find_out(
    means: Means<'_>,
    id: &str,
    before: Option<&Record>,
    fields: &Map<String, Value>,
    lost: Error,
) -> Result<Record> {
    let Means { ui, api, .. } = means;
    let reason = lost.message.clone();
    let judged = async || api.client(id).await.map(|client| (updated(before, &client, fields), client));
    match look(judged, |(verdict, _)| *verdict == Verdict::NotMade).await {
        Ok((Verdict::Made, client)) => {
            ui.note(&format!("the answer was lost ({reason}), but the client {id} has been changed"));
            Ok(client)
        }
        Ok((Verdict::NotMade, _)) if !lost.in_flight => {
            Err(Error::new(Kind::Unavailable, format!("the client was not changed ({reason})"))
                .hint("it is safe to run the command again"))
        }
        _ => Err(lost
            .context("it is not known whether the client was changed")
            .hint(format!("look before you repeat it: {}", show(api, id)))),
    }
}
