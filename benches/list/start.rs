//! What a call costs before it does anything, beside `xh`, which is built on the same libraries: the program's version,
//! and one page of a list, printed as JSON. And how large the program is, with the sandbox inside.

use crate::contest::{Contestant, run};
use crate::contestants::{is_here, sitectl};
use crate::service::Service;
use crate::{heading, row};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const ROWS: usize = 100;
const ROUNDS: usize = 101;
const MIB: f64 = 1_048_576.0;

/// Prints the size, and the times in pairs.
pub fn start_up(home: &Path) {
    let size = std::fs::metadata(env!("CARGO_BIN_EXE_sitectl")).unwrap().len();
    println!("the program: {size} bytes, {:.2} MiB; asked for: under 9 MiB", size as f64 / MIB);
    let service = Service::start(ROWS, ROWS, Duration::ZERO);
    println!("\nstart-up, and one page of {ROWS} clients; {ROUNDS} rounds in turn; asked for: at most 1 / xh");
    let peers = is_here("xh");
    compare(version(sitectl(home, &service, &["--version"])), peers.then(|| version(Command::new("xh"))));
    compare(our_page(home, &service), peers.then(|| their_page(&service)));
}

/// The program's row, and where there is a peer, that of the peer.
fn compare(ours: Contestant, peer: Option<Contestant>) {
    let all: Vec<&Contestant> = [&ours].into_iter().chain(&peer).collect();
    let times = run(&all, ROUNDS);
    heading(&["/ xh"]);
    for (contestant, time) in all.iter().zip(&times) {
        row(&contestant.name, time, &[times.get(1).map(|peer| time.median() / peer.median())]);
    }
}

fn version(mut command: Command) -> Contestant {
    let program = Path::new(command.get_program()).file_name().unwrap().to_string_lossy().into_owned();
    if command.get_args().next().is_none() {
        command.arg("--version");
    }
    Contestant::new(&format!("{program} --version"), vec![command], |output| output.len().min(1), 1)
}

fn our_page(home: &Path, service: &Service) -> Contestant {
    let rows = ROWS.to_string();
    let args = ["clients", "list", "--page", "1", "--per-page", &rows, "--json"];
    let count = |output: &[u8]| serde_json::from_slice::<Vec<IgnoredAny>>(output).map_or(0, |records| records.len());
    Contestant::new(&format!("sitectl {}", args.join(" ")), vec![sitectl(home, service, &args)], count, ROWS)
}

/// The same page as `xh` prints it: read, and indented.
fn their_page(service: &Service) -> Contestant {
    #[derive(Deserialize)]
    struct Envelope {
        clients: Vec<IgnoredAny>,
    }
    let mut command = Command::new("xh");
    command.args(["--ignore-stdin", "--check-status", "--body", "--pretty=format", "--bearer", "bench-token"]);
    command.arg(format!("{}/clients?page=1&perPage={ROWS}", service.base_url()));
    let count = |output: &[u8]| serde_json::from_slice::<Envelope>(output).map_or(0, |page| page.clients.len());
    Contestant::new("xh --body --pretty=format …/clients?page=1", vec![command], count, ROWS)
}
