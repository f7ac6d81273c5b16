//! The sites of a file, which rows name by id, URL or host name.

use crate::client::{Api, is_address};
use crate::commands::clients::moving::INVALID_ID;
use crate::commands::context::Context;
use crate::commands::find_clients::{AllClients, sites_or_email};
use crate::commands::find_sites::AccountSites;
use crate::error::Result;
use crate::input::{Document, Problem};
use std::collections::BTreeSet;

/// Replaces the addresses of sites by their ids. An address of no site is a problem of its row.
/// Returns the sites of the account; None if no row has an address or a site without an owner, or if
/// the list cannot be read, and no row has an address.
///
/// # Errors
/// The error of the list.
pub async fn find_addresses(
    context: &Context,
    api: &Api,
    document: &mut Document,
    clients: &AllClients,
) -> Result<Option<AccountSites>> {
    let values = document.rows.iter().filter_map(|row| row.value("site_ids"));
    let named: BTreeSet<String> = values.flat_map(sites_or_email).collect();
    let has_address = named.iter().any(|site| is_address(site));
    let has_owner = |site: &String| clients.owner("site_ids", site, None).is_some();
    if named.iter().all(has_owner) {
        return Ok(None);
    }
    let sites = match AccountSites::read(context, api).await {
        Err(error) if has_address => return Err(error),
        Err(_) => return Ok(None),
        Ok(sites) => sites,
    };
    let mut rows = std::mem::take(&mut document.rows);
    for row in &mut rows {
        for error in AccountSites::find_in_fields(Some(&sites), &mut row.fields) {
            let detail = document.detail(row, "site_ids", INVALID_ID, &*error.message);
            let position = Some(row.position);
            document.problems.push(Problem { position, detail });
        }
    }
    document.rows = rows;
    Ok(Some(sites))
}
