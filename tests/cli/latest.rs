//! `sitectl snapshots latest`.

use crate::common::World;
use crate::service::{Reply, Service};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

/// Starts a service with three sites: `recent` has a snapshot of this minute, `old` has one of 2026-01-02 and newer ones that
/// failed, are infected or in progress, and `none` has only a failed one. `snapshots_of_old` replaces the list of `old`.
fn service(snapshots_of_old: Option<Reply>) -> Service {
    let now = jiff::Timestamp::now().to_string();
    let snapshot =
        |id: &str, status: &str, at: &str| json!({"id": id, "status": status, "created_at": at});
    Service::start(move |request| {
        let path = request.line.split('?').next().unwrap();
        match path.trim_start_matches("GET /api/v6/") {
            "sites" => {
                let site = |id: &str| json!({"id": id, "url": format!("https://{id}.example")});
                Reply::list("sites", &["recent", "old", "none"].map(site))
            }
            "sites/recent/snapshots" => {
                Reply::list("snapshots", &[snapshot("r", "succeeded", &now)])
            }
            "sites/none/snapshots" => Reply::list(
                "snapshots",
                &[snapshot("n", "failed", "2026-01-01T00:00:00Z")],
            ),
            "sites/old/snapshots" => snapshots_of_old.clone().unwrap_or_else(|| {
                let snapshots = [
                    ("o1", "succeeded", "2026-01-01T00:00:00Z"),
                    ("o3", "failed", "2026-01-03T00:00:00Z"),
                    ("o2", "succeeded", "2026-01-02T00:00:00Z"),
                    ("o4", "succeeded", "2026-01-04T00:00:00Z"),
                    ("o5", "in_progress", "2026-01-05T00:00:00Z"),
                ];
                let mut snapshots = snapshots.map(|(id, status, at)| snapshot(id, status, at));
                snapshots[3]["security"] = json!({"scanner": {"status": "hacked"}});
                Reply::list("snapshots", &snapshots)
            }),
            _ => Reply::Json(404, "{}".into()),
        }
    })
}

fn latest(world: &World, args: &str) -> String {
    world.run(format!("snapshots latest {args}")).transcript()
}

#[test]
fn each_site_has_a_row_with_its_newest_usable_snapshot() {
    let service = service(None);
    let world = service.world();
    assert_data_eq!(
        latest(
            &world,
            "-o csv --fields site_id,url,snapshot_id,taken_at,passed_over old none"
        ),
        str![[r#"
[stdout]
site_id,url,snapshot_id,taken_at,passed_over
old,https://old.example,o2,2026-01-02T00:00:00Z,2
none,https://none.example,,,1
[stderr]
no usable snapshot found for 1 site
exit 0

"#]]
    );
    assert_data_eq!(
        latest(
            &world,
            "-o csv --fields site_id,snapshot_id,passed_over --before 2026-01-02T00:00:00Z"
        ),
        str![[r#"
[stdout]
site_id,snapshot_id,passed_over
recent,,0
old,o1,0
none,,1
[stderr]
no usable snapshot found for 2 sites
exit 0

"#]]
    );
    assert_data_eq!(
        latest(
            &world,
            "recent old --jq .[]|[.site_id,.age_seconds<60]|tostring"
        ),
        str![[r#"
[stdout]
["recent",true]
["old",false]
exit 0

"#]]
    );
}

#[test]
fn older_than_keeps_sites_without_a_snapshot() {
    let service = service(None);
    assert_data_eq!(
        latest(&service.world(), "--older-than 2d -o ids"),
        str![[r#"
[stdout]
old
none
[stderr]
no usable snapshot found for 1 site
exit 0

"#]]
    );
}

#[test]
fn snapshots_that_cannot_be_read_are_not_recent_enough() {
    let service = Service::start(|request| match request.line.contains("/snapshots") {
        true => Reply::status(404),
        false => Reply::list("sites", &[json!({"id": "s"})]),
    });
    let run = latest(&service.world(), "--older-than 2d");
    assert!(!run.contains("recent enough"), "{run}");
}

#[test]
fn sites_are_selected_by_url_or_search_and_shown_once() {
    let service = service(None);
    let world = service.world();
    assert_data_eq!(
        latest(
            &world,
            "www.old.example old https://none.example/page -o ids"
        ),
        str![[r#"
[stdout]
old
none
[stderr]
https://none.example/page belongs to site none (https://none.example)
no usable snapshot found for 1 site
exit 0

"#]]
    );
    assert_data_eq!(
        latest(&world, "--search OLD -o ids"),
        str![[r#"
[stdout]
old
exit 0

"#]]
    );
    assert_data_eq!(
        latest(&world, "--search nothing --json"),
        str![[r#"
[stdout]
[]
[stderr]
no sites found
exit 0

"#]]
    );
}

#[test]
fn a_site_whose_newest_snapshot_is_unknown_makes_the_list_incomplete() {
    let snapshots = |ids: &[&str], site: &str| {
        let at = "2026-01-01T00:00:00Z";
        let snapshot =
            |id| json!({"id": id, "status": "succeeded", "created_at": at, "site_id": site});
        let records: Vec<Value> = ids.iter().map(snapshot).collect();
        Reply::list("snapshots", &records)
    };
    for (reply, message) in [
        (
            Reply::Json(500, "{}".into()),
            "old: the service responded with 500",
        ),
        (
            snapshots(&["o1", "o2"], "old"),
            "old: the newest snapshots have the same 'created_at'; specify one by its id: o1, o2",
        ),
        (
            snapshots(&["o1"], "recent"),
            "old: snapshot o1 belongs to site 'recent'",
        ),
    ] {
        let service = service(Some(reply));
        let world = service.world();
        let run = world.run("snapshots latest -o ids --retries 0");
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (13, "recent\nnone\n"),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}
