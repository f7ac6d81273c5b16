//! A plan of restores at a terminal: the table, the question, the bars, and what is left of them.

use crate::screen::Terminal;
use crate::support::{Server, World};
use crate::terminal_restore::assert_nothing_was_sent;
use regex::Regex;
use snapbox::{assert_data_eq, str};

/// A terminal as they often are, and a small one.
const SIZES: [(u16, u16); 2] = [(80, 24), (40, 12)];

const PLAN: &str = "site_id,snapshot_id,files,database,paths,tables\n\
                    site-0010,latest,yes,yes,,\n\
                    site-0011,snap-0011-2,,,wp-content/themes;wp-content/plugins,\n\
                    site-0012,latest,,,,wp_posts;wp_options\n\
                    site-0013,latest,yes,yes,,\n";

const START: [&str; 5] = ["restore", "start", "--plan", "plan.csv", "--watch"];

/// A sandbox that restores in this time and may be asked often, and a world on it that has the plan.
fn planned(restore_time: &str) -> (Server, World) {
    let (server, world) = Server::start(&["--restore-time", restore_time, "--rate-limit", "6000"]).world_kept();
    std::fs::write(world.path("plan.csv"), PLAN).unwrap();
    (server, world)
}

/// A terminal on which the number of sites is asked for.
fn asked(world: &World, (columns, rows): (u16, u16)) -> Terminal {
    let terminal = Terminal::start(world.command(&START), columns, rows);
    terminal.wait_for("to go on");
    terminal
}

/// All that the terminal has shown, with what differs from run to run replaced by its name, and columns close together.
/// On a narrow one the question stands above its prompt.
fn shown(terminal: &Terminal) -> String {
    let text = crate::screen::settled(&format!("{}\n", terminal.history())).replace("?\n(type", "? (type");
    Regex::new("(\\S)  +").unwrap().replace_all(&text, "$1  ").into_owned()
}

#[test]
fn the_whole_plan_is_shown_before_the_number_of_sites_is_asked_for() {
    let (_server, world) = planned("1s");
    for size in SIZES {
        assert_data_eq!(
            shown(&asked(&world, size)),
            str![[r#"
SITE ID  SNAPSHOT ID  TAKEN  PLAN  RESTORES
site-0010  snap-0010-3  AGE ago  start  all files and all database tables
site-0011  snap-0011-2  AGE ago  start  files wp-content/themes, wp-content/plugins
site-0012  snap-0012-3  AGE ago  start  database tables wp_posts, wp_options
site-0013  snap-0013-3  AGE ago  start  all files and all database tables
warning: this overwrites 4 live sites on http://127.0.0.1:PORT/api/v6
  everything that changed there since the snapshots were taken is lost
Restore 4 sites (http://127.0.0.1:PORT/api/v6)? (type 4 to go on): 

"#]]
        );
    }
}

#[test]
fn another_number_starts_nothing() {
    let (server, world) = planned("60s");
    for typed in ["", "3", "40", "yes", "four", "site-0010"] {
        let mut terminal = asked(&world, SIZES[0]);
        terminal.press(&format!("{typed}\r"));
        assert_eq!(terminal.exit_code(), 1, "{typed}: {}", terminal.text());
        terminal.assert_shows("error: not confirmed; nothing was changed$");
    }
    for typed in ["\x03", "4\x03"] {
        let mut terminal = asked(&world, SIZES[0]);
        terminal.press(typed);
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
        terminal.assert_shows("error: interrupted; nothing was changed$");
        assert!(!terminal.screen().hide_cursor());
    }
    assert_nothing_was_sent(&server, &world);
}

/// Starts the plan on a terminal of this size, and gives what is left there in the end, from the question on.
fn watched(size: (u16, u16)) -> String {
    let (_server, world) = planned("3s");
    let mut terminal = asked(&world, size);
    terminal.press("4\r");
    let total = Regex::new("\n[━╸─]+ 0 of 4 ended").unwrap();
    terminal.wait_until("a bar of each, and the total", |text| {
        let bars = text.lines().filter(|line| line.starts_with("site-") && line.contains('─'));
        bars.count() == 4 && total.is_match(text)
    });
    terminal.wait_for("1 of 4 ended, 1 failed");
    assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
    assert!(!terminal.screen().hide_cursor());
    let mut lines: Vec<String> = shown(&terminal).lines().map(String::from).collect();
    // In which order they are seen to have ended is left to chance.
    let is_of_a_task = |line: &String| line.starts_with("site-") && line.contains("): ");
    let first = lines.iter().position(is_of_a_task).unwrap();
    let last = lines.iter().rposition(is_of_a_task).unwrap();
    lines[first..=last].sort();
    let question = lines.iter().position(|line| line.contains("to go on")).unwrap();
    format!("{}\n", lines[question..].join("\n"))
}

#[test]
fn bars_and_a_total_go_to_the_end_and_leave_a_line_of_each() {
    assert_data_eq!(
        watched(SIZES[0]),
        str![[r#"
Restore 4 sites (http://127.0.0.1:PORT/api/v6)? (type 4 to go on): 4
restoring site-0010 from snap-0010-3: task task-ID
restoring site-0011 from snap-0011-2: task task-ID
restoring site-0012 from snap-0012-3: task task-ID
restoring site-0013 from snap-0013-3: task task-ID
site-0010 (task-ID): succeeded 100% (ELAPSED)
site-0011 (task-ID): succeeded 100% (ELAPSED)
site-0012 (task-ID): succeeded 100% (ELAPSED)
site-0013 (task-ID): failed (restore_database, 2 of 4 done) 60% (ELAPSED)
TASK ID  SITE ID  OUTCOME  STATUS  PROGRESS
task-ID  site-0010  succeeded  succeeded  100
task-ID  site-0011  succeeded  succeeded  100
task-ID  site-0012  succeeded  succeeded  100
task-ID  site-0013  failed  failed  60
error: the restore failed: site-0013 (task-ID)
hint: see its steps with: sitectl tasks show task-ID

"#]]
    );
}

#[test]
fn bars_and_a_total_keep_to_a_small_terminal() {
    assert_data_eq!(
        watched(SIZES[1]),
        str![[r#"
Restore 4 sites (http://127.0.0.1:PORT/api/v6)? (type 4 to go on): 4
restoring site-0010 from snap-0010-3: task task-ID
restoring site-0011 from snap-0011-2: task task-ID
restoring site-0012 from snap-0012-3: task task-ID
restoring site-0013 from snap-0013-3: task task-ID
site-0010 (task-ID): succeeded 100% (ELAPSED)
site-0011 (task-ID): succeeded 100% (ELAPSED)
site-0012 (task-ID): succeeded 100% (ELAPSED)
site-0013 (task-ID): failed (restore_database, 2 of 4 done) 60% (ELAPSED)
TASK ID  SITE ID
task-ID  site-0010
task-ID  site-0011
task-ID  site-0012
task-ID  site-0013
left out at this width: OUTCOME, STATUS, PROGRESS (--fields names columns, -o csv has all)
error: the restore failed: site-0013 (task-ID)
hint: see its steps with: sitectl tasks show task-ID

"#]]
    );
}

#[test]
fn who_says_yes_is_asked_nothing() {
    let (_server, world) = planned("1s");
    for args in [&START[..4], &["restore", "start", "site-0001", "latest", "--full"]] {
        let mut terminal = Terminal::start(world.command(&[args, &["--yes"]].concat()), 80, 24);
        assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
        assert!(!terminal.history().contains("to go on"), "{}", terminal.history());
    }
    assert_eq!(world.journal().matches("accepted").count(), 5, "{}", world.journal());
}

#[test]
fn a_file_takes_the_outcomes_while_the_bars_are_on_the_terminal() {
    let (_server, world) = planned("2s");
    let command = format!("sitectl {} --json > out.json", START.join(" "));
    let mut terminal = Terminal::start(world.shell(&["-c", &command]), 80, 24);
    terminal.wait_for("to go on");
    terminal.press("4\r");
    terminal.wait_for("0 of 4 ended");
    assert_eq!(terminal.exit_code(), 10, "{}", terminal.text());
    assert!(!terminal.history().contains("TASK ID"), "{}", terminal.history());
    let out: serde_json::Value = serde_json::from_slice(&std::fs::read(world.path("out.json")).unwrap()).unwrap();
    let outcomes: Vec<&str> = out.as_array().unwrap().iter().filter_map(|one| one["outcome"].as_str()).collect();
    assert_eq!(outcomes, ["succeeded", "succeeded", "succeeded", "failed"]);
}
