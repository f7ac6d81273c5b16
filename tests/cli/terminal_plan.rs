//! A plan of restores on a terminal: the table, the question and the bars.

use crate::common::{Server, World};
use crate::screen::Terminal;
use crate::terminal_restore::assert_nothing_was_sent;
use regex::Regex;
use snapbox::{assert_data_eq, str};

const PLAN: &str = "site_id,snapshot_id,files,database,paths,tables\n\
                    site-0010,latest,yes,yes,,\n\
                    site-0011,snap-0011-2,,,./wp-content/themes;./wp-content/plugins,\n\
                    site-0012,latest,,,,wp_posts;wp_options\n\
                    site-0013,latest,yes,yes,,\n";

const START: [&str; 5] = ["restore", "start", "--plan", "plan.csv", "--watch"];

/// Returns a sandbox with this restore time and a high rate limit, and a world that has the plan.
fn planned(restore_time: &str) -> (Server, World) {
    let (server, world) =
        Server::start(&["--restore-time", restore_time, "--rate-limit", "6000"]).world_kept();
    std::fs::write(world.path("plan.csv"), PLAN).unwrap();
    (server, world)
}

/// Returns a terminal that shows the plan's question.
fn asked(world: &World) -> Terminal {
    let terminal = Terminal::start(world.command(&START), 80, 24);
    terminal.wait_for("to confirm");
    terminal
}

/// Returns the history of the terminal with variable parts replaced and columns close together. The
/// width of the ages decides where the scope is cut.
fn shown(terminal: &Terminal) -> String {
    let text = crate::screen::settled(&format!("{}\n", terminal.history()));
    let text = Regex::new("(\\S)  +").unwrap().replace_all(&text, "$1  ");
    let cut_word = Regex::new("\\S+…").unwrap();
    cut_word.replace_all(&text, "…").into_owned()
}

#[test]
fn the_plan_is_shown_before_the_question() {
    let (_server, world) = planned("1s");
    assert_data_eq!(
        shown(&asked(&world)),
        str![[r#"
newer snapshots of site-0012.example.com were passed over: snap-0012-4, taken NIGHT 02:12 (failed)
SITE  TAKEN  AGE  SCOPE
site-0010.example.com  NIGHT 02:10  AGE  files, database
site-0011.example.com  NIGHT 02:11  AGE  files: ./wp-content/themes, …
site-0012.example.com  NIGHT 02:12  AGE  database: wp_posts, wp_options
site-0013.example.com  NIGHT 02:13  AGE  files, database
warning: this overwrites 4 live sites with SITECTL_TOKEN on 127.0.0.1:PORT
  changes in these scopes since the snapshots were taken are lost
Restore 4 sites with SITECTL_TOKEN on 127.0.0.1:PORT? Type 4 to confirm: 

"#]]
    );
}

#[test]
fn a_wrong_number_starts_no_restore() {
    let (server, world) = planned("60s");
    for typed in ["3", "40", "yes"] {
        let mut terminal = asked(&world);
        terminal.press(&format!("{typed}\r"));
        terminal.wait_until("the question again", |text| {
            text.matches("to confirm:").count() == 2
        });
        terminal.press("\r");
        assert_eq!(terminal.exit_code(), 1, "{typed}: {}", terminal.text());
        terminal.assert_shows("error: canceled; no changes were made$");
    }
    assert_nothing_was_sent(&server, &world);
}

#[test]
fn a_dry_run_on_a_narrow_terminal_leaves_out_columns() {
    let (_server, world) = planned("1s");
    let dry_run = "restore start --plan plan.csv --dry-run";
    let mut terminal = Terminal::start(world.command(dry_run), 60, 24);
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    terminal.assert_shows("SITE +TAKEN +AGE +SCOPE\\n");
    terminal.assert_shows("hidden at this width: ");
}
