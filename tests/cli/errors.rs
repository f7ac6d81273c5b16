//! Every error shows in one line the failure and its place, and has a hint. Each new error needs a line in these tables.

use crate::common::{Run, Server, World, hinted_commands, regex};
use crate::service::{Reply, Scripted};

/// A command line, its exit code, and the texts in its message, details or hint: the flag, file or position.
type Case = (&'static str, i32, Vec<&'static str>);

/// Returns the cases of a table.
fn cases(table: &'static str) -> Vec<Case> {
    let lines = table.trim().lines();
    lines
        .map(|line| {
            let mut cells = line.split(" | ");
            let (line, code) = (cells.next().unwrap(), cells.next().unwrap());
            (line, code.parse().unwrap(), cells.collect())
        })
        .collect()
}

/// Errors before any request, in a world with the files of `files`.
const LOCAL: &str = r"
clints list | 2 | 'clints' | sitectl clients list
clients lst | 2 | 'lst' | sitectl clients list
clients show | 2 | CLIENT_ID is required | clients list
clients show '' | 2 | CLIENT_ID | empty | variables
clients list --limit 0 | 2 | '--limit <N>' | from 1 to 1000000000
clients list -o xml | 2 | '--output <FORMAT>' | table, json, ndjson, csv, yaml, ids
clients list --request-timeout 5 | 2 | '--request-timeout <DUR>' | 30s
sandbox serve --fault x | 2 | '--fault <KIND:SHARE>' | drop-before
clients list --filter email | 2 | --filter | 'email' | email:contains
clients list --filter emial:contains=x | 2 | --filter | 'emial' | 'email'
clients list --filter email:is=x | 2 | --filter | 'is' | contains
clients list --filter email:contains= | 2 | --filter | 'email' | variables
clients list --sort -created_at | 2 | --sort | as in created_at,desc
clients list --created-since soon | 2 | --created-since | 'soon' | 2026-01-31
clients list --timezone Nowhere/Land | 2 | --timezone | Europe/Berlin
managed-accounts list --role boss | 2 | --role | 'boss' | administrator
api FETCH /x | 2 | 'FETCH' | GET, HEAD, POST
api /../x | 2 | '/../x' | below the base URL
api /x -f c | 2 | --raw-field | 'c' | KEY=VALUE
api /x -F c=ten | 2 | --field | 'ten' | -f
api POST /x -f a[b=c | 2 | -f a[b | name[member] | client[email]
api POST /x -d a=1 | 2 | '-d' | -f KEY=VALUE | --input
api /x --header a:b | 2 | '--header' | headers itself
api POST /x -f a=1 -f a=2 | 2 | -f a | --input -
api /x?page=2 --paginate | 2 | --paginate | 'page'
api POST /x --input gone.json | 2 | gone.json | - for stdin
api POST /x --input notes.doc | 5 | notes.doc | no changes were made
clients list --jq . -o csv | 2 | --jq | --output
clients list --fields emial,note | 2 | --fields | 'emial' | 'email'
restore history --fields sites | 2 | --fields | 'sites' | site_id
restore start site-0001 latest --full --yes --fields task_i | 2 | --fields | 'task_i' | 'task_id'
restore start site-0001 --full | 2 | SNAPSHOT_ID is required | snapshots list site-0001 | latest
restore start site-0001 latest --before 2026-11-20 | 2 | no restore scope | restore start site-0001 latest --before 2026-11-20 --full --dry-run
clients list --fields id,id | 2 | --fields | 'id'
clients list --fields id -o ids | 2 | --fields | -o ids
clients create --first-name A --email a@ | 5 | --email | invalid_format
clients update client-0001 | 2 | --note | --add-site
clients create --first-name A --email a@x.example --fields nope | 2 | --fields | 'nope'
clients update client-0001 --note x --fields nope | 2 | --fields | 'nope'
clients delete client-0001 | 2 | --yes
clients apply gone.csv | 2 | gone.csv | - for stdin
clients apply empty.csv --prune | 5 | empty.csv has no rows | clients delete
clients apply wrong.csv | 5 | wrong.csv line 2, column email | invalid_format
clients apply names.csv | 5 | names.csv, column emial | rename emial to email | unknown_field
clients apply notes.doc | 5 | notes.doc | the first line must name the columns
restore start --full | 2 | SITE | sites list
restore start latest --full | 2 | SITE is required before latest
restore start site-0001 site-0002 latest --full | 2 | 'latest' | restore start --plan FILE
restore start site-0001 latest --yes | 2 | --full | --files
restore start --plan= --full | 2 | name of the file is empty | variables
restore start --full --idempotency-key= | 2 | '--idempotency-key <KEY>' is empty | variables
restore start site-0001 latest --subsite 1 --yes | 2 | --files | --database
restore start site-0001 latest --path= --yes | 2 | --path | value is empty
restore start site-0001 latest --full --files --yes | 2 | --full | --help
restore start site-0001 latest --scope-json {} --subsite 1 --yes | 2 | --scope-json | --help
restore start site-0001 latest --scope-json x --yes | 2 | --scope-json | include_files
restore start site-0001 latest --full | 2 | --yes
restore start --plan gone.csv --yes | 2 | gone.csv | - for stdin
restore start --plan plan.csv --yes | 5 | plan.csv line 2 | column scope | invalid_type
restore history --outcome ok | 2 | --outcome | 'ok' | succeeded
restore history --since soon | 2 | --since | 'soon' | 12h
clients list --profile gone | 2 | --profile | 'gone' | live
clients list --sandbox --profile live | 2 | '--sandbox' | '--profile <NAME>'
clients list --base-url ftp://x --retries 0 | 2 | --base-url | /api/v6
clients list --ca-cert gone.pem --profile live | 2 | gone.pem | PEM
profiles use gone | 2 | 'gone' | use one of: live
auth login --profile live | 2 | --with-token | --token-command
explain unknown_outcom | 2 | 'unknown_outcom' | 'unknown_outcome'
";

/// Errors of the sandbox.
const SANDBOX: &str = r"
clients show client-9999 | 4 | 'client-9999' | clients list
clients show Bob | 4 | 'Bob' | clients list --search Bob
clients show nobody@example.com | 4 | 'nobody@example.com' | clients list --search nobody
clients update client-9999 --note x | 4 | 'client-9999' | clients list
clients update client-0001 --add-site site-9999 | 5 | --add-site | invalid_id
clients delete client-9999 --yes | 4 | 'client-9999' | clients list
managed-accounts show account-9999 | 4 | 'account-9999' | managed-accounts list
tasks show task-9999 | 4 | 'task-9999' | restore history
snapshots list site-9999 | 4 | Site not found | set snapshots in
sites show site-9999 | 4 | 'site-9999' | sites list
restore start https://nowhere.example latest --full --yes | 4 | https://nowhere.example | sites list
restore start good.csv latest --full --yes | 4 | 'good.csv' | restore start --plan good.csv
restore start site-0001 snap-9999 --full --yes | 4 | snap-9999 | snapshots list
restore start site-0001 lates --full --yes | 4 | 'lates' | snapshots list site-0001
restore start site-0002 snap-0002-4 --full --yes | 5 | snap-0002-4 | snapshots list
restore start site-0002 snap-0002-1 --files --subsite 2 --yes | 5 | --subsite
restore watch nowhere.example | 4 | site 'nowhere.example' | sites list
clients show .. | 2 | '..' | -o ids
clients list --page 1 --per-page 5000 | 5 | --per-page | 1 to 100 | -vv
restore start site-0001 latest --full --yes --confirm other | 2 | --confirm | 'other' | auth status
";

/// Errors of a service that responds with a status to every request.
const STATUSES: &str = r"
400 | clients list | 5 | (400) | -vv
401 | clients list | 3 | (401) | SITECTL_TOKEN
403 | clients list | 3 | (403) | owner
404 | clients list | 4 | (404) | base URL
418 | clients list | 8 | 418 | -v
429 | clients list --retries 0 | 7 | (429) | sitectl auth status
400 | api /x | 5 | (400) | -vv
400 | api POST /x --yes | 5 | (400) | -vv
405 | api POST /x --yes | 8 | 405 | does not support the method
409 | api POST /x --yes | 6 | (409) | -vv
502 | api POST /x --yes | 12 | 502 | check the outcome
503 | clients list --retries 0 | 8 | 503 | -v
302 | clients list | 8 | redirect | base URL
409 | restore start s 1 --full --yes | 6 | (409) | restore resume
422 | restore start s 1 --full --yes | 5 | (422) | -vv
502 | restore start s 1 --full --yes | 12 | 502 | explain unknown_outcome
";

/// The request of the restores in these tables.
const RESTORE: &str = "POST /api/v6/sites/s/backups/1/restore";

/// An error without a hint, because each of its problems has one.
const NO_HINT: &str = " problems found";

/// Messages of the service.
const ITS_WORDS: &[&str] = &[
    "Invalid parameters.",
    "Unprocessable entity.",
    "Site not found.",
];

fn files(world: &World) {
    for (name, text) in [
        ("empty.csv", "id,email\n"),
        ("good.csv", "email,first_name\na@example.com,A\n"),
        ("wrong.csv", "email,first_name\nnobody,A\n"),
        ("names.csv", "emial,first_name\na@example.com,A\n"),
        ("notes.doc", "some words\n"),
        (
            "plan.csv",
            "site_id,snapshot_id,scope\nsite-0001,snap-0001-1,perhaps\n",
        ),
    ] {
        std::fs::write(world.path(name), text).unwrap();
    }
}

/// Runs the command, and returns the problems of its error with the transcript.
fn check(world: &World, line: &str, code: i32, names: &[&str]) -> Option<String> {
    let run = world.run(line);
    report(line, &run, problems(&run, code, names))
}

/// Checks as `check` does, and that the commands in the hint that only read succeed. `hints` counts
/// them.
fn check_with_hint(world: &World, case: &Case, hints: &mut usize) -> Option<String> {
    let (line, code, names) = (case.0, case.1, &case.2);
    let run = world.run(line);
    let mut wrong = problems(&run, code, names);
    for words in hinted_commands(&run.stderr) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let reads = |word: &&str| ["list", "show", "status", "history", "explain"].contains(word);
        if words.iter().any(reads) {
            *hints += 1;
            let hinted = world.run(&words);
            if hinted.code != 0 {
                wrong.push(format!("{words:?} fails:\n{}", hinted.transcript()));
            }
        }
    }
    report(line, &run, wrong)
}

fn report(line: &str, run: &Run, wrong: Vec<String>) -> Option<String> {
    (!wrong.is_empty())
        .then(|| format!("sitectl {line}: {}\n{}", wrong.join(", "), run.transcript()))
}

/// Fails if a case is wrong, or fewer hints than `floor` have a command that reads.
#[expect(clippy::print_stderr, reason = "shows the number with --nocapture")]
fn assert_cases(cases: &[Case], floor: usize, world: impl Fn(&str) -> World) {
    let mut hints = 0;
    let mut wrong = Vec::new();
    for case in cases {
        wrong.extend(check_with_hint(&world(case.0), case, &mut hints));
    }
    assert_none(wrong);
    eprintln!("{hints} commands of hints were run");
    assert!(hints >= floor, "{hints} commands of hints were run");
}

fn problems(run: &Run, code: i32, names: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    let messages: Vec<&str> = run
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("error: "))
        .collect();
    let hint = run.stderr.lines().any(|line| line.starts_with("hint: "));
    let [message] = messages[..] else {
        return vec![format!("{} lines are errors", messages.len())];
    };
    if run.code != code {
        wrong.push(format!("exit {} and not {code}", run.code));
    }
    if !hint && !message.contains(NO_HINT) {
        wrong.push("there is no hint".into());
    }
    if message.ends_with('.') && !ITS_WORDS.iter().any(|words| message.ends_with(words)) {
        wrong.push("the message ends with a full stop".into());
    }
    let jargon = regex(
        r"invalid digit|not in \d|unwrap|panick|Some\(|None\b|\{\{|Kind::|serde|hyper|reqwest",
    );
    if jargon.is_match(message) {
        wrong.push("the message contains internal terms".into());
    }
    wrong.extend(
        names
            .iter()
            .filter(|name| !run.stderr.contains(**name))
            .map(|name| format!("{name} is not named")),
    );
    wrong
}

fn assert_none(wrong: Vec<String>) {
    assert!(
        wrong.is_empty(),
        "{} are incorrect:\n\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn errors_before_a_request_show_the_failure_and_a_hint() {
    let world = || {
        let world = World::empty()
            .with_config("[profiles.live]\nbase_url = \"https://service.example/api/v6\"\ntoken = \"abcdefgh\"\n");
        files(&world);
        world
    };
    let has_own_service = |line: &str| {
        ["--profile", "--base-url", "auth ", "profiles "]
            .iter()
            .any(|word| line.contains(word))
    };
    assert_cases(&cases(LOCAL), 12, |line| {
        if has_own_service(line) {
            world()
        } else {
            world().with("SITECTL_SANDBOX", "1")
        }
    });
}

#[test]
fn errors_of_the_sandbox_show_the_failure_and_a_hint() {
    let server = Server::start("--rate-limit 10000");
    assert_cases(&cases(SANDBOX), 12, |_| {
        let world = server.world();
        files(&world);
        world
    });
}

#[test]
fn errors_of_a_status_show_the_failure_and_a_hint() {
    let check = |line: &&'static str| {
        let (status, case) = line.split_once(" | ").unwrap();
        let status: u16 = status.parse().unwrap();
        let (line, code, names) = cases(case).remove(0);
        let request = if line.starts_with("restore") {
            RESTORE
        } else if line.contains(" POST ") {
            "POST"
        } else {
            "GET"
        };
        let requests = if status == 400 && line.contains("list") {
            2
        } else {
            1
        };
        let script = (0..requests)
            .map(|_| (request, Reply::Json(status, "{}".into())))
            .collect();
        let service = Scripted::with_sites(script);
        check(&service.world(), line, code, &names)
    };
    let lines: Vec<&str> = STATUSES.trim().lines().collect();
    assert_none(lines.iter().filter_map(check).collect());
}

#[test]
fn a_page_instead_of_a_response_of_the_api_is_named() {
    let page = "<html><title>Access denied</title></html>";
    let names = ["not from the API", "'Access denied'", "firewall"];
    let restore = "restore start s 1 --full --yes";
    let mut wrong = Vec::new();
    for (status, request, line) in [
        (401, "GET", "clients list"),
        (403, "POST", "api POST /x --yes"),
        (403, RESTORE, restore),
        (404, RESTORE, restore),
        (422, RESTORE, restore),
    ] {
        let service = Scripted::with_sites(vec![(request, Reply::Json(status, page.into()))]);
        let world = service.world();
        let status = status.to_string();
        wrong.extend(check(&world, line, 8, &[&names[..], &[&status]].concat()));
        if line == restore {
            let history = world.run("restore history --jq .[].outcome");
            assert_eq!(history.stdout, "not_sent\n");
        }
    }
    assert_none(wrong);
}

#[test]
fn errors_of_settings_show_the_failure_and_a_hint() {
    let config = |text: &str| World::empty().with_config(text);
    let profiles =
        "[profiles.live]\nbase_url = \"https://service.example/api/v6\"\ntoken = \"abcdefgh\"\n";
    let list = "clients list --retries 0";
    let service =
        |name: &str, value: &str| World::on("https://service.example/api/v6").with(name, value);
    let wrong = [
        check(
            &World::empty(),
            list,
            2,
            &["auth login", "SITECTL_BASE_URL", "--sandbox"],
        ),
        check(
            &World::empty().with("SITECTL_BASE_URL", "https://x.example/api/v6"),
            list,
            3,
            &["auth login"],
        ),
        // The current profile was removed, and another profile exists.
        check(&config(profiles), list, 2, &["profiles use NAME"]),
        check(
            &config("current_profile = \"gone\"\n[profiles.live]\n"),
            list,
            2,
            &["current_profile", "'gone'", "live"],
        ),
        check(
            &config("[profiles.live\n"),
            list,
            2,
            &["config.toml", "line 1, column", "manually"],
        ),
        check(
            &config("colour = 1\n"),
            list,
            2,
            &["config.toml", "line 1, column"],
        ),
        check(
            &service("SITECTL_TOKEN", "two words"),
            list,
            3,
            &["SITECTL_TOKEN", "copy the token again"],
        ),
        check(
            &service("SITECTL_TOKEN", "'quoted'"),
            list,
            3,
            &["SITECTL_TOKEN", "without quotes"],
        ),
        check(
            &service("SITECTL_OUTPUT", "xml"),
            "sites list",
            2,
            &["SITECTL_OUTPUT", "table, json"],
        ),
        check(
            &service("SITECTL_PROFILE", "gone"),
            list,
            2,
            &["SITECTL_PROFILE", "'gone'"],
        ),
        check(
            &service("SITECTL_CONFIG", "/proc"),
            list,
            1,
            &["/proc", "SITECTL_CONFIG"],
        ),
        check(
            &service("SITECTL_BASE_URL", "http://service.example/api/v6"),
            list,
            2,
            &["SITECTL_BASE_URL", "https"],
        ),
        check(
            &service("SITECTL_BASE_URL", "http://127.0.0.1:1/api/v6"),
            list,
            8,
            &["127.0.0.1:1", "-v"],
        ),
        check(
            &service("SITECTL_STATE_DIR", "/dev/null"),
            "restore history",
            1,
            &["journal", "SITECTL_STATE_DIR"],
        ),
    ];
    assert_none(wrong.into_iter().flatten().collect());
}

#[test]
fn errors_are_objects_with_json_output() {
    for (line, kind) in [
        ("clients list --limit 0 --json", "usage"),
        ("clients list --sort emial -o ndjson", "usage"),
        ("clients show client-9999 --json", "not_found"),
        ("clients list --jq .[", "usage"),
        ("clients list --jq .[0]|keys|.a", "error"),
    ] {
        let error = World::sandbox().run(line).error();
        let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "kind",
                "exit_code",
                "status",
                "code",
                "message",
                "details",
                "hints"
            ]
        );
        assert!(
            error["kind"] == kind && error["hints"][0].is_string(),
            "{line}: {error}"
        );
    }
}
