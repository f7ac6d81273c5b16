//! The requests of a list: as few as possible, and several at a time.

use crate::common::{Lines, PATIENCE, Run, World, kill};
use crate::listing::{Fault, Listing, Quirks, Trouble, letters, numbered};
use crate::service::{Reply, Service};
use predicates::ord::eq;
use predicates::str::is_empty;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn list(world: &World, args: &[&str]) -> Run {
    world.run(&[&["clients", "list", "-o", "ids"], args].concat())
}

/// Returns the requests for pages 1 to `last` with these rows.
fn pages(last: usize, rows: usize) -> Vec<String> {
    (1..=last)
        .map(|page| format!("GET /api/v6/clients?page={page}&perPage={rows}"))
        .collect()
}

#[test]
fn a_list_takes_the_fewest_requests() {
    for (count, requests) in [(0, 1), (1, 1), (100, 1), (101, 2), (200, 2), (201, 3)] {
        let service = Listing::start(numbered(count), Quirks::default());
        let run = list(&service.world(), &[]);
        assert_eq!((run.code, run.stdout.lines().count()), (0, count));
        assert!(run.stdout.lines().eq(service.ids()), "{count}");
        assert_eq!(service.lines(), pages(requests, 100), "{count}");
    }
}

#[test]
fn only_needed_rows_are_requested() {
    let cases: [(&[&str], Vec<String>, usize); 6] = [
        (&["--limit", "10"], pages(1, 10), 10),
        (&["--limit", "100"], pages(1, 100), 100),
        (&["--limit", "250"], pages(3, 100), 250),
        (&["--limit", "7", "--per-page", "3"], pages(3, 3), 7),
        (&["--per-page", "200"], pages(3, 200), 600),
        (
            &["--page", "2", "--per-page", "5"],
            vec!["GET /api/v6/clients?page=2&perPage=5".into()],
            5,
        ),
    ];
    for (args, lines, rows) in cases {
        let service = Listing::start(numbered(600), Quirks::default());
        let run = list(&service.world(), args);
        assert_eq!(
            (run.code, run.stdout.lines().count()),
            (0, rows),
            "{args:?}"
        );
        assert_eq!(service.lines(), lines, "{args:?}");
    }
}

#[test]
fn up_to_eight_pages_are_in_flight_and_rows_keep_their_order() {
    let late = Fault {
        page: 3,
        times: 1,
        trouble: Trouble::Late(Duration::from_millis(300)),
    };
    for format in ["ids", "ndjson", "json", "table"] {
        // The others have a delay too, so that the slow page can arrive last.
        let latency = Duration::from_millis(100);
        let service = Listing::start(
            numbered(20),
            Quirks {
                faults: vec![late],
                latency,
                ..Quirks::default()
            },
        );
        let run = service
            .world()
            .run(&["clients", "list", "-o", format, "--per-page", "1"]);
        let mut rest = run.stdout.as_str();
        for id in service.ids() {
            rest = rest
                .split_once(&id)
                .unwrap_or_else(|| panic!("{id} is out of order\n{}", run.transcript()))
                .1;
        }
        assert_eq!(service.lines(), pages(20, 1));
        assert!(
            (2..=8).contains(&service.most_in_flight()),
            "{format}: {}",
            service.most_in_flight()
        );
        assert!(
            service.connections() <= 8,
            "{format}: {} connections",
            service.connections()
        );
    }
}

#[test]
fn rows_are_printed_before_the_next_page_arrives() {
    for format in ["ndjson", "ndjson --jq .id", "ids"] {
        let never = Fault {
            page: 2,
            times: 1,
            trouble: Trouble::Late(PATIENCE),
        };
        let quirks = Quirks {
            faults: vec![never],
            ..Quirks::default()
        };
        let service = Listing::start(letters("abcd"), quirks);
        let list = format!("clients list --per-page 2 -o {format}");
        let world = service.world();
        let mut program = world.start(list);
        let mut lines = Lines::of(program.stdout.take().unwrap());
        assert!(lines.next().unwrap().contains('a') && lines.next().unwrap().contains('b'));
        kill(program);
    }
}

/// Responds to a request for a page of sites or snapshots, and refuses any `perPage` with these details.
fn page_of_20(line: &str, details: &Value) -> Reply {
    if line.contains("perPage=") {
        let error = json!({"error": {"message": "No.", "details": details}});
        return Reply::Json(422, error.to_string());
    }
    let name = if line.contains("/snapshots") {
        "snapshots"
    } else {
        "sites"
    };
    let page = if line.contains("page=2") { 2 } else { 1 };
    let ids = (page - 1) * 20 + 1..=if page == 1 { 20 } else { 30 };
    let record = |id| {
        let created_at = format!("2026-01-{id:02}T00:00:00Z");
        json!({"id": format!("s{id}"), "status": "succeeded", "created_at": created_at})
    };
    let records: Vec<Value> = ids.map(record).collect();
    Reply::Json(
        200,
        json!({name: records, "meta": {"pagination": {"totalItems": 30}}}).to_string(),
    )
}

#[test]
fn a_rejected_page_size_is_left_out_once_per_kind_of_list() {
    let named = json!([{"code": "invalid_value", "param": "perPage", "message": "Too large"}]);
    for details in [named, json!([])] {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&lines);
        let service = Service::start(move |request| {
            let reply = page_of_20(&request.line, &details);
            shared.lock().unwrap().push(request.line);
            reply
        });
        let plan = "restore start --plan - --full --dry-run -o csv --fields site_id --no-header";
        let plan: Vec<&str> = plan.split(' ').collect();
        let run = service.world().run_with(&plan, "s1\ns2\ns3\n");
        run.assert_stdout(0, eq("s1\ns2\ns3\n"));
        assert!(!run.stderr.contains("perPage"), "{}", run.stderr);
        let lines = lines.lock().unwrap();
        let refused: Vec<&String> = lines
            .iter()
            .filter(|line| line.contains("perPage"))
            .collect();
        assert!(
            refused.len() == 2
                && refused[0].contains("/sites?")
                && refused[1].contains("/snapshots?"),
            "{lines:#?}"
        );
        assert!(
            lines.contains(&"GET /api/v6/sites?page=2".into()),
            "{lines:#?}"
        );
    }
}

#[test]
fn only_a_page_size_of_the_command_line_is_final() {
    let quirks = Quirks {
        largest: Some(100),
        ..Quirks::default()
    };
    let service = Listing::start(numbered(60), quirks);
    let run = list(&service.world(), &["--per-page", "500"]);
    run.assert_stdout(5, is_empty());
    assert_eq!(service.lines(), pages(1, 500));
    let base_url = service.base_url();
    let profile = format!("[profiles.p]\nbase_url = '{base_url}'\ntoken = 't'\nper_page = 500\n");
    let world = World::empty().with_config(&profile);
    let run = list(&world, &["--profile", "p"]);
    assert_eq!(
        (run.code, run.stdout.lines().count()),
        (0, 60),
        "{}",
        run.transcript()
    );
    let lines = service.asked().into_iter().map(|asked| asked.line);
    let lines: Vec<String> = lines.skip(1).take(2).collect();
    let first = "GET /api/v6/clients?page=1";
    assert_eq!(lines, [format!("{first}&perPage=500"), first.into()]);
}

/// If the service had just closed an idle connection, the change would look like one whose response
/// was lost.
#[test]
fn each_change_uses_a_new_connection() {
    let service = Service::start(|request| {
        let body = if request.line.starts_with("POST") {
            let mut created: Value = serde_json::from_str(&request.body).unwrap();
            created["client"]["id"] = created["client"]["email"].clone();
            created
        } else {
            json!({"clients": [], "meta": {"pagination": {
                "page": 1, "perPage": 25, "totalPages": 1, "totalItems": 0,
            }}})
        };
        Reply::KeepAlive(200, String::new(), body.to_string())
    });
    let rows = "email,first_name\na@x.example,A\nb@x.example,B\nc@x.example,C\n";
    let apply = "clients apply - --yes --concurrency 1";
    let run = service.world().run_with(apply, rows);
    // The first one was for the list.
    assert_eq!(
        (run.code, service.connections()),
        (0, 4),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_service_that_refuses_a_list_of_values_gets_an_array_and_international_hosts_are_found() {
    let refused = r#"{"error":{"status":422,"code":"unprocessable_entity","message":"No.",
        "details":[{"code":"invalid_type","param":"filters[role:in]","message":"Must be an array"}]}}"#;
    let service = Service::start(move |request| match request.line.as_str() {
        line if line.starts_with("GET /api/v6/sites") => {
            let site = |url: &str| json!({"id": url.len().to_string(), "url": url});
            Reply::list(
                "sites",
                &[
                    site("https://xn--bcher-kva.example"),
                    site("https://Köln.example"),
                ],
            )
        }
        line if line.contains(
            "filters%5Brole%3Ain%5D%5B%5D=co_owner&filters%5Brole%3Ain%5D%5B%5D=administrator",
        ) =>
        {
            Reply::list("managed_accounts", &[json!({"id": "m1"})])
        }
        _ => Reply::Json(422, refused.into()),
    });
    let world = service.world();
    let accounts = world.run("managed-accounts list --role co_owner,administrator -o ids");
    accounts.assert_stdout(0, eq("m1\n"));
    for (text, id) in [
        ("Bücher.ex", "29\n"),
        ("xn--bcher", "29\n"),
        ("xn--kln-sna.example", "21\n"),
    ] {
        let args = ["sites", "list", "-o", "ids", "--search", text];
        world.run(&args).assert_stdout(0, eq(id));
    }
}
