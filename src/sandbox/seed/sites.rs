//! Forty sites of the first account, five of the second, and four nightly snapshots of each.

use super::{DAY, HOUR, LAST_NIGHT, MINUTE, START};
use rusqlite::{CachedStatement, Transaction};

const NAMES: [&str; 15] = [
    "Bakery",
    "Law office",
    "Travel blog",
    "Museum",
    "Dental practice",
    "Football club",
    "Bookshop",
    "Café",
    "Architects",
    "Vineyard",
    "School",
    "Charity",
    "Brewery",
    "Theatre",
    "Florist",
];

pub(super) fn plant(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sites (account, id, url, name, multisite, client_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut sites = db.prepare_cached(sql)?;
    let sql = "INSERT INTO snapshots (account, id, site_id, status, size_bytes, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)";
    let mut snapshots = db.prepare_cached(sql)?;
    let numbers = (1..=40).map(|number| (1, number)).chain((1001..=1005).map(|number| (2, number)));
    for ((account, number), name) in numbers.zip(NAMES.into_iter().cycle()) {
        let id = format!("site-{number:04}");
        let url = format!("https://site-{number:04}.example.com");
        let name = format!("{name} {number}");
        let created_at = START + (number % 1000) * 16 * DAY;
        let multisite = (31..=35).contains(&number);
        let client = super::clients::owner(number);
        sites.execute((account, &id, url, name, multisite, client, created_at, created_at + number % 7 * HOUR))?;
        plant_snapshots(&mut snapshots, account, number, &id)?;
    }
    Ok(())
}

fn plant_snapshots(insert: &mut CachedStatement<'_>, account: i64, number: i64, site: &str) -> rusqlite::Result<()> {
    for nth in 1..=4 {
        let began = LAST_NIGHT - (4 - nth) * DAY + number % 60 * MINUTE;
        // The newest has not succeeded: of every fifth site it is still being made, of the others it failed.
        let (status, size, ended) = match nth {
            4 if number % 5 == 0 => ("running", None, began),
            4 => ("failed", None, began + 3 * MINUTE),
            _ => ("succeeded", Some(40_000_000 + number * 1_234_567 + nth * 98_765), began + 20 * MINUTE),
        };
        insert.execute((account, format!("snap-{number:04}-{nth}"), site, status, size, began, ended))?;
    }
    Ok(())
}
