//! Checks, before anything is sent, that the rows claim only sites that exist and that no other client keeps.

use super::plan::{Action, Step};
use super::rows::{ClientRow, Problem};
use crate::client::Api;
use crate::commands::clients::lookup::{AllClients, short_name};
use crate::input::Document;
use crate::resources::Record;
use std::collections::HashSet;

/// Reads the ids of all sites, if a row claims a site that no client has and the service lists its sites.
pub async fn listed(api: &Api, rows: &[ClientRow], clients: &AllClients) -> Option<HashSet<String>> {
    if rows.iter().flat_map(ClientRow::sites).all(|site| clients.owner(&site).is_some()) {
        return None;
    }
    let sites = api.all_sites().await.ok()?;
    Some(sites.iter().filter_map(Record::id).collect()).filter(|ids: &HashSet<String>| !ids.is_empty())
}

/// Returns the problems of the sites that clients claim.
pub fn problems(
    document: &Document,
    rows: &[ClientRow],
    steps: &[Step],
    clients: &AllClients,
    listed: Option<&HashSet<String>>,
) -> Vec<Problem> {
    let deleted = steps.iter().filter(|step| step.action == Action::Delete).filter_map(|step| step.client.as_ref());
    let deleted = deleted.flat_map(|client| client.texts("site_ids").unwrap_or_default());
    let mut free: HashSet<String> = steps.iter().flat_map(|step| step.given_up("site_ids")).chain(deleted).collect();
    // Two rows with the same site have a problem already.
    let mut seen = HashSet::new();
    free.extend(rows.iter().flat_map(ClientRow::sites).filter(|site| !seen.insert(site.clone())));
    let mut problems = Vec::new();
    for (row, step) in steps.iter().filter_map(|step| Some((step.row?, step))) {
        for site in step.taken("site_ids") {
            let (code, message) = match (clients.owner(&site), listed) {
                (Some(owner), _) if !free.contains(&site) => {
                    ("already_assigned", format!("'{site}' is assigned to {}", short_name(owner)))
                }
                (None, Some(listed)) if !listed.contains(&site) => {
                    ("invalid_id", format!("'{site}' is not a site of the account"))
                }
                _ => continue,
            };
            problems.push((Some(row), document.detail(&document.rows[row], "site_ids", code, message)));
        }
    }
    problems
}
