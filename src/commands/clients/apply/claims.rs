//! Checks, before anything is sent, that the rows claim only emails and sites that their clients can have.

use super::plan::{Problem, Step};
use crate::client::Api;
use crate::commands::clients::lookup::{AllClients, items, short_name};
use crate::input::Document;
use crate::resources::Record;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads the ids of all sites, if a row claims a site that no client has and the service lists its sites.
pub async fn listed_sites(
    api: &Api,
    document: &Document,
    clients: &AllClients,
) -> Option<HashSet<String>> {
    let mut claimed = document
        .rows
        .iter()
        .filter_map(|row| row.value("site_ids"))
        .flat_map(items);
    if claimed.all(|site| !clients.owners("site_ids", &site).is_empty()) {
        return None;
    }
    let sites = api.all_sites().await.ok()?;
    Some(sites.iter().filter_map(Record::id).collect())
        .filter(|ids: &HashSet<String>| !ids.is_empty())
}

/// Returns the problems of the emails and sites that two clients would have, and of unknown sites: no order of changes makes
/// these succeed.
pub fn problems(
    document: &Document,
    steps: &[Step],
    clients: &AllClients,
    listed: Option<&HashSet<String>>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (field, assigned) in [
        ("email", "already_exists"),
        ("site_ids", "already_assigned"),
    ] {
        let free: HashSet<String> = steps.iter().flat_map(|step| step.given_up(field)).collect();
        let mut takers: HashMap<String, usize> = HashMap::new();
        for (row, step) in steps.iter().filter_map(|step| Some((step.row?, step))) {
            for item in step.taken(field) {
                let (code, message) =
                    match (takers.get(&item), clients.owners(field, &item).first()) {
                        (Some(other), _) => (
                            "duplicate",
                            format!("'{item}' is in {} too", document.rows[*other].position),
                        ),
                        (None, Some(owner)) if !free.contains(&item) => (
                            assigned,
                            format!(
                                "'{item}' is assigned to {}",
                                short_name(&clients.list[*owner])
                            ),
                        ),
                        (None, None)
                            if listed.is_some_and(|listed| {
                                field == "site_ids" && !listed.contains(&item)
                            }) =>
                        {
                            (
                                "invalid_id",
                                format!("'{item}' is not a site of the account"),
                            )
                        }
                        _ => {
                            takers.insert(item, row);
                            continue;
                        }
                    };
                problems.push((
                    Some(row),
                    document.detail(&document.rows[row], field, code, message),
                ));
            }
        }
    }
    problems
}

/// Returns the problems of steps that wait for each other's emails.
pub fn swapped_emails(
    document: &Document,
    steps: &[Step],
    stuck: &BTreeSet<usize>,
) -> Vec<Problem> {
    let message =
        "Clients cannot swap emails in one run: change one of them to another email first";
    let rows = stuck.iter().filter_map(|step| steps[*step].row);
    rows.map(|row| {
        (
            Some(row),
            document.detail(&document.rows[row], "email", "already_exists", message),
        )
    })
    .collect()
}
