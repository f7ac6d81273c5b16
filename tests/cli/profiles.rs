//! `sitectl profiles`: list, use and remove.

use crate::common::World;
use crate::screen::Terminal;
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
error: the token of profile 'live' is sent only to the profile's own scheme, host and port, and SITECTL_BASE_URL specifies https://other.example
hint: set SITECTL_TOKEN to a token for https://other.example, or use the profile's service: omit --base-url, and unset the variable: unset SITECTL_BASE_URL
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
