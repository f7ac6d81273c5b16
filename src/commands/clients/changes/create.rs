//! Creates a client, and finds out what became of it.

use super::kept::tell_kept;
use super::shown::{Verdict, created};
use super::{Means, look, show, unless_interrupted};
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use serde_json::{Map, Value};

/// Creates the client and returns it as the service has it. `absent`: there was none with its email shortly before.
///
/// # Errors
/// `Invalid` with the service's details; `Unavailable` where it was surely not created, `UnknownOutcome` where nobody
/// knows.
pub async fn create(means: Means<'_>, absent: bool, fields: &Map<String, Value>) -> Result<Record> {
    let Means { ui, api, consent } = means;
    let client = match api.create_client(consent, fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => {
            unless_interrupted(find_out(means, absent, fields, error)).await
        }
        answer => answer,
    };
    let hint = || format!("look before you repeat it: {}", show(api, email_of(fields)));
    let client = client.map_err(|error| if error.in_flight { error.or_hint(hint) } else { error })?;
    tell_kept(ui, &client, fields);
    Ok(client)
}

/// The answer was lost: the email tells what became of it, since no two clients share one.
async fn find_out(means: Means<'_>, absent: bool, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let Means { ui, api, .. } = means;
    let email = email_of(fields);
    let reason = lost.message.clone();
    let found = look(async || api.client_by_email(email).await, Option::is_none).await;
    let found = found.map(|client| client.map(|client| (created(absent, &client, fields), client)));
    match found {
        Ok(Some((Verdict::Made, client))) => {
            ui.note(&format!("the answer was lost ({reason}), but the client {email} has been created"));
            Ok(client)
        }
        Ok(Some((Verdict::NotMade, _))) => Err(Error::new(
            Kind::Invalid,
            format!("a client with the email '{email}' exists, with other details than were sent ({reason})"),
        )
        .hint(show(api, email))),
        Ok(None) if !lost.in_flight => {
            Err(Error::new(Kind::Unavailable, format!("the client was not created ({reason})"))
                .hint("it is safe to run the command again"))
        }
        _ => Err(lost
            .context("it is not known whether the client was created")
            .hint(format!("look before you repeat it: {}", show(api, email)))),
    }
}

fn email_of(fields: &Map<String, Value>) -> &str {
    fields.get("email").and_then(Value::as_str).unwrap_or_default()
}
