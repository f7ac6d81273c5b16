//! The first data.

use crate::support::{FIRST_TOKEN, OTHER_TOKEN, Sandbox, record_ids, records};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

fn numbered_ids(prefix: &str, numbers: RangeInclusive<u64>) -> Vec<String> {
    numbers
        .map(|number| format!("{prefix}-{number:04}"))
        .collect()
}

fn field_names(record: &Value) -> Vec<&String> {
    record.as_object().unwrap().keys().collect()
}

/// Returns the sites of both accounts, each with its number and its snapshots.
fn all_sites(sandbox: &Sandbox) -> Vec<(u64, Value, Vec<Value>)> {
    let mut sites = Vec::new();
    for token in [FIRST_TOKEN, OTHER_TOKEN] {
        let list = sandbox
            .get_as(token, "/sites?perPage=100")
            .expect_status(200);
        for site in records(&list) {
            let id = site["id"].as_str().unwrap();
            let number = id.strip_prefix("site-").unwrap().parse().unwrap();
            let path = format!("/sites/{id}/snapshots");
            let snapshots = sandbox.get_as(token, &path).expect_status(200);
            sites.push((number, site.clone(), records(&snapshots).clone()));
        }
    }
    assert_eq!(sites.len(), 45);
    sites
}

/// Returns the time since this one.
fn age(time: &Value) -> SignedDuration {
    let time: Timestamp = time.as_str().unwrap().parse().unwrap();
    Timestamp::now().duration_since(time)
}

#[test]
fn the_first_data_has_all_clients_sites_and_managed_accounts() {
    let sandbox = Sandbox::start(&[]);
    for (path, expected) in [
        ("/clients?perPage=100", numbered_ids("client", 1..=60)),
        ("/managed-accounts", numbered_ids("account", 1..=12)),
        ("/sites?perPage=100", numbered_ids("site", 1..=40)),
        ("/tasks", Vec::new()),
    ] {
        let mut ids = record_ids(&sandbox.get(path).expect_status(200));
        ids.sort();
        assert_eq!(ids, expected, "{path}");
    }
    let accounts = sandbox.all_records("/managed-accounts");
    let fields = [
        "id",
        "email",
        "role",
        "company_name",
        "status",
        "all_sites_access",
        "created_at",
        "updated_at",
    ];
    assert_eq!(field_names(&accounts[0]), fields);
}

#[test]
fn a_site_has_all_fields_and_its_client() {
    let sandbox = Sandbox::start(&[]);
    let shown = sandbox.get("/sites/site-0005").expect_status(200);
    let site = &shown["site"];
    assert!(sandbox.all_records("/sites").contains(site));
    let fields = [
        "id",
        "title",
        "url",
        "home_url",
        "created_at",
        "updated_at",
        "client",
        "tags",
        "connection",
        "server",
        "sync",
        "security",
        "backups",
        "uptime",
        "wp",
        "multisite",
        "health",
        "locked",
    ];
    assert_eq!(field_names(site), fields);
    assert_eq!(site["url"], "https://site-0005.example.com");
    assert_eq!(site["home_url"], site["url"]);
    let client = json!({ "id": "client-0003", "name": "Søren Ångström" });
    assert_eq!(site["client"], client);
}

#[test]
fn only_the_documented_sites_need_attention() {
    for (number, site, _) in all_sites(&Sandbox::start(&[])) {
        let is_hacked = (21..=24).contains(&number);
        let is_vulnerable = number == 20;
        let scanner = &site["security"]["scanner"];
        assert_eq!(scanner["status"] == "hacked", is_hacked, "{site}");
        assert_eq!(site["wp"]["core"]["vulnerable"], is_vulnerable, "{site}");
        let risk = &site["wp"]["updates"]["plugins"]["risk"]["high"];
        assert_eq!(risk.as_u64().unwrap() > 0, is_vulnerable, "{site}");
        let is_connected = site["connection"]["status"] == "connected";
        assert_eq!(is_connected, number != 18, "{site}");
        assert_eq!(site["backups"]["enabled"], number != 19, "{site}");
        assert_eq!(site["multisite"], (31..=35).contains(&number), "{site}");
    }
}

#[test]
fn each_site_has_a_snapshot_of_each_of_the_last_four_nights() {
    for (number, site, snapshots) in all_sites(&Sandbox::start(&[])) {
        assert_eq!(snapshots.len(), 4);
        // The newest is first.
        for (index, snapshot) in [4, 3, 2, 1].into_iter().zip(&snapshots) {
            let fields = [
                "id",
                "created_at",
                "status",
                "note",
                "error_message",
                "backups",
                "security",
            ];
            assert_eq!(field_names(snapshot), fields);
            assert_eq!(snapshot["id"], format!("snap-{number:04}-{index}"));
            let is_failed = index == 4 && [2, 7].contains(&(number % 10));
            let status = if is_failed { "failed" } else { "succeeded" };
            assert_eq!(snapshot["status"], status, "{snapshot}");
            let is_hacked = (21..=24).contains(&number) && index > 2 && !is_failed;
            let scanner = if is_hacked { "hacked" } else { "clean" };
            assert_eq!(snapshot["security"]["scanner"]["status"], scanner);
            let created_at = &snapshot["created_at"];
            let minute = format!("T02:{:02}:00Z", number % 60);
            assert!(created_at.as_str().unwrap().ends_with(&minute));
            let nights = 4 - index + if number == 19 { 21 } else { 0 };
            let age = age(created_at) - SignedDuration::from_hours(24 * nights);
            let max = SignedDuration::from_mins(24 * 60 + 2);
            assert!(SignedDuration::ZERO < age && age < max, "{snapshot}");
        }
        let newest = &snapshots[0];
        let latest = json!({
            "id": newest["id"],
            "created_at": newest["created_at"],
            "status": newest["status"],
        });
        assert_eq!(site["backups"]["latest_snapshot"], latest);
    }
}
