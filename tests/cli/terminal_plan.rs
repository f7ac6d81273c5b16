//! A plan of restores on a terminal: the table, the question and the bars.

use crate::common::{Server, World};
use crate::screen::Terminal;
use crate::terminal_restore::assert_nothing_was_sent;
use regex::Regex;
use snapbox::{assert_data_eq, str};

const PLAN: &str = r#"site_id,snapshot_id,scope
site-0010,latest,"{""include_files"":true,""include_database"":true}"
site-0011,snap-0011-2,"{""include_files"":true,""paths"":[""./wp-content/themes"",""./wp-content/plugins""]}"
site-0012,latest,"{""include_database"":true,""tables"":[""wp_posts"",""wp_options""]}"
site-0013,latest,"{""include_files"":true,""include_database"":true}"
"#;

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
SITE  TAKEN  AGE  SCANNER  NOTE
site-0010.example.com  NIGHT 02:10  AGE  clean
site-0011.example.com  NIGHT 02:11  AGE  clean
site-0012.example.com  NIGHT 02:12  AGE  clean  passed over: 1 failed
site-0013.example.com  NIGHT 02:13  AGE  clean
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
fn a_dry_run_keeps_hosts_times_ages_and_notes_on_a_narrow_terminal() {
    let (_server, world) = planned("1s");
    let dry_run = "restore start --plan plan.csv --dry-run";
    let mut terminal = Terminal::start(world.command(dry_run), 80, 24);
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    terminal.assert_shows("SITE +TAKEN +AGE .*NOTE");
    terminal.assert_shows("site-0012.example.com .* passed over: 1 failed");
}

#[test]
fn a_plan_from_a_pipe_is_confirmed_on_the_terminal() {
    let (_server, world) = planned("1s");
    let script = "printf 'site-0010\\nsite-9999\\n' | sed /9999/d | sitectl restore start --plan - --full --no-watch; \
                  printf 'site-0011\\nsite-0014\\n' | sitectl restore start --plan - --full --no-watch";
    let mut terminal = Terminal::start(tty_shell(&world, script), 160, 40);
    terminal.wait_for("Type site-0010.example.com to confirm:");
    terminal.press("site-0010.example.com\r");
    terminal.wait_for("Type 2 to confirm:");
    terminal.press("2\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let restored = world.run("restore history -o csv --fields site_id --no-header");
    let mut sites: Vec<&str> = restored.stdout.lines().collect();
    sites.sort_unstable();
    assert_eq!(sites, ["site-0010", "site-0011", "site-0014"]);
}

#[test]
fn ctrl_c_ends_the_loop_of_the_shell() {
    let (_server, world) = planned("60s");
    for (options, first, shown) in [
        ("--yes --watch", "site-0010", "restoring site-0010"),
        ("", "site-0012", "to confirm:"),
    ] {
        let script = format!(
            "for s in {first} site-0011; do sitectl restore start $s latest --full {options}; done; echo after"
        );
        let mut shell = tty_shell(&world, &script);
        shell.stdin(std::process::Stdio::inherit());
        let mut terminal = Terminal::start(shell, 160, 40);
        terminal.wait_for(shown);
        terminal.press("\x03");
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
        let text = terminal.text();
        assert!(
            !text.contains("after") && !text.contains("site-0011"),
            "{text}"
        );
    }
    assert_eq!(world.journal().matches(r#"{"sent":"#).count(), 1);
}

/// Returns bash on a terminal, which ends a loop if a command dies of a signal.
fn tty_shell(world: &World, script: &str) -> std::process::Command {
    let mut shell = world.shell(&[
        "-c",
        &format!("exec bash -c '{}'", script.replace('\'', "'\\''")),
    ]);
    shell.stdin(std::process::Stdio::inherit());
    shell
}
