//! The first data.

use crate::support::{Served, ids};
use std::ops::RangeInclusive;

#[test]
fn clients_sites_and_managed_accounts_are_complete() {
    let sandbox = Served::start(&[]);
    let numbered = |kind: &str, numbers: RangeInclusive<u32>| -> Vec<String> {
        numbers.map(|nth| format!("{kind}-{nth:04}")).collect()
    };
    for (list, wanted) in [
        ("/clients?perPage=1000", numbered("client", 1..=60)),
        ("/managed-accounts", numbered("account", 1..=12)),
        ("/sites?perPage=1000", numbered("site", 1..=40)),
        (
            "/sites?filters[multisite:eq]=true",
            numbered("site", 31..=35),
        ),
    ] {
        let mut found = ids(&sandbox.get(list).expect(200));
        found.sort();
        assert_eq!(found, wanted, "{list}");
    }
    let accounts = sandbox.all("/managed-accounts");
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
    let sandbox = Served::start(&[]);
    for nth in 1..=40 {
        // The newest is first.
        for (number, snapshot) in [4, 3, 2, 1]
            .into_iter()
            .zip(sandbox.all(&format!("/sites/site-{nth:04}/snapshots")))
        {
            assert_eq!(snapshot["id"], format!("snap-{nth:04}-{number}"));
            assert_eq!(snapshot["site_id"], format!("site-{nth:04}"));
            assert_eq!(snapshot["status"] == "succeeded", number < 4);
        }
    }
}
