//! Who reads the list: the program in each format that it has, and what this machine offers in its place.

use crate::contest::{Contestant, Count};
use crate::service::Service;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program, which finds this service and nothing of the person's own.
pub fn sitectl(home: &Path, service: &Service, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command.args(args).env_clear().env("HOME", home);
    command.env("SITECTL_BASE_URL", service.base_url()).env("SITECTL_TOKEN", "bench-token");
    command
}

/// The program in every format.
pub fn formats(home: &Path, service: &Service) -> Vec<Contestant> {
    let help = sitectl(home, service, &["clients", "list", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let formats: [(&str, Count); 5] = [
        ("json", array),
        ("ndjson", lines),
        ("csv", lines_under_header),
        ("ids", lines),
        ("table", lines_under_header),
    ];
    let (known, unknown): (Vec<_>, Vec<_>) = formats.into_iter().partition(|(name, _)| help.contains(name));
    unknown.iter().for_each(|(name, _)| println!("sitectl has no format {name}: skipped"));
    known.into_iter().map(|(name, count)| format(home, service, name, &[], count)).collect()
}

/// The program as it prints JSON from pages of this service's size.
pub fn json_in_pages(home: &Path, service: &Service) -> Contestant {
    format(home, service, "json", &["--per-page", &service.rows.to_string()], array)
}

fn format(home: &Path, service: &Service, format: &str, more: &[&str], count: Count) -> Contestant {
    let args = [&["clients", "list", "-o", format], more].concat();
    Contestant::new(&format!("sitectl {}", args.join(" ")), vec![sitectl(home, service, &args)], count, service.clients)
}

/// `curl` that throws every page away; with these options more. None where there is no `curl`.
pub fn curl(service: &Service, options: &[&str]) -> Option<Contestant> {
    let name = ["curl", "-o", "/dev/null"].iter().chain(options).copied().collect::<Vec<_>>().join(" ");
    let mut command = curl_command(service);
    // What it says in place of the pages, so that it can be seen to have had them all.
    command.args(["-o", "/dev/null", "-w", "%{size_download}\n"]).args(options);
    is_here("curl").then(|| Contestant::new(&name, vec![command], sum, service.bytes))
}

/// The same pages through `jq`, into one array and into lines.
pub fn curl_and_jq(service: &Service) -> Vec<Contestant> {
    if !(is_here("curl") && is_here("jq")) {
        return Vec::new();
    }
    let pipe = |option: &str, filter: &str, count: Count| {
        let mut jq = Command::new("jq");
        jq.args([option, filter]);
        let name = format!("curl | jq {option} '{filter}'");
        Contestant::new(&name, vec![curl_command(service), jq], count, service.clients).seldom()
    };
    vec![pipe("-s", "[.[].clients[]]", array), pipe("-c", ".clients[]", lines)]
}

fn curl_command(service: &Service) -> Command {
    let mut command = Command::new("curl");
    command.args(["-sf", "--no-progress-meter", "-H", "Authorization: Bearer bench-token", &service.glob()]);
    command
}

/// Whether a peer can be measured.
pub fn is_here(name: &str) -> bool {
    let here = Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !here {
        println!("there is no {name}: skipped");
    }
    here
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

fn sum(output: &[u8]) -> usize {
    String::from_utf8_lossy(output).lines().map(|line| line.parse::<usize>().unwrap_or(0)).sum()
}
