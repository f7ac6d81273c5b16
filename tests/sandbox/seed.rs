//! The first data.

use crate::support::{Sandbox, record_ids};
use std::ops::RangeInclusive;

#[test]
fn the_first_data_has_all_clients_sites_and_managed_accounts() {
    let sandbox = Sandbox::start(&[]);
    let numbered_ids = |prefix: &str, numbers: RangeInclusive<u32>| -> Vec<String> {
        numbers
            .map(|number| format!("{prefix}-{number:04}"))
            .collect()
    };
    for (path, expected) in [
        ("/clients?perPage=1000", numbered_ids("client", 1..=60)),
        ("/managed-accounts", numbered_ids("account", 1..=12)),
        ("/sites?perPage=1000", numbered_ids("site", 1..=40)),
        (
            "/sites?filters[multisite:eq]=true",
            numbered_ids("site", 31..=35),
        ),
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
    assert_eq!(
        accounts[0].as_object().unwrap().keys().collect::<Vec<_>>(),
        fields
    );
}

#[test]
fn each_site_has_three_successful_snapshots_and_a_newer_one() {
    let sandbox = Sandbox::start(&[]);
    for site in 1..=40 {
        let snapshots = sandbox.all_records(&format!("/sites/site-{site:04}/snapshots"));
        // The newest is first.
        for (number, snapshot) in [4, 3, 2, 1].into_iter().zip(snapshots) {
            assert_eq!(snapshot["id"], format!("snap-{site:04}-{number}"));
            assert_eq!(snapshot["site_id"], format!("site-{site:04}"));
            assert_eq!(snapshot["status"] == "succeeded", number < 4);
        }
    }
}
