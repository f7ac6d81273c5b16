//! Measures the size of the program and, compared with `xh`, which uses the same libraries, the time of `--version` and of one
//! page of a list as JSON.

use crate::cases::{is_installed, sitectl};
use crate::measure::{Case, run};
use crate::service::{Line, Service};
use crate::{heading, row};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;
use std::process::Command;

const ROWS: usize = 100;
const ROUNDS: usize = 101;
const MIB: f64 = 1_048_576.0;

/// Prints the size and the times.
pub fn start_up(home: &Path) {
    let size = std::fs::metadata(env!("CARGO_BIN_EXE_sitectl"))
        .unwrap()
        .len();
    println!(
        "the program: {size} bytes, {:.2} MiB; goal: at most 9.5 MiB",
        size as f64 / MIB
    );
    let service = Service::start(ROWS, ROWS, Line::default());
    println!(
        "\nstart-up, and one page of {ROWS} clients; {ROUNDS} rounds in turn; goal: at most 1 / xh"
    );
    let peers = is_installed("xh", &["--version"]);
    compare(
        version(sitectl(home, &service, &["--version"])),
        peers.then(|| version(Command::new("xh"))),
    );
    compare(
        our_page(home, &service),
        peers.then(|| their_page(&service)),
    );
}

/// Prints the row of the program and, if it is installed, of the peer.
fn compare(ours: Case, peer: Option<Case>) {
    let all: Vec<&Case> = [&ours].into_iter().chain(&peer).collect();
    let times = run(&all, ROUNDS);
    heading(&["/ xh"]);
    for (case, time) in all.iter().zip(&times) {
        row(
            &case.name,
            time,
            &[times.get(1).map(|peer| time.median() / peer.median())],
        );
    }
}

fn version(mut command: Command) -> Case {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    if command.get_args().next().is_none() {
        command.arg("--version");
    }
    Case::new(
        &format!("{program} --version"),
        vec![command],
        |output| output.len().min(1),
        1,
    )
}

fn our_page(home: &Path, service: &Service) -> Case {
    let rows = ROWS.to_string();
    let args = [
        "clients",
        "list",
        "--page",
        "1",
        "--per-page",
        &rows,
        "--json",
    ];
    let count = |output: &[u8]| {
        serde_json::from_slice::<Vec<IgnoredAny>>(output).map_or(0, |records| records.len())
    };
    Case::new(
        &format!("sitectl {}", args.join(" ")),
        vec![sitectl(home, service, &args)],
        count,
        ROWS,
    )
}

/// Returns `xh` with the same page, indented.
fn their_page(service: &Service) -> Case {
    #[derive(Deserialize)]
    struct Envelope {
        clients: Vec<IgnoredAny>,
    }
    let mut command = Command::new("xh");
    command.args([
        "--ignore-stdin",
        "--check-status",
        "--body",
        "--pretty=format",
        "--bearer",
        "bench-token",
    ]);
    command.arg(format!(
        "{}/clients?page=1&perPage={ROWS}",
        service.base_url()
    ));
    let count = |output: &[u8]| {
        serde_json::from_slice::<Envelope>(output).map_or(0, |page| page.clients.len())
    };
    Case::new(
        "xh --body --pretty=format …/clients?page=1",
        vec![command],
        count,
        ROWS,
    )
}
