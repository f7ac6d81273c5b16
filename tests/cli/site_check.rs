//! `sitectl sites check`: the sites that need attention.

use crate::common::World;
use crate::service::{Reply, Service};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

#[test]
fn sites_with_problems_are_listed_with_their_newest_snapshot() {
    let world = World::sandbox();
    assert_data_eq!(
        world.run("sites check --json").transcript(),
        str![[r#"
[stdout]
[
{"site_id":"site-0024","url":"https://site-0024.example.com","title":"Architects 24","client":"Björk Jónsdóttir","problems":["hacked"],"snapshot_at":"NIGHTT02:24:00Z","snapshot_status":"succeeded"},
{"site_id":"site-0023","url":"https://site-0023.example.com","title":"Café 23","client":"Thabo Mokoena","problems":["hacked"],"snapshot_at":"NIGHTT02:23:00Z","snapshot_status":"succeeded"},
{"site_id":"site-0022","url":"https://site-0022.example.com","title":"Bookshop 22","client":"Thabo Mokoena","problems":["hacked"],"snapshot_at":"NIGHTT02:22:00Z","snapshot_status":"failed"},
{"site_id":"site-0021","url":"https://site-0021.example.com","title":"Football club 21","client":"Under Score","problems":["hacked"],"snapshot_at":"NIGHTT02:21:00Z","snapshot_status":"succeeded"},
{"site_id":"site-0020","url":"https://site-0020.example.com","title":"Dental practice 20","client":"Grace Kim","problems":["vulnerable"],"snapshot_at":"NIGHTT02:20:00Z","snapshot_status":"succeeded"},
{"site_id":"site-0019","url":"https://site-0019.example.com","title":"Museum 19","client":"Aylin Yıldız","problems":["backups_off","no_recent_backup"],"snapshot_at":"NIGHTT02:19:00Z","snapshot_status":"succeeded"},
{"site_id":"site-0018","url":"https://site-0018.example.com","title":"Travel blog 18","client":"Anna Kowalska","problems":["disconnected"],"snapshot_at":"NIGHTT02:18:00Z","snapshot_status":"succeeded"}
]
[stderr]
checked 40 sites for hacked, vulnerable, disconnected, backups_off, no_recent_backup, sync_failed
{"error":{"kind":"attention","exit_code":14,"status":null,"code":null,"message":"7 of 40 sites need attention","details":[],"hints":["show a site: sitectl --sandbox sites show SITE"]}}
exit 14

"#]]
    );
    let run = world.run("sites check --only hacked -o ids");
    let hacked = "site-0024\nsite-0023\nsite-0022\nsite-0021\n";
    assert_eq!((run.code, &*run.stdout), (14, hacked));
    let run = world.run("sites check site-0001.example.com --json");
    assert_eq!((run.code, &*run.stdout), (0, "[]\n"), "{}", run.stderr);
}

#[test]
fn what_a_record_does_not_show_is_not_checked() {
    let backups = |latest: Value| json!({"enabled": true, "latest_snapshot": latest});
    let now = jiff::Timestamp::now().to_string();
    let fresh = json!({"id": "p", "status": "succeeded", "created_at": now});
    let connected = json!({"status": "connected"});
    let sites = [
        json!({"id": "complete", "connection": connected, "backups": backups(fresh.clone())}),
        json!({"id": "lacks-connection", "backups": backups(fresh)}),
        json!({"id": "request-fails", "connection": connected, "backups": backups(Value::Null)}),
    ];
    let service = Service::start(move |request| {
        if request.line.contains("/snapshots") {
            return Reply::status(403);
        }
        Reply::list("sites", &sites)
    });
    let check = "sites check --retries 0 -o csv --fields site_id,problems";
    assert_data_eq!(
        service.world().run(check).transcript(),
        str![[r#"
[stdout]
site_id,problems
lacks-connection,not_checked
request-fails,not_checked
[stderr]
checked 3 sites for disconnected, backups_off, no_recent_backup; could not check disconnected on 1 site, no_recent_backup on 1 site; no record has the fields for hacked, vulnerable, sync_failed
error: 2 of 3 sites need attention
hint: show a site: sitectl sites show SITE
exit 14

"#]]
    );
}
