//! Base URLs that are refused, or that cause a warning.

use crate::common::World;
use crate::service::Scripted;
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
fn a_base_url_of_another_version_causes_one_warning() {
    for end in ["", "/api/v5"] {
        let list = || crate::service::page(&["a", "b"], 1, 2, 3);
        let service = Scripted::new(vec![
            ("GET", list()),
            ("GET", crate::service::page(&["c"], 2, 2, 3)),
        ]);
        let root = service.base_url.trim_end_matches("/api/v6").to_string();
        let run = World::on(&format!("{root}{end}")).run("clients list -o ids");
        let warnings: Vec<&str> = run
            .stderr
            .lines()
            .filter(|line| line.starts_with("warning: "))
            .collect();
        assert!(run.code == 0 && warnings.len() == 1, "{}", run.transcript());
        assert!(
            warnings[0].ends_with("does not end in /api/v6"),
            "{}",
            run.transcript()
        );
    }
}
