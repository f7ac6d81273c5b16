//! The commands that read the list: sitectl in each format, and the alternatives that are installed.

use crate::measure::{Case, Count};
use crate::service::Service;
use std::path::Path;
use std::process::{Command, Stdio};

/// The usual code in Python.
const PYTHON: &str = "\
import json, requests, sys
session, url, rows, clients = requests.Session(), sys.argv[1], sys.argv[2], []
session.headers['Authorization'] = 'Bearer bench-token'
while True:
    answer = session.get(f'{url}/clients', params={'page': len(clients) // int(rows) + 1, 'perPage': rows}).json()
    clients += answer['clients']
    if len(clients) >= answer['meta']['pagination']['totalItems']:
        break
json.dump(clients, sys.stdout)
";

/// Returns sitectl with these arguments, connected to the service, without the user's configuration.
pub fn sitectl(home: &Path, service: &Service, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command.args(args).env_clear().env("HOME", home);
    command
        .env("SITECTL_BASE_URL", service.base_url())
        .env("SITECTL_TOKEN", "bench-token");
    command
}

/// Returns sitectl in each format, and with a filter of the complete list.
pub fn formats(home: &Path, service: &Service) -> Vec<Case> {
    let all: [(&[&str], Count); 7] = [
        (&["-o", "json"], array),
        (&["-o", "ndjson"], lines),
        (&["-o", "csv"], lines_under_header),
        (&["-o", "ids"], lines),
        (&["-o", "yaml"], yaml_items),
        (&["-o", "table"], lines_under_header),
        (&["--jq", "length"], number),
    ];
    all.map(|(options, count)| list(home, service, options, count))
        .into()
}

/// Returns sitectl with JSON output.
pub fn json(home: &Path, service: &Service) -> Case {
    list(home, service, &["-o", "json"], array)
}

/// Returns sitectl with one line of JSON per client.
pub fn ndjson(home: &Path, service: &Service) -> Case {
    list(home, service, &["-o", "ndjson"], lines)
}

/// Returns sitectl with a filter of each client.
pub fn filtered(home: &Path, service: &Service) -> Case {
    list(home, service, &["--jq", ".email", "-o", "ndjson"], lines)
}

fn list(home: &Path, service: &Service, options: &[&str], count: Count) -> Case {
    let args = [&["clients", "list"], options].concat();
    let rows = service.rows.to_string();
    let sized = [&*args, &["--per-page", &rows]].concat();
    Case::new(
        &format!("sitectl {}", args.join(" ")),
        vec![sitectl(home, service, &sized)],
        count,
        service.clients,
    )
}

/// Returns `curl`, which discards every page.
pub fn curl(service: &Service, options: &[&str]) -> Option<Case> {
    let name = ["curl", "-o", "/dev/null"]
        .iter()
        .chain(options)
        .copied()
        .collect::<Vec<_>>()
        .join(" ");
    let mut command = curl_command(service);
    // The sizes prove that curl received all pages.
    command
        .args(["-o", "/dev/null", "-w", "%{size_download}\n"])
        .args(options);
    is_installed("curl", &["--version"])
        .then(|| Case::new(&name, vec![command], sum, service.bytes))
}

/// Returns the alternatives: `curl` with `jq`, and Python.
pub fn peers(service: &Service) -> Vec<Case> {
    let pipe = |option: &str, filter: &str, count: Count| {
        let mut jq = Command::new("jq");
        jq.args([option, filter]);
        let name = format!("curl | jq {option} '{filter}'");
        Case::new(
            &name,
            vec![curl_command(service), jq],
            count,
            service.clients,
        )
        .seldom()
    };
    let mut cases = Vec::new();
    if is_installed("curl", &["--version"]) && is_installed("jq", &["--version"]) {
        cases.extend([
            pipe("-s", "[.[].clients[]]", array),
            pipe("-c", ".clients[]", lines),
            pipe("-s", "[.[].clients[]] | length", number),
        ]);
    }
    if is_installed("python3", &["-c", "import requests"]) {
        let mut python = Command::new("python3");
        python.args(["-c", PYTHON, &service.base_url(), &service.rows.to_string()]);
        cases.push(Case::new("Python requests", vec![python], array, service.clients).seldom());
    }
    cases
}

fn curl_command(service: &Service) -> Command {
    let mut command = Command::new("curl");
    command.args([
        "-sf",
        "--no-progress-meter",
        "-H",
        "Authorization: Bearer bench-token",
        &service.glob(),
    ]);
    command
}

/// Returns if this call succeeds.
pub fn is_installed(name: &str, args: &[&str]) -> bool {
    let mut command = Command::new(name);
    let status = command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_installed = status.is_ok_and(|status| status.success());
    if !is_installed {
        println!(
            "skipped, because it is not installed: {name} {}",
            args.join(" ")
        );
    }
    is_installed
}

fn array(output: &[u8]) -> usize {
    serde_json::from_slice::<Vec<serde::de::IgnoredAny>>(output).map_or(0, |records| records.len())
}

fn lines(output: &[u8]) -> usize {
    output.iter().filter(|byte| **byte == b'\n').count()
}

fn lines_under_header(output: &[u8]) -> usize {
    lines(output).saturating_sub(1)
}

fn yaml_items(output: &[u8]) -> usize {
    let lines = output.split(|byte| *byte == b'\n');
    lines.filter(|line| line.starts_with(b"- ")).count()
}

fn number(output: &[u8]) -> usize {
    String::from_utf8_lossy(output).trim().parse().unwrap_or(0)
}

fn sum(output: &[u8]) -> usize {
    String::from_utf8_lossy(output)
        .lines()
        .map(|line| line.parse::<usize>().unwrap_or(0))
        .sum()
}
