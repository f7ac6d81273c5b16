//! The numbers in documents are those of the program. A sentence with a new number gets a line in `SENTENCES`.

use crate::common::{Server, World};
use crate::lists::COUNTS;
use crate::tables::default_table;
use regex::{Captures, Regex};
use std::path::Path;

/// Sentences of documents by their file, with a name in braces for each number.
const SENTENCES: &str = "\
README.md: API, version {api}.
README.md: which has {sites} sites and {clients} clients
ARCHITECTURE.md: up to {pages} pages at a time
ARCHITECTURE.md: After {passes} passes
ARCHITECTURE.md: leave the last {reserve} requests
CHANGELOG.md: up to {pages} pages of a list
CHANGELOG.md: leave {reserve} requests of each window
CHANGELOG.md: a run of the last {recent} hours
CHANGELOG.md: {log_minutes} line per minute
CONTRIBUTING.md: random commands for {soak} minutes
CONTRIBUTING.md: for {soak} minutes per test
docs/ci.md: {log_minutes} line per minute
docs/ci.md: more than {silence} seconds for the rate limit
docs/compatibility.md: API, version {api}.
docs/compatibility.md: Requests up to {per_page} records
docs/import.md: more than {changes} changes
docs/import.md: first {errors} errors
docs/import.md: {unreachable} requests in a row without a valid response
docs/install.md: Rust {rust} or newer
docs/performance.md: requests pages of {per_page} records
docs/performance.md: requests up to {pages} pages at a time
docs/performance.md: allows {rate_limit} requests per minute
docs/performance.md: leave {reserve} requests of each window
docs/reliability.md: up to {passes} times in total
docs/reliability.md: takes at most {longest_wait} minutes
docs/reliability.md: leave the last {reserve} requests
docs/reliability.md: {unreachable} requests in a row without a valid response
docs/reliability.md: {soak} minutes in `cargo soak`
docs/restores.md: `--timeout` ({timeout} hours by default)
docs/restores.md: sent at least {recent} hours ago
docs/restores.md: if it is at most {recent} hours old
docs/restores.md: that a run of the last {recent} hours
docs/restores.md: older than {recent} hours
docs/sandbox.md: | {clients} clients | {client_ids} |
docs/sandbox.md: | {accounts} managed accounts | {account_ids} |
docs/sandbox.md: | {sites} sites | {site_ids}, with
docs/sandbox.md: | {multisite_ids} | multisites |
docs/sandbox.md: | {snapshots} snapshots per site |
docs/sandbox.md: `snap-0001-1` (oldest) to `snap-0001-{snapshots}` (newest)
docs/sandbox.md: after about {restore_time} seconds
docs/sandbox.md: a second account, with {other_site_ids}
src/commands/explain/pages.txt: A run of the last {recent} hours
src/commands/explain/pages.txt: limit is {rate_limit} requests per minute
src/commands/explain/pages.txt: --request-timeout ({request_timeout}s)
src/commands/explain/pages.txt: After {unreachable} requests in a row
src/commands/explain/pages.txt: (default {timeout}h)
src/commands/explain/pages.txt: limits are {name_length} characters for names
src/commands/explain/pages.txt: {address_length} for the address and {note_length} for the note
";

/// The names of numbers, a divisor, and where the number is: in which file, after which text.
const CONSTANTS: &str = "\
address_length 1 src/resources/service.rs \"Postal address\", MaxChars(
api 1 src/cli.rs \" (API
changes 1 src/commands/clients/show.rs MAX_SHOWN: usize =
errors 1 src/terminal/errors.rs MAX_SHOWN: usize =
log_minutes 60 src/terminal/progress.rs LOG_INTERVAL: Duration = Duration::from_secs(
longest_wait 60 src/client/rate_limit.rs LONGEST_WAIT: Duration = Duration::from_secs(
name_length 1 src/resources/service.rs \"First name\", MaxChars(
note_length 1 src/resources/service.rs \"Note\", MaxChars(
pages 1 src/client/pages.rs MAX_REQUESTS_IN_FLIGHT: usize =
passes 1 src/client/reading.rs MAX_PASSES: u8 =
per_page 1 src/client/pages.rs DEFAULT_PER_PAGE: u32 =
recent 3600 src/journal/run.rs RECENT: Duration = Duration::from_secs(
reserve 1 src/client/rate_limit.rs BULK_RESERVE: u64 =
silence 1 src/terminal/trace.rs self.stderr_terminal { 1 } else {
soak 1 .cargo/config.toml SITECTL_SOAK='
unreachable 1 src/commands/clients/apply/execute.rs max_unanswered:
";

/// Returns the text of a file of the repository with single spaces, and with numbers as digits.
fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let number = |found: &Captures| {
        let index = words.iter().position(|word| *word == &found[0]).unwrap();
        (index + 1).to_string()
    };
    let word = Regex::new(&format!(r"\b({})\b", words.join("|"))).unwrap();
    word.replace_all(&text, number).into_owned()
}

/// Returns the number, or the product of numbers, that follows this text in a file.
fn number_after(file: &str, before: &str) -> u64 {
    let before_number = regex::escape(before);
    let number = Regex::new(&format!(r"{before_number} ?([0-9]+(?: \* [0-9]+)*)")).unwrap();
    let text = text(file);
    let found = number
        .captures(&text)
        .unwrap_or_else(|| panic!("{file} has no number after '{before}'"));
    let factors = found[1].split(" * ");
    factors
        .map(|factor| factor.parse::<u64>().unwrap())
        .product()
}

/// Returns the default of an option, without its unit.
fn default_of(option: &str) -> String {
    let start = format!("| `--{option}` | ");
    let table = default_table();
    let row = table.lines().find_map(|line| line.strip_prefix(&start));
    let digits = row.unwrap().split(|c: char| !c.is_ascii_digit());
    digits.take(1).collect()
}

/// Returns the smallest and the greatest id of a list, as in documents. `filter` selects records.
fn ids(world: &World, list: &str, filter: &str) -> String {
    let jq = format!(r#"map(select({filter}).id) | "`\(min)` to `\(max)`""#);
    let run = world.run(&[list.split(' ').collect(), vec!["--jq", &jq]].concat());
    assert_eq!(run.code, 0, "{}", run.transcript());
    run.stdout.trim().into()
}

/// Returns the limits and defaults of the program by their names.
fn limits() -> Vec<(&'static str, String)> {
    let mut limits = vec![
        ("rate_limit", default_of("rate-limit")),
        ("request_timeout", default_of("request-timeout")),
        ("restore_time", default_of("restore-time")),
        ("rust", env!("CARGO_PKG_RUST_VERSION").into()),
        ("timeout", default_of("timeout")),
    ];
    for line in CONSTANTS.lines() {
        let [name, divisor, file, before] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let divisor: u64 = divisor.parse().unwrap();
        let number = number_after(file, before);
        assert_eq!(number % divisor, 0, "{line}");
        limits.push((name, (number / divisor).to_string()));
    }
    limits
}

/// Returns the counts and ids of the sandbox by their names.
fn initial_data() -> Vec<(&'static str, String)> {
    let server = Server::start("");
    let world = server.world();
    let other = server.world().with("SITECTL_TOKEN", "sandbox-other-token");
    let [clients, accounts, sites, snapshots, ..] = COUNTS.map(|(_, count)| count.to_string());
    vec![
        ("clients", clients),
        ("client_ids", ids(&world, "clients list", "true")),
        ("accounts", accounts),
        ("account_ids", ids(&world, "managed-accounts list", "true")),
        ("sites", sites),
        ("site_ids", ids(&world, "sites list", "true")),
        ("multisite_ids", ids(&world, "sites list", ".multisite")),
        ("other_site_ids", ids(&other, "sites list", "true")),
        ("snapshots", snapshots),
    ]
}

#[test]
fn numbers_in_documents_are_those_of_the_program() {
    let numbers = [limits(), initial_data()].concat();
    let mut missing = Vec::new();
    for line in SENTENCES.lines() {
        let mut line = line.to_string();
        for (name, number) in &numbers {
            line = line.replace(&format!("{{{name}}}"), number);
        }
        let (file, sentence) = line.split_once(": ").unwrap();
        if !text(file).contains(sentence) {
            missing.push(line);
        }
    }
    assert!(missing.is_empty(), "not in the documents: {missing:#?}");
}
