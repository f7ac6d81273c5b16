//! The first data: what tests and people may rely on.

use crate::support::Served;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap()
}

#[test]
fn it_is_the_same_every_time() {
    let (first, second) = (Served::start(&[]), Served::start(&[]));
    for path in ["/clients", "/managed-accounts", "/sites", "/sites/site-0001/snapshots", "/sites/site-0040/snapshots"]
    {
        assert_eq!(first.all(path), second.all(path));
        for record in first.all(path) {
            assert!(text(&record, "created_at") >= "2025-01-01" && text(&record, "updated_at") < "2026-11-21T09");
            assert!(text(&record, "created_at") <= text(&record, "updated_at"));
        }
    }
}

#[test]
fn there_are_sixty_clients_of_every_sort() {
    let clients = Served::start(&[]).all("/clients");
    let ids: BTreeSet<_> = clients.iter().map(|client| text(client, "id").to_owned()).collect();
    assert_eq!(ids, (1..=60).map(|nth| format!("client-{nth:04}")).collect());
    let emails: HashSet<_> = clients.iter().map(|client| text(client, "email").to_lowercase()).collect();
    assert_eq!(emails.len(), 60);
    assert!(!emails.contains("owner@example.com"));
    for field in ["last_name", "company_name", "address", "note"] {
        let empty = clients.iter().filter(|client| text(client, field).is_empty()).count();
        assert!((1..60).contains(&empty), "{field}");
    }
    let names: String = clients
        .iter()
        .map(|client| {
            format!("{}{}{}", text(client, "first_name"), text(client, "last_name"), text(client, "company_name"))
        })
        .collect();
    for letter in ['é', 'ш', 'Ω', '田', '스', 'ف', '☀', '\'', '"', '%', '_', '&'] {
        assert!(
            names.contains(letter) || names.to_lowercase().contains(&letter.to_lowercase().to_string()),
            "{letter}"
        );
    }
    assert!(text(&clients[0], "created_at") > "2026-10-01" && text(&clients[0], "created_at") < "2026-11-01");
}

#[test]
fn managed_accounts_cover_every_combination() {
    let accounts = Served::start(&[]).all("/managed-accounts");
    let seen: HashSet<_> = accounts
        .iter()
        .map(|account| (text(account, "role"), text(account, "status"), account["all_sites_access"].as_bool().unwrap()))
        .collect();
    assert_eq!((accounts.len(), seen.len()), (12, 12));
    let fields = ["id", "email", "role", "company_name", "status", "all_sites_access", "created_at", "updated_at"];
    assert_eq!(accounts[0].as_object().unwrap().keys().collect::<Vec<_>>(), fields);
}

#[test]
fn sites_are_assigned_free_and_multisite_as_promised() {
    let sandbox = Served::start(&[]);
    let sites = sandbox.all("/sites");
    let ids: BTreeSet<_> = sites.iter().map(|site| text(site, "id").to_owned()).collect();
    assert_eq!(ids, (1..=40).map(|nth| format!("site-{nth:04}")).collect());
    for site in &sites {
        let nth: u32 = text(site, "id")[5..].parse().unwrap();
        assert_eq!(site["multisite"], (31..=35).contains(&nth), "{site}");
        assert!(nth < 32 || site["client_id"] == Value::Null, "{site}");
    }
    let owned: usize = sandbox.all("/clients").iter().map(|client| client["site_ids"].as_array().unwrap().len()).sum();
    assert_eq!(owned, sites.iter().filter(|site| site["client_id"] != Value::Null).count());
    assert!(owned >= 30);
}

#[test]
fn each_site_has_four_snapshots_and_the_newest_has_not_succeeded() {
    let sandbox = Served::start(&[]);
    let mut unfinished = HashSet::new();
    for nth in 1..=40 {
        let snapshots = sandbox.get(&format!("/sites/site-{nth:04}/snapshots")).expect(200)["snapshots"].clone();
        let ids: Vec<_> = snapshots.as_array().unwrap().iter().map(|snapshot| text(snapshot, "id")).collect();
        assert_eq!(ids, [4, 3, 2, 1].map(|number| format!("snap-{nth:04}-{number}")));
        for snapshot in snapshots.as_array().unwrap() {
            assert_eq!(snapshot["site_id"], format!("site-{nth:04}"));
            assert_eq!(snapshot["size_bytes"].is_u64(), snapshot["status"] == "succeeded");
        }
        unfinished.insert(text(&snapshots[0], "status").to_owned());
        assert_eq!(snapshots[1]["status"], json!("succeeded"));
    }
    assert_eq!(unfinished, HashSet::from(["failed".to_owned(), "running".to_owned()]));
}
