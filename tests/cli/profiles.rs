//! `sitectl profiles`: list, use and remove.

use crate::common::World;
use crate::screen::Terminal;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;
use snapbox::{assert_data_eq, str};
use std::net::TcpListener;

const CONFIG: &str = "\
# my services
current_profile = \"live\"

[profiles.live]
base_url = \"https://live.example/api/v6\"
token = \"s3cret\"
protected = true

# for tests
[profiles.test]
base_url = \"https://test.example/api/v6\"
token_command = [\"pass\"]
output = \"json\"
per_page = 50
[profiles.test.endpoints]
task = \"/jobs/{task_id}\"

[profiles.\"odd one\"]
";

fn world() -> World {
    World::empty().with_config(CONFIG)
}

#[test]
fn profiles_are_listed_without_their_tokens() {
    assert_data_eq!(
        world().run("profiles list").transcript(),
        str![[r#"
[stdout]
NAME     CURRENT  BASE URL                     TOKEN          PROTECTED  OUTPUT  PER PAGE
live     yes      https://live.example/api/v6  profile        yes
odd one
test              https://test.example/api/v6  token_command             json    50
exit 0

"#]]
    );
    let live = &world().run("profiles list --json").json()[0];
    let shown = [
        &live["name"],
        &live["current"],
        &live["token_source"],
        &live["protected"],
        &live["per_page"],
    ];
    assert_eq!(
        shown,
        [
            &json!("live"),
            &json!(true),
            &json!("profile"),
            &json!(true),
            &json!(null)
        ]
    );
    assert_eq!(
        world().run("profiles list -o ids").stdout,
        "live\nodd one\ntest\n"
    );
    assert_eq!(World::empty().run("profiles list --json").json(), json!([]));
}

#[test]
fn profiles_use_selects_the_current_profile() {
    let world = world();
    assert_data_eq!(
        world.run("profiles use test").transcript(),
        str![[r#"
[stderr]
Switched to profile 'test' (https://test.example/api/v6)
exit 0

"#]]
    );
    assert_eq!(
        world.config(),
        CONFIG.replace("current_profile = \"live\"", "current_profile = \"test\"")
    );
    let unknown = world.run("profiles use gone");
    assert_eq!(
        (unknown.code, unknown.error()["hints"][0].as_str()),
        (2, Some("use one of: live, odd one, test"))
    );
    let world = world.with("SITECTL_PROFILE", "test");
    let run = world.run("profiles use live");
    assert!(
        run.stderr
            .contains("warning: SITECTL_PROFILE is set and selects the profile 'test'"),
        "{}",
        run.stderr
    );
    assert_eq!(world.config(), CONFIG);
}

#[test]
fn profiles_remove_deletes_the_complete_profile() {
    let world = world();
    assert_eq!(
        world.run("profiles remove test").code,
        2,
        "--yes is missing"
    );
    assert_eq!(world.config(), CONFIG);
    assert_eq!(
        world.run("profiles remove test --yes").stderr,
        "Removed profile 'test'\n"
    );
    let (before, rest) = CONFIG.split_once("\n# for tests").unwrap();
    let after = &rest[rest.find("\n[profiles.\"odd").unwrap()..];
    assert_eq!(world.config(), format!("{before}{after}"));
    assert_eq!(world.run("profiles remove live --yes").code, 0);
    assert!(
        !world.config().contains("current_profile")
            && world.config().starts_with("# my services\n")
    );
}

#[test]
fn profiles_remove_asks_for_confirmation() {
    let world = world();
    for (key, code) in [("\r", 1), ("y\r", 0)] {
        let mut terminal = Terminal::start(world.command("profiles remove test"), 100, 20);
        terminal.wait_for("Remove profile 'test'?");
        terminal.press(key);
        assert_eq!(terminal.exit_code(), code, "{key:?}: {}", terminal.text());
        assert_eq!(world.config() == CONFIG, code != 0);
    }
}

#[test]
fn secrets_and_control_characters_are_not_shown() {
    let config = "[profiles.a]\nbase_url = \"https://u:s3cret@a.example/api/v6\"\n\
         [profiles.\"a\\u001B[2Jb\"]\nbase_url = \"https://x/\\u001B[31m\"\n";
    let world = World::empty().with_config(config);
    let used = world.run("profiles use a");
    used.assert_stderr(0, contains("profile 'a'").and(contains("s3cret").not()));
    for format in ["table", "json"] {
        let list = world.run(&["profiles", "list", "-o", format]);
        let hidden = contains("s3cret").or(contains("\u{1b}"));
        list.assert_stdout(0, contains("[2Jb").and(hidden.not()));
    }
}

#[test]
fn the_token_of_a_profile_is_sent_only_to_its_host() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let listening = format!("http://{}/api/v6", other.local_addr().unwrap());
    let profile = |name: &str, token: &str| {
        format!("[profiles.{name}]\nbase_url = \"https://{name}.example/api/v6\"\n{token}\n")
    };
    let config = format!(
        "current_profile = \"live\"\n{}{}",
        profile("live", "token = \"s3cret-token\""),
        profile("command", "token_command = [\"touch\", \"asked\"]")
    );
    let world = World::empty()
        .with_config(&config)
        .with("SITECTL_BASE_URL", "https://other.example/api/v6");
    assert_data_eq!(
        world.run("clients list").transcript(),
        str![[r#"
[stderr]
error: the token of profile 'live' is sent only to the profile's own host, and SITECTL_BASE_URL specifies https://other.example
hint: set SITECTL_TOKEN to a token for https://other.example, or use the profile's service: omit --base-url and unset SITECTL_BASE_URL
exit 2

"#]]
    );
    let typed = [
        "--profile",
        "live",
        "--base-url",
        "https://other.example/api/v6",
    ];
    let run = world.run(&[&["clients", "delete", "client-0001", "--yes"], &typed[..]].concat());
    run.assert_stderr(2, contains("and --base-url specifies https://other"));
    // Status shows the settings anyway.
    let status = world.run("auth status --json");
    assert_eq!(
        (status.code, &status.json()["base_url"]),
        (2, &json!("https://other.example/api/v6"))
    );
    let world = world
        .with("SITECTL_PROFILE", "command")
        .with("SITECTL_BASE_URL", &listening);
    for args in [
        &["clients", "list"][..],
        &["restore", "start", "site-0001", "latest", "--full", "--yes"],
    ] {
        let run = world.run(args);
        run.assert_stderr(2, contains("the token of profile 'command'"));
    }
    assert!(!world.path("asked").exists(), "the token command was run");
    assert!(other.accept().is_err(), "something was sent");
}
