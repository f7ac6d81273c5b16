//! How `restore start` finds the site and the snapshot: id, URL, host name, `latest` and `--before`.

use crate::common::{Server, World};
use crate::service::{Reply, Scripted, Service};
use predicates::str::{contains, starts_with};
use snapbox::{assert_data_eq, str};

const START: [&str; 4] = ["restore", "start", "--full", "--yes"];

fn start(world: &World, more: &[&str]) -> crate::common::Run {
    world.run(&[&START, more].concat())
}

#[test]
fn a_site_is_found_by_its_url_or_host_name() {
    let (_server, world) = Server::start("--restore-time 30s").world_kept();
    let run = start(&world, &["SITE-0007.example.com", "latest", "--json"]);
    assert_eq!(
        (run.code, run.json()["site_id"].as_str()),
        (0, Some("site-0007")),
        "{}",
        run.transcript()
    );
    assert_eq!(
        start(&world, &["https://site-0007.example.com", "latest"]).code,
        6
    );
    let run = world.run("snapshots list site-0007.example.com -o ids --limit 1");
    assert_eq!(run.stdout, "snap-0007-4\n", "{}", run.transcript());
    let history = world.run("restore history --json").json();
    assert_eq!(
        (&history[0]["site_id"], history.as_array().unwrap().len()),
        (&"site-0007".into(), 1)
    );
}

#[test]
fn a_missing_list_of_sites_names_the_setting_of_its_path() {
    let service = Scripted::new(vec![("GET /api/v6/sites?", Reply::status(404))]);
    let run = start(&service.world(), &["https://shop.example.com", "s1"]);
    run.assert_stderr(4, contains("set sites in [profiles.NAME.endpoints]"));
}

/// Returns a page with these members and a snapshot from the first day of each month.
fn snapshots(months: &[u8], beside: &str) -> Reply {
    let record = |month| {
        format!(
            r#"{{"id":"p{month}","status":"succeeded","created_at":"2026-{month:02}-01T00:00:00Z"}}"#
        )
    };
    let records: Vec<String> = months.iter().map(record).collect();
    Reply::Json(
        200,
        format!(r#"{{"snapshots":[{}]{beside}}}"#, records.join(",")),
    )
}

/// Restores the latest snapshot that these pages show; the request that starts the restore is the last one, if any.
fn start_latest(pages: Vec<Reply>, restored: Option<&'static str>) -> crate::common::Run {
    let site = Reply::Json(200, r#"{"site":{"id":"s1"}}"#.into());
    let mut script = vec![("GET /api/v6/sites/s1", site)];
    script.extend(
        pages
            .into_iter()
            .map(|page| ("GET /api/v6/sites/s1/snapshots?", page)),
    );
    script.extend(restored.map(|line| (line, Reply::task("t1", "queued"))));
    let service = Scripted::new(script);
    let world = service.world();
    let run = start(&world, &["s1", "latest", "-o", "ids", "--retries", "0"]);
    assert_eq!(
        world.journal().is_empty(),
        restored.is_none(),
        "{}",
        run.transcript()
    );
    run
}

#[test]
fn latest_requires_a_complete_list() {
    let two = |beside: &str| vec![snapshots(&[1], beside), snapshots(&[2], beside)];
    for pages in [
        two(r#","pagination":{"totalItems":2}"#),
        two(r#","meta":{"total":2}"#),
        [two(""), vec![snapshots(&[], "")]].concat(),
        vec![
            snapshots(&[1], r#","has_more":true"#),
            snapshots(&[2], ""),
            snapshots(&[], ""),
        ],
        // The service does not page.
        vec![snapshots(&[1, 2], ""), snapshots(&[1, 2], "")],
    ] {
        let run = start_latest(pages, Some("POST /api/v6/sites/s1/backups/p2/restore"));
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (0, "t1\n"),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn before_chooses_the_latest_snapshot_taken_before_that_time() {
    let list = || {
        (
            "GET /api/v6/sites/s1/snapshots",
            snapshots(&[1, 2, 3], r#","total":3"#),
        )
    };
    let service = Scripted::with_sites(vec![
        list(),
        list(),
        list(),
        (
            "POST /api/v6/sites/s1/backups/p2/restore",
            Reply::task("t1", "queued"),
        ),
    ]);
    // Times without a zone are local.
    let world = service.world().with("TZ", "Asia/Tokyo");
    assert_data_eq!(
        start(&world, &["s1", "latest", "--before", "2026-01-01"]).transcript(),
        str![[r#"
[stderr]
error: s1 cannot be restored: no usable snapshot taken before 2025-12-31T15:00:00Z: the oldest is of 2026-01-01T00:00:00Z
hint: list the snapshots: sitectl snapshots list s1
exit 4

"#]]
    );
    assert_eq!(start(&world, &["s1", "--before", "soon"]).code, 2);
    let run = start(&world, &["s1", "--before", "2026-03-01 00:00"]);
    let chosen = "latest before 2026-02-28T15:00:00Z is p2, taken 2026-02-01T00:00:00Z, ";
    run.assert_stderr(0, starts_with(chosen));
}

#[test]
fn a_snapshot_by_its_id_has_to_be_older_than_before() {
    let (_server, world) = Server::start("").world_kept();
    std::fs::write(
        world.path("plan.csv"),
        "site_id,snapshot_id\nsite-0001,snap-0001-3\n",
    )
    .unwrap();
    let start = "restore start site-0001 snap-0001-3 --full --dry-run --jq .taken_at";
    let taken_at = world.run(start).stdout;
    for (args, code) in [
        (&["site-0001", "snap-0001-3", "--before", "1h"][..], 0),
        (
            &["site-0001", "snap-0001-3", "--before", taken_at.trim()],
            5,
        ),
        (&["--plan", "plan.csv", "--before", "1h"], 0),
        (&["--plan", "plan.csv", "--before", "7d"], 5),
    ] {
        let start = ["restore", "start", "--full", "--dry-run"];
        let run = world.run(&[&start[..], args].concat());
        assert_eq!(run.code, code, "{}", run.transcript());
    }
}

#[test]
fn latest_is_refused_if_the_list_may_be_incomplete() {
    let page = |beside| snapshots(&[1], beside);
    for pages in [
        vec![page(""), Reply::status(404)],
        vec![page(""), Reply::status(500)],
        vec![page(r#","has_more":true"#), page(r#","has_more":true"#)],
    ] {
        let run = start_latest(pages, None);
        assert_eq!((run.code, &*run.stdout), (13, ""), "{}", run.transcript());
    }
    let run = start_latest(vec![Reply::status(404)], None);
    run.assert_stderr(4, contains("set snapshots in [profiles.NAME.endpoints]"));
}

#[test]
fn a_client_is_not_looked_up_by_its_email_in_an_incomplete_list() {
    for args in [
        &["clients", "update", "a@x.example", "--note", "n"][..],
        &["clients", "delete", "a@x.example", "--yes"],
    ] {
        let page = r#"{"clients":[{"id":"c1","email":"a@x.example"}],"meta":{"pagination":{"totalItems":2}}}"#;
        let service = Service::start(|_| Reply::Json(200, page.into()));
        let run = service.world().run(args);
        assert_eq!(run.code, 13, "{}", run.transcript());
    }
}

#[test]
fn a_site_is_not_looked_up_in_an_incomplete_list() {
    let twin = r#"{"sites":[{"id":"a","url":"https://shop.example.com"}]}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/sites?", Reply::Json(200, twin.into())),
        ("GET /api/v6/sites?", Reply::status(404)),
    ]);
    let world = service.world();
    let run = start(&world, &["https://shop.example.com", "s1"]);
    let message = "error: the list of sites is incomplete because page 2 ";
    run.assert_stderr(13, starts_with(message));
}
