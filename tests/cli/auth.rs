//! `sitectl auth`: login, status and logout without a terminal.

use crate::common::{Run, Server, World, wait};
use crate::service::{Reply, Scripted, clients};
use predicates::str::contains;
use serde_json::json;
use snapbox::{assert_data_eq, str};

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
protected     no
read_only     no
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
fn a_login_on_a_full_disk_keeps_the_config_file() {
    let world = World::empty().with_config("# mine\n");
    // Files cannot grow, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 0; exec sitectl auth login --base-url https://x/api/v6 --token-command x --no-verify";
    let run = world.run_script(script);
    run.assert_stderr(1, contains("File too large"));
    assert_eq!(world.config(), "# mine\n");
    assert!(!world.path(".config/sitectl/config.toml.new").exists());
}
