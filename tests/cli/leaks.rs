//! Each command with a few failures, and each failure with a few commands: no output, no file and no process list contains
//! the token.

use crate::common::{Run, World, leaf_commands};
use crate::hostile::{Hostile, Trouble};
use crate::service::{Reply, Scripted, clients};
use clap::CommandFactory;
use std::path::Path;

const TOKEN: &str = "Zq7_Xwk9-Vb3Rt5NpJu8Ld2e4Hs";
/// The length of a part of the token that must not appear.
const PART: usize = 10;

/// Each command with arguments that let it get as far as possible.
const COMMANDS: &[&str] = &[
    "clients list",
    "clients show client-1",
    "clients show a@example.com",
    "clients create --first-name A --email a@example.com",
    "clients update client-1 --note n --add-site site-1",
    "clients delete client-1 client-2 --yes",
    "clients apply clients.csv --yes",
    "managed-accounts list",
    "managed-accounts show account-1",
    "restore start site-1 snap-1 --full --yes --force --reason r",
    "restore start site-1 latest --full --yes --force",
    "restore start --plan plan.csv --yes",
    "restore undo site-1 --yes",
    "restore resume --yes",
    "restore watch task-1 --timeout 1s",
    "restore history",
    "tasks list",
    "tasks show task-1",
    "tasks cancel task-1 --yes",
    "sites list",
    "sites show site-1",
    "sites check",
    "snapshots list site-1",
    "snapshots files site-1 snap-1",
    "snapshots tables site-1 snap-1",
    "auth login --with-token",
    "auth status",
    "auth logout",
    "profiles list",
    "profiles use live",
    "profiles remove live --yes",
    "sandbox reset",
    "completions bash",
    "api /clients -i",
    "api /clients --paginate -f x=y",
    "api HEAD /clients -i",
    "api POST /clients -f client[email]=a@example.com -i --yes",
    "api DELETE /clients/client-1 --dry-run",
    "explain unknown_outcome",
];

/// Serves until it is interrupted, so that it is not tested.
const ENDLESS: &str = "sandbox serve";

/// The output options, in turn.
const SHAPES: &[&str] = &[
    "-vv",
    "-vv --json",
    "-v -o ndjson",
    "-vv -o csv --color always",
];

#[test]
fn every_command_is_tested() {
    let mut leaves: Vec<String> = leaf_commands().into_iter().map(|(name, _)| name).collect();
    leaves.retain(|leaf| leaf != ENDLESS);
    for line in COMMANDS {
        let words = shlex::split(&format!("sitectl {line}")).unwrap();
        let parsed = sitectl::cli::Cli::command().try_get_matches_from(words);
        assert!(parsed.is_ok(), "{line} sends nothing: {parsed:?}");
        leaves.retain(|leaf| !format!("{line} ").starts_with(&format!("{leaf} ")));
    }
    assert!(
        leaves.is_empty(),
        "tests/cli/leaks.rs: COMMANDS lacks {leaves:?}"
    );
}

/// Returns every fifth command; the number selects the first.
fn some_commands(number: usize) -> impl Iterator<Item = (usize, &'static &'static str)> {
    COMMANDS
        .iter()
        .enumerate()
        .filter(move |(place, _)| (place + number).is_multiple_of(5))
}

#[test]
fn no_response_reveals_the_token() {
    let (mut runs, mut failed) = (0, 0);
    for (number, trouble) in Trouble::all().into_iter().enumerate() {
        let hostile = Hostile::start(TOKEN, trouble);
        for (place, args) in some_commands(number) {
            let world = world(&hostile.base_url);
            let run = run(&world, args, SHAPES[(number + place) % SHAPES.len()]);
            (runs, failed) = (runs + 1, failed + usize::from(run.code != 0));
            check(&world, &run, &format!("{args:?} on {trouble:?}"));
        }
        assert!(
            hostile.asked() > 0 && !hostile.saw_token_in_process_list(),
            "{trouble:?}"
        );
    }
    // Most runs fail if the service is hostile.
    assert!(failed * 2 > runs);
}

/// A world in which only the service fails.
fn world(base_url: &str) -> World {
    let world = World::empty()
        .with("SITECTL_BASE_URL", base_url)
        .with("SITECTL_TOKEN", TOKEN);
    std::fs::write(
        world.path("clients.csv"),
        "email,first_name\na@example.com,A\nb@example.com,B\n",
    )
    .unwrap();
    std::fs::write(
        world.path("plan.csv"),
        "site_id,snapshot_id,scope\nsite-1,snap-1,\"{\"\"include_files\"\":true}\"\nsite-2,snap-2,\"{\"\"include_files\"\":true}\"\n",
    )
    .unwrap();
    world
}

fn run(world: &World, line: &str, shape: &str) -> Run {
    let line = format!("{line} {shape} --retries 0 --request-timeout 300ms");
    world.run_with(line, &format!("{TOKEN}\n"))
}

/// Checks that no output and no file contains the token, except the config file.
fn check(world: &World, run: &Run, what: &str) {
    // A record of the service is data and is printed unchanged.
    let is_record = run.code == 0 || what.contains("watch") || run.stderr.contains("not_kept");
    let stdout = if is_record { "" } else { &run.stdout };
    for (name, text) in [("stdout", stdout), ("stderr", &run.stderr)] {
        assert!(
            !contains_token(text),
            "{what}: {name}\n{}",
            run.transcript()
        );
    }
    each_file(&world.path(""), &mut |path| {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let private = path.file_name().is_some_and(|name| name == "config.toml");
        assert!(
            private || !contains_token(&text),
            "{what}: {}\n{text}",
            path.display()
        );
    });
}

fn each_file(directory: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => each_file(&entry.path(), visit),
            kind if kind.is_file() => visit(&entry.path()),
            _ => {}
        }
    }
}

/// Whether a text contains the token or a long part of it.
fn contains_token(text: &str) -> bool {
    let mut parts = TOKEN.as_bytes().windows(PART);
    parts.any(|part| text.contains(str::from_utf8(part).unwrap()))
}

/// The place of the token, and the failure.
type Plight = (&'static str, fn(World, &str) -> World);

fn with_config(world: World, text: &str) -> World {
    let path = world.path("config.toml");
    std::fs::write(&path, text).unwrap();
    world
        .with("SITECTL_CONFIG", path.to_str().unwrap())
        .with("SITECTL_BASE_URL", "")
        .with("SITECTL_TOKEN", "")
}

/// A profile with these lines and the service's address.
fn with_profile(world: World, base_url: &str, lines: &str) -> World {
    with_config(
        world,
        &format!(
            "current_profile = \"live\"\n[profiles.live]\nbase_url = \"{base_url}\"\n{lines}\n"
        ),
    )
}

const PLIGHTS: &[Plight] = &[
    ("in the address", |world, _| {
        world.with(
            "SITECTL_BASE_URL",
            &format!("https://u:{TOKEN}@127.0.0.1:1/api/v6"),
        )
    }),
    ("in the query", |world, _| {
        world.with(
            "SITECTL_BASE_URL",
            &format!("https://127.0.0.1:1/api/v6?token={TOKEN}"),
        )
    }),
    ("a proxy's password", |world, _| {
        let world = world.with("SITECTL_BASE_URL", "https://service.example/api/v6");
        world.with("HTTPS_PROXY", "http://user:Zq7XwkVbRtNpJuLdHs@127.0.0.1:1")
    }),
    ("not quoted", |world, url| {
        with_profile(world, url, &format!("token = {TOKEN}"))
    }),
];

#[test]
fn the_plan_of_an_import_never_contains_the_token() {
    let client = r#"{"id":"c1","email":"a@example.com","first_name":"A","note":"n"}"#;
    let service = Scripted::new(vec![("GET", clients(&[client]))]);
    let world = world(&service.base_url);
    let rows = serde_json::json!([{"id": "c1", "note": TOKEN}]);
    std::fs::write(world.path("clients.json"), rows.to_string()).unwrap();
    let run = world.run("clients apply clients.json --dry-run");
    run.assert_stdout(0, predicates::str::contains("→ \"***\""));
    assert!(!contains_token(&run.stdout), "{}", run.transcript());
}

#[test]
fn no_source_of_the_token_reveals_it() {
    let hostile = Hostile::start(TOKEN, Trouble::Status(401));
    for (number, (plight, make)) in PLIGHTS.iter().enumerate() {
        for (place, args) in some_commands(number) {
            let world = make(world(&hostile.base_url), &hostile.base_url);
            let run = run(&world, args, SHAPES[(number + place) % SHAPES.len()]);
            assert_ne!(run.transcript(), "exit 0\n", "{args:?}, the token {plight}");
            check(&world, &run, &format!("{args:?}, the token {plight}"));
        }
    }
    assert!(!hostile.saw_token_in_process_list());
}

#[test]
fn the_journal_never_contains_the_token() {
    let restore = "POST /api/v6/sites/site-0001/backups/snap-0001-1/restore";
    let start = "restore start site-0001 snap-0001-1 --yes";
    for (task, code) in [
        (r#"{"id":"sandbox-token"}"#, 12),
        (
            r#"{"id":"t1","status":"failed","error":"no sandbox-token"}"#,
            10,
        ),
    ] {
        let reply = Reply::Json(201, format!(r#"{{"task":{task}}}"#));
        let service = Scripted::with_sites(vec![(restore, reply)]);
        let world = service.world();
        let world = world.with("CI_JOB_URL", "https://ci/sandbox-token/7");
        let scope =
            format!(r#"{start} --scope-json '{{"include_files":true,"paths":["sandbox-token"]}}'"#);
        assert_eq!((world.run(scope).code, world.journal()), (5, String::new()));
        let start = format!("{start} --full --reason 'with sandbox-token'");
        assert_eq!(world.run(start).code, code);
        let journal = world.journal();
        assert!(
            journal.contains("snap-0001-1") && !journal.contains("sandbox-token"),
            "{journal}"
        );
    }
}
