//! Passwords in records are hidden wherever they are printed, unless `--show-secrets` prints them.

use crate::service::{Reply, Scripted, Service};
use predicates::str::contains;
use serde_json::json;

/// Each format prints the field with the password.
const COMMANDS: [&str; 5] = [
    "sites list --jq .[].http_auth.password",
    "sites list -o csv --fields id,http_auth.password",
    "api /sites -o ndjson",
    "api /sites/s1 -o table",
    "api /sites/s1 -o yaml",
];

#[test]
fn passwords_are_hidden_in_every_output() {
    let site = json!({"id": "s1", "http_auth": {"password": "hunter2"}, "ftp_PASSWORD": "hunter2"});
    let service = Service::start(move |request| match request.line.split('?').next() {
        Some("GET /api/v6/sites") => Reply::list("sites", std::slice::from_ref(&site)),
        Some("GET /api/v6/sites/s1") => Reply::Json(200, json!({"site": site}).to_string()),
        _ => {
            let message = json!({"password": "hunter2"}).to_string();
            Reply::Json(422, json!({"error": {"message": message}}).to_string())
        }
    });
    let world = service.world();
    for line in COMMANDS {
        let run = world.run(format!("{line} -vv"));
        assert!(
            run.stdout.contains("***") && !run.transcript().contains("hunter2"),
            "{line}\n{}",
            run.transcript()
        );
        let run = world.run(format!("{line} -vv --show-secrets"));
        assert!(
            run.stdout.contains("hunter2") && run.stderr.contains(r#""ftp_PASSWORD":"hunter2""#),
            "{line}\n{}",
            run.transcript()
        );
    }
    let change = "api POST /sites -f password=hunter2 --yes";
    let preview = format!("{change} --dry-run");
    world
        .run(preview)
        .assert_stdout(0, contains(r#"{"password":"***"}"#));
    let run = world.run(change);
    run.assert_stderr(5, contains(r#"(422): {"password":"***"}"#));
}

#[test]
fn a_hidden_password_is_not_sent() {
    let service = Scripted::new(vec![]);
    let world = service.world();
    let body = json!({"id": "c1", "db_password": "***"});
    std::fs::write(world.path("body.json"), body.to_string()).unwrap();
    for line in [
        "api POST /sites/s1 -f http_auth[Password]=***",
        "api PUT /sites/s1 --input body.json",
        "clients update c1 --from-file body.json",
    ] {
        let run = world.run(line);
        run.assert_stderr(2, contains("--show-secrets"));
    }
}
