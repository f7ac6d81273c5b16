//! Measures what a long history of restores costs: a plan of 100 sites and `restore history`, with a
//! journal of 20,000 restores compared with an empty or short one. As whole processes:
//!
//!     cargo bench --bench journal
//!
//! Quote ratios, not times.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and fails by panicking"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SITES: usize = 100;
/// The runs of the long journal, each a plan of all sites.
const RUNS: usize = 200;
const ROUNDS: usize = 7;
const LATENCY: Duration = Duration::from_millis(50);
/// The path of the journal in the state directory.
const JOURNAL: &str = "restores.ndjson";

fn main() {
    let address = start_service();
    let home = tempfile::tempdir().unwrap();
    let directory = |name: &str| {
        let directory = home.path().join(name);
        fs::create_dir(&directory).unwrap();
        directory
    };
    let (empty, one_run, long) = (directory("empty"), directory("one"), directory("long"));
    let plan = home.path().join("plan.txt");
    let sites: String = (0..SITES).map(|site| format!("site-{site}\n")).collect();
    fs::write(&plan, sites).unwrap();
    let plan = [
        "restore",
        "start",
        "--plan",
        plan.to_str().unwrap(),
        "--full",
        "--yes",
        "-o",
        "ids",
    ];

    time(address, &one_run, &plan);
    let of_one_run = fs::read_to_string(one_run.join(JOURNAL)).unwrap();
    let started = of_one_run
        .split('"')
        .find(|text| text.starts_with("20"))
        .unwrap();
    let earlier = |run: usize| {
        // Earlier runs of other sites, so that the plan is not refused.
        of_one_run
            .replace(started, &format!("20250101-{run:06}"))
            .replace("site-", &format!("old-{run}-"))
    };
    let journal: String = (0..RUNS).map(earlier).collect();

    let history = ["restore", "history", "--limit", "20", "--json"];
    let mut times = [(); 4].map(|()| Duration::MAX);
    for _ in 0..ROUNDS {
        let _ = fs::remove_file(empty.join(JOURNAL));
        fs::write(long.join(JOURNAL), &journal).unwrap();
        let round = [
            time(address, &empty, &plan),
            time(address, &long, &plan),
            time(address, &one_run, &history),
            time(address, &long, &history),
        ];
        for (shortest, time) in times.iter_mut().zip(round) {
            *shortest = time.min(*shortest);
        }
    }
    let [empty, long, of_100, of_20_000] = times.map(|time| time.as_secs_f64());
    println!(
        "shortest of {ROUNDS} rounds; the journal has {} restores, {:.1} MB",
        RUNS * SITES,
        journal.len() as f64 / 1e6
    );
    println!(
        "plan of {SITES} sites, {LATENCY:?} per response, empty journal = 1: {:.2}; goal: at most 1.2",
        long / empty
    );
    println!(
        "restore history --limit 20, journal of {SITES} restores = 1: {:.2} ({:.0} ms); goal: under 200 ms",
        of_20_000 / of_100,
        of_20_000 * 1000.0
    );
}

/// Runs sitectl with this state directory.
fn time(address: SocketAddr, state: &Path, args: &[&str]) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command
        .args(args)
        .env_clear()
        .env("HOME", state)
        .env("SITECTL_BASE_URL", format!("http://{address}/api/v6"))
        .env("SITECTL_TOKEN", "bench-token")
        .env("SITECTL_STATE_DIR", state)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    assert!(command.status().unwrap().success(), "{args:?} failed");
    start.elapsed()
}

/// Starts a service without a rate limit, in which each site has one snapshot. Each response takes
/// `LATENCY`.
fn start_service() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || converse(stream.unwrap()));
        }
    });
    address
}

fn converse(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let (mut line, mut length) = (String::new(), 0);
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            match header.split_once(": ") {
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        std::thread::sleep(LATENCY);
        let body = body(line.split(' ').nth(1).unwrap());
        let length = body.len();
        let response = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        if stream.write_all(response.as_bytes()).is_err() {
            return;
        }
    }
}

fn body(target: &str) -> String {
    let path = target.split('?').next().unwrap();
    let parts: Vec<&str> = path.trim_start_matches("/api/v6/").split('/').collect();
    let list = |name: &str, records: &[String]| {
        let (records, total) = (records.join(","), records.len());
        format!(
            r#"{{"{name}":[{records}],"meta":{{"pagination":{{"page":1,"perPage":1000,"totalPages":1,"totalItems":{total}}}}}}}"#
        )
    };
    match parts[..] {
        ["sites"] => {
            let site =
                |site| format!(r#"{{"id":"site-{site}","url":"https://site-{site}.example.com"}}"#);
            list("sites", &(0..SITES).map(site).collect::<Vec<_>>())
        }
        ["sites", site, "snapshots"] => {
            let snapshot = format!(
                r#"{{"id":"snap-{site}","site_id":"{site}","status":"succeeded","created_at":"2025-01-01T00:00:00Z"}}"#
            );
            list("snapshots", &[snapshot])
        }
        ["sites", site, "backups", ..] => task(&format!("task-{site}")),
        ["tasks", id] => task(id),
        _ => panic!("unexpected request: {target}"),
    }
}

fn task(id: &str) -> String {
    format!(r#"{{"task":{{"id":"{id}","status":"succeeded","progress":100}}}}"#)
}
