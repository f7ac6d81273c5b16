//! Compares the times of commands on Linux, as whole processes:
//!
//!     cargo benches           all; rewrites the figures and the picture of docs/performance.md
//!     cargo benches journal   those whose name contains `journal`, without writing
//!
//! Each run also prints the peak memory of a list of 100,000 clients.

mod ratio;
mod service;
mod user;

use criterion::{AxisScale, BenchmarkId, Criterion, PlotConfiguration, PlottingBackend};
use ratio::{Ratio, compare};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use user::{HOME, User};

/// The directory of Criterion's reports and of the user's home directory.
const FILES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/benches");
const SIZES: [usize; 4] = [1, 60, 1000, 10_000];
/// The plans in the long journal.
const PLANS: usize = 200;

const CURL: &str = r#"curl "$SITECTL_BASE_URL/clients?page=[1-$PAGES]&perPage=100""#;
const JQ: &str =
    r#"curl "$SITECTL_BASE_URL/clients?page=[1-$PAGES]&perPage=100" | jq -c '.clients[]'"#;
/// Names and commands that print all clients.
const LISTS: [(&str, &str); 5] = [
    ("curl and jq", JQ),
    ("Python requests", "python3 list.py"),
    ("sitectl -o json", "sitectl clients list -o json"),
    ("sitectl -o csv", "sitectl clients list -o csv"),
    ("sitectl -o table", "sitectl clients list -o table"),
];
const LIMITED: &str = "sitectl clients list -o json --limit 9999";
/// Reads the snapshots of the sites in the plan.
const SNAPSHOTS: &str =
    r#"xargs -P 4 -I ID curl "$SITECTL_BASE_URL/sites/ID/snapshots" < plan.txt"#;
const PLAN: &str = "sitectl restore start --plan plan.txt --full --dry-run";
const START: &str = "sitectl restore start --plan plan.txt --full --yes";
const APPLY: &str = "sitectl clients apply clients.csv --dry-run";
const CREATE: &str = "sitectl clients apply clients.csv --yes";

fn main() {
    prepare();
    let mut criterion = Criterion::default()
        .with_measurement(Ratio)
        .plotting_backend(PlottingBackend::Plotters)
        .output_directory(FILES.as_ref())
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(2))
        .nresamples(1000)
        .configure_from_args();
    let users = SIZES.map(User::new);
    let lists = compare_lists(&mut criterion, &users);
    let others = compare_others(&mut criterion, users);
    let memory = User::new(100_000).peak_memory("sitectl clients list -o json");
    println!("peak memory, 100,000 clients as JSON: {memory:.1} MiB; goal: less than 26 MiB");
    // If the arguments exclude a benchmark, or the measurements, the page stays.
    let picture = fs::read_to_string(Path::new(FILES).join("lists/report/lines.svg"));
    if let (Some(lists), Some(others), Ok(picture)) = (lists, others, picture) {
        write(&lists, &others, memory, &picture);
    }
}

/// Builds the program, and writes the files that commands read.
fn prepare() {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--package", "sitectl"]);
    // If they differed from those of other builds, build scripts would run again.
    let differ =
        |name: &String| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for name in std::env::vars().map(|(name, _)| name).filter(differ) {
        build.env_remove(name);
    }
    assert!(build.status().unwrap().success());
    let _ = fs::remove_dir_all(FILES);
    fs::create_dir_all(HOME).unwrap();
    let lines = |count, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let clients = lines(1000, |number| format!("new{number}@example.com,Ada\n"));
    for (name, content) in [
        (".curlrc", "silent\nfail\noauth2-bearer = token\n"),
        ("list.py", include_str!("list.py")),
        (
            "plan.txt",
            &lines(service::SITES, |site| format!("site-{site}\n")),
        ),
        ("clients.csv", &format!("email,first_name\n{clients}")),
    ] {
        fs::write(Path::new(HOME).join(name), content).unwrap();
    }
}

/// Returns the rows of the table of lists; none if a benchmark was excluded.
fn compare_lists(criterion: &mut Criterion<Ratio>, users: &[User]) -> Option<String> {
    let mut group = criterion.benchmark_group("lists");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    let mut rows = Vec::new();
    for (name, script) in LISTS {
        if !users.iter().all(|user| user.is_complete(script)) {
            assert!(
                !name.starts_with("sitectl"),
                "{name} does not print all clients"
            );
            println!("skipped, because a program is missing: {name}");
            continue;
        }
        rows.push(Some(format!("| {name} |")));
        rows.extend(users.iter().map(|user| {
            let id = BenchmarkId::new(name, user.clients);
            let ratio = compare(&mut group, id, || user.time(script), || user.time(CURL))?;
            Some(format!(" {ratio:.1} |"))
        }));
        rows.push(Some("\n".into()));
    }
    group.finish();
    rows.into_iter().collect()
}

/// Returns the rows of the table of other commands; none if a benchmark was excluded.
fn compare_others(criterion: &mut Criterion<Ratio>, users: [User; 4]) -> Option<String> {
    let [_, _, user, large] = &users;
    let veteran = User {
        journal: journal(user),
        ..user.clone()
    };
    let json = LISTS[2].1;
    let cases = [
        (
            user,
            "`sitectl --version`",
            "sitectl --version",
            user,
            "`curl --version`",
            "curl --version",
        ),
        (
            user,
            "`sitectl --help`",
            "sitectl --help",
            user,
            "`curl --help`",
            "curl --help",
        ),
        (
            large,
            "10,000 clients as JSON",
            json,
            large,
            "`--limit 9999`",
            LIMITED,
        ),
        (
            user,
            "Dry run of a plan, 100 sites",
            PLAN,
            user,
            "`xargs -P 4 curl`",
            SNAPSHOTS,
        ),
        (
            &veteran,
            "Dry run of a plan, journal of 20,000 restores",
            PLAN,
            user,
            "empty journal",
            PLAN,
        ),
        (
            &veteran,
            "Plan, journal of 20,000 restores",
            START,
            user,
            "empty journal",
            START,
        ),
        (
            user,
            "Dry run of `clients apply`, 1,000 rows",
            APPLY,
            user,
            "1,000 clients as JSON",
            json,
        ),
        (
            user,
            "`clients apply`, 1,000 rows",
            CREATE,
            user,
            "dry run",
            APPLY,
        ),
    ];
    let mut group = criterion.benchmark_group("others");
    let rows = cases.map(|(user, name, script, other, other_name, other_script)| {
        let id = BenchmarkId::from_parameter(name);
        let second = || other.time(other_script);
        let ratio = compare(&mut group, id, || user.time(script), second)?;
        Some(format!("| {name} | {other_name} | {ratio:.2} |\n"))
    });
    rows.into_iter().collect()
}

/// Returns a journal with 20,000 earlier restores of other sites.
fn journal(user: &User) -> String {
    user.time(START);
    let journal = fs::read_to_string(User::journal_path()).unwrap();
    let id = journal
        .split('"')
        .find(|text| text.starts_with("20"))
        .unwrap();
    let plan = |number: usize| {
        let journal = journal.replace(id, &format!("20250101-{number:06}"));
        journal.replace("site-", &format!("old-{number}-"))
    };
    (0..PLANS).map(plan).collect()
}

/// Writes the figures and the picture of the page.
fn write(lists: &str, others: &str, memory: f64, picture: &str) {
    const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->"];
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let picture = picture
        // Without a background, the labels cannot be read on a dark page.
        .replacen(
            '>',
            ">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            1,
        )
        .replace(
            "lists: Comparison",
            "Time of complete lists, relative to curl",
        )
        .replace("Input", "Clients")
        // Yellow cannot be seen on white.
        .replace("#FFD700", "#B8860B");
    fs::write(docs.join("performance.svg"), picture).unwrap();
    let page = docs.join("performance.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    let [start, end] = MARKS;
    let text = format!(
        "{before}{start}
![Plot of the first table, with logarithmic axes](performance.svg)

| complete list, time / time of `curl` | 1 client | 60 | 1,000 | 10,000 |
| --- | --- | --- | --- | --- |
{lists}
| command | compared with | time / time |
| --- | --- | --- |
{others}
The peak memory of `sitectl clients list -o json` with 100,000 clients is {memory:.0} MiB.

{end}{after}"
    );
    fs::write(page, text).unwrap();
}
