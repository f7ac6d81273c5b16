//! Tests of the menus for sites and snapshots.

use crate::common::{Server, World};
use crate::screen::Terminal;
use crate::terminal_restore::assert_nothing_was_sent;
use regex::Regex;
use snapbox::{assert_data_eq, str};

const START: [&str; 3] = ["restore", "start", "--full"];
/// Returns a terminal that shows the menu of sites.
fn listed(world: &World, columns: u16, rows: u16) -> Terminal {
    let terminal = Terminal::start(world.command(&START), columns, rows);
    terminal.wait_for("> site-0040");
    terminal
}

/// Types this, and waits until the menu shows this row.
fn search(terminal: &Terminal, typed: &str, row: &str) {
    terminal.press(typed);
    let finds =
        |text: &str| text.contains(&format!("{typed}|")) && text.contains(&format!("\n> {row}"));
    terminal.wait_until(&format!("{row} for {typed}"), finds);
}

/// Returns the text of the screen with two spaces between columns, because their width depends on the date.
fn squeezed(terminal: &Terminal) -> String {
    Regex::new("(\\S)  +")
        .unwrap()
        .replace_all(&terminal.transcript(), "$1  ")
        .into_owned()
}

#[test]
fn typing_finds_a_site_and_a_snapshot() {
    let (_server, world) = Server::start("--restore-time 1s").world_kept();
    let mut terminal = listed(&world, 120, 24);
    assert!(
        terminal.text().starts_with(
            "Site (15 of 40, type to search): |\n> site-0040.example.com  Vineyard 40 "
        )
    );
    search(&terminal, "foot 21", "site-0021");
    assert_eq!(terminal.text().lines().count(), 2, "{}", terminal.text());
    terminal.press("\r");
    terminal.wait_for("Snapshot (4 of 4, type to search): |");
    assert_data_eq!(
        squeezed(&terminal),
        str![[r#"
Site: site-0021.example.com  Football club 21  site-0021
Snapshot (4 of 4, type to search): |
  NIGHT 02:21  AGE ago  hacked  46.67 MB  snap-0021-4
  NIGHT 02:21  AGE ago  hacked  46.67 MB  snap-0021-3
> NIGHT 02:21  AGE ago  clean  46.67 MB  snap-0021-2
  NIGHT 02:21  AGE ago  clean  46.67 MB  snap-0021-1

"#]]
    );
    search(&terminal, "21-1", "20");
    terminal.press("\r");
    terminal.wait_for("Type site-0021.example.com to confirm:");
    terminal.assert_shows(
        "^Site: site-0021.example.com .*\nSnapshot: .* snap-0021-1\nwarning: this overwrites the live site site-0021",
    );
    // The id is accepted, too.
    terminal.press("site-0021\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let sent = world.run("restore history --json").json();
    assert_eq!(
        (&sent[0]["site_id"], &sent[0]["snapshot_id"]),
        (&"site-0021".into(), &"snap-0021-1".into())
    );
}

#[test]
fn canceling_a_menu_changes_nothing() {
    let (server, world) = Server::start("--restore-time 60s").world_kept();
    for (typed, key) in [("", "\x03"), ("muse 19", "\x1b")] {
        let mut terminal = listed(&world, 120, 24);
        terminal.press(typed);
        terminal.wait_for(&format!("search): {typed}|"));
        terminal.press(key);
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.text());
        terminal.assert_shows("error: interrupted; no changes were made$");
    }
    assert_nothing_was_sent(&server, &world);
}

#[test]
fn a_missing_client_or_site_is_chosen_from_a_menu() {
    let (_server, world) = Server::start("").world_kept();
    let anna = ["Client", "李", "kowalska foto", "Anna Kowalska"];
    let museum = ["Site", "site-0040", "muse 19", "site-0019"];
    for (line, [prompt, first, typed, row], result) in [
        ("clients show", anna, "anna@kowalska-foto.example"),
        (
            "clients update --note n",
            anna,
            "anna@kowalska-foto.example",
        ),
        ("clients delete", anna, "canceled; no changes were made"),
        ("snapshots list", museum, "snap-0019-3"),
    ] {
        let mut terminal = Terminal::start(world.command(line), 120, 24);
        terminal.wait_for(&format!("{prompt} (15 of "));
        terminal.wait_for(&format!("> {first}"));
        search(&terminal, typed, row);
        terminal.press("\r");
        let asks = line == "clients delete";
        if asks {
            // The menu only selects.
            terminal.wait_for("Delete Anna Kowalska (client-0021), which has 1 site,");
            terminal.press("\r");
        }
        assert_eq!(terminal.exit_code(), i32::from(asks), "{}", terminal.text());
        terminal.assert_shows(result);
    }
    let note = world.run("clients show client-0021 --jq .note");
    assert_eq!(note.stdout, "n\n");
}
