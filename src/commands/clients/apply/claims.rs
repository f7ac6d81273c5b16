//! Checks, before anything is sent, that the rows claim only emails and sites that their clients
//! can have.

use crate::client::{Api, is_address};
use crate::commands::clients::plan::Step;
use crate::commands::find_clients::{AllClients, name_and_id, sites_or_email};
use crate::commands::find_sites::AccountSites;
use crate::input::{Document, Problem};
use crate::resources::Record;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Returns the ids of all sites. None if no row claims a site without an owner, or if the list of
/// sites cannot be read or is empty: then sites are not checked.
pub async fn listed_sites(
    api: &Api,
    document: &Document,
    clients: &AllClients,
) -> Option<HashSet<String>> {
    let mut sites_in_file = document_sites(document).into_iter();
    if sites_in_file.all(|site| !clients.indexes_with_value("site_ids", &site).is_empty()) {
        return None;
    }
    let sites = api.all_sites().await.ok()?;
    let ids: HashSet<String> = sites.iter().filter_map(Record::id).collect();
    if ids.is_empty() {
        return None;
    }
    Some(ids)
}

/// Whether a row has the address of a site instead of its id.
pub fn has_site_addresses(document: &Document) -> bool {
    document_sites(document).iter().any(|site| is_address(site))
}

/// Replaces the addresses of sites by their ids. An address of no site is a problem of its row.
pub fn find_site_addresses(document: &mut Document, sites: &AccountSites) {
    let mut problems = Vec::new();
    let mut rows = std::mem::take(&mut document.rows);
    for row in &mut rows {
        let mut errors = Vec::new();
        if let Some(Value::Array(items)) = row.fields.get_mut("site_ids") {
            for item in items {
                let Some(text) = item.as_str().filter(|text| is_address(text)) else {
                    continue;
                };
                match sites.find(text) {
                    Ok(site) => *item = Value::from(site.id()),
                    Err(error) => errors.push(error),
                }
            }
        }
        for error in errors {
            let detail = document.detail(row, "site_ids", "invalid_id", &*error.message);
            problems.push(Problem {
                position: Some(row.position),
                detail,
            });
        }
    }
    document.rows = rows;
    document.problems.extend(problems);
}

/// Returns the sites of all rows.
pub fn document_sites(document: &Document) -> BTreeSet<String> {
    let values = document.rows.iter().filter_map(|row| row.value("site_ids"));
    values.flat_map(sites_or_email).collect()
}

/// Returns the problems of the emails and sites that two clients would have, and of unknown sites.
pub fn claim_problems(
    document: &Document,
    steps: &[Step],
    clients: &AllClients,
    listed_sites: Option<&HashSet<String>>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for field in ["email", "site_ids"] {
        let mut released = HashSet::new();
        for step in steps {
            released.extend(step.given_up(field));
        }
        let mut row_by_value: HashMap<String, usize> = HashMap::new();
        for step in steps {
            let Some(row) = step.row else {
                continue;
            };
            for value in step.gained(field) {
                let problem = if let Some(other) = row_by_value.get(&value) {
                    let position = document.rows[*other].position;
                    Some(("duplicate", format!("'{value}' is in {position} too")))
                } else {
                    problem_of_value(field, &value, clients, &released, listed_sites)
                };
                if let Some((code, message)) = problem {
                    problems.push(document.problem(row, field, code, message));
                } else {
                    row_by_value.insert(value, row);
                }
            }
        }
    }
    problems
}

/// Returns the code and the message if the account's clients or sites rule out that a client gains
/// this email or site. `released` has the values that clients give up in this run.
fn problem_of_value(
    field: &'static str,
    value: &String,
    clients: &AllClients,
    released: &HashSet<String>,
    listed_sites: Option<&HashSet<String>>,
) -> Option<(&'static str, String)> {
    let Some(owner) = clients.indexes_with_value(field, value).first() else {
        // An address that was not found is a problem already.
        if field == "email" || is_address(value) || listed_sites?.contains(value) {
            return None;
        }
        let hint = if value.contains(['\n', '|', ',', ' ']) {
            "; separate sites with semicolons"
        } else {
            ""
        };
        let message = format!("'{value}' is not a site of the account{hint}");
        return Some(("invalid_id", message));
    };
    if released.contains(value) {
        return None;
    }
    let code = if field == "email" {
        "already_exists"
    } else {
        "already_assigned"
    };
    let owner = name_and_id(&clients.list[*owner]);
    Some((code, format!("'{value}' is assigned to {owner}")))
}
