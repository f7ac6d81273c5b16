//! Every problem that the specification names is provoked at the service, and told with the flag, or the file, line and
//! column, that it came from (spec, "Detail codes for 400", "Detail codes for 422"). Most of what 400 refuses sitectl
//! refuses before it sends anything: these the service is made to say by hand, and a scripted service says them again.

use crate::scripted::{Reply, Scripted, clients};
use crate::support::{Run, Server, World};
use serde_json::{Value, json};

/// What the sandbox answers to this body.
fn provoke(server: &Server, path: &str, body: &Value) -> (u16, String) {
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let request = ureq::Agent::from(config).post(format!("{}{path}", server.base_url));
    let request = request.header("authorization", "Bearer sandbox-token").header("content-type", "application/json");
    let mut answer = request.send(body.to_string()).unwrap();
    (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
}

/// The problems of a 400: what to send, and the field, code and message that come back.
fn refused() -> Vec<(Value, &'static str, &'static str, String)> {
    let with = |field: &str, value: Value| {
        let mut client = json!({"first_name": "A", "email": "a@example.com"});
        client[field] = value;
        json!({ "client": client })
    };
    let mut cases = vec![
        (json!({"client": []}), "client", "invalid_type", "Must be an object".to_string()),
        (with("first_name", json!("")), "first_name", "blank", "Can't be blank".into()),
        (with("email", json!("")), "email", "blank", "Can't be blank".into()),
        (with("email", json!("nobody")), "email", "invalid_format", "Invalid email format".into()),
        (with("site_ids", json!("s")), "site_ids", "invalid_type", "Must be an array".into()),
    ];
    for field in ["last_name", "company_name", "address", "note"] {
        cases.push((with(field, json!(7)), field, "invalid_type", "Must be a string".into()));
    }
    for (field, longest) in
        [("first_name", 255), ("last_name", 255), ("company_name", 255), ("address", 2000), ("note", 5000)]
    {
        let message = format!("Is too long (maximum is {longest} characters)");
        cases.push((with(field, json!("x".repeat(longest + 1))), field, "too_long", message));
    }
    cases
}

const FIELDS: [&str; 7] = ["first_name", "last_name", "email", "company_name", "address", "note", "site_ids"];

fn flag(field: &str, site: &str) -> String {
    match field {
        "site_ids" => site.into(),
        "client" | "base" => field.into(),
        field => format!("--{}", field.replace('_', "-")),
    }
}

/// Where a field of the file's only row stands.
fn place(field: &str) -> String {
    let column = if FIELDS.contains(&field) { format!(", column {field}") } else { String::new() };
    format!("clients.csv line 2{column}")
}

fn told(run: &Run, about: &str, code: &str, message: &str) {
    let line = format!("  {about}: {message} ({code})\n");
    assert!(run.code == 5 && run.stderr.contains(&line), "expected {line}{}", run.transcript());
}

/// Flags for every field of a client, and the sites under this flag.
fn fields(site: &str) -> Vec<String> {
    let flags = ["--first-name", "--last-name", "--email", "--company-name", "--address", "--note"];
    let values = flags.iter().flat_map(|flag| [(*flag).to_string(), "a@example.com".into()]);
    values.chain([site.to_string(), "s1".into()]).collect()
}

fn run(world: &World, words: &[&str], more: &[String]) -> Run {
    world.run(&[words, &more.iter().map(String::as_str).collect::<Vec<_>>()].concat())
}

fn apply(world: &World, row: &str) -> Run {
    std::fs::write(world.path("clients.csv"), format!("{}\n{row}\n", FIELDS.join(","))).unwrap();
    world.run(&["clients", "apply", "clients.csv", "--yes"])
}

#[test]
fn what_400_refuses_is_told_with_its_flag_or_place() {
    let server = Server::start(&[]);
    for (body, field, code, message) in refused() {
        let (status, answer) = provoke(&server, "/clients", &body);
        assert_eq!(status, 400, "{field} {code}: {answer}");
        let says = || Reply::Json(400, answer.clone());
        let service = Scripted::new(vec![("POST /api/v6/clients", says())]);
        let create = run(&service.world(), &["clients", "create"], &fields("--site"));
        told(&create, &flag(field, "--site"), code, &message);
        let found = Reply::Json(200, r#"{"client":{"id":"c1","site_ids":[]}}"#.into());
        let service =
            Scripted::new(vec![("GET /api/v6/clients/c1", found), ("POST /api/v6/clients/c1/update", says())]);
        let update = run(&service.world(), &["clients", "update", "c1"], &fields("--set-site"));
        told(&update, &flag(field, "--set-site"), code, &message);
        let list = clients(&[]);
        let service = Scripted::new(vec![("GET /api/v6/clients", list), ("POST /api/v6/clients", says())]);
        told(&apply(&service.world(), "A,B,a@example.com,C,D,E,s1"), &place(field), code, &message);
    }
}

#[test]
fn ids_that_are_refused_are_told() {
    let server = Server::start(&[]);
    for (body, code, message) in [
        (json!({}), "blank", "Can't be blank"),
        (json!({"ids": []}), "blank", "Can't be blank"),
        (json!({"ids": "c1"}), "invalid_type", "Must be an array"),
    ] {
        let (status, answer) = provoke(&server, "/clients/delete", &body);
        assert_eq!(status, 400, "{answer}");
        let service = Scripted::new(vec![("POST /api/v6/clients/delete", Reply::Json(400, answer))]);
        told(&service.world().run(&["clients", "delete", "c1", "--yes"]), "CLIENT_ID", code, message);
    }
}

/// What 422 refuses, sitectl cannot know: the sandbox itself says it.
#[test]
fn what_422_refuses_is_told_with_its_flag_or_place() {
    let server = Server::start(&["--max-clients", "60"]);
    let world = server.world();
    let create = |email: &str, site: &str| {
        world.run(&["clients", "create", "--first-name", "A", "--email", email, "--site", site])
    };
    let update = |email: &str, site: &str| {
        world.run(&["clients", "update", "client-0009", "--email", email, "--add-site", site])
    };
    let applied = |id: &str, email: &str, site: &str| {
        std::fs::write(world.path("clients.csv"), format!("id,first_name,email,site_ids\n{id},A,{email},{site}\n"))
            .unwrap();
        world.run(&["clients", "apply", "clients.csv", "--yes"])
    };
    let taken = "amara.okafor@okafor-interiors.example";
    for (email, site, field, code) in [
        ("owner@example.com", "site-0040", "email", "owner_email"),
        (taken, "site-0040", "email", "already_exists"),
        ("a@example.com", "site-9999", "site_ids", "invalid_id"),
        ("a@example.com", "site-0001", "site_ids", "already_assigned"),
    ] {
        let told = |run: &Run, about: &str| {
            let found = run
                .stderr
                .lines()
                .any(|line| line.starts_with(&format!("  {about}: ")) && line.ends_with(&format!(" ({code})")));
            assert!(run.code == 5 && found, "{about} {code}: {}", run.transcript());
        };
        told(&create(email, site), &flag(field, "--site"));
        told(&update(email, site), &flag(field, "--add-site"));
        told(&applied("client-0009", email, site), &format!("clients.csv line 2, column {field}"));
    }
    let quota = |run: Run, about: &str| {
        let line = run.stderr.lines().find(|line| line.starts_with(&format!("  {about}: ")));
        assert!(run.code == 5 && line.is_some_and(|line| line.ends_with("(max_quota)")), "{}", run.transcript());
    };
    quota(create("a@example.com", "site-0040"), "base");
    quota(applied("", "a@example.com", "site-0040"), "clients.csv line 2");
}
