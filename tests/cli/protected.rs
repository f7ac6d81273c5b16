//! A protected profile asks for its name before each change; `--confirm` confirms only that profile.

use crate::common::{Server, World};
use crate::screen::Terminal;
use predicates::str::{contains, starts_with};
use snapbox::{assert_data_eq, str};

/// A world with the active profile `live` and another profile, `test`.
fn profiles(base_url: &str, protected: bool) -> World {
    let profile =
        format!("base_url = \"{base_url}\"\ntoken = \"sandbox-token\"\nprotected = {protected}\n");
    let both =
        format!("current_profile = \"live\"\n[profiles.live]\n{profile}[profiles.test]\n{profile}");
    let world = World::empty().with_config(&both);
    std::fs::write(
        world.path("clients.csv"),
        "email,first_name\na@example.com,A\n",
    )
    .unwrap();
    std::fs::write(
        world.path("plan.csv"),
        "site_id,snapshot_id,scope\nsite-0010,latest,\"{\"\"include_files\"\":true}\"\n",
    )
    .unwrap();
    world
}

/// A changing command, its own question, and the keys that answer it.
type Change = (&'static str, Option<(&'static str, &'static str)>);

const CHANGES: [Change; 7] = [
    (
        "clients create --first-name Ada --email ada@example.com",
        None,
    ),
    ("clients update client-0001 --note x", None),
    (
        "api POST /clients/client-0002/update -f client[note]=x",
        Some(("Send POST /clients/client-0002/update in", "y\r")),
    ),
    (
        "clients delete client-0003",
        Some((
            "Delete Søren Ångström (client-0003), which has 2 sites, in",
            "y\r",
        )),
    ),
    (
        "clients apply clients.csv",
        Some(("Create 1 client in", "y\r")),
    ),
    (
        "restore start site-0011 latest --full",
        Some(("Restore site-0011.example.com in", "site-0011\r")),
    ),
    (
        "restore start --plan plan.csv",
        Some(("Restore site-0010.example.com in", "site-0010\r")),
    ),
];

#[test]
fn a_protected_profile_asks_for_its_name_last() {
    let server = Server::start("--rate-limit 60000");
    for (args, own) in CHANGES {
        for (name, code) in [("\r", 1), ("live\x03", 130), ("live\r", 0)] {
            let world = profiles(&server.base_url, true);
            let mut terminal = Terminal::start(world.command(format!("{args} -v")), 160, 40);
            for (question, keys) in own.into_iter().chain([("Type live to confirm", name)]) {
                terminal.wait_for(question);
                assert!(
                    !terminal.history().contains("POST http"),
                    "{args:?}\n{}",
                    terminal.history()
                );
                terminal.press(keys);
            }
            assert_eq!(
                terminal.exit_code(),
                code,
                "{args:?} {name:?}\n{}",
                terminal.text()
            );
            assert_eq!(
                terminal.history().contains("POST http"),
                code == 0,
                "{args:?}\n{}",
                terminal.history()
            );
        }
    }
}

#[test]
fn without_a_terminal_flags_confirm_or_nothing_is_sent() {
    let server = Server::start("--rate-limit 60000");
    for (line, own) in CHANGES {
        let run = |protected: bool, flags: &str, code: i32, said: &str| {
            let world = profiles(&server.base_url, protected);
            let run = world.run(format!("{line} {flags} -v"));
            run.assert_stderr(code, contains(said));
            assert_eq!(run.stderr.contains("POST http"), code == 0, "{line}");
        };
        let (yes, both) = match own {
            Some(_) => ("--yes", "--confirm live and --yes"),
            None => ("", "--confirm live"),
        };
        run(true, yes, 2, "or pass --confirm live if a person");
        run(true, "", 2, &format!("or pass {both} if a person"));
        let other = "--confirm has 'test', but the change would be made in profile 'live'";
        for protected in [true, false] {
            run(protected, &format!("{yes} --confirm test"), 2, other);
        }
        run(true, &format!("{yes} --confirm live"), 0, "");
    }
}

/// The account is the profile that has the token of the environment, or else no profile.
#[test]
fn protection_follows_the_token_of_the_environment() {
    let server = Server::start("");
    let host = server
        .base_url
        .replace("http://", "")
        .replace("/api/v6", "");
    for (token_of_live, name, profile, site) in [
        ("sandbox-token", "live", "live", "site-0001"),
        ("x", &host, "null", "site-0003"),
    ] {
        let service = format!("base_url = \"{}\"\ntoken = ", server.base_url);
        let world = World::empty()
            .with("SITECTL_TOKEN", "sandbox-token")
            .with_config(&format!(
                "current_profile = \"test\"\n[profiles.test]\n{service}\"test-token\"\n\
             [profiles.live]\n{service}\"{token_of_live}\"\nprotected = true\n"
            ));
        let restore = format!("restore start {site} latest --full --yes");
        let hint = format!("or pass --confirm {name} if a person");
        world.run(&*restore).assert_stderr(2, contains(hint));
        let other = world.run(format!("{restore} --confirm test"));
        other.assert_stderr(2, starts_with("error: --confirm has 'test', but"));
        assert_eq!(world.run(format!("{restore} --confirm {name}")).code, 0);
        for command in [
            "restore history --jq .[].profile",
            "auth status --jq .profile",
        ] {
            assert_eq!(
                world.run(command).stdout,
                format!("{profile}\n"),
                "{command}"
            );
        }
    }
}

#[test]
fn reads_with_a_protected_profile_need_no_confirmation() {
    let server = Server::start("--rate-limit 60000");
    let world = profiles(&server.base_url, true);
    for line in [
        "clients list",
        "clients apply clients.csv --dry-run",
        "api /clients",
        "api POST /clients/delete -f ids[]=client-0001 --dry-run",
        "restore history",
    ] {
        assert_eq!(world.run(line).code, 0, "{line}");
    }
}

#[test]
fn questions_and_errors_show_the_target() {
    let url = "http://127.0.0.1:1/api/v6";
    let delete = "clients delete client-0001 --yes --confirm test";
    let refused = "error: --confirm has 'test', but the change would be made ";
    for (world, place) in [
        (World::on(url), "with SITECTL_TOKEN on 127.0.0.1:1;"),
        (
            profiles(url, true).with("SITECTL_SANDBOX", "1"),
            "in the sandbox;",
        ),
        (
            profiles(url, true).with("SITECTL_BASE_URL", "http://localhost:1/api/v6"),
            "in profile 'live';",
        ),
    ] {
        let run = world.run(delete);
        run.assert_stderr(2, starts_with(format!("{refused}{place}")));
    }
    let server = Server::start("");
    let world = profiles(&server.base_url, true);
    let restore = "restore start site-0001 snap-0001-1 --full --yes";
    let terminal = Terminal::start(world.command(restore), 120, 30);
    terminal.wait_for("to confirm");
    assert_data_eq!(
        terminal.transcript(),
        str![[r#"
warning: this overwrites the live site site-0001.example.com (site-0001) in profile 'live'
  restores files, database from snapshot snap-0001-1, taken NIGHT 02:01
  changes of the last AGE are lost
  the scanner calls the snapshot clean
Profile 'live' is protected. Restore site-0001.example.com in profile 'live'? Type live to confirm:

"#]]
    );
    let create = "clients create --first-name Ada --email ada@example.com";
    let refused = "error: confirmation required: create client ada@example.com in profile 'live'";
    world.run(create).assert_stderr(2, starts_with(refused));
}

#[test]
fn hints_reach_the_same_service() {
    let server = Server::start("");
    let world = profiles(&server.base_url, false).with("SITECTL_PROFILE", "test");
    for command in [
        "clients show client-9999",
        "clients show nobody@example.com",
        "clients update client-9999 --note x",
        "managed-accounts show account-9999",
        "restore start https://nowhere.example latest --full --yes",
        "restore start site-9999 latest --full --yes",
        "restore start site-0001 snap-9999 --full --yes",
        "restore start site-0002 snap-0002-4 --full --yes",
        "restore start --full",
    ] {
        let run = world.run(format!("--profile live {command}"));
        let hint = run.stderr.split("hint: ").nth(1).unwrap();
        let named = hint.matches("sitectl ").count();
        let same = hint.matches("sitectl --profile live ").count();
        assert!(named > 0 && same == named, "{}", run.transcript());
    }
    let world = World::empty().with("SITECTL_TOKEN", "sandbox-token");
    let address = format!("sitectl --base-url {}", server.base_url);
    let run = world.run(format!(
        "--base-url {}/ clients show client-9999",
        server.base_url
    ));
    run.assert_stderr(4, contains(format!("{address} clients list\n")));
}
