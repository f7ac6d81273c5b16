//! Checks, before anything is sent, that the rows claim only sites that exist and that no other client keeps.

use super::plan::{Action, Step};
use super::rows::{ClientRow, Problem};
use crate::client::Api;
use crate::commands::clients::lookup::{AllClients, short_name};
use crate::input::Document;
use crate::resources::Record;
use std::collections::{HashMap, HashSet};

/// The sites of the account.
pub struct Sites {
    /// The client of each assigned site.
    owners: HashMap<String, Record>,
    /// All ids, if they are needed and the service lists its sites.
    listed: Option<HashSet<String>>,
}

impl Sites {
    /// Reads the list of sites if a row claims a site that no client has.
    pub async fn read(api: &Api, rows: &[ClientRow], clients: &AllClients) -> Self {
        let sites = |client: &Record| client.texts("site_ids").unwrap_or_default();
        let owners: HashMap<String, Record> = clients
            .list
            .iter()
            .flat_map(|client| sites(client).into_iter().map(|site| (site, client.clone())))
            .collect();
        let needed = rows.iter().flat_map(ClientRow::sites).any(|site| !owners.contains_key(&site));
        let listed = if needed { api.all_sites().await.ok() } else { None };
        let listed = listed.map(|sites| sites.iter().filter_map(Record::id).collect());
        Self { owners, listed: listed.filter(|ids: &HashSet<String>| !ids.is_empty()) }
    }

    /// Returns the problems of the sites that clients claim.
    pub fn problems(&self, document: &Document, rows: &[ClientRow], steps: &[Step]) -> Vec<Problem> {
        let deleted = steps.iter().filter(|step| step.action == Action::Delete).filter_map(|step| step.client.as_ref());
        let deleted = deleted.flat_map(|client| client.texts("site_ids").unwrap_or_default());
        let mut free: HashSet<String> =
            steps.iter().flat_map(|step| step.given_up("site_ids")).chain(deleted).collect();
        // Two rows with the same site have a problem already.
        let mut seen = HashSet::new();
        free.extend(rows.iter().flat_map(ClientRow::sites).filter(|site| !seen.insert(site.clone())));
        let mut problems = Vec::new();
        for (row, step) in steps.iter().filter_map(|step| Some((step.row?, step))) {
            for site in step.taken("site_ids") {
                let (code, message) = match (self.owners.get(&site), &self.listed) {
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
}
