//! The first account's 60 clients and their sites.

use super::{DAY, HOUR, START, insert_row};
use crate::sandbox::filter::fold_case;
use rusqlite::Transaction;
use serde::Deserialize;
use serde_json::json;

/// A row of `clients.csv`.
#[derive(Deserialize)]
pub struct ClientSeed {
    first_name: String,
    last_name: String,
    email: String,
    company_name: String,
    address: String,
    note: String,
    /// The numbers of the client's sites, separated by semicolons.
    sites: String,
}

pub fn insert_clients(db: &Transaction<'_>, seeds: &[ClientSeed]) -> rusqlite::Result<()> {
    for (index, seed) in (0..).zip(seeds) {
        let created_at = match index % 7 {
            // Clients 5 and 6 of each group of 7 have the same time, like after an import.
            6 => START + (index - 1) * 11 * DAY,
            5 => START + index * 11 * DAY,
            _ => START + index * 11 * DAY + index % 4 * HOUR,
        };
        let row = json!({
            "account": 1,
            "id": client_id(index),
            "first_name": seed.first_name,
            "last_name": seed.last_name,
            "email": seed.email,
            "email_key": fold_case(&seed.email),
            "company_name": seed.company_name,
            "address": seed.address,
            "note": seed.note,
            "created_at": created_at,
            "updated_at": created_at + index % 6 * (DAY + HOUR),
        });
        insert_row(db, "clients", &row)?;
    }
    Ok(())
}

/// Returns the id of the client that has a site, if one does.
pub fn client_of_site(seeds: &[ClientSeed], site_number: i64) -> Option<String> {
    let site = site_number.to_string();
    let owns_site = |seed: &ClientSeed| seed.sites.split(';').any(|number| number == site);
    let (index, _) = (0..).zip(seeds).find(|(_, seed)| owns_site(seed))?;
    Some(client_id(index))
}

fn client_id(index: i64) -> String {
    format!("client-{:04}", index + 1)
}
