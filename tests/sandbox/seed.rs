//! The first data.

use crate::support::Served;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap()
}

#[test]
fn the_first_data_is_always_the_same() {
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
fn clients_sites_and_managed_accounts_are_complete() {
    let sandbox = Served::start(&[]);
    let (clients, accounts) = (sandbox.all("/clients"), sandbox.all("/managed-accounts"));
    let ids: BTreeSet<_> = clients.iter().map(|client| text(client, "id").to_owned()).collect();
    assert_eq!(ids, (1..=60).map(|nth| format!("client-{nth:04}")).collect());
    assert!(clients.iter().all(|client| !text(client, "email").eq_ignore_ascii_case("owner@example.com")));
    let fields = ["id", "email", "role", "company_name", "status", "all_sites_access", "created_at", "updated_at"];
    assert_eq!(accounts[0].as_object().unwrap().keys().collect::<Vec<_>>(), fields);
    assert_eq!(accounts.len(), 12);
    let mut sites = sandbox.all("/sites");
    sites.sort_by_key(|site| text(site, "id").to_owned());
    for (nth, site) in (1..).zip(&sites) {
        assert_eq!(text(site, "id"), format!("site-{nth:04}"));
        assert_eq!(site["multisite"], (31..=35).contains(&nth), "{site}");
    }
    let owned: usize = clients.iter().map(|client| client["site_ids"].as_array().unwrap().len()).sum();
    assert_eq!(owned, sites.iter().filter(|site| site["client_id"] != Value::Null).count());
    assert!(sites.len() == 40 && (1..40).contains(&owned), "some sites are free");
}

#[test]
fn each_site_has_three_successful_snapshots_and_a_newer_one() {
    let sandbox = Served::start(&[]);
    for nth in 1..=40 {
        let snapshots = sandbox.get(&format!("/sites/site-{nth:04}/snapshots")).expect(200)["snapshots"].clone();
        let ids: Vec<_> = snapshots.as_array().unwrap().iter().map(|snapshot| text(snapshot, "id")).collect();
        assert_eq!(ids, [4, 3, 2, 1].map(|number| format!("snap-{nth:04}-{number}")));
        for (newest, snapshot) in snapshots.as_array().unwrap().iter().enumerate() {
            assert_eq!(snapshot["site_id"], format!("site-{nth:04}"));
            assert_eq!(snapshot["status"] == json!("succeeded"), newest > 0);
        }
    }
}
