//! What is confirmed is what is done: a change that somebody else makes in the meantime is not overwritten.

use crate::common::{Server, World};
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, clients};
use serde_json::{Value, json};

fn client(world: &World, id: &str) -> Value {
    world.run(&["clients", "show", id, "--json"]).json()
}

/// A world with the protected profile `live`.
fn protected(server: &Server) -> World {
    let profile = format!(
        "current_profile = \"live\"\n[profiles.live]\nbase_url = \"{}\"\ntoken = \"sandbox-token\"\nprotected = true\n",
        server.base_url
    );
    World::empty().with_config(&profile)
}

#[test]
fn the_question_of_an_update_names_the_sites() {
    let server = Server::start("");
    let args = "clients update client-0001 --add-site site-0036 --remove-site site-0001 --move-site site-0003";
    let world = protected(&server);
    let mut command = world.command(args);
    command.env("SITECTL_STATE_DIR", "/dev/null/no");
    let mut terminal = Terminal::start(command, 250, 20);
    terminal.wait_for("Profile 'live' is protected. Update the site_ids of Amara Okafor (client-0001), adding site-0036.example.com, removing site-0001, moving site-0003 from Liam O'Connor (client-0002) in profile 'live'?");
    // Where the lock cannot be had, a warning says so, once the lock is needed.
    terminal.press("live\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    terminal.assert_shows("warning: other commands on this machine can change");
}

#[test]
fn a_field_that_changes_during_the_question_is_not_overwritten() {
    let server = Server::start("--rate-limit 6000");
    let colleague = server.world();
    let world = protected(&server);
    let file = "id,note,site_ids\nclient-0001,new,site-0001\n";
    std::fs::write(world.path("clients.csv"), file).unwrap();
    let file = "email,note\namara.okafor@okafor-interiors.example,new\n";
    std::fs::write(world.path("emails.csv"), file).unwrap();
    // (The command, the client that the colleague changes, and the change.)
    for (command, id, change) in [
        ("apply clients.csv --yes", "client-0001", "--note colleague"),
        (
            "apply clients.csv --yes",
            "client-0001",
            "--add-site site-0036",
        ),
        (
            "update client-0001 --add-site site-0037",
            "client-0001",
            "--add-site site-0038",
        ),
        ("update client-0001 --note new", "client-0001", "--note old"),
        (
            "update client-0001 --move-site site-0003",
            "client-0002",
            "--add-site site-0039",
        ),
        (
            "apply emails.csv --yes",
            "client-0001",
            "--email other@example.com",
        ),
    ] {
        let prompted = world.command(format!("clients {command}"));
        let mut terminal = Terminal::start(prompted, 120, 30);
        terminal.wait_for("Type live to");
        let run = colleague.run(format!("clients update {id} {change}"));
        assert_eq!(run.code, 0, "{}", run.transcript());
        let before = ["client-0001", "client-0002"].map(|id| client(&colleague, id));
        terminal.press("live\r");
        assert_eq!(terminal.exit_code(), 6, "{}", terminal.text());
        terminal.assert_shows(
            "error: the clients were changed during the confirmation; no changes were made",
        );
        let after = ["client-0001", "client-0002"].map(|id| client(&colleague, id));
        assert_eq!(after, before, "{command}");
    }
    // Another field does not matter.
    let mut terminal = Terminal::start(world.command("clients apply clients.csv"), 120, 30);
    terminal.wait_for("[y/N]");
    colleague.run("clients update client-0001 --address x");
    terminal.press("y\r");
    terminal.wait_for("Type live to confirm:");
    terminal.press("live\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let client = client(&colleague, "client-0001");
    assert_eq!(
        (&client["note"], &client["address"]),
        (&json!("new"), &json!("x"))
    );
}

#[test]
fn a_field_that_changes_during_the_question_of_a_deletion_is_saved() {
    let server = Server::start("");
    let world = server.world();
    let command = world.command("clients delete client-0001 --save saved.json");
    let mut terminal = Terminal::start(command, 120, 10);
    terminal.wait_for("[y/N]");
    world.run("clients update client-0001 --note colleague");
    terminal.press("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let saved = std::fs::read_to_string(world.path("saved.json")).unwrap();
    let saved: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved[0]["note"], "colleague");
}

#[test]
fn a_site_that_is_added_while_all_clients_are_read_stays() {
    let client = |sites: &str| format!(r#"{{"id":"c1","site_ids":[{sites}]}}"#);
    let shown = |sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(sites)));
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[&client("")])),
        ("GET /api/v6/clients/c1", shown(r#""s2""#)),
        (
            "GET /api/v6/sites/s1",
            Reply::Json(200, r#"{"site":{"id":"s1"}}"#.into()),
        ),
        ("POST /api/v6/clients/c1/update", shown(r#""s2","s1""#)),
    ]);
    let args = "clients update c1 --move-site s1";
    assert_eq!(service.world().run(args).code, 0);
    let sent = service.requests().pop().unwrap().body;
    assert_eq!(sent, r#"{"client":{"site_ids":["s2","s1"]}}"#);
}

#[test]
fn a_client_to_delete_that_changes_during_the_question_is_not_deleted() {
    let server = Server::start("");
    let world = server.world();
    let list = world.run("clients list -o csv --fields id,email").stdout;
    let file: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with("client-0060"))
        .collect();
    std::fs::write(world.path("clients.csv"), file.join("\n")).unwrap();
    for change in ["--email right@example.com", "--add-site site-0040"] {
        let command = world.command("clients apply clients.csv --prune");
        let mut terminal = Terminal::start(command, 120, 10);
        terminal.wait_for("Type 1 to confirm:");
        let run = world.run(format!("clients update client-0060 {change}"));
        assert_eq!(run.code, 0, "{}", run.transcript());
        terminal.press("1\r");
        assert_eq!(terminal.exit_code(), 6, "{}", terminal.text());
        assert_eq!(world.run("clients show client-0060").code, 0);
    }
}
