//! People read host names: no screen at which they decide has the hexadecimal ids that services use.

use crate::common::{World, in_parallel};
use crate::screen::Terminal;
use crate::service::{Reply, Service};
use regex::Regex;
use serde_json::{Value, json};

const SITES: [&str; 3] = [
    "9b7777fc0a8ab5fbdee7d3380c425687",
    "b69b0d8ff790db3ad25b0e6b35c0f18c",
    "3b5203652b6ae0c38ee6bde62d5e1748",
];

/// Returns the site with this index; the last one is hacked, and has no usable snapshot.
fn site(index: usize) -> Value {
    let word = if index == 2 { "hacked" } else { "clean" };
    json!({"id": SITES[index], "url": format!("https://shop-{index}.example"), "title": "Shop",
        "client": {"id": "41891", "name": "Tom Smith"}, "security": {"scanner": {"status": word}}})
}

fn client(id: &str, sites: &[&str]) -> Value {
    json!({"id": id, "first_name": "Tom", "last_name": "Smith", "email": format!("{id}@a.example"),
        "company_name": null, "address": null, "note": null, "site_ids": sites})
}

fn service() -> Service {
    let clients = [client("41891", &SITES[..2]), client("41892", &[])];
    Service::start(move |request| match request.line.as_str() {
        line if line.starts_with("GET /api/v6/clients?") => Reply::list("clients", &clients),
        line if line.contains("/clients/41892") => {
            Reply::Json(200, json!({"client": clients[1]}).to_string())
        }
        line if line.contains("/clients/41891") => {
            Reply::Json(200, json!({"client": clients[0]}).to_string())
        }
        line if line.contains("/snapshots") => {
            let word = if line.contains(SITES[2]) {
                "hacked"
            } else {
                "clean"
            };
            let snapshot = json!({"id": "c4a1", "status": "succeeded",
                "created_at": "2026-11-20T02:00:00Z", "security": {"scanner": {"status": word}}});
            Reply::list("snapshots", &[snapshot])
        }
        line if line.starts_with("GET /api/v6/sites?") => {
            Reply::list("sites", &[site(0), site(1), site(2)])
        }
        _ => Reply::status(404),
    })
}

#[test]
fn no_question_and_no_problem_shows_an_id_of_32_digits() {
    let plan = SITES.join("\n");
    let clients = "id,site_ids\n41892,shop-0.example\n";
    let cases = [
        ("restore start --plan plan.txt --full", "Type 2 to confirm"),
        (
            "restore start --plan plan.txt --full --yes",
            "cannot be started",
        ),
        (
            "clients update 41892 --add-site shop-0.example",
            "--move-site",
        ),
        ("clients apply clients.csv", "Smith"),
        ("clients delete 41891", "[y/N]"),
    ];
    let id = Regex::new(r"\b[0-9a-f]{32}\b").unwrap();
    in_parallel(&cases, |(line, shown)| {
        let service = service();
        let world: World = service.world();
        std::fs::write(world.path("plan.txt"), &plan).unwrap();
        std::fs::write(world.path("clients.csv"), clients).unwrap();
        let terminal = Terminal::start(world.command(*line), 100, 30);
        terminal.wait_for(shown);
        assert!(
            !id.is_match(&terminal.text()),
            "{line}\n{}",
            terminal.text()
        );
    });
}
