//! Updates a client, and finds out what became of it.

use super::SETTLING;
use super::shown::{Shown, shown};
use crate::api::Api;
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use crate::ui::Ui;
use serde_json::{Map, Value};

/// Changes the fields of a client and returns it as the service has it.
///
/// # Errors
/// As [`create`](super::create()), and `NotFound`.
pub async fn update(ui: &Ui, api: &Api, id: &str, fields: &Map<String, Value>) -> Result<Record> {
    match api.update_client(id, fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(ui, api, id, fields, error).await,
        answer => answer,
    }
}

/// The answer was lost: the client as it is now tells what became of the change.
async fn find_out(ui: &Ui, api: &Api, id: &str, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let reason = lost.message.clone();
    let look = async || api.client(id).await.map(|client| (shown(&client, fields), client));
    let mut found = look().await;
    if matches!(found, Ok((Shown::None, _))) {
        tokio::time::sleep(SETTLING).await;
        found = look().await;
    }
    match found {
        Ok((Shown::All, client)) => {
            ui.note(&format!("the answer was lost ({reason}), but the client {id} has been changed"));
            Ok(client)
        }
        Ok((Shown::None, _)) if !lost.in_flight => {
            Err(Error::new(Kind::Unavailable, format!("the client was not changed ({reason})"))
                .hint("it is safe to run the command again"))
        }
        _ => Err(lost
            .context("it is not known whether the client was changed")
            .hint(format!("look before you repeat it: sitectl clients show {id}"))),
    }
}

/// The spec does not show whether `site_ids` replaces or merges: what the service kept or left out is said.
///
/// # Errors
/// `Error` where the service has other sites than were sent.
pub fn compare_sites(ui: &Ui, client: &Record, fields: &Map<String, Value>) -> Result<()> {
    let Some(wanted) = fields.get("site_ids").and_then(Value::as_array) else { return Ok(()) };
    let wanted: Vec<String> = wanted.iter().filter_map(crate::resource::scalar).collect();
    let Some(found) = client.texts("site_ids") else {
        ui.warn("the answer does not say which sites the client has now");
        return Ok(());
    };
    let missing_from = |these: &[String], those: &[String]| {
        these.iter().filter(|id| !those.contains(id)).cloned().collect::<Vec<_>>().join(", ")
    };
    let (stayed, lacking) = (missing_from(&found, &wanted), missing_from(&wanted, &found));
    let complaint = match (stayed.is_empty(), lacking.is_empty()) {
        (true, true) => return Ok(()),
        (false, true) => format!("these stayed: {stayed}"),
        (true, false) => format!("these are missing: {lacking}"),
        (false, false) => format!("these stayed: {stayed}; these are missing: {lacking}"),
    };
    Err(Error::new(Kind::Error, format!("the service did not keep the list of sites as it was sent; {complaint}"))
        .hint("the other fields were changed; the service may add sites to the list instead of replacing it"))
}
