//! Base URLs that are refused, or that cause a warning.

use crate::scripted::{Reply, Scripted};
use crate::support::World;
use snapbox::{assert_data_eq, str};

#[test]
fn an_invalid_base_url_is_not_shown() {
    let world = World::empty().with("SITECTL_TOKEN", "sandbox-token");
    for url in ["https://u:hunter2@service.example/api/v6", "https://service.example/api/v6?key=hunter2", "hunter2"] {
        let run = world.run(&["clients", "list", "--base-url", url, "-vv"]);
        assert!(run.code == 2 && !run.stderr.contains("hunter2"), "{}", run.transcript());
    }
    assert_data_eq!(
        world.run(&["clients", "list", "--base-url", "http://service.example/api/v6"]).transcript(),
        str![[r#"
[stderr]
error: the base URL in --base-url uses http, which would send the token unencrypted
hint: use https; http is allowed only for localhost, 127.0.0.1 and [::1]
exit 2

"#]]
    );
}

#[test]
fn http_is_allowed_for_all_loopback_hosts() {
    let port = |service: &Scripted| service.base_url.split(':').nth(2).unwrap().trim_end_matches("/api/v6").to_string();
    for host in ["LocalHost", "127.1", "[::ffff:127.0.0.1]"] {
        let service = Scripted::new(vec![("GET", Reply::Json(200, r#"{"client":{"id":"c1"}}"#.into()))]);
        let world = World::on(&format!("http://{host}:{}/api/v6", port(&service)));
        let run = world.run(&["clients", "show", "c1"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{host}: {}", run.transcript());
        service.requests();
    }
}

#[test]
fn another_version_causes_one_warning() {
    for end in ["", "/api/v5"] {
        let list = || crate::scripted::page(&["a", "b"], 1, 2, 3);
        let service = Scripted::new(vec![("GET", list()), ("GET", crate::scripted::page(&["c"], 2, 2, 3))]);
        let root = service.base_url.trim_end_matches("/api/v6").to_string();
        let run = World::on(&format!("{root}{end}")).run(&["clients", "list", "-o", "ids"]);
        let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert!(run.code == 0 && warnings.len() == 1, "{}", run.transcript());
        assert!(warnings[0].ends_with("does not end in /api/v6"), "{}", run.transcript());
        service.requests();
    }
}
