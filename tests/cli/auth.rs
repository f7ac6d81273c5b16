//! `sitectl auth`: login, status and logout without a terminal.

use crate::common::{Run, Server, World, wait};
use crate::service::{Reply, Scripted, clients};
use predicates::prelude::*;
use predicates::str::{contains, ends_with};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};
use std::os::unix::fs::{PermissionsExt, symlink};

/// Starts a service, and a world without settings.
fn service() -> (Server, World) {
    (Server::start(""), World::empty())
}

/// Logs in with this text on stdin and more options.
fn login(world: &World, base_url: &str, stdin: &str, more: &[&str]) -> Run {
    world.run_with(
        &[
            &["auth", "login", "--base-url", base_url, "--with-token"],
            more,
        ]
        .concat(),
        stdin,
    )
}

#[test]
fn a_login_is_saved_and_used() {
    let (server, world) = service();
    assert_data_eq!(
        login(&world, &server.base_url, "sandbox-token\n", &[]).transcript(),
        str![[r#"
[stdout]
profile       default
base_url      http://127.0.0.1:PORT/api/v6
token_source  profile 'default' in HOME/.config/sitectl/config.toml
accepted      yes
rate_limit    199 of 200 requests left, resets in TIME
[stderr]
Saved profile 'default' to HOME/.config/sitectl/config.toml
exit 0

"#]]
    );
    let wanted = format!(
        "current_profile = \"default\"\n\n[profiles.default]\nbase_url = \"{}\"\ntoken = \"sandbox-token\"\n",
        server.base_url
    );
    assert_eq!(world.config(), wanted);
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let file = world.config_path();
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    assert_eq!(
        world.run("clients list --limit 1 -o ids").stdout,
        "client-0060\n"
    );
}

#[test]
fn an_invalid_command_line_of_login_is_refused() {
    let world = World::empty();
    for (args, error) in [
        (&["--token-command", "x"][..], "no base URL specified"),
        (&["--base-url", "https://x/api/v6"], "no token specified"),
        (
            &["--base-url", "http://x", "--with-token"],
            "uses http, which would send the token unencrypted",
        ),
        (&["--sandbox"], "the sandbox does not need a login"),
        (
            &["--base-url", "https://x/api/v6", "--token-command", "a 'b"],
            "has an unclosed quote",
        ),
        (
            &["--with-token", "--token-command", "x"],
            "cannot be used with",
        ),
        (&["--profile="], "the value is empty"),
    ] {
        let run = world.run(&[&["auth", "login"], args].concat());
        assert!(
            run.code == 2 && run.stderr.contains(error),
            "{args:?} {}",
            run.transcript()
        );
    }
    assert!(!world.config_path().exists());
}

#[test]
fn a_refused_token_is_not_saved() {
    let (server, world) = service();
    assert_data_eq!(
        login(&world, &server.base_url, "wr0ng-token", &[]).transcript(),
        str![[r#"
[stderr]
error: could not save the profile: the service rejected the token (401): A valid API token is required.
hint: check that the token belongs to http://127.0.0.1:PORT/api/v6
exit 3

"#]]
    );
    let nobody = "http://127.0.0.1:1/api/v6";
    let run = login(&world, nobody, "sandbox-token", &["--retries", "0"]);
    assert!(
        run.code == 8
            && run
                .stderr
                .contains("could not save the profile: could not connect"),
        "{}",
        run.stderr
    );
    assert!(!world.path(".config").exists());
    let run = login(&world, nobody, "any-token", &["--no-verify", "--json"]);
    assert_eq!(
        (run.code, &run.json()["accepted"], &run.json()["rate_limit"]),
        (0, &Value::Null, &Value::Null)
    );
    assert!(world.config().contains("token = \"any-token\""));
}

#[test]
fn white_space_around_a_token_is_ignored() {
    let (server, world) = service();
    assert_eq!(
        login(&world, &server.base_url, "\n sandbox-token\r\n", &[]).code,
        0
    );
    assert!(
        world.config().contains("token = \"sandbox-token\"\n"),
        "{}",
        world.config()
    );
    let before = world.config();
    for token in ["\n", "s3cret\u{1b}[2J", "Bearer s3cret", "s3cret\nx"] {
        let run = login(&world, &server.base_url, token, &[]);
        assert!(
            run.code == 3 && !run.stderr.contains("s3cr") && run.stdout.is_empty(),
            "{}",
            run.transcript()
        );
    }
    assert_eq!(world.config(), before);
}

#[test]
fn a_token_command_is_saved_and_its_failure_shown() {
    let (server, world) = service();
    let command = [
        "auth",
        "login",
        "--base-url",
        &server.base_url,
        "--token-command",
        "cat 'a file'",
    ];
    assert_eq!(world.run(&command).code, 3, "there is no such file");
    std::fs::write(world.path("a file"), "sandbox-token\n").unwrap();
    assert_eq!(world.run(&command).code, 0);
    assert!(
        world
            .config()
            .contains("token_command = [\"cat\", \"a file\"]"),
        "{}",
        world.config()
    );
    std::fs::remove_file(world.path("a file")).unwrap();
    assert_data_eq!(
        world.run("clients list").transcript(),
        str![[r#"
[stderr]
cat: 'a file': No such file or directory
error: the token command 'cat' failed (exit status: 1)
hint: run the token_command of the profile in a shell, and check its output
exit 3

"#]]
    );
    // A saved token replaces the command.
    assert_eq!(
        login(&world, &server.base_url, "sandbox-token", &[]).code,
        0
    );
    assert!(
        !world.config().contains("token_command"),
        "{}",
        world.config()
    );
}

#[test]
fn a_token_command_runs_once_and_only_if_the_token_is_needed() {
    let (server, world) = service();
    let script = "env > environment; echo x >> count; echo sandbox-token";
    let config = format!(
        "[profiles.a]\nbase_url = \"{}\"\ntoken_command = [\"sh\", \"-c\", \"{script}\"]\n",
        server.base_url
    );
    let world = world
        .with_config(&config)
        .with("SITECTL_TOKEN", "s3cret-token");
    let run = |args: &[&str]| {
        world
            .run_with(&[&["--profile", "a"], args].concat(), "client-0001\n")
            .code
    };
    assert_eq!(run(&["restore", "history"]), 0);
    assert!(!world.path("count").exists());
    assert_eq!(run(&["clients", "list", "--per-page", "5", "-q"]), 0);
    assert_eq!(std::fs::read_to_string(world.path("count")).unwrap(), "x\n");
    assert!(
        !std::fs::read_to_string(world.path("environment"))
            .unwrap()
            .contains("SITECTL_TOKEN")
    );
    assert_eq!(
        run(&["clients", "delete", "-", "--yes"]),
        0,
        "stdin is data"
    );
}

#[test]
fn a_login_keeps_the_rest_of_a_profile_and_the_current_one() {
    let (server, world) = service();
    let before = format!(
        "current_profile = 'b'\n[profiles.a]\nbase_url = '{}'\noutput = 'ids'\n[profiles.b]\n# end\n",
        server.base_url
    );
    let world = world.with_config(&before);
    assert_data_eq!(
        world
            .run_with("auth login --profile a --with-token", "sandbox-token")
            .transcript(),
        str![[r#"
[stdout]
a
[stderr]
Logging in to http://127.0.0.1:PORT/api/v6 (profile 'a')
Saved profile 'a' to HOME/.config/sitectl/config.toml
hint: the current profile is 'b'; switch to this one: sitectl profiles use a
exit 0

"#]]
    );
    assert_eq!(
        world
            .config()
            .replace("token = \"sandbox-token\"\n", "")
            .replace('"', "'"),
        before
    );
}

#[test]
fn a_login_replaces_the_base_url_only_of_a_named_profile() {
    let (server, world) = service();
    let world = world.with_config(
        "current_profile = 'live'\n[profiles.live]\nbase_url = 'https://x.example/api/v6'\n",
    );
    let before = world.config();
    let run = login(&world, &server.base_url, "sandbox-token", &[]);
    let hint = format!(
        "hint: add a profile: sitectl auth login --profile NAME --base-url {}; \
         to replace the base URL of 'live', pass --profile live\n",
        server.base_url
    );
    run.assert_stderr(2, ends_with(hint));
    assert_eq!(world.config(), before);
    let run = login(
        &world,
        &server.base_url,
        "sandbox-token",
        &["--profile", "live"],
    );
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert!(world.config().contains(&server.base_url));
}

#[test]
fn a_service_with_a_minimum_of_rows_per_page_accepts_a_login() {
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?page=1&perPage=1", Reply::status(400)),
        ("GET /api/v6/clients?page=1", clients(&[])),
    ]);
    let run = login(&World::empty(), &service.base_url, "token", &[]);
    assert_eq!(run.code, 0, "{}", run.transcript());
}

#[test]
fn an_invalid_command_line_shows_no_token() {
    let world = World::empty().with("SITECTL_TOKEN", "abcdefgh123");
    for args in [
        "auth login --with-token=secret0123",
        "auth login --json --with-token=secret0123",
        "clients list abcdefgh123",
        "auth abcdefgh123 --json",
        "explain abcdefgh123",
    ] {
        let run = world.run(args);
        let is_shown = ["abcdefgh123", "secret0123"].map(|token| run.stderr.contains(token));
        assert_eq!(
            (run.code, is_shown),
            (2, [false; 2]),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn a_rejected_token_is_an_error_even_if_stdout_is_closed() {
    let (server, world) = service();
    let world = world
        .with("SITECTL_BASE_URL", &server.base_url)
        .with("SITECTL_TOKEN", "wr0ng");
    let mut child = world.start("auth status");
    drop(child.stdout.take());
    wait(child).assert_stderr(3, contains("the service rejected the token"));
}

#[test]
fn login_shows_variables_that_override_the_profile() {
    let (server, world) = service();
    let world = world
        .with("SITECTL_TOKEN", "x")
        .with("SITECTL_BASE_URL", &server.base_url);
    let world = world.with_config(
        "current_profile = \"a\"\n[profiles.b]\nbase_url = \"https://u:s3cret@b.example\"\n",
    );
    let login = |more: &[&str]| {
        world.run_with(
            &[&["auth", "login", "--with-token", "-o", "ids"], more].concat(),
            "sandbox-token",
        )
    };
    assert_data_eq!(
        login(&[]).transcript(),
        str![[r#"
[stdout]
a
[stderr]
Logging in to http://127.0.0.1:PORT/api/v6 (SITECTL_BASE_URL)
Saved profile 'a' to HOME/.config/sitectl/config.toml
warning: SITECTL_BASE_URL is set and overrides the profile, except with --profile
warning: SITECTL_TOKEN is set and overrides the profile, except with --profile
exit 0

"#]]
    );
    // --profile overrides the environment.
    let refused = login(&["--profile", "b"]);
    refused.assert_stderr(2, contains("s3cret").not());
}

#[test]
fn a_token_in_the_arguments_is_not_shown() {
    let (server, world) = service();
    for shape in ["-v", "--json"] {
        let run = login(&world, &server.base_url, "", &["s3cret-token", shape]);
        run.assert_stderr(2, contains("sitectl auth login --with-token"));
        assert!(
            !run.stderr.contains("s3cret") && world.config().is_empty(),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn the_path_of_certificates_is_saved_as_absolute() {
    let (server, world) = service();
    assert_eq!(
        login(
            &world,
            &server.base_url,
            "sandbox-token",
            &["--ca-cert", "x.pem"]
        )
        .code,
        0
    );
    assert!(
        world
            .config()
            .contains(&format!("ca_cert = \"{}\"", world.path("x.pem").display())),
        "{}",
        world.config()
    );
}

#[test]
fn status_shows_the_token_source_and_whether_the_token_is_accepted() {
    let server = Server::start("");
    let config = |token: &str| {
        let text = format!(
            "current_profile = 'a'\n[profiles.a]\nbase_url = '{}'\n{token}\n",
            server.base_url
        );
        World::empty().with_config(&text)
    };
    let status = config("token = 'sandbox-token'")
        .run("auth status --json")
        .json();
    assert_eq!(
        (&status["profile"], &status["base_url"]),
        (&json!("a"), &json!(server.base_url))
    );
    assert_eq!(
        (&status["accepted"], &status["rate_limit"]["remaining"]),
        (&json!(true), &json!(199))
    );
    assert_data_eq!(
        config("token = 'wr0ng'").run("auth status").transcript(),
        str![[r#"
[stdout]
profile       a
base_url      http://127.0.0.1:PORT/api/v6
token_source  profile 'a' in HOME/.config/sitectl/config.toml
accepted      no
rate_limit    unknown
[stderr]
error: the service rejected the token (401): A valid API token is required.
hint: replace the token from profile 'a' in HOME/.config/sitectl/config.toml: sitectl auth login --profile a
exit 3

"#]]
    );
    let fields = ["auth", "status", "--fields", "accepted,rate_limit", "-o"];
    let world = config("token = 'sandbox-token'");
    let table = world.run(&[&fields[..], &["table"]].concat()).stdout;
    assert!(
        table.starts_with("accepted              true\n")
            && table.contains("rate_limit.limit      200\n"),
        "{table}"
    );
    let object = world.run(&[&fields[..], &["json"]].concat()).json();
    assert_eq!(object["accepted"], true);
    for (world, source, hint) in [
        (
            config("token_command = ['echo', 'wr0ng']"),
            "token_command",
            "from the token_command of profile 'a' in HOME/.config/sitectl/config.toml: sitectl auth login --profile a",
        ),
        (
            config("token = 'x'").with("SITECTL_TOKEN", "wr0ng"),
            "environment",
            "set SITECTL_TOKEN to a valid token",
        ),
    ] {
        let run = world.run("auth status --json");
        assert_eq!(
            (
                run.code,
                &run.json()["token_source"],
                &run.json()["accepted"]
            ),
            (3, &json!(source), &json!(false))
        );
        assert!(run.transcript().contains(hint), "{}", run.transcript());
    }
}

#[test]
fn status_shows_the_sandbox_and_an_unreachable_service() {
    let status = World::sandbox().run("auth status --json").json();
    assert_eq!(
        (&status["token_source"], &status["accepted"]),
        (&json!("sandbox"), &json!(true))
    );
    assert_eq!(status["rate_limit"]["limit"], 200);
    let world = World::on("http://127.0.0.1:1/api/v6");
    let run = world.run("auth status --retries 0");
    assert!(
        run.code == 8
            && run.stdout.contains("accepted      unknown\n")
            && !run.stderr.contains("sitectl auth status"),
        "{}",
        run.transcript()
    );
}

#[test]
fn logout_removes_only_the_token() {
    let world = World::empty().with_config("current_profile = \"a\"\n[profiles.a]\nbase_url = \"https://a/api/v6\"\n# it\ntoken = \"s3cret\"\n[profiles.b]\ntoken_command = [\"x\"]\n");
    assert_eq!(
        world.run("auth logout").stderr,
        "Removed the token from profile 'a'\n"
    );
    assert_eq!(world.run("auth logout --profile b").code, 0);
    assert_eq!(
        world.config(),
        "current_profile = \"a\"\n[profiles.a]\nbase_url = \"https://a/api/v6\"\n[profiles.b]\n"
    );
    assert_eq!(world.run("auth logout --profile c").code, 2);
    assert_eq!(world.run("auth logout --sandbox").code, 2);
    let run = World::empty().with("SITECTL_TOKEN", "x").run("auth logout");
    run.assert_stderr(0, contains("warning: SITECTL_TOKEN is still set"));
}

#[test]
fn concurrent_logins_are_all_saved() {
    let (server, world) = service();
    let names: Vec<String> = (0..8).map(|number| format!("p{number}")).collect();
    let login = |name: &String| {
        let args = [
            "auth",
            "login",
            "--base-url",
            &server.base_url,
            "--token-command",
            "x",
            "--no-verify",
            "-q",
        ];
        world.start(&[&args[..], &["--profile", name]].concat())
    };
    let logins: Vec<_> = names.iter().map(login).collect();
    for login in logins {
        assert_eq!(wait(login).code, 0);
    }
    let listed = world.run("profiles list --json").json();
    assert_eq!(listed.as_array().unwrap().len(), 8, "{}", world.config());
}

#[test]
fn a_login_keeps_a_symbolic_link_to_the_config_file() {
    let (server, world) = service();
    std::fs::create_dir_all(world.path("dotfiles")).unwrap();
    std::fs::create_dir_all(world.config_path().parent().unwrap()).unwrap();
    std::fs::write(world.path("dotfiles/sitectl.toml"), "").unwrap();
    symlink("../../dotfiles/sitectl.toml", world.config_path()).unwrap();
    assert_eq!(
        login(&world, &server.base_url, "sandbox-token", &["-q"]).code,
        0
    );
    assert!(
        std::fs::symlink_metadata(world.config_path())
            .unwrap()
            .is_symlink()
    );
    assert!(
        std::fs::read_to_string(world.path("dotfiles/sitectl.toml"))
            .unwrap()
            .contains("sandbox-token")
    );
}

#[test]
fn an_invalid_config_file_is_unchanged() {
    let broken = "[profiles.a]\ntoken = s3cret\n";
    let world = World::empty().with_config(broken);
    for args in [
        &["auth", "login"][..],
        &["auth", "status"],
        &["auth", "logout"],
        &["profiles", "use", "a"],
    ] {
        let run = world.run(args);
        run.assert_stderr(
            2,
            contains("line 2, column 9").and(contains("s3cret").not()),
        );
    }
    assert_eq!(world.config(), broken);
}

#[test]
fn a_login_on_a_full_disk_keeps_the_config_file() {
    let world = World::empty().with_config("# mine\n");
    // Files cannot grow, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 0; exec sitectl auth login --base-url https://x/api/v6 --token-command x --no-verify";
    let run = world.run_script(script);
    run.assert_stderr(1, contains("File too large"));
    assert_eq!(world.config(), "# mine\n");
    assert!(!world.path(".config/sitectl/config.toml.new").exists());
}

#[test]
fn a_config_file_that_others_can_access_is_reported() {
    let world = World::empty().with_config("[profiles.a]\n");
    std::fs::set_permissions(world.config_path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    let run = world.run("profiles list -q -o ids");
    run.assert_stderr(0, contains("fix its mode: chmod 600 "));
}
