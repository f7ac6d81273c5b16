//! The first data, which is always the same and in the past.

mod clients;

use super::time::Millis;
use rusqlite::Transaction;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// 2025-01-07T08:30:00Z, when the oldest records were created.
const START: Millis = 1_736_238_600_000;
/// 2026-11-21T02:00:00Z, when the newest snapshots started.
const LAST_NIGHT: Millis = 1_795_226_400_000;

/// Email, role, company, status, access to all sites.
type ManagedAccountSeed = (&'static str, &'static str, &'static str, &'static str, bool);

#[rustfmt::skip]
const MANAGED_ACCOUNT_SEEDS: [ManagedAccountSeed; 12] = [
    ("hello@harbourandpine.example", "collaborator", "Harbour & Pine", "connected", true),
    ("it@kanzlei-brückner.example", "administrator", "Kanzlei Brückner", "connected", false),
    ("ops@northwind.example", "co_owner", "Northwind Traders", "connected", true),
    ("admin@sakura-travel.example", "collaborator", "さくら旅行社", "pending", false),
    ("Web.Team@Lumiere.example", "administrator", "Lumière d'Été", "pending", true),
    ("owner@fjordfisk.example", "co_owner", "Fjordfisk AS", "pending", false),
    ("studio@mosaico.example", "collaborator", "Mosaico Studio", "connected", false),
    ("sites@o-hara-legal.example", "administrator", "O'Hara Legal", "connected", true),
    ("desk@100percent.example", "co_owner", "100% Organic Ltd", "connected", false),
    ("press@caravel.example", "collaborator", "Caravel Press", "pending", true),
    ("tech@under_score.example", "administrator", "Under_Score Media", "pending", false),
    ("founders@blueheron.example", "co_owner", "Blue Heron Co-op", "pending", true),
];

#[rustfmt::skip]
const SITE_NAMES: [&str; 15] = [
    "Bakery", "Law office", "Travel blog", "Museum", "Dental practice", "Football club",
    "Bookshop", "Café", "Architects", "Vineyard", "School", "Charity", "Brewery",
    "Theatre", "Florist",
];

/// Fills the empty tables.
pub(super) fn insert_first_data(db: &Transaction<'_>) -> rusqlite::Result<()> {
    clients::insert_clients(db)?;
    insert_managed_accounts(db)?;
    insert_sites(db)
}

/// Inserts every role with every status, with and without access to all sites.
fn insert_managed_accounts(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO managed_accounts (account, id, email, role, company_name, status,
                                             all_sites_access, created_at, updated_at)
               VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    for (index, seed) in (0..).zip(MANAGED_ACCOUNT_SEEDS) {
        let (email, role, company_name, status, all_sites_access) = seed;
        // Every third account has the same time as the account before it.
        let days = if index % 3 == 2 { index - 1 } else { index } * 50;
        let created_at = START + days * DAY;
        let updated_at = created_at + index % 5 * (DAY + HOUR);
        insert.execute((
            format!("account-{:04}", index + 1),
            email,
            role,
            company_name,
            status,
            all_sites_access,
            created_at,
            updated_at,
        ))?;
    }
    Ok(())
}

/// Inserts 40 sites of the first account and 5 of the second, with 4 nightly snapshots each.
fn insert_sites(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sites (account, id, url, name, multisite, client_id,
                                  created_at, updated_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    let first_account = (1..=40).map(|number| (1, number));
    let second_account = (1001..=1005).map(|number| (2, number));
    let sites = first_account.chain(second_account);
    for ((account, number), name) in sites.zip(SITE_NAMES.into_iter().cycle()) {
        let id = format!("site-{number:04}");
        let created_at = START + (number % 1000) * 16 * DAY;
        insert.execute((
            account,
            &id,
            format!("https://{id}.example.com"),
            format!("{name} {number}"),
            (31..=35).contains(&number),
            clients::client_of_site(number),
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
