//! The number of requests of common commands, on a service with 61 sites of 45 snapshots each.

use crate::common::World;
use crate::fresh::check_file;
use crate::service::{Reply, Seen, Service};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};

const SITES: usize = 61;
const SNAPSHOTS: usize = 45;

fn site(number: usize) -> Value {
    json!({
        "id": format!("{number:032x}"),
        "url": format!("https://shop-{number}.example"),
        "title": format!("Shop {number}"),
        "client": null,
        "connection": {"status": "connected"},
        "sync": {"last_sync_status": "succeeded"},
        "security": {"scanner": {"status": "clean"}},
        "backups": {"enabled": true, "latest_snapshot": newest()},
        "wp": {"core": {"vulnerable": false}},
    })
}

fn newest() -> Value {
    json!({"id": "x", "created_at": jiff::Timestamp::now().to_string(), "status": "succeeded"})
}

/// Returns a snapshot of a site; number 0 is the newest.
fn snapshot(site: &str, number: usize) -> Value {
    let age = jiff::SignedDuration::from_hours(24 * number as i64);
    json!({
        "id": format!("{}-{number}", &site[28..]),
        "created_at": (jiff::Timestamp::now() - age).to_string(),
        "status": "succeeded",
        "security": {"scanner": {"status": "clean"}},
    })
}

/// Responds with a page of at most `largest` records; a larger `perPage` is refused.
fn page(name: &str, records: &[Value], line: &str, largest: usize) -> Reply {
    let parameter = |name: &str| {
        let (_, query) = line.split_once('?')?;
        let pair = query.split('&').find_map(|pair| pair.strip_prefix(name))?;
        pair.strip_prefix('=')?.parse::<usize>().ok()
    };
    let rows = parameter("perPage").unwrap_or(largest);
    if rows > largest {
        let detail = json!({"code": "invalid_value", "param": "perPage", "message": "Too large"});
        let error = json!({"status": 400, "code": "bad_request", "details": [detail]});
        return Reply::Json(400, json!({"error": error}).to_string());
    }
    let number = parameter("page").unwrap_or(1);
    let records: Vec<&Value> = records
        .iter()
        .skip((number - 1) * rows)
        .take(rows)
        .collect();
    let total = if name == "sites" { SITES } else { SNAPSHOTS };
    let pagination = json!({"page": number, "perPage": rows, "totalPages": total.div_ceil(rows), "totalItems": total});
    let body = json!({name: records, "meta": {"pagination": pagination}});
    Reply::Json(200, body.to_string())
}

fn respond(request: &Seen, largest: usize) -> Reply {
    let (method, path) = request.line.split_once(" /api/v6/").unwrap();
    let parts: Vec<&str> = path.split('?').next().unwrap().split('/').collect();
    let numbered = |id: &str| usize::from_str_radix(id, 16).unwrap();
    match (method, parts.as_slice()) {
        ("GET", ["sites"]) => {
            let sites: Vec<Value> = (1..=SITES).map(site).collect();
            page("sites", &sites, &request.line, largest)
        }
        ("GET", ["sites", id]) => Reply::Json(200, json!({"site": site(numbered(id))}).to_string()),
        ("GET", ["sites", id, "snapshots"]) => {
            let snapshots: Vec<Value> = (0..SNAPSHOTS).map(|number| snapshot(id, number)).collect();
            page("snapshots", &snapshots, &request.line, largest)
        }
        ("POST", ["sites", id, "backups", ..]) => Reply::task(&format!("task-{id}"), "queued"),
        _ => Reply::status(404),
    }
}

/// Returns the number of requests of a command, and how many of them the service refused with 400.
fn count(args: &str, plan: &str, largest: usize) -> (usize, usize) {
    let counted = Arc::new(Mutex::new((0, 0)));
    let shared = Arc::clone(&counted);
    let service = Service::start(move |request| {
        let reply = respond(&request, largest);
        let mut counted = shared.lock().unwrap();
        counted.0 += 1;
        counted.1 += usize::from(matches!(reply, Reply::Json(400, _)));
        reply
    });
    let run = World::on(&service.base_url).run_with(args, plan);
    assert_eq!(run.code, 0, "{}", run.transcript());
    *counted.lock().unwrap()
}

#[test]
fn documents_show_the_requests_of_commands() {
    let id = format!("{:032x}", 7);
    let snapshot_id = format!("{}-3", &id[28..]);
    let plan: String = (1..=10).map(|n| format!("shop-{n}.example\n")).collect();
    let mut table = String::from(
        "| command | pages of at most 100 records | of at most 20 |\n| --- | --- | --- |\n",
    );
    for (label, args, expected) in [
        ("sites check", "sites check", [1, 4]),
        (
            "restore start ID SNAPSHOT_ID --full",
            &format!("restore start {id} {snapshot_id} --full --yes"),
            [3, 5],
        ),
        (
            "restore start HOST latest --full",
            "restore start shop-7.example latest --full --yes",
            [3, 8],
        ),
        (
            "restore start --plan FILE --full",
            "restore start --plan - --full --yes",
            [21, 44],
        ),
    ] {
        let plan = if args.contains("--plan") { &*plan } else { "" };
        let (all, refused) = count(args, plan, 100);
        let (small, refused_small) = count(args, plan, 20);
        // Each kind of list is refused once.
        assert!(
            refused == 0 && refused_small <= 2,
            "{args}: {refused_small} refused"
        );
        let counts = [all, small - refused_small];
        assert_eq!(counts, expected, "{args}");
        table += &format!("| `sitectl {label}` | {} | {} |\n", counts[0], counts[1]);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- requests -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of requests -->").unwrap();
    let marked = format!("<!-- requests -->\n\n{table}\n<!-- end of requests -->");
    check_file(&path, &format!("{before}{marked}{after}"));
}
