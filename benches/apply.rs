//! Measures `clients apply` against what a rate limit or a slow service allows, compared with `xargs -P 8 curl --retry`. Each
//! creates 1000 clients on its own sandbox, as a whole process. Then four processes share one account. Takes eight minutes:
//!
//!     cargo bench --bench apply
//!
//! Quote ratios, not times.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and fails by panicking"
)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const CLIENTS: usize = 1000;
const LIMIT: usize = 200;
const WINDOW: Duration = Duration::from_secs(10);
const LATENCY: Duration = Duration::from_millis(50);
const IN_FLIGHT: usize = 8;
const PROCESSES: usize = 4;
const EACH: usize = 150;
const MINUTE: Duration = Duration::from_secs(60);

fn main() {
    let home = tempfile::tempdir().unwrap();
    let mut file = String::from("email,first_name\n");
    (0..CLIENTS).for_each(|number| writeln!(file, "n{number}@example.com,N").unwrap());
    let path = home.path().join("clients.csv");
    std::fs::write(&path, file).unwrap();
    let path = path.to_str().unwrap();

    println!("{CLIENTS} creates, {LIMIT} requests in {WINDOW:?} allowed");
    println!(
        "{:<28} {:>9} {:>24} {:>14}",
        "", "requests", "/ minimum by limit", "responses 429"
    );
    for (name, case) in [
        ("sitectl clients apply", sitectl as Case),
        ("xargs -P 8 curl --retry", curl),
    ] {
        let server = Server::start(&["--rate-limit", &LIMIT.to_string(), "--rate-window", "10s"]);
        let result = case(&server, path);
        // The requests of a window start at once, and nothing waits for the end of the last window.
        let allowed = WINDOW
            .mul_f64(((result.requests - 1) / LIMIT) as f64)
            .as_secs_f64();
        let ratio = result.wall.as_secs_f64() / allowed;
        println!(
            "{name:<28} {:>9} {ratio:>24.3} {:>14}",
            result.requests, result.refused
        );
    }

    println!("\n{CLIENTS} creates, no limit, {LATENCY:?} per response, {IN_FLIGHT} at a time");
    println!("{:<28} {:>24}", "", "/ minimum by latency");
    for (name, case) in [
        ("sitectl clients apply", sitectl as Case),
        ("xargs -P 8 curl --retry", curl),
    ] {
        let server = Server::start(&["--rate-limit", "1000000", "--latency", "50ms"]);
        let result = case(&server, path);
        let allowed = LATENCY.as_secs_f64() * (CLIENTS / IN_FLIGHT) as f64;
        println!("{name:<28} {:>24.3}", result.wall.as_secs_f64() / allowed);
    }
    at_once(home.path());
}

/// Measures four processes that send 150 requests each, a read and 149 creates, with 200 requests per minute allowed.
fn at_once(home: &std::path::Path) {
    println!(
        "\n{PROCESSES} processes of {EACH} requests at once, {LIMIT} requests in {MINUTE:?} allowed"
    );
    println!(
        "{:<28} {:>24} {:>14}",
        "", "/ minimum by limit", "responses 429"
    );
    let paths: Vec<String> = (0..PROCESSES)
        .map(|process| {
            let path = home.join(format!("clients-{process}.csv"));
            let rows = (1..EACH).map(|number| format!("p{process}n{number}@example.com,N\n"));
            std::fs::write(
                &path,
                format!("email,first_name\n{}", rows.collect::<String>()),
            )
            .unwrap();
            path.to_str().unwrap().to_string()
        })
        .collect();
    for (name, case) in [
        ("sitectl clients apply", sitectl as Case),
        ("xargs -P 8 curl --retry", curl),
    ] {
        let server = Server::start(&["--rate-limit", &LIMIT.to_string(), "--rate-window", "60s"]);
        let start = Instant::now();
        let results: Vec<Outcome> = std::thread::scope(|scope| {
            let running: Vec<_> = paths
                .iter()
                .map(|path| scope.spawn(|| case(&server, path)))
                .collect();
            running
                .into_iter()
                .map(|running| running.join().unwrap())
                .collect()
        });
        let allowed = MINUTE
            .mul_f64(((PROCESSES * EACH - 1) / LIMIT) as f64)
            .as_secs_f64();
        let refused: usize = results.iter().map(|result| result.refused).sum();
        println!(
            "{name:<28} {:>24.3} {refused:>14}",
            start.elapsed().as_secs_f64() / allowed
        );
    }
}

type Case = fn(&Server, &str) -> Outcome;

struct Outcome {
    wall: Duration,
    /// The requests that succeeded.
    requests: usize,
    refused: usize,
}

fn sitectl(server: &Server, path: &str) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command.args(["clients", "apply", path, "--yes", "-v", "--json"]);
    command
        .env("SITECTL_BASE_URL", &server.base_url)
        .env("SITECTL_TOKEN", "sandbox-token");
    command.env("SITECTL_STATE_DIR", server.state.path());
    let (output, wall) = timed(&mut command);
    let trace = String::from_utf8(output.stderr).unwrap();
    let responses = |status: &str| {
        trace
            .lines()
            .filter(|line| line.contains(&format!("-> {status} ")))
            .count()
    };
    Outcome {
        wall,
        requests: responses("200") + responses("201"),
        refused: responses("429"),
    }
}

fn curl(server: &Server, path: &str) -> Outcome {
    let script = format!(
        "tail -n +2 {path} | cut -d, -f1 | xargs -P {IN_FLIGHT} -I EMAIL curl --no-progress-meter \
         --retry 1000 --retry-max-time 600 -H 'Authorization: Bearer sandbox-token' -H 'Content-Type: application/json' \
         -d '{{\"client\":{{\"email\":\"EMAIL\",\"first_name\":\"N\"}}}}' {}/clients > /dev/null",
        server.base_url
    );
    let (output, wall) = timed(Command::new("sh").args(["-c", &script]));
    let refused = String::from_utf8(output.stderr)
        .unwrap()
        .matches("Will retry")
        .count();
    Outcome {
        wall,
        requests: CLIENTS,
        refused,
    }
}

fn timed(command: &mut Command) -> (Output, Duration) {
    let start = Instant::now();
    let output = command.output().unwrap();
    let wall = start.elapsed();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (output, wall)
}

/// A sandbox in memory, which ends with the measurement.
struct Server {
    process: Child,
    base_url: String,
    /// The state directory of its users.
    state: tempfile::TempDir,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
        command
            .args([
                "sandbox",
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--db",
                ":memory:",
            ])
            .args(options);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let line = BufReader::new(process.stdout.take().unwrap())
            .lines()
            .next()
            .unwrap()
            .unwrap();
        let base_url = line
            .trim_start_matches("export SITECTL_BASE_URL=")
            .to_string();
        Self {
            process,
            base_url,
            state: tempfile::tempdir().unwrap(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
