//! Every problem that the service reports is printed with the flag, or the file, line and column, that it came from (spec,
//! "Detail codes for 400", "Detail codes for 422"). sitectl refuses most of these itself, so that a scripted service reports
//! them here.

use crate::common::{Run, Server, World};
use crate::service::{Reply, Scripted, clients};
use serde_json::json;

/// The fields, codes and messages of problems that a 400 reports.
const PROBLEMS: [(&str, &str, &str); 5] = [
    ("client", "invalid_type", "Must be an object"),
    ("email", "invalid_format", "Invalid email format"),
    ("first_name", "blank", "Can't be blank"),
    ("site_ids", "invalid_type", "Must be an array"),
    (
        "note",
        "too_long",
        "Is too long (maximum is 5000 characters)",
    ),
];

fn refused(field: &str, code: &str, message: &str) -> Reply {
    let details = json!([{"code": code, "param": field, "message": message}]);
    let error = json!({"status": 400, "code": "bad_request", "message": "Invalid parameters.", "details": details});
    Reply::Json(400, json!({ "error": error }).to_string())
}

const FIELDS: [&str; 7] = [
    "first_name",
    "last_name",
    "email",
    "company_name",
    "address",
    "note",
    "site_ids",
];

fn flag(field: &str, site: &str) -> String {
    match field {
        "site_ids" => site.into(),
        "client" | "base" => field.into(),
        field => format!("--{}", field.replace('_', "-")),
    }
}

/// Returns the place of a field in the only row of the file, as far as its value.
fn place(field: &str) -> String {
    let column = if FIELDS.contains(&field) {
        format!(", column {field} (")
    } else {
        " (a@example.com)".into()
    };
    format!("clients.csv line 2{column}")
}

fn assert_reported(run: &Run, about: &str, code: &str, message: &str) {
    let end = format!(": {message} ({code})");
    let is_about = |line: &str| line.starts_with(&format!("  {about}")) && line.ends_with(&end);
    assert!(
        run.code == 5 && run.stderr.lines().any(is_about),
        "expected {about}{end}\n{}",
        run.transcript()
    );
}

/// Flags for every field of a client, and the sites under this flag.
fn fields(site: &str) -> Vec<String> {
    let flags = [
        "--first-name",
        "--last-name",
        "--email",
        "--company-name",
        "--address",
        "--note",
    ];
    let values = flags
        .iter()
        .flat_map(|flag| [(*flag).to_string(), "a@example.com".into()]);
    values.chain([site.to_string(), "s1".into()]).collect()
}

fn run(world: &World, words: &[&str], more: &[String]) -> Run {
    world.run(&[words, &more.iter().map(String::as_str).collect::<Vec<_>>()].concat())
}

fn apply(world: &World, row: &str) -> Run {
    std::fs::write(
        world.path("clients.csv"),
        format!("{}\n{row}\n", FIELDS.join(",")),
    )
    .unwrap();
    world.run("clients apply clients.csv --yes")
}

#[test]
fn a_400_is_reported_with_its_flag_or_place() {
    for (field, code, message) in PROBLEMS {
        let reply = || refused(field, code, message);
        let service = Scripted::new(vec![("POST /api/v6/clients", reply())]);
        let create = run(&service.world(), &["clients", "create"], &fields("--site"));
        assert_reported(&create, &flag(field, "--site"), code, message);
        let found = Reply::Json(200, r#"{"client":{"id":"c1","site_ids":[]}}"#.into());
        let service = Scripted::new(vec![
            ("GET", clients(&[])),
            ("GET /api/v6/clients/c1", found),
            ("GET", Reply::Json(200, r#"{"site":{"id":"s1"}}"#.into())),
            ("POST", reply()),
        ]);
        let update = run(
            &service.world(),
            &["clients", "update", "c1"],
            &fields("--set-site"),
        );
        assert_reported(&update, &flag(field, "--set-site"), code, message);
        let service = Scripted::new(vec![
            ("GET", clients(&[])),
            ("GET", Reply::list("sites", &[json!({"id": "s1"})])),
            ("POST", reply()),
        ]);
        assert_reported(
            &apply(&service.world(), "A,B,a@example.com,C,D,E,s1"),
            &place(field),
            code,
            message,
        );
    }
    let found = Reply::Json(200, r#"{"client":{"id":"c1"}}"#.into());
    let refused = refused("ids", "blank", "Can't be blank");
    let service = Scripted::new(vec![("GET /api/v6/clients/c1", found), ("POST", refused)]);
    assert_reported(
        &service.world().run("clients delete c1 --yes"),
        "c1",
        "blank",
        "Can't be blank",
    );
}

/// Only the service knows these problems: the sandbox reports them.
#[test]
fn a_422_is_reported_with_its_flag_or_place() {
    let server = Server::start("--max-clients 60");
    let world = server.world();
    let create = |email: &str, site: &str| {
        world.run(&[
            "clients",
            "create",
            "--first-name",
            "A",
            "--email",
            email,
            "--site",
            site,
        ])
    };
    let update = |email: &str, site: &str| {
        world.run(&[
            "clients",
            "update",
            "client-0009",
            "--email",
            email,
            "--add-site",
            site,
        ])
    };
    let apply = |id: &str, email: &str, site: &str| {
        std::fs::write(
            world.path("clients.csv"),
            format!("id,first_name,email,site_ids\n{id},A,{email},{site}\n"),
        )
        .unwrap();
        world.run("clients apply clients.csv --yes")
    };
    let reported = |run: &Run, about: &str, code: &str| {
        let is_about = |line: &str| {
            line.starts_with(&format!("  {about}")) && line.ends_with(&format!(" ({code})"))
        };
        assert!(
            run.code == 5 && run.stderr.lines().any(is_about),
            "{about} {code}: {}",
            run.transcript()
        );
    };
    let taken = "amara.okafor@okafor-interiors.example";
    for (email, site, field, code) in [
        ("owner@example.com", "site-0040", "email", "owner_email"),
        (taken, "site-0040", "email", "already_exists"),
        ("a@example.com", "site-9999", "site_ids", "invalid_id"),
        ("a@example.com", "site-0001", "site_ids", "already_assigned"),
    ] {
        reported(&create(email, site), &flag(field, "--site"), code);
        reported(&update(email, site), &flag(field, "--add-site"), code);
        reported(&apply("client-0009", email, site), &place(field), code);
    }
    reported(&create("a@example.com", "site-0040"), "base", "max_quota");
    reported(
        &apply("", "a@example.com", "site-0040"),
        &place("base"),
        "max_quota",
    );
}
