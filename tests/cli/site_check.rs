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
{"site_id":"site-0024","url":"https://site-0024.example.com","title":"Architects 24","client_id":"client-0031","client":"Björk Jónsdóttir","problems":["hacked"],"hacked_since":"TIME","snapshot_at":"NIGHTT02:24:00Z","snapshot_status":"succeeded","restored_at":null},
{"site_id":"site-0023","url":"https://site-0023.example.com","title":"Café 23","client_id":"client-0029","client":"Thabo Mokoena","problems":["hacked"],"hacked_since":"TIME","snapshot_at":"NIGHTT02:23:00Z","snapshot_status":"succeeded","restored_at":null},
{"site_id":"site-0022","url":"https://site-0022.example.com","title":"Bookshop 22","client_id":"client-0029","client":"Thabo Mokoena","problems":["hacked"],"hacked_since":"TIME","snapshot_at":"NIGHTT02:22:00Z","snapshot_status":"failed","restored_at":null},
{"site_id":"site-0021","url":"https://site-0021.example.com","title":"Football club 21","client_id":"client-0027","client":"Under Score","problems":["hacked"],"hacked_since":"TIME","snapshot_at":"NIGHTT02:21:00Z","snapshot_status":"succeeded","restored_at":null},
{"site_id":"site-0020","url":"https://site-0020.example.com","title":"Dental practice 20","client_id":"client-0025","client":"Grace Kim","problems":["vulnerable"],"hacked_since":null,"snapshot_at":"NIGHTT02:20:00Z","snapshot_status":"succeeded","restored_at":null},
{"site_id":"site-0019","url":"https://site-0019.example.com","title":"Museum 19","client_id":"client-0023","client":"Aylin Yıldız","problems":["backups_off","no_recent_backup"],"hacked_since":null,"snapshot_at":"NIGHTT02:19:00Z","snapshot_status":"succeeded","restored_at":null},
{"site_id":"site-0018","url":"https://site-0018.example.com","title":"Travel blog 18","client_id":"client-0021","client":"Anna Kowalska","problems":["disconnected"],"hacked_since":null,"snapshot_at":"NIGHTT02:18:00Z","snapshot_status":"succeeded","restored_at":null}
]
[stderr]
checked 40 sites for hacked, vulnerable, disconnected, backups_off, no_recent_backup, sync_failed; no scanner on 1 site
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

/// Returns a site with this scanner's word, and whether the scanner is on.
fn scanned(id: &str, word: &str, is_on: bool) -> Value {
    json!({"id": id, "security": {"enabled": is_on, "scanner": {"status": word}}})
}

#[test]
fn a_check_says_no_more_than_it_saw() {
    let backups = |is_on: bool, latest: Value| json!({"enabled": is_on, "latest_snapshot": latest});
    let now = jiff::Timestamp::now().to_string();
    let snapshot = |status: &str, at: &str| json!({"id": "p", "status": status, "created_at": at});
    let fresh = snapshot("succeeded", &now);
    let old = snapshot("failed", "2026-01-01T00:00:00Z");
    let connected = json!({"status": "connected"});
    let backed_up = [
        json!({"id": "complete", "connection": connected, "backups": backups(true, fresh.clone())}),
        json!({"id": "lacks-connection", "backups": backups(true, fresh)}),
        json!({"id": "request-fails", "connection": connected, "backups": backups(true, Value::Null)}),
        json!({"id": "never", "connection": connected, "backups": backups(false, Value::Null)}),
        json!({"id": "long-ago", "connection": connected, "backups": backups(false, old)}),
    ];
    let scanners = [
        scanned("off", "clean", false),
        scanned("off-hacked", "hacked", false),
        scanned("clean", "clean", true),
        scanned("hacked", "hacked", true),
    ];
    let core = |is: bool| json!({"id": is.to_string(), "wp": {"core": {"vulnerable": is}}});
    let updates = json!({"id": "themes", "wp": {"updates": {"themes": {"risk": {"high": 1}}}}});
    let check = |sites: &[Value], options: &str| {
        let sites = sites.to_vec();
        let service = Service::start(move |request| {
            if request.line.contains("/snapshots") {
                return Reply::status(403);
            }
            Reply::list("sites", &sites)
        });
        let check = format!("sites check --retries 0 {options}");
        service.world().run(check).transcript()
    };
    let csv = "-o csv --fields site_id,problems";
    let only = "-o csv --fields site_id,problems --only";
    let transcripts = [
        check(&backed_up, csv),
        check(&backed_up, "-q -o ids --only no_recent_backup"),
        check(&backed_up[..1], &format!("{only} hacked,disconnected -q")),
        check(&[json!({"id": "s"})], csv),
        check(&[], csv),
        check(&scanners, csv),
        check(&scanners, &format!("{only} hacked")),
        check(&scanners[..1], &format!("{only} hacked")),
        check(
            &[core(true), updates, core(false)],
            "-q -o ids --only vulnerable",
        ),
    ];
    assert_data_eq!(
        transcripts.join("\n"),
        str![[r#"
[stdout]
site_id,problems
lacks-connection,not_checked
request-fails,not_checked
never,backups_off;no_recent_backup
long-ago,backups_off;no_recent_backup
[stderr]
checked 5 sites for disconnected, backups_off, no_recent_backup; could not check disconnected on 1 site, no_recent_backup on 1 site; no record has the fields for hacked, vulnerable, sync_failed
error: 4 of 5 sites need attention
hint: show a site: sitectl sites show SITE
exit 14

[stdout]
never
long-ago
[stderr]
error: 3 of 5 sites need attention
exit 14

[stdout]
site_id,problems
[stderr]
checked 1 site for disconnected; no record has the fields for hacked
error: no site could be checked for hacked
exit 13

[stdout]
site_id,problems
[stderr]
checked nothing on 1 site; no record has the fields for hacked, vulnerable, disconnected, backups_off, no_recent_backup, sync_failed
error: no site could be checked for hacked, vulnerable, disconnected, backups_off, no_recent_backup, sync_failed
hint: show the fields of a site: sitectl sites list --limit 1 --json
exit 13

[stdout]
site_id,problems
[stderr]
checked 0 sites for hacked, vulnerable, disconnected, backups_off, no_recent_backup, sync_failed
exit 0

[stdout]
site_id,problems
off-hacked,hacked
hacked,hacked
[stderr]
checked 4 sites for hacked; no scanner on 2 sites; no record has the fields for vulnerable, disconnected, backups_off, no_recent_backup, sync_failed
error: 2 of 4 sites need attention
hint: show a site: sitectl sites show SITE
exit 14

[stdout]
site_id,problems
off-hacked,hacked
hacked,hacked
off,not_checked
[stderr]
checked 4 sites for hacked; could not check hacked on 1 site; no scanner on 2 sites
error: 3 of 4 sites need attention
hint: show a site: sitectl sites show SITE
exit 14

[stdout]
site_id,problems
off,not_checked
[stderr]
checked 1 site for hacked; could not check hacked on 1 site; no scanner on 1 site
error: no site could be checked for hacked
hint: show the fields of a site: sitectl sites list --limit 1 --json
exit 13

[stdout]
true
themes
[stderr]
error: 2 of 3 sites need attention
exit 14

"#]]
    );
}
