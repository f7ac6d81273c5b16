//! `sitectl auth login` on a terminal: its prompts, which never show a token.

use crate::common::{Server, World};
use crate::screen::Terminal;
use std::process::Command;

fn start(world: &World, args: &[&str]) -> Terminal {
    let terminal = Terminal::start(world.command(&[&["auth", "login"], args].concat()), 100, 40);
    terminal.wait_for(if args.contains(&"--base-url") {
        "API token"
    } else {
        "base URL"
    });
    terminal
}

fn assert_unseen(terminal: &Terminal) {
    let seen = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(
        !seen.contains("sandbox-t") && !seen.contains("s3c"),
        "{seen}"
    );
}

#[test]
fn login_prompts_for_missing_values() {
    let (server, world) = (Server::start(""), World::empty());
    let mut terminal = start(&world, &[]);
    terminal.press("no address\r");
    terminal.wait_for("error: the base URL in your input");
    terminal.press(&format!("{}\r", server.base_url));
    terminal.wait_for("API token");
    terminal.press("Authorization: Bearer s3cret\r");
    terminal.wait_for("or the word Bearer");
    terminal.press("s3c\u{15}sandbox-tokenx\u{7f}\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    terminal.assert_shows("accepted +yes");
    assert_unseen(&terminal);
    assert!(world.config().contains("token = \"sandbox-token\"\n"));
}

#[test]
fn a_hidden_prompt_appears_again_and_stays_hidden_after_it_was_suspended() {
    let (server, world) = (Server::start(""), World::empty());
    let mut terminal = start(&world, &["--base-url", &server.base_url]);
    terminal.suspend_and_resume();
    terminal.wait_for_hidden_input();
    terminal.wait_until("the prompt again", |screen| {
        screen.matches("API token (hidden):").count() == 2
    });
    terminal.press("sandbox-token\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_unseen(&terminal);
}

#[test]
fn login_prompts_again_only_for_the_refused_value() {
    let (server, world) = (Server::start(""), World::empty());
    let mut terminal = start(&world, &[]);
    terminal.press(&format!(
        "{}\r",
        server.base_url.trim_end_matches("/api/v6")
    ));
    terminal.wait_for(&format!("did you mean {}", server.base_url));
    terminal.press(&format!("{}\r", server.base_url));
    terminal.wait_for("API token");
    terminal.press("sandbox-tokem\r");
    terminal.wait_for("rejected the token (401)");
    terminal.press("sandbox-token\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_unseen(&terminal);
    assert!(world.config().contains("token = \"sandbox-token\"\n"));
}

#[test]
fn login_shows_a_base_url_that_was_not_typed_before_the_prompt() {
    let saved = "[profiles.default]\nbase_url = 'https://x.example/api/v6'\n";
    let from_profile = World::empty().with_config(saved);
    let from_environment = World::empty().with("SITECTL_BASE_URL", "https://x.example/api/v6");
    for (world, shown, keys, message) in [
        (
            from_environment,
            "Logging in to https://x.example/api/v6 \\(SITECTL_BASE_URL\\)",
            "\x03",
            "error: interrupted; no changes were made",
        ),
        (
            from_profile,
            "Logging in to https://x.example/api/v6 \\(profile 'default'; --profile NAME adds another\\)",
            "\r",
            "error: nothing was entered; no changes were made",
        ),
    ] {
        let mut terminal = Terminal::start(world.command("auth login"), 100, 20);
        terminal.wait_for("API token");
        terminal.assert_shows(shown);
        terminal.press(keys);
        assert_eq!(terminal.exit_code(), 130);
        terminal.assert_shows(message);
    }
}

#[test]
fn cancelling_login_changes_nothing_and_restores_the_terminal() {
    let world = World::empty();
    for key in ["\x04", "s3cret\x03"] {
        let script = "trap : INT; sitectl auth login --base-url https://x/api/v6; echo \"code $?\"; stty -a | tr ';' '\\n' | grep -w echo; read it";
        let mut shell: Command = world.shell(&["-c", script]);
        shell.stdin(std::process::Stdio::inherit());
        let mut terminal = Terminal::start(shell, 100, 20);
        terminal.wait_for("API token");
        terminal.press(key);
        terminal.wait_for("code 130");
        terminal.wait_for(" echo ");
        terminal.press("seen");
        terminal.wait_for("seen");
        terminal.press("\r");
        assert_eq!(terminal.exit_code(), 0);
        assert_unseen(&terminal);
    }
    assert!(!world.config_path().exists());
}
