//! Bars of several tasks at a terminal, and what is said beside them: nothing of them is left behind where they were.

use crate::screen::Terminal;
use crate::support::{Server, World};
use regex::Regex;
use std::ops::RangeInclusive;

/// A sandbox that restores in this time and may be asked often, and a world on it that has a plan of these sites.
fn planned(restore_time: &str, sites: RangeInclusive<u32>) -> (Server, World) {
    let (server, world) = Server::start(&["--restore-time", restore_time, "--rate-limit", "6000"]).world_kept();
    let rows: String = sites.map(|site| format!("site-{site:04},latest,yes,yes\n")).collect();
    std::fs::write(world.path("plan.csv"), format!("site_id,snapshot_id,files,database\n{rows}")).unwrap();
    (server, world)
}

/// Starts the plan on a terminal of this size, and waits until this is shown.
fn started(world: &World, (columns, rows): (u16, u16), more: &[&str], shown: &str) -> Terminal {
    let start = ["restore", "start", "--plan", "plan.csv", "--watch", "--yes"];
    let terminal = Terminal::start(world.command(&[&start, more].concat()), columns, rows);
    terminal.wait_for(shown);
    terminal
}

/// What a line may be: of the table of the plan or of the outcomes, of a restore that was started or has ended.
const WHOLE_LINES: [&str; 5] = [
    r"SITE ID +SNAPSHOT ID +TAKEN +RESULT +RESTORES",
    r"site-\d{4} +snap-\d{4}-3 .+ ago +start +files, database",
    r"restoring site-\d{4} from snap-\d{4}-3: task task-[0-9a-f]{16}",
    r"site-\d{4} \(task-[0-9a-f]{16}\): (succeeded 100%|failed 60%) \(\d+s\)",
    r"SITE +OUTCOME +TOOK( +TASK)?|site-\d{4} +(succeeded|failed) +\d+s( +task-[0-9a-f]{16})?",
];

/// Fails where there is a line that is neither like these nor one that is always there: all are whole, and none of a bar
/// is left.
#[track_caller]
fn assert_tidy(terminal: &Terminal, others: &[&str]) {
    let history = terminal.history();
    let known = [&WHOLE_LINES[..], others].concat().join("|");
    let known = Regex::new(&format!("^({known})$")).unwrap();
    let odd: Vec<&str> = history.lines().filter(|line| !known.is_match(line.trim_end())).collect();
    assert!(odd.is_empty(), "{odd:#?} in:\n{history}");
}

/// How many lines there are like this.
fn count(terminal: &Terminal, pattern: &str) -> usize {
    Regex::new(&format!("(?m){pattern}")).unwrap().find_iter(&terminal.history()).count()
}

const FAILED: [&str; 2] =
    [r"error: the restore failed: site-0013 \(.*\)", "hint: see its steps with: sitectl tasks show .*"];

const NARROW: &str = "left out at this width: TASK .*";

#[test]
fn of_more_tasks_than_rows_each_has_its_line_in_the_end() {
    let runs = [(100, 12), (40, 8)].map(|size| {
        let (server, world) = planned("6s", 1..=30);
        let terminal = started(&world, size, &[], "0 of 30 ended");
        (server, world, terminal)
    });
    for (_server, _world, mut terminal) in runs {
        assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
        assert!(!terminal.screen().hide_cursor());
        assert_tidy(&terminal, &[&FAILED[..], &[NARROW]].concat());
        for site in 1..=30 {
            assert_eq!(count(&terminal, &format!(r"^site-{site:04} \(task-.*\): .* \(\d+s\)$")), 1, "{site}");
        }
    }
}

#[test]
fn what_is_said_beside_bars_stays_whole() {
    let runs = [(100, 12), (40, 12)].map(|size| {
        let (server, world) = planned("2s", 12..=15);
        let terminal = started(&world, size, &["-v"], "0 of 4 ended");
        // A journal that cannot be written is warned of, however it went.
        let journal = world.path(".local/state/sitectl/restores.ndjson");
        std::fs::remove_file(&journal).unwrap();
        std::fs::create_dir(&journal).unwrap();
        (server, world, terminal)
    });
    for (_server, _world, mut terminal) in runs {
        assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
        let said =
            [r"warning: .*restores\.ndjson.*: .*", r"(GET|POST) http://.* -> 20[01] \(.*, \d+ of \d+ requests left\)"];
        assert_tidy(&terminal, &[&FAILED[..], &said, &[NARROW]].concat());
        assert_eq!(count(&terminal, "^warning: "), 4, "{}", terminal.history());
        assert!(count(&terminal, "^GET .*/tasks/") >= 4, "{}", terminal.history());
    }
}

#[test]
fn ctrl_c_leaves_no_bar_and_says_how_to_pick_them_up() {
    for (sites, size) in [(1..=4, (100, 12)), (5..=8, (40, 12)), (9..=20, (100, 10))] {
        let several = sites.clone().count();
        let (_server, world) = planned("60s", sites);
        let mut terminal = started(&world, size, &[], &format!("0 of {several} ended"));
        terminal.press("\x03");
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
        assert!(!terminal.screen().hide_cursor());
        let resume = match several {
            4 => r"hint: pick it up again with: sitectl restore watch( task-[0-9a-f]{16}){4}",
            // The journal knows them better than a long line.
            _ => "hint: pick it up again with: sitectl restore watch",
        };
        assert_tidy(&terminal, &["error: interrupted; what was started goes on", resume]);
        assert_eq!(count(&terminal, "^hint: pick it up"), 1);
        let again = world.run(&["restore", "watch", "--timeout", "500ms", "--json"]);
        assert_eq!((again.code, again.json().as_array().unwrap().len()), (11, several), "{}", again.transcript());
    }
}

#[test]
fn keys_that_are_typed_meanwhile_leave_no_trace() {
    let (_server, world) = planned("2s", 1..=3);
    let mut terminal = started(&world, (100, 12), &[], "0 of 3 ended");
    terminal.press("how far is it? \r\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_tidy(&terminal, &[]);
}
