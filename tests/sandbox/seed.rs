//! The first data.

use crate::support::Served;
use serde_json::Value;
use std::collections::BTreeSet;

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap()
}

#[test]
fn the_first_data_is_always_the_same() {
    let (first, second) = (Served::start(&[]), Served::start(&[]));
    for path in ["/clients", "/managed-accounts", "/sites", "/sites/site-0040/snapshots"] {
        assert_eq!(first.all(path), second.all(path));
    }
}

#[test]
fn clients_sites_and_managed_accounts_are_complete() {
    let sandbox = Served::start(&[]);
    let (clients, accounts) = (sandbox.all("/clients"), sandbox.all("/managed-accounts"));
    let ids: BTreeSet<_> = clients.iter().map(|client| text(client, "id").to_owned()).collect();
    assert_eq!(ids, (1..=60).map(|nth| format!("client-{nth:04}")).collect());
    let fields = ["id", "email", "role", "company_name", "status", "all_sites_access", "created_at", "updated_at"];
    assert_eq!(accounts[0].as_object().unwrap().keys().collect::<Vec<_>>(), fields);
    assert_eq!(accounts.len(), 12);
    let mut sites = sandbox.all("/sites");
    sites.sort_by_key(|site| text(site, "id").to_owned());
    for (nth, site) in (1..).zip(&sites) {
        assert_eq!(text(site, "id"), format!("site-{nth:04}"));
        assert_eq!(site["multisite"], (31..=35).contains(&nth), "{site}");
    }
    assert_eq!(sites.len(), 40);
}

#[test]
fn each_site_has_three_successful_snapshots_and_a_newer_one() {
    let sandbox = Served::start(&[]);
    for nth in 1..=40 {
        // The newest is first.
        for (number, snapshot) in [4, 3, 2, 1].into_iter().zip(sandbox.all(&format!("/sites/site-{nth:04}/snapshots")))
        {
            assert_eq!(snapshot["id"], format!("snap-{nth:04}-{number}"));
            assert_eq!(snapshot["site_id"], format!("site-{nth:04}"));
            assert_eq!(snapshot["status"] == "succeeded", number < 4);
        }
    }
}
