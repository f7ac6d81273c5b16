//! Whether the service kept what was sent: what it says the client is now is compared with what it was to be.

use super::differences;
use crate::api::Api;
use crate::error::{Error, Kind, Result};
use crate::resource::{Record, scalar};
use crate::ui::Ui;
use serde_json::{Map, Value};

/// Says which fields the service keeps otherwise than they were sent, as one does that writes emails in lower case.
pub fn tell_kept(ui: &Ui, client: &Record, sent: &Map<String, Value>) {
    let told = client.fields();
    let other = differences(client, sent).into_iter().map(|change| change.field);
    let other: Vec<String> = other.filter(|field| field != "site_ids" && told.contains_key(field)).collect();
    if !other.is_empty() {
        let who = client.id().or_else(|| client.text("email")).unwrap_or_default();
        ui.note(&format!(
            "the service keeps these fields of {who} otherwise than they were sent: {}",
            other.join(", ")
        ));
    }
}

/// The spec does not show whether `site_ids` replaces or merges: what the service kept or left out is said. Where the
/// answer to the change does not tell, the client is read.
///
/// # Errors
/// `Error` where the service has other sites than were sent.
pub async fn compare_sites(ui: &Ui, api: &Api, id: &str, client: &Record, fields: &Map<String, Value>) -> Result<()> {
    let Some(wanted) = fields.get("site_ids").and_then(Value::as_array) else { return Ok(()) };
    let wanted: Vec<String> = wanted.iter().filter_map(scalar).collect();
    let found = match client.texts("site_ids") {
        None => api.client(id).await.ok().and_then(|client| client.texts("site_ids")),
        found => found,
    };
    let Some(found) = found else {
        ui.warn(&format!("the service does not say which sites the client {id} has now"));
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
