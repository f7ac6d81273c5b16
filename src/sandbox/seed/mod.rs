//! The first data, which is always the same and in the past.

mod clients;

use super::time::Millis;
use clients::ClientSeed;
use rusqlite::Transaction;
use serde::Deserialize;
use serde::de::DeserializeOwned;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// 2025-01-07T08:30:00Z, when the oldest records were created.
const START: Millis = 1_736_238_600_000;
/// 2026-11-21T02:00:00Z, when the newest snapshots started.
const LAST_NIGHT: Millis = 1_795_226_400_000;

const SITE_NAMES: &str = "Bakery,Law office,Travel blog,Museum,Dental practice,Football club,\
                          Bookshop,Café,Architects,Vineyard,School,Charity,Brewery,Theatre,\
                          Florist";

/// A row of `managed_accounts.csv`.
#[derive(Deserialize)]
struct ManagedAccountSeed {
    email: String,
    role: String,
    company_name: String,
    status: String,
    all_sites_access: bool,
}

/// Fills the empty tables.
pub fn insert_first_data(db: &Transaction<'_>) -> anyhow::Result<()> {
    let clients = read_rows(include_str!("clients.csv"))?;
    clients::insert_clients(db, &clients)?;
    insert_managed_accounts(db)?;
    insert_sites(db, &clients)?;
    Ok(())
}

fn read_rows<T: DeserializeOwned>(text: &str) -> csv::Result<Vec<T>> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect()
}

/// Inserts every role with every status, with and without access to all sites.
fn insert_managed_accounts(db: &Transaction<'_>) -> anyhow::Result<()> {
    let sql = "INSERT INTO managed_accounts (account, id, email, role, company_name, status,
                                             all_sites_access, created_at, updated_at)
               VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    let seeds: Vec<ManagedAccountSeed> = read_rows(include_str!("managed_accounts.csv"))?;
    for (index, seed) in (0..).zip(seeds) {
        // Every third account has the same time as the account before it.
        let interval = if index % 3 == 2 { index - 1 } else { index };
        let created_at = START + interval * 50 * DAY;
        let updated_at = created_at + index % 5 * (DAY + HOUR);
        insert.execute((
            format!("account-{:04}", index + 1),
            seed.email,
            seed.role,
            seed.company_name,
            seed.status,
            seed.all_sites_access,
            created_at,
            updated_at,
        ))?;
    }
    Ok(())
}

/// Inserts 40 sites of the first account and 5 of the second, with 4 nightly snapshots each.
fn insert_sites(db: &Transaction<'_>, clients: &[ClientSeed]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sites (account, id, url, name, multisite, client_id,
                                  created_at, updated_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    // The key of the account, and the number of the site.
    let first_account = (1..=40).map(|number| (1, number));
    let second_account = (1001..=1005).map(|number| (2, number));
    let sites = first_account.chain(second_account);
    for ((account, number), name) in sites.zip(SITE_NAMES.split(',').cycle()) {
        let id = format!("site-{number:04}");
        // Site 1001 is as old as site 1.
        let created_at = START + (number % 1000) * 16 * DAY;
        insert.execute((
            account,
            &id,
            format!("https://{id}.example.com"),
            format!("{name} {number}"),
            // Sites 31 to 35 are multisites.
            (31..=35).contains(&number),
            clients::client_of_site(clients, number),
            created_at,
            created_at + number % 7 * HOUR,
        ))?;
        insert_snapshots(db, account, number, &id)?;
    }
    Ok(())
}

fn insert_snapshots(
    db: &Transaction<'_>,
    account: i64,
    site_number: i64,
    site_id: &str,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO snapshots (account, id, site_id, status, size_bytes,
                                      created_at, updated_at)
               VALUES (?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare_cached(sql)?;
    for number in 1..=4 {
        let started_at = LAST_NIGHT - (4 - number) * DAY + site_number % 60 * MINUTE;
        // The newest snapshot is running on every fifth site, and has failed on the others.
        let (status, size_bytes, updated_at) = match number {
            4 if site_number % 5 == 0 => ("running", None, started_at),
            4 => ("failed", None, started_at + 3 * MINUTE),
            _ => {
                let size_bytes = 40_000_000 + site_number * 1_234_567 + number * 98_765;
                ("succeeded", Some(size_bytes), started_at + 20 * MINUTE)
            }
        };
        insert.execute((
            account,
            format!("snap-{site_number:04}-{number}"),
            site_id,
            status,
            size_bytes,
            started_at,
            updated_at,
        ))?;
    }
    Ok(())
}
