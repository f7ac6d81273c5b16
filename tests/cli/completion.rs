//! The replies to the completion scripts of shells: words in, candidates from local files out.

use crate::common::World;
use crate::service::{Reply, Service};
use serde_json::json;
use std::path::PathBuf;

/// The candidates for the last of these words, with their descriptions.
fn described(world: &World, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let run = world.run(&[&["__complete", "elvish", "sitectl"], &words[..]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
    let mut lines = run.stdout.lines();
    match lines.next() {
        Some("values") => lines.map(|line| line[1..].to_string()).collect(),
        kind => vec![kind.unwrap_or_default().to_uppercase()],
    }
}

/// The candidates in one line, without descriptions.
fn values(world: &World, line: &str) -> String {
    let lines = described(world, line);
    let values = lines.iter().map(|line| line.split('\t').next().unwrap());
    values.collect::<Vec<_>>().join(" ")
}

const PROFILES: &str = "\
current_profile = 'live'
[profiles.live]
base_url = 'https://live.example/api/v6'
token = 'live-token'
[profiles.'--odd']
base_url = 'https://odd.example/api/v6'
[profiles.sandbox]
base_url = 'https://other.example/api/v6'
token_command = ['touch', 'ran']
";

#[test]
fn the_candidates_fit_the_command_line() {
    let service = Service::start(|_| Reply::Drop);
    let world = service.world().with_config(PROFILES);
    for (typed, candidates) in [
        ("cl", "clients"),
        ("clients ap", "apply"),
        ("--profile ", "live sandbox"),
        ("--profile=s", "--profile=sandbox"),
        ("explain un", "unavailable unknown_outcome"),
        ("clients delete x --confirm ", "live sandbox"),
        ("-o ", "table json ndjson csv yaml ids"),
        ("-qo j", "json"),
        ("clients list --filter e", "email:contains="),
        ("clients list --filter=email:", "--filter=email:contains="),
        (
            "managed-accounts list --role ",
            "collaborator administrator co_owner",
        ),
        (
            "managed-accounts list --role co_owner,a",
            "co_owner,administrator",
        ),
        ("managed-accounts list --all-sites-access ", "true false"),
        (
            "managed-accounts list --sort status,",
            "status,asc status,desc",
        ),
        ("restore history --outcome running,f", "running,failed"),
        ("profiles list --fields to", "token_source"),
        ("help clients d", "delete"),
        ("clients apply ", "FILES"),
        ("auth login -- ", ""),
        ("clients create --note ", ""),
        ("clients list -- --", ""),
        ("nonsense ", ""),
        ("--jq --profile clients ap", "apply"),
    ] {
        assert_eq!(values(&world, typed), candidates, "{typed}");
    }
    assert!(!world.path("ran").exists(), "a token command was run");
    assert_eq!(service.connections(), 0);
}

#[test]
fn ids_of_the_last_complete_list_are_offered() {
    let world = World::sandbox();
    for partial in ["list --limit 1", "list --search kowal", "show client-0001"] {
        world.run(format!("clients {partial}"));
    }
    assert_eq!(values(&world, "clients show "), "");
    world.run("clients list");
    world.run("sites list");
    world.run("snapshots list site-0039");
    let snapshots = "snap-0039-4 snap-0039-3 snap-0039-2 snap-0039-1";
    for (line, candidates) in [
        (
            "clients show client-0060",
            "client-0060\tli@single-name.example",
        ),
        ("clients show li@s", "li@single-name.example\tclient-0060"),
        (
            "restore start site-0039",
            "site-0039.example.com\tsite-0039\nsite-0039\thttps://site-0039.example.com",
        ),
        (
            "restore start https://site-0039",
            "https://site-0039.example.com\tsite-0039",
        ),
    ] {
        assert_eq!(described(&world, line).join("\n"), candidates, "{line}");
    }
    assert_eq!(values(&world, "restore start site-0002 "), "latest");
    for site in ["site-0039", "site-0039.example.com"] {
        let line = format!("restore start {site} ");
        assert_eq!(values(&world, &line), format!("latest {snapshots}"));
    }
    assert_eq!(values(&world, "snapshots files site-0039 "), snapshots);
    assert_eq!(world.run("sandbox reset").code, 0);
    assert_eq!(values(&world, "clients show "), "");
}

#[test]
fn unfinished_tasks_come_first() {
    let world = World::sandbox();
    let start = |site: &str| {
        let start = format!("restore start {site} latest --full --yes -o ids");
        world.run(start).stdout.trim().to_string()
    };
    let (open, ended) = (start("site-0001"), start("site-0002"));
    assert_eq!(world.run(format!("restore watch {ended}")).code, 0);
    let tasks = [
        format!("{open}\tsite-0001.example.com, running"),
        format!("{ended}\tsite-0002.example.com, succeeded"),
    ];
    assert_eq!(described(&world, "restore watch "), tasks);
    let other = "--base-url https://service.example/api/v6 tasks show ";
    assert_eq!(values(&world, other), "");
}

/// Returns the file with the ids of the only service that was listed, in the sandbox or outside.
pub fn cached_ids(world: &World) -> PathBuf {
    let directories = [".local/state/sitectl/sandbox", ".local/state/sitectl"];
    let entries = directories
        .iter()
        .filter_map(|path| std::fs::read_dir(world.path(path)).ok());
    let mut paths = entries.flatten().map(|entry| entry.unwrap().path());
    paths
        .find(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("ids-")
        })
        .unwrap()
}

/// An id can contain a command. Such ids are never completed.
#[test]
fn no_candidate_can_run_a_command() {
    let ids = [
        "com$(touch ran)",
        "bom`touch ran`",
        "eom;touch ran",
        "iom\u{1b}[31m",
        "has-sandbox-token",
        "--yes",
        "plain",
    ];
    let sites = ids.map(|id| json!({"id": id, "url": "a$(touch ran)\u{1b}[2J"}));
    let service = Service::start(move |_| Reply::list("sites", &sites));
    let world = service.world();
    assert_eq!(world.run("sites list --json").code, 0);
    assert_eq!(
        described(&world, "restore start "),
        ["plain\ta$(touch ran)\\u{1b}[2J"]
    );
    let cache = std::fs::read_to_string(cached_ids(&world)).unwrap();
    assert!(
        cache.contains("com$(touch ran)") && !cache.contains("sandbox-token"),
        "{cache}"
    );
    for (begun, found) in [
        ("", "values\nplain \n"),
        ("com\\$", "values\n"),
        ("\"bom`", "values\n"),
    ] {
        let line = format!("sitectl snapshots list {begun}");
        let run = world.run(&["__complete", "bash", &line]);
        assert_eq!(run.stdout, found, "{begun}");
    }
}
