//! The 45 sites and their nightly snapshots.

use super::clients::{self, ClientSeed};
use super::{DAY, HOUR, MINUTE, START, insert_row};
use crate::sandbox::time::{self, Millis, format_seconds};
use rusqlite::Transaction;
use serde_json::{Value, json};

const SITE_NAMES: &str = "Bakery,Law office,Travel blog,Museum,Dental practice,Football club,\
                          Bookshop,Café,Architects,Vineyard,School,Charity,Brewery,Theatre,\
                          Florist";

/// Inserts 40 sites of the first account and 5 of the second.
pub fn insert_sites(db: &Transaction<'_>, clients: &[ClientSeed]) -> anyhow::Result<()> {
    let now = time::now_millis();
    // The key of the account, and the number of the site.
    let first_account = (1..=40).map(|number| (1, number));
    let second_account = (1001..=1005).map(|number| (2, number));
    let sites = first_account.chain(second_account);
    for ((account, number), name) in sites.zip(SITE_NAMES.split(',').cycle()) {
        let mut site = new_site(number, now)?;
        site["account"] = json!(account);
        site["title"] = json!(format!("{name} {number}"));
        site["client_id"] = json!(clients::client_of_site(clients, number));
        let mut snapshots = Vec::new();
        for index in 1..=4 {
            let mut snapshot = new_snapshot(number, index, now)?;
            snapshot["account"] = json!(account);
            snapshot["site_id"] = site["id"].clone();
            // The last one is the newest.
            for name in ["id", "created_at", "status"] {
                site["backups"]["latest_snapshot"][name] = snapshot[name].clone();
            }
            snapshots.push(snapshot);
        }
        insert_row(db, "sites", &site)?;
        for snapshot in &snapshots {
            insert_row(db, "snapshots", snapshot)?;
        }
    }
    Ok(())
}

/// Returns a healthy site, except for a few numbers.
fn new_site(number: i64, now: Millis) -> serde_json::Result<Value> {
    let mut site: Value = serde_json::from_str(include_str!("site.json"))?;
    let id = format!("site-{number:04}");
    site["url"] = json!(format!("https://{id}.example.com"));
    site["id"] = json!(id);
    // Site 1001 is as old as site 1.
    let created_at = START + number % 1000 * 16 * DAY;
    site["created_at"] = json!(created_at);
    site["updated_at"] = json!(created_at + number % 7 * HOUR);
    let checked_at = now - number % 60 * MINUTE;
    site["sync"]["last_sync_at"] = json!(format_seconds(checked_at));
    site["sync"]["next_sync_at"] = json!(format_seconds(checked_at + DAY));
    site["security"]["scanner"]["last_check_at"] = json!(format_seconds(checked_at));
    if number % 3 == 0 {
        site["tags"] = json!([{ "id": "tag-0001", "name": "shop" }]);
    }
    if number % 10 == 0 {
        site["tags"] = json!([{ "id": "tag-0002", "name": "DEV" }]);
    }
    match number {
        5 => {
            let http_auth = json!({ "username": "preview", "password": "open-sesame-5" });
            site["connection"]["http_auth"] = http_auth;
        }
        18 => site["connection"]["status"] = json!("disconnected"),
        19 => site["backups"]["enabled"] = json!(false),
        20 => {
            let core = &mut site["wp"]["core"];
            core["current_version"] = json!("6.4.1");
            core["update_available"] = json!(true);
            core["vulnerable"] = json!(true);
            let plugins = &mut site["wp"]["updates"]["plugins"];
            plugins["risk"]["high"] = json!(2);
            plugins["available"] = json!(5);
        }
        21..=24 => {
            let scanner = &mut site["security"]["scanner"];
            scanner["status"] = json!("hacked");
            // Between the second and the third snapshot.
            scanner["malware_detected_at"] = json!(format_seconds(now - 2 * DAY));
        }
        25 => site["security"]["enabled"] = json!(false),
        31..=35 => site["multisite"] = json!(true),
        _ => {}
    }
    if (18..=24).contains(&number) {
        site["health"] = json!({ "score": 41, "status": "poor" });
    }
    Ok(site)
}

/// Returns a snapshot of one of the last four nights. 4 is the newest.
fn new_snapshot(site_number: i64, index: i64, now: Millis) -> serde_json::Result<Value> {
    let mut snapshot: Value = serde_json::from_str(include_str!("snapshot.json"))?;
    // The site's time of the night. Its newest snapshot is less than a day old.
    let time_of_day = 2 * HOUR + site_number % 60 * MINUTE;
    let newest = (now - time_of_day).div_euclid(DAY) * DAY + time_of_day;
    let age = if site_number == 19 { 21 } else { 0 };
    let created_at = newest - (4 - index + age) * DAY;
    snapshot["id"] = json!(format!("snap-{site_number:04}-{index}"));
    snapshot["created_at"] = json!(format_seconds(created_at));
    if index == 4 && matches!(site_number % 10, 2 | 7) {
        snapshot["status"] = json!("failed");
        snapshot["error_message"] = json!("The site did not respond in time.");
        let no_data = json!({ "count": 0, "size": { "total": 0, "synced": 0, "ignored": 0 } });
        snapshot["backups"] = json!({ "files": no_data, "database": no_data });
    } else if index > 2 && (21..=24).contains(&site_number) {
        snapshot["security"]["scanner"]["status"] = json!("hacked");
    } else if site_number == 25 {
        snapshot["security"]["enabled"] = json!(false);
    }
    Ok(snapshot)
}
