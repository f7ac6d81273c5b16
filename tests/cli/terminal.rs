//! Tests of prompts, tables and progress on a terminal.

use crate::common::{Server, World};
use crate::screen::Terminal;
use snapbox::{assert_data_eq, str};

#[test]
fn only_y_and_enter_confirm_a_deletion() {
    let (_server, world) = Server::start("").world_kept();
    for (key, code) in [
        ("n\r", 1),
        ("\r", 1),
        ("\x04", 1),
        ("y\x04\x04", 1),
        ("y\x03", 130),
        ("what\r", 0),
    ] {
        assert_eq!(world.run("clients show client-0001").code, 0, "{key:?}");
        let mut terminal = Terminal::start(world.command("clients delete client-0001"), 160, 30);
        terminal
            .wait_for("Delete Amara Okafor (client-0001), which has 2 sites, with SITECTL_TOKEN on 127.0.0.1:");
        terminal.wait_for("[y/N]");
        terminal.press(key);
        if code == 0 {
            terminal.wait_for("Type y or n, then press Enter.\nDelete Amara Okafor");
            terminal.press("Yes\r");
        }
        assert_eq!(terminal.exit_code(), code, "{key:?}: {}", terminal.text());
        assert!(!terminal.screen().hide_cursor(), "{key:?}");
    }
    assert_eq!(world.run("clients show client-0001").code, 4);
}

#[test]
fn missing_clients_are_shown_before_the_question() {
    let (_server, world) = Server::start("").world_kept();
    let mut terminal = Terminal::start(
        world.command("clients delete client-0001 client-9999"),
        160,
        30,
    );
    terminal.wait_for("warning: not found: client-9999\nDelete Amara Okafor (client-0001)");
    terminal.press("n\r");
    assert_eq!(terminal.exit_code(), 1, "{}", terminal.text());
}

#[test]
fn missing_fields_of_a_client_are_prompted_for() {
    let (_server, world) = Server::start("").world_kept();
    let mut terminal = Terminal::start(
        world.command("clients create --first-name Ada -o ids"),
        160,
        30,
    );
    terminal.wait_for("mail");
    terminal.press(" \r");
    terminal.wait_for("Enter a value.");
    terminal.press("ada\r");
    terminal.wait_for("error: ");
    terminal.press("owner@example.com\r");
    terminal.wait_for("error: Is the account owner's email");
    terminal.press("adq\x7f\x7fda@example.com\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_eq!(
        world.run("clients show ada@example.com --json").json()["first_name"],
        "Ada"
    );
    for key in ["\x03", "\x04"] {
        let mut terminal = Terminal::start(world.command("clients create"), 160, 30);
        terminal.wait_for("First name");
        terminal.press("Bob\r");
        terminal.wait_for("mail");
        terminal.press(key);
        assert_eq!(terminal.exit_code(), 130, "{key:?}: {}", terminal.text());
        assert!(!terminal.screen().hide_cursor(), "{key:?}");
    }
}

#[test]
fn a_table_fits_the_terminal() {
    let (_server, world) = Server::start("").world_kept();
    let list = "clients list --limit 5";
    let shown = |columns| {
        let mut terminal = Terminal::start(world.command(list), columns, 12);
        assert_eq!(terminal.exit_code(), 0);
        let screen = terminal.screen();
        assert!(
            (0..6).all(|row| !screen.row_wrapped(row)),
            "{columns} columns:\n{}",
            terminal.text()
        );
        terminal.transcript()
    };
    assert_data_eq!(
        shown(40).lines().take(3).collect::<Vec<_>>().join("\n"),
        str![[r#"
LAST NAME     EMAIL
              li@single-name.example
Very-Long-S…  quentin@long-names.example
"#]]
    );
    assert_data_eq!(
        shown(80),
        str![[r#"
FIRST NAME  LAST NAME                 EMAIL                       COMPANY
李                                    li@single-name.example
Quentin     Very-Long-Surname-That-…  quentin@long-names.example  The Company…
Marek       Nowak                     marek+sites@nowak.example   Nowak IT
Elif        Demir                     elif@demir.example          Demir Çelik
Nadia       Bensaïd                   nadia@bensaid.example       Bensaïd Tapis
hidden at this width: id,created_at (select columns with --fields, or use -o
csv)
showing the first 5 of 60 clients

"#]]
    );
    // In a pipe nothing is cut.
    assert!(!world.run(list).stdout.contains('…'));
}

#[test]
fn a_narrow_history_shows_which_site_when_and_how() {
    let (_server, world) = Server::start("--restore-time 0s").world_kept();
    for site in ["site-0001", "site-0013"] {
        world.run(format!("restore start {site} latest --full --watch --yes"));
    }
    let mut terminal = Terminal::start(world.command("restore history --color always"), 60, 12);
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_shows(
        r"SITE +OUTCOME +STARTED +USER\nsite-0013.example.com +failed +20..-..-.. ..:.. +tester\n",
    );
    let sent = String::from_utf8(terminal.bytes()).unwrap();
    assert!(
        sent.contains("\x1b[31mfailed\x1b[0m") && sent.contains("\x1b[32msucceeded\x1b[0m"),
        "{sent:?}"
    );
}

#[test]
fn tables_on_a_terminal_show_local_times_and_units() {
    let (_server, world) = Server::start("").world_kept();
    let mut list = world.command("snapshots list site-0001");
    let shown = |command| {
        let mut terminal = Terminal::start(command, 100, 12);
        assert_eq!(terminal.exit_code(), 0);
        terminal.text()
    };
    list.env("TZ", "Asia/Tokyo");
    let text = shown(list);
    let local = regex::Regex::new(
        r"(?m)^\d{4}-\d\d-\d\d 11:01 +\dd [0-9]+[hms] +succeeded +clean +[\d.]+ [kMG]B +snap-0001-1$",
    )
    .unwrap();
    assert!(local.is_match(&text), "{text}");
    let mut show = world.command("clients show client-0001 --fields created_at");
    show.env("TZ", "Asia/Tokyo");
    assert_eq!(shown(show), "created_at  2025-01-07 17:30");
    let sent = world.run("snapshots list site-0001").stdout;
    assert!(sent.contains("Z  ") && !sent.contains("MB"), "{sent}");
}

#[test]
fn a_list_of_sites_shows_the_host_and_the_age_of_the_backup_at_80_columns() {
    let world = World::sandbox();
    let mut terminal = Terminal::start(world.command("sites list --search café"), 80, 12);
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_shows(r"SITE .*LAST BACKUP");
    terminal.assert_shows(r"site-0023\.example\.com .* hacked +([0-9]+[hms] )+ago");
}

#[test]
fn slow_lists_and_changes_show_progress_and_remove_it() {
    let (_server, world) = Server::start("--latency 1s").world_kept();
    let clients = "email,first_name\na@example.com,A\nb@example.com,B\n";
    std::fs::write(world.path("clients.csv"), clients).unwrap();
    let list = "clients list --per-page 20 --json > out.json";
    let apply = "clients apply clients.csv --yes --concurrency 1 --json > out.json";
    for (command, progress) in [(list, "of 60 clients"), (apply, "1 of 2 changes")] {
        let command = format!("sitectl {command}");
        let mut terminal = Terminal::start(world.shell(&["-c", &command]), 80, 10);
        terminal.wait_for(progress);
        assert_eq!(terminal.exit_code(), 0);
        assert!(!terminal.text().contains(progress), "{}", terminal.text());
        assert!(!terminal.screen().hide_cursor());
    }
}
