//! Base URLs that are refused.

use crate::common::World;
use snapbox::{assert_data_eq, str};

#[test]
fn an_invalid_base_url_is_refused() {
    let world = World::empty().with("SITECTL_TOKEN", "sandbox-token");
    assert_data_eq!(
        world
            .run("clients list --base-url http://service.example/api/v6")
            .transcript(),
        str![[r#"
[stderr]
error: the base URL in --base-url uses http, which would send the token unencrypted
hint: use https; http is allowed only for localhost and loopback addresses
exit 2

"#]]
    );
}

#[test]
fn a_base_url_of_another_version_is_refused_with_the_one_that_was_meant() {
    let world = World::on("https://service.example/api/v5");
    assert_data_eq!(
        world.run("clients list").transcript(),
        str![[r#"
[stderr]
error: the base URL in SITECTL_BASE_URL does not end in /api/v6
hint: did you mean https://service.example/api/v6?
exit 2

"#]]
    );
}
