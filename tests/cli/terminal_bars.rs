//! Tests of the bars of several tasks, which leave nothing behind.

use crate::common::{Server, World};
use crate::screen::Terminal;
use regex::Regex;
use std::ops::RangeInclusive;

/// Returns a sandbox with this restore time and a high rate limit, and a world with a plan of these sites.
fn planned(restore_time: &str, sites: RangeInclusive<u32>) -> (Server, World) {
    let (server, world) =
        Server::start(&["--restore-time", restore_time, "--rate-limit", "6000"]).world_kept();
    let rows: String = sites
        .map(|site| format!("site-{site:04},latest\n"))
        .collect();
    std::fs::write(
        world.path("plan.csv"),
        format!("site_id,snapshot_id\n{rows}"),
    )
    .unwrap();
    (server, world)
}

/// Starts the plan on a terminal of this size, and waits for this text.
fn started(world: &World, (columns, rows): (u16, u16), more: &[&str], shown: &str) -> Terminal {
    let start = "restore start --plan plan.csv --full --watch --yes".split(' ');
    let start: Vec<&str> = start.collect();
    let terminal = Terminal::start(world.command(&[&start, more].concat()), columns, rows);
    terminal.wait_for(shown);
    terminal
}

/// The lines of a tidy screen: of the plan, of the results, of a started or a finished restore.
const WHOLE_LINES: [&str; 5] = [
    r"SITE +TAKEN( +[A-Z]+)*",
    r"site-\d{4}\.example\.com +20\S+ \d\d:\d\d(  .*)?",
    r"restoring site-\d{4}\.example\.com from snap-\d{4}-\d: task task-[0-9a-f]{16}",
    r"site-\d{4}\.example\.com \(task-[0-9a-f]{16}\): (succeeded 100%|failed 60%: .*) \(\d+s\)",
    r"SITE +OUTCOME( +[A-Z]+)*|site-\d{4}\.example\.com +(succeeded|failed|running)( .*)?",
];

/// Fails if a line matches none of these and none of the usual lines, such as the rest of a bar. On a
/// narrow terminal, lines are broken between words.
#[track_caller]
fn assert_tidy(terminal: &Terminal, others: &[&str]) {
    let history = terminal.history();
    if terminal.screen().size().1.get() < 100 {
        return;
    }
    let known = [&WHOLE_LINES[..], others].concat().join("|");
    let known = Regex::new(&format!("^({known})$")).unwrap();
    let odd: Vec<&str> = history
        .lines()
        .filter(|line| !known.is_match(line.trim_end()))
        .collect();
    assert!(odd.is_empty(), "{odd:#?} in:\n{history}");
}

/// Counts the matching lines.
fn count(terminal: &Terminal, pattern: &str) -> usize {
    Regex::new(&format!("(?m){pattern}"))
        .unwrap()
        .find_iter(&terminal.history())
        .count()
}

const FAILED: [&str; 2] = [
    r"error: 1 of \d+ restores failed|  site-0013\.example\.com \(.*\): failed: The site's disk is full; .* \(restore_failed\)",
    r"hint: restore again what failed: sitectl restore history --run .* --outcome failed,rejected -o csv \| sitectl restore start --plan -",
];

const NARROW: &str = "hidden at this width: .*";

#[test]
fn each_finished_restore_leaves_one_line_also_if_the_screen_is_full() {
    let runs = [(180, 12), (40, 8)].map(|size| {
        let (server, world) = planned("6s", 1..=30);
        let terminal = started(&world, size, &[], " of 30 finished");
        // Typed keys must not leave a trace.
        terminal.press("how far is it? \r\r");
        (server, world, terminal)
    });
    for (_server, _world, mut terminal) in runs {
        assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
        assert!(!terminal.screen().hide_cursor());
        assert_tidy(&terminal, &[&FAILED[..], &[NARROW]].concat());
        for site in 1..=30 {
            assert_eq!(
                count(
                    &terminal,
                    &format!(
                        r"^site-{site:04}\.example\.com\s\(task-\w+\):\s(succeeded|failed)\s\d+%"
                    )
                ),
                1,
                "{site}"
            );
        }
    }
}

#[test]
fn messages_between_bars_stay_complete() {
    let runs = [(180, 12), (40, 12)].map(|size| {
        let (server, world) = planned("2s", 12..=15);
        let terminal = started(&world, size, &["-v"], " of 4 finished");
        (server, world, terminal)
    });
    for (_server, _world, mut terminal) in runs {
        assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
        let said = [r"(GET|POST) http://.* -> 20[01] \(.* requests left, .*\)"];
        assert_tidy(&terminal, &[&FAILED[..], &said, &[NARROW]].concat());
        assert!(
            count(&terminal, "^GET .*/tasks/") >= 4,
            "{}",
            terminal.history()
        );
    }
}
