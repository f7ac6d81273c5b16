//! Checks, before anything is sent, that the rows claim only emails and sites that their clients
//! can have.

use super::plan::Step;
use crate::client::Api;
use crate::commands::clients::lookup::{AllClients, name_and_id, sites_or_email};
use crate::input::{Document, Problem};
use crate::resources::Record;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads the ids of all sites, if a row claims a site that no client has and the service lists its
/// sites.
pub async fn listed_sites(
    api: &Api,
    document: &Document,
    clients: &AllClients,
) -> Option<HashSet<String>> {
    let mut claimed = document
        .rows
        .iter()
        .filter_map(|row| row.value("site_ids"))
        .flat_map(sites_or_email);
    if claimed.all(|site| !clients.owners("site_ids", &site).is_empty()) {
        return None;
    }
    let sites = api.all_sites().await.ok()?;
    let ids: HashSet<String> = sites.iter().filter_map(Record::id).collect();
    if ids.is_empty() {
        return None;
    }
    Some(ids)
}

/// Returns the problems of the emails and sites that two clients would have, and of unknown sites:
/// no order of changes makes these succeed.
pub fn claim_problems(
    document: &Document,
    steps: &[Step],
    clients: &AllClients,
    listed_sites: Option<&HashSet<String>>,
) -> Vec<Problem> {
    let is_unlisted = |site: &String| listed_sites.is_some_and(|listed| !listed.contains(site));
    let mut problems = Vec::new();
    for (field, assigned) in [
        ("email", "already_exists"),
        ("site_ids", "already_assigned"),
    ] {
        let mut released = HashSet::new();
        for step in steps {
            released.extend(step.given_up(field));
        }
        let mut claimed_by: HashMap<String, usize> = HashMap::new();
        for step in steps {
            let Some(row) = step.row else {
                continue;
            };
            for value in step.gained(field) {
                let owner = clients.owners(field, &value).first();
                let (code, message) = if let Some(other) = claimed_by.get(&value) {
                    let position = document.rows[*other].position;
                    ("duplicate", format!("'{value}' is in {position} too"))
                } else if let Some(owner) = owner
                    && !released.contains(&value)
                {
                    let owner = name_and_id(&clients.list[*owner]);
                    (assigned, format!("'{value}' is assigned to {owner}"))
                } else if owner.is_none() && field == "site_ids" && is_unlisted(&value) {
                    let message = format!("'{value}' is not a site of the account");
                    ("invalid_id", message)
                } else {
                    claimed_by.insert(value, row);
                    continue;
                };
                problems.push(document.problem(row, field, code, message));
            }
        }
    }
    problems
}

/// Returns the problems of steps that wait for each other's emails.
pub fn email_swap_problems(
    document: &Document,
    steps: &[Step],
    stuck: &BTreeSet<usize>,
) -> Vec<Problem> {
    let message =
        "Clients cannot swap emails in one run: change one of them to another email first";
    let mut problems = Vec::new();
    for step in stuck {
        if let Some(row) = steps[*step].row {
            problems.push(document.problem(row, "email", "already_exists", message));
        }
    }
    problems
}
