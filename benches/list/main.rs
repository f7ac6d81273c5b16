//! Measures the start of the program compared with `xh`, and the time and memory of long lists compared with `curl`, `jq` and
//! Python. All read the same pages from the same service in the same run, as whole processes.
//!
//!     cargo bench --bench list                    1,000 to 100,000 clients; rewrites the figures in docs/performance.md
//!     cargo bench --bench list -- 1000 20000      these multiples of 1000, without writing
//!
//! Quote ratios, not times, because machines differ.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and fails by panicking"
)]

mod cases;
mod figures;
mod measure;
mod plot;
mod service;
mod start;

use cases::{curl, filtered, formats, json, ndjson, peers};
use measure::{Case, Times, run};
use service::{Line, Service};
use start::start_up;
use std::path::Path;
use std::time::Duration;

const SIZES: [usize; 3] = [1000, 10_000, 100_000];
/// The records per page.
const ROWS: usize = 1000;
const IN_FLIGHT: usize = 8;
const LATENCY: Duration = Duration::from_millis(50);
const SLOW_LINE: u32 = 10_000_000 / 8;

/// One command and one size.
pub struct Figure {
    /// The command.
    pub name: String,
    /// The length of the list.
    pub clients: usize,
    /// The median time in milliseconds.
    pub time: f64,
    /// The peak memory in MiB.
    pub memory: Option<f64>,
}

fn main() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let sizes: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    if !sizes.is_empty() {
        sizes
            .iter()
            .for_each(|clients| drop(at_once(home, *clients)));
        return;
    }
    start_up(home);
    let figures: Vec<Figure> = SIZES
        .iter()
        .flat_map(|clients| at_once(home, *clients))
        .collect();
    let [latency, first_result] = with_latency(home);
    let costs = [latency, first_result, over_slow_line(home), long_list(home)];
    figures::write(&figures, &costs);
}

/// Measures the time and memory per client if each response arrives at once.
fn at_once(home: &Path, clients: usize) -> Vec<Figure> {
    const ROUNDS: usize = 15;
    let service = Service::start(clients, ROWS, Line::default());
    title(&service, "at once", ROUNDS);
    let (curl, peers, ours) = (
        curl(&service, &[]),
        peers(&service),
        formats(home, &service),
    );
    let all: Vec<&Case> = curl.iter().chain(&peers).chain(&ours).collect();
    let times = run(&all, ROUNDS);
    let floor = curl.is_some().then(|| times[0].median());
    heading(&["/ curl", "MiB"]);
    let figures = all.iter().zip(&times).map(|(case, times)| {
        let figure = Figure {
            name: case.name.clone(),
            clients,
            time: times.median(),
            memory: case.peak(),
        };
        row(
            &case.name,
            times,
            &[floor.map(|floor| figure.time / floor), figure.memory],
        );
        figure
    });
    let figures = figures.collect();
    row(
        "(limit of the service: a reader that discards every page)",
        Times::of(ROUNDS, || service.read_bare()),
        &[],
    );
    figures
}

/// Measures how well requests run in parallel if each response takes time, and how early a filter
/// of each client prints its first result. Returns a row of the document for each.
fn with_latency(home: &Path) -> [[String; 3]; 2] {
    const ROUNDS: usize = 5;
    let line = Line {
        latency: LATENCY,
        ..Line::default()
    };
    let service = Service::start(SIZES[2], ROWS, line);
    title(&service, &format!("after {LATENCY:?} each"), ROUNDS);
    let in_turns = 1 + (service.pages() - 1).div_ceil(IN_FLIGHT);
    let floor = LATENCY.as_secs_f64() * 1000.0 * in_turns as f64;
    let parallel = curl(
        &service,
        &[
            "-Z",
            "--parallel-max",
            &IN_FLIGHT.to_string(),
            "--parallel-immediate",
        ],
    );
    let ours = json(home, &service);
    let all: Vec<&Case> = [&ours].into_iter().chain(&parallel).collect();
    heading(&["/ floor", "MiB"]);
    let times = run(&all, ROUNDS);
    for (case, times) in all.iter().zip(&times) {
        row(
            &case.name,
            times,
            &[Some(times.median() / floor), case.peak()],
        );
    }
    println!(
        "floor: page 1, then {IN_FLIGHT} at a time: {in_turns} x {LATENCY:?}; goal: at most 1.15"
    );
    let filtered = filtered(home, &service);
    let first = filtered.first_output();
    println!(
        "{}: first result after {first:.2} of the time",
        filtered.name
    );
    let latency = LATENCY.as_millis();
    let scenario = format!("{} clients, {latency} ms per response", service.clients);
    [
        [
            scenario.clone(),
            format!("time / time of {in_turns} responses in sequence"),
            format!("{:.2}", times[0].median() / floor),
        ],
        [
            scenario,
            format!(
                "time to the first result / to the last: `{}`",
                filtered.name
            ),
            format!("{first:.2}"),
        ],
    ]
}

/// Measures what compression saves. Returns a row of the document.
fn over_slow_line(home: &Path) -> [String; 3] {
    const ROUNDS: usize = 3;
    let services = [false, true].map(|gzip| {
        let line = Line {
            bytes_per_second: Some(SLOW_LINE),
            gzip,
            ..Line::default()
        };
        Service::start(SIZES[1], ROWS, line)
    });
    title(&services[0], "over 10 Mbit/s, then compressed", ROUNDS);
    let cases = services.each_ref().map(|service| json(home, service));
    let times = run(&cases.each_ref(), ROUNDS);
    let without = times[0].median();
    heading(&["/ without"]);
    for (case, times) in cases.iter().zip(&times) {
        row(&case.name, times, &[Some(times.median() / without)]);
    }
    println!("goal: at most 0.2");
    [
        format!("{} clients over 10 Mbit/s", SIZES[1]),
        "time with gzip / time without gzip".into(),
        format!("{:.2}", times[1].median() / without),
    ]
}

/// Measures the memory of a list that is too long for most uses. Returns a row of the document.
fn long_list(home: &Path) -> [String; 3] {
    let service = Service::start(1_000_000, ROWS, Line::default());
    let case = ndjson(home, &service);
    let memory = case
        .peak()
        .map_or("-".into(), |mib| format!("{mib:.0} MiB"));
    println!(
        "\n{} clients, {}: {memory}; goal: under 40 MiB",
        service.clients, case.name
    );
    [
        format!("{} clients", service.clients),
        format!("peak memory: `{}`", case.name),
        memory,
    ]
}

fn title(service: &Service, how: &str, rounds: usize) {
    let megabytes = service.bytes as f64 / 1e6;
    println!(
        "\n{} clients, {} pages of {}, {megabytes:.1} MB, {how}; {rounds} rounds in turn",
        service.clients,
        service.pages(),
        service.rows
    );
}

/// Prints the line above rows of times and these columns.
fn heading(columns: &[&str]) {
    let words = ["min", "median", "max"].iter().chain(columns);
    println!(
        "{:<66}{}",
        "milliseconds",
        words.map(|word| format!(" {word:>8}")).collect::<String>()
    );
}

fn row(name: &str, times: impl std::fmt::Display, columns: &[Option<f64>]) {
    let column = |value: &Option<f64>| {
        value.map_or(format!(" {:>8}", "-"), |value| format!(" {value:>8.2}"))
    };
    println!(
        "{name:<66} {times}{}",
        columns.iter().map(column).collect::<String>()
    );
}
