//! How soon the program is there, beside `xh`; how fast a long list comes, and in how much memory, beside what one would
//! type instead: `curl`, alone and into `jq`.
//! All of them read the same pages in the same run, in turn, as whole processes with their output thrown away. Run it
//! with `cargo bench --bench list`, and quote ratios, not times: machines are noisy.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark reports, and fails by panicking")]

mod contest;
mod contestants;
mod service;
mod start;

use contest::{Contestant, Times, run};
use contestants::{curl, curl_and_jq, formats, json_in_pages};
use service::Service;
use start::start_up;
use std::path::Path;
use std::time::Duration;

const IN_FLIGHT: usize = 8;

fn main() {
    let home = tempfile::tempdir().unwrap();
    start_up(home.path());
    next_door(home.path());
    far_away(home.path());
}

/// Where the service answers at once: who spends the least on a record, in time and in memory?
fn next_door(home: &Path) {
    const ROUNDS: usize = 15;
    let service = Service::start(100_000, 1000, Duration::ZERO);
    title(&service, Duration::ZERO, ROUNDS);
    let (curl, jq, ours) = (curl(&service, &[]), curl_and_jq(&service), formats(home, &service));
    let all: Vec<&Contestant> = curl.iter().chain(&jq).chain(&ours).collect();
    let times = run(&all, ROUNDS);
    let median = |name: &str| {
        let place = all.iter().position(|contestant| contestant.name.starts_with(name));
        place.map(|place| times[place].median())
    };
    let (curl, array, lines) = (median("curl -o"), median("curl | jq -s"), median("curl | jq -c"));
    jq.iter().for_each(|seldom| println!("{}: in every third round", seldom.name));
    heading(&["/ curl", "jq -s /", "jq -c /"]);
    for (contestant, times) in all.iter().zip(&times) {
        let median = times.median();
        let ratios = [curl.map(|curl| median / curl), array.map(|jq| jq / median), lines.map(|jq| jq / median)];
        row(&contestant.name, times, &ratios);
    }
    println!("asked for: json, ndjson, csv at most 2 / curl, and at least 8 times as fast as curl | jq");
    let bare = Times::of(ROUNDS, || service.read_bare());
    row("(what the service can do: a bare reader)", &bare, &[]);
    for (who, median) in [("curl", curl), ("a bare reader", Some(bare.median()))] {
        median.into_iter().for_each(|median| println!("{who}: {:.0} MB/s", service.bytes as f64 / 1000.0 / median));
    }
    memory(&all);
}

/// In runs of their own: looking every millisecond takes time.
fn memory(contestants: &[&Contestant]) {
    println!("\npeak memory of the greatest process, MiB; asked for: json, ndjson, csv under 24");
    for contestant in contestants {
        let peak = contestant.peak().map_or("only Linux tells".into(), |mib| format!("{mib:8.1}"));
        row(&contestant.name, peak, &[]);
    }
}

/// Where each answer takes its time: who waits the least?
fn far_away(home: &Path) {
    const ROUNDS: usize = 5;
    const LATENCY: Duration = Duration::from_millis(50);
    let service = Service::start(10_000, 100, LATENCY);
    title(&service, LATENCY, ROUNDS);
    let in_turns = 1 + (service.pages() - 1).div_ceil(IN_FLIGHT);
    let floor = LATENCY.as_secs_f64() * 1000.0 * in_turns as f64;
    let parallel = curl(&service, &["-Z", "--parallel-max", &IN_FLIGHT.to_string(), "--parallel-immediate"]);
    let ours = json_in_pages(home, &service);
    let all: Vec<&Contestant> = parallel.iter().chain([&ours]).collect();
    heading(&["/ floor"]);
    for (contestant, times) in all.iter().zip(run(&all, ROUNDS)) {
        row(&contestant.name, &times, &[Some(times.median() / floor)]);
    }
    println!("floor: page 1, then {IN_FLIGHT} at a time: {in_turns} x {LATENCY:?}; asked for: at most 1.10");
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

/// The line above rows of times and these ratios.
fn heading(ratios: &[&str]) {
    let words = ["min", "median", "max"].iter().chain(ratios);
    println!("{:<66}{}", "milliseconds", words.map(|word| format!(" {word:>8}")).collect::<String>());
}

fn row(name: &str, figures: impl std::fmt::Display, ratios: &[Option<f64>]) {
    let ratio = |ratio: &Option<f64>| ratio.map_or(format!(" {:>8}", "-"), |ratio| format!(" {ratio:>8.2}"));
    println!("{name:<66} {figures}{}", ratios.iter().map(ratio).collect::<String>());
}
