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

use cases::{curl, formats, json_in_pages, peers};
use measure::{Case, Times, run};
use service::Service;
use start::start_up;
use std::path::Path;
use std::time::Duration;

const SIZES: [usize; 3] = [1000, 10_000, 100_000];
const IN_FLIGHT: usize = 8;

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
    let sizes: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    if !sizes.is_empty() {
        sizes
            .iter()
            .for_each(|clients| drop(without_latency(home.path(), *clients)));
        return;
    }
    start_up(home.path());
    let figures: Vec<Figure> = SIZES
        .iter()
        .flat_map(|clients| without_latency(home.path(), *clients))
        .collect();
    figures::write(&figures);
    with_latency(home.path());
}

/// Measures the time and memory per client.
fn without_latency(home: &Path, clients: usize) -> Vec<Figure> {
    const ROUNDS: usize = 15;
    let service = Service::start(clients, 1000, Duration::ZERO);
    title(&service, Duration::ZERO, ROUNDS);
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

/// Measures how well requests run in parallel if each response takes time.
fn with_latency(home: &Path) {
    const ROUNDS: usize = 5;
    const LATENCY: Duration = Duration::from_millis(50);
    let service = Service::start(10_000, 100, LATENCY);
    title(&service, LATENCY, ROUNDS);
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
    let ours = json_in_pages(home, &service);
    let all: Vec<&Case> = parallel.iter().chain([&ours]).collect();
    heading(&["/ floor"]);
    for (case, times) in all.iter().zip(run(&all, ROUNDS)) {
        row(&case.name, &times, &[Some(times.median() / floor)]);
    }
    println!(
        "floor: page 1, then {IN_FLIGHT} at a time: {in_turns} x {LATENCY:?}; goal: at most 1.10"
    );
}

fn title(service: &Service, latency: Duration, rounds: usize) {
    let megabytes = service.bytes as f64 / 1e6;
    println!(
        "\n{} clients, {} pages of {}, {megabytes:.1} MB, each after {latency:?}; {rounds} rounds in turn",
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
