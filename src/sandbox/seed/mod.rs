//! The first data, which is always the same and in the past.

mod clients;

use super::time::Millis;
use rusqlite::{CachedStatement, Transaction};

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// 2025-01-07T08:30:00Z, when the oldest records were created.
const START: Millis = 1_736_238_600_000;
/// 2026-11-21T02:00:00Z, when the newest snapshots started.
const LAST_NIGHT: Millis = 1_795_226_400_000;

/// Email, role, company, status, access to all sites.
struct ManagedAccount(&'static str, &'static str, &'static str, &'static str, bool);

#[rustfmt::skip]
const MANAGED_ACCOUNTS: [ManagedAccount; 12] = [
    ManagedAccount("hello@harbourandpine.example", "collaborator", "Harbour & Pine", "connected", true),
    ManagedAccount("it@kanzlei-brückner.example", "administrator", "Kanzlei Brückner", "connected", false),
    ManagedAccount("ops@northwind.example", "co_owner", "Northwind Traders", "connected", true),
    ManagedAccount("admin@sakura-travel.example", "collaborator", "さくら旅行社", "pending", false),
    ManagedAccount("Web.Team@Lumiere.example", "administrator", "Lumière d'Été", "pending", true),
    ManagedAccount("owner@fjordfisk.example", "co_owner", "Fjordfisk AS", "pending", false),
    ManagedAccount("studio@mosaico.example", "collaborator", "Mosaico Studio", "connected", false),
    ManagedAccount("sites@o-hara-legal.example", "administrator", "O'Hara Legal", "connected", true),
    ManagedAccount("desk@100percent.example", "co_owner", "100% Organic Ltd", "connected", false),
    ManagedAccount("press@caravel.example", "collaborator", "Caravel Press", "pending", true),
    ManagedAccount("tech@under_score.example", "administrator", "Under_Score Media", "pending", false),
    ManagedAccount("founders@blueheron.example", "co_owner", "Blue Heron Co-op", "pending", true),
];

#[rustfmt::skip]
const SITE_NAMES: [&str; 15] = [
    "Bakery", "Law office", "Travel blog", "Museum", "Dental practice", "Football club", "Bookshop", "Café",
    "Architects", "Vineyard", "School", "Charity", "Brewery", "Theatre", "Florist",
];

/// Fills empty tables.
pub(super) fn insert(db: &Transaction<'_>) -> rusqlite::Result<()> {
    clients::insert(db)?;
    insert_managed_accounts(db)?;
    insert_sites(db)
}

/// Inserts every role with every status, with and without access to all sites.
fn insert_managed_accounts(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO managed_accounts (account, id, email, role, company_name, status, all_sites_access, created_at, updated_at)
               VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    for (index, ManagedAccount(email, role, company, status, all)) in (0..).zip(MANAGED_ACCOUNTS) {
        // Every third account has the same time as the account before it.
        let created_at = START + (index - i64::from(index % 3 == 2)) * 50 * DAY;
        let updated_at = created_at + index % 5 * (DAY + HOUR);
        let id = format!("account-{:04}", index + 1);
        insert.execute((
            id, email, role, company, status, all, created_at, updated_at,
        ))?;
    }
    Ok(())
}

/// Inserts 40 sites of the first account and 5 of the second, with 4 nightly snapshots each.
fn insert_sites(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sites (account, id, url, name, multisite, client_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut sites = db.prepare_cached(sql)?;
    let sql = "INSERT INTO snapshots (account, id, site_id, status, size_bytes, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)";
    let mut snapshots = db.prepare_cached(sql)?;
    let numbers = (1..=40)
        .map(|number| (1, number))
        .chain((1001..=1005).map(|number| (2, number)));
    for ((account, number), name) in numbers.zip(SITE_NAMES.into_iter().cycle()) {
        let id = format!("site-{number:04}");
        let url = format!("https://site-{number:04}.example.com");
        let name = format!("{name} {number}");
        let created_at = START + (number % 1000) * 16 * DAY;
        let multisite = (31..=35).contains(&number);
        let client = clients::owner(number);
        sites.execute((
            account,
            &id,
            url,
            name,
            multisite,
            client,
            created_at,
            created_at + number % 7 * HOUR,
        ))?;
        insert_snapshots(&mut snapshots, account, number, &id)?;
    }
    Ok(())
}

fn insert_snapshots(
    insert: &mut CachedStatement<'_>,
    account: i64,
    number: i64,
    site: &str,
) -> rusqlite::Result<()> {
    for nth in 1..=4 {
        let began = LAST_NIGHT - (4 - nth) * DAY + number % 60 * MINUTE;
        // The newest snapshot is running on every fifth site, and has failed on the others.
        let (status, size, ended) = match nth {
            4 if number % 5 == 0 => ("running", None, began),
            4 => ("failed", None, began + 3 * MINUTE),
            _ => (
                "succeeded",
                Some(40_000_000 + number * 1_234_567 + nth * 98_765),
                began + 20 * MINUTE,
            ),
        };
        insert.execute((
            account,
            format!("snap-{number:04}-{nth}"),
            site,
            status,
            size,
            began,
            ended,
        ))?;
    }
    Ok(())
}
