//! Measures how long `clients apply --dry-run` plans moves of sites, compared with a file of the same length that changes
//! nothing. All cases read the same list in the same run, as whole processes:
//!
//!     cargo bench --bench plan
//!
//! Quote ratios, not times.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and fails by panicking"
)]

#[path = "list/service.rs"]
#[expect(dead_code, reason = "the benchmark of lists uses the rest")]
mod service;

use service::{Line, Service};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CLIENTS: usize = 16_000;
/// What sitectl requests per page by default.
const ROWS_PER_PAGE: usize = 100;
const ROUNDS: usize = 5;
/// The clients of a chain, each of which gets the site of the next, and the last of which has an invalid row.
const CHAIN: usize = 2000;

/// A name, the client that gets the first site of each client, and the row that is invalid.
type Case = (&'static str, fn(usize) -> usize, Option<usize>);

const CASES: [Case; 5] = [
    ("no change", |client| client, None),
    (
        "2000 sites move",
        |client| client - usize::from(client < 4000) * (client % 2),
        None,
    ),
    (
        "2000 rows depend on an invalid row",
        |client| client - usize::from((1..=CHAIN).contains(&client)),
        Some(CHAIN),
    ),
    ("8000 swaps", |client| client ^ 1, None),
    (
        "16000 sites move at random",
        |client| ((client * 2_654_435_761) >> 7) % CLIENTS,
        None,
    ),
];

fn main() {
    let record = |client| {
        format!(
            r#"{{"id":"c{client}","email":"c{client}@example.com","site_ids":["s{client}","t{client}"]}}"#
        )
    };
    let service = Service::of(record, CLIENTS, ROWS_PER_PAGE, Line::default());
    let home = tempfile::tempdir().unwrap();
    let mut times = CASES.map(|_| Duration::MAX);
    for _ in 0..ROUNDS {
        for (case, shortest) in CASES.iter().zip(&mut times) {
            *shortest = (*shortest).min(plan(home.path(), &service, case));
        }
    }
    println!("{CLIENTS} rows, shortest of {ROUNDS} rounds");
    println!("{:<36} {:>12}", "", "/ no change");
    for ((name, ..), time) in CASES.iter().zip(times) {
        println!(
            "{name:<36} {:>12.2}",
            time.as_secs_f64() / times[0].as_secs_f64()
        );
    }
}

/// Plans the changes of a case.
fn plan(home: &Path, service: &Service, (_, new_client, invalid): &Case) -> Duration {
    let mut sites: Vec<String> = (0..CLIENTS).map(|client| format!("t{client}")).collect();
    for client in 0..CLIENTS {
        sites[new_client(client)] += &format!(";s{client}");
    }
    let mut file = String::from("id,email,site_ids\n");
    for (client, sites) in sites.iter().enumerate() {
        let email = if *invalid == Some(client) {
            "invalid"
        } else {
            ""
        };
        file += &format!("c{client},{email},{sites}\n");
    }
    let path = home.join("clients.csv");
    std::fs::write(&path, file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command.args(["clients", "apply", "--dry-run", "--json"]);
    command
        .arg(path)
        .env("SITECTL_BASE_URL", service.base_url())
        .env("SITECTL_TOKEN", "bench-token")
        .env("SITECTL_STATE_DIR", home);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let code = command.status().unwrap().code();
    // All changes of the case depend on the invalid row.
    let expected = if invalid.is_some() { 5 } else { 0 };
    assert_eq!(code, Some(expected));
    start.elapsed()
}
