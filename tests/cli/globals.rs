//! Global options and settings.

use crate::support::{Run, Server, World};
use assert_cmd::cargo::cargo_bin;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use snapbox::{assert_data_eq, str};
use std::process::{Command, Stdio};

#[test]
fn version_includes_the_api_version() {
    assert_data_eq!(
        World::empty().run(&["--version"]).transcript(),
        str![[r#"
[stdout]
sitectl 0.1.0 (interface 6.0.0)
exit 0

"#]]
    );
}

#[test]
fn global_options_work_before_and_after_the_command() {
    let world = World::empty();
    let before = world.run(&["--sandbox", "--json", "clients", "list", "--limit", "2"]);
    let after = world.run(&["clients", "list", "--limit", "2", "--json", "--sandbox"]);
    assert_eq!((before.code, before.stdout), (0, after.stdout));
}

#[test]
fn usage_errors_are_json_with_json_output() {
    let world = World::sandbox();
    assert_data_eq!(
        world.run(&["clients", "list", "--jsn"]).transcript(),
        str![[r#"
[stderr]
error: unexpected argument '--jsn' found
hint: did you mean: sitectl clients list --json
exit 2

"#]]
    );
    let run = world.run(&["clients", "list", "--nope", "-qojson"]);
    assert_eq!((run.code, run.error()["kind"].as_str()), (2, Some("usage")));
}

#[test]
fn a_profile_sets_the_base_url_and_the_output_format() {
    let world = World::sandbox().with("SITECTL_SANDBOX", "0").with_config("current_profile = \"a\"\n[profiles.a]\nbase_url = \"http://127.0.0.1:1/api/v6\"\ntoken = \"abc\"\noutput = \"json\"\n");
    let run = world.run(&["clients", "list", "--retries", "0"]);
    assert_eq!((run.code, run.error()["kind"].as_str()), (8, Some("unavailable")));
    assert_data_eq!(
        world.run(&["clients", "list", "--profile", "b"]).transcript(),
        str![[r#"
[stderr]
error: --profile: profile 'b' does not exist
hint: existing profiles: a
exit 2

"#]]
    );
}

#[test]
fn completion_scripts_work_with_invalid_settings() {
    // Because an invalid setting must not prevent a shell from starting.
    let world = World::empty().with("SITECTL_PROFILE", "gone").with("SITECTL_OUTPUT", "xml");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let command = world.command(&["completions", shell]);
        let run = assert_cmd::Command::from_std(command).assert().success();
        run.stdout(contains("__complete")).stderr(is_empty());
    }
}

/// Runs the program as a user without a home directory; none if that requires more permissions.
fn homeless(env: &[(&str, &str)], args: &[&str]) -> Option<Run> {
    let run = |args: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "54321", "--clear-groups"]).arg(cargo_bin!("sitectl")).args(args).env_clear();
        command.env("PATH", std::env::var_os("PATH")?).envs(env.iter().copied()).stdin(Stdio::null());
        command.output().ok().map(Run::of)
    };
    run(&["--version"]).filter(|run| run.code == 0).and_then(|_| run(args))
}

#[test]
fn a_user_without_a_home_needs_no_config_file() {
    let server = Server::start(&[]);
    let env = [("SITECTL_BASE_URL", server.base_url.as_str()), ("SITECTL_TOKEN", "sandbox-token")];
    // Only root can change the user.
    let Some(run) = homeless(&env, &["clients", "list", "--limit", "1", "-o", "ids"]) else { return };
    assert_eq!((run.code, run.stdout.as_str()), (0, "client-0060\n"), "{}", run.transcript());
    let status = homeless(&env, &["auth", "status", "--json"]).unwrap();
    assert_eq!(status.json()["config_file"], Value::Null);
    let restore = ["restore", "start", "site-0001", "latest", "--full", "--yes"];
    assert_data_eq!(
        homeless(&env, &restore).unwrap().transcript(),
        str![[r#"
[stderr]
error: no home directory found
hint: set HOME or SITECTL_STATE_DIR
exit 1

"#]]
    );
}
