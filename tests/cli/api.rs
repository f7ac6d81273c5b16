//! `sitectl api`: the URL and body of a request, and the output of the response.

use crate::common::{Run, World, interrupt, wait};
use crate::listing::{Listing, Quirks, numbered};
use crate::service::{Reply, Scripted};
use predicates::str::contains;
use snapbox::{assert_data_eq, str};

fn api(world: &World, args: &[&str]) -> Run {
    world.run(&[&["api"], args].concat())
}

/// Returns a response with these headers.
pub fn answer(status: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    Reply::Raw(format!(
        "HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    ).into_bytes())
}

/// Runs a command on a service that responds with this body.
fn on(body: &str, args: &[&str]) -> Run {
    let service = Scripted::new(vec![("GET", answer(200, "", body))]);
    api(&service.world(), &[&["/x"], args].concat())
}

/// Returns the body of the request, and the result of the command.
fn sent(args: &[&str], stdin: &str) -> (String, Run) {
    let service = Scripted::new(vec![("POST", answer(200, "", "{}"))]);
    let run = service
        .world()
        .run_with(&[&["api", "post", "/tags", "--yes"], args].concat(), stdin);
    let mut seen = service.requests();
    let json = seen[0]
        .headers
        .iter()
        .any(|header| header.eq_ignore_ascii_case("content-type: application/json"));
    assert_eq!(json, !seen[0].body.is_empty());
    (seen.remove(0).body, run)
}

#[test]
fn the_path_and_query_are_sent_as_typed() {
    for (args, line) in [
        (&["/tags"][..], "GET /api/v6/tags"),
        (&["get", "tags/7?page=2"], "GET /api/v6/tags/7?page=2"),
        (&["-X", "head", "/api/v6/tags"], "HEAD /api/v6/tags"),
        (
            &["/tags/a b/ü?a=1", "-f", "filters[name:contains]=a&b=ü"],
            "GET /api/v6/tags/a%20b/%C3%BC?a=1&filters%5Bname%3Acontains%5D=a%26b%3D%C3%BC",
        ),
        (
            &[
                "/tags",
                "-F",
                "a=\"x y\"",
                "-F",
                "b=12345678901234567890123",
                "-F",
                "c=[1]",
            ],
            "GET /api/v6/tags?a=x%20y&b=12345678901234567890123&c=%5B1%5D",
        ),
        (&["HEAD", "/tags", "-f", "a=b"], "HEAD /api/v6/tags?a=b"),
    ] {
        let service = Scripted::new(vec![(
            "",
            answer(200, "", if line.starts_with("HEAD") { "" } else { "{}" }),
        )]);
        let run = api(&service.world(), args);
        let seen = service.requests();
        assert_eq!(
            (run.code, seen[0].line.as_str()),
            (0, line),
            "{args:?}\n{}",
            run.transcript()
        );
        assert!(seen[0].body.is_empty(), "{args:?}");
    }
}

#[test]
fn invalid_usage_is_rejected_before_any_request() {
    let service = Scripted::new(vec![]);
    let world = service.world();
    for args in [
        &["https://evil.example/api/v6/x"][..],
        &["/a\u{1b}[31m"],
        &["GET", "/x", "/y"],
        &["POST", "/x"],
        &["POST", "-X", "PUT", "/x", "--yes"],
        &["POST", "/x", "--input", "-", "-f", "a=b"],
        &["/x", "--input", "-"],
        &["POST", "/x", "--paginate"],
        &["C:/Program Files/Git/clients"],
    ] {
        let run = api(&world, args);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (2, ""),
            "{args:?}\n{}",
            run.transcript()
        );
        assert!(!run.stderr.contains('\u{1b}'), "{args:?}");
    }
    assert_eq!(service.requests().len(), 0);
}

#[test]
fn input_with_a_repeated_field_is_refused() {
    let run = World::sandbox().run_with(
        "api POST /clients --input - --dry-run",
        r#"{"client": {"note": "a", "email": "a@b.example", "note": "b"}, "x": 1, "x": 2}"#,
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: 2 problems in stdin; no changes were made
  stdin record 1, field note: Is in the record twice (duplicate_field)
  stdin record 1, field x: Is in the record twice (duplicate_field)
hint: fix the file and retry
exit 5

"#]]
    );
}

#[test]
fn fields_make_an_object_and_input_is_sent_byte_for_byte() {
    let (seen, run) = sent(
        &[
            "-f",
            "client[name]=Ada \"A\"",
            "-f",
            "ids[]=a",
            "-F",
            "ids[]=1.5",
            "-f",
            "t=true",
        ],
        "",
    );
    assert_eq!(
        (seen.as_str(), run.code),
        (
            r#"{"client":{"name":"Ada \"A\""},"ids":["a",1.5],"t":"true"}"#,
            0
        )
    );
    for body in [
        "{\"a\" : 1e400,\r\n \"b\":12345678901234567890123, \"é\":\"\\u00e9\u{9b}\"}\n\n",
        " null",
    ] {
        let (seen, run) = sent(&["--input", "-"], body);
        assert!(seen == body && run.code == 0, "{}", run.stderr);
    }
}

#[test]
fn error_details_show_the_flags() {
    let world = World::sandbox();
    assert_data_eq!(
        api(
            &world,
            &[
                "POST",
                "/clients",
                "-f",
                "client[first_name]=",
                "-F",
                "client[note]=7",
                "-f",
                "client[email]=x",
                "--yes"
            ]
        )
        .transcript(),
        str![[r#"
[stderr]
error: the service rejected the request (400): Invalid parameters.
  -f client[first_name]: Can't be blank (blank)
  -f client[email]: Invalid email format (invalid_format)
  -F client[note]: Must be a string (invalid_type)
hint: fix the values above, or add -vv to show the request and the response
exit 5

"#]]
    );
}

#[test]
fn the_status_and_headers_go_to_stderr() {
    let headers = "content-type: application/json\r\nset-cookie: id=secret\r\nx-echo: Bearer sandbox-token \u{9b}\r\n";
    let service = Scripted::new(vec![
        ("GET /api/v6/a", answer(200, headers, "{}")),
        (
            "PUT /api/v6/b",
            answer(422, headers, r#"{"error":{"message":"No."}}"#),
        ),
    ]);
    let world = service.world();
    assert_data_eq!(
        api(&world, &["/a", "-i", "--json"]).transcript(),
        str![[r#"
[stdout]
{}
[stderr]
HTTP 200 OK
content-type: application/json
set-cookie: ***
x-echo: Bearer *** /u{9b}
connection: close
content-length: 2

exit 0

"#]]
    );
    let run = api(&world, &["PUT", "/b", "--include", "-q", "--yes"]);
    assert!(
        run.stderr.starts_with("HTTP 422 Unprocessable Entity\n") && run.code == 5,
        "{}",
        run.transcript()
    );
}

#[test]
fn an_error_after_a_change_shows_that_the_request_succeeded() {
    for args in [&["-o", "ids"][..], &["--jq", ".tag.name.x"]] {
        let service = Scripted::new(vec![("POST", answer(200, "", r#"{"tag":{"name":"x"}}"#))]);
        let run = api(
            &service.world(),
            &[&["POST", "/tags", "--yes"], args].concat(),
        );
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (1, ""),
            "{}",
            run.transcript()
        );
        assert!(
            run.stderr.contains("the request succeeded, but "),
            "{}",
            run.transcript()
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_during_a_change_reports_an_unknown_outcome() {
    let service = Scripted::new(vec![("POST", Reply::Silence)]);
    let world = service.world();
    let child = world.start("api POST /tags -f name=x --yes");
    service.next();
    interrupt(&child);
    let run = wait(child);
    run.assert_stderr(130, contains("the outcome is unknown"));
}

#[test]
fn all_pages_are_joined_into_one_list() {
    let service = Listing::start(numbered(250), Quirks::default());
    let run = api(
        &service.world(),
        &[
            "/clients?x=y",
            "--paginate",
            "-f",
            "filters[a:eq]=b",
            "-o",
            "ids",
        ],
    );
    assert!(
        run.code == 0 && run.stdout.lines().eq(service.ids()) && run.stderr.is_empty(),
        "{}",
        run.stderr
    );
    let mut lines = service.lines();
    lines.sort();
    let expected = (1..=3).map(|page| {
        format!("GET /api/v6/clients?x=y&filters%5Ba%3Aeq%5D=b&page={page}&perPage=100")
    });
    assert!(lines.iter().cloned().eq(expected), "{lines:#?}");
    assert_eq!(
        api(
            &service.world(),
            &["/clients", "--paginate", "--jq", "length"]
        )
        .stdout,
        "250\n"
    );
}

#[test]
fn an_incomplete_list_is_reported() {
    let service = Listing::start(
        numbered(9),
        Quirks {
            total_items: Some(10),
            ..Quirks::default()
        },
    );
    let run = api(&service.world(), &["/clients", "--paginate", "--json"]);
    assert_eq!(run.code, 13, "{}", run.transcript());
    // Without a total, the list ends with a repeated page.
    let bare = || ("GET", answer(200, "", r#"[{"id":1},{"id":2}]"#));
    let service = Scripted::new(vec![bare(), bare()]);
    let run = api(&service.world(), &["/x", "--paginate", "-o", "ids"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "1\n2\n"),
        "{}",
        run.transcript()
    );
    let run = on(
        r#"{"a":[],"b":[],"meta":{}}"#,
        &["--paginate", "--retries", "0"],
    );
    run.assert_stderr(8, contains("the response has no list"));
}

#[test]
fn a_dry_run_prints_the_method_the_url_and_the_body() {
    let dry = |args: &[&str], stdin: &str| {
        let world = World::empty().with("SITECTL_BASE_URL", "https://service.example/api/v6");
        world
            .with("SITECTL_TOKEN", "s3cret-token")
            .run_with(&[&["api"], args, &["--dry-run"]].concat(), stdin)
    };
    assert_data_eq!(
        dry(
            &[
                "DELETE",
                "/tags/s3cret-token",
                "-f",
                "name=it's $HOME `x`",
                "-f",
                "t=s3cret-token"
            ],
            ""
        )
        .transcript(),
        str![[r#"
[stdout]
DELETE https://service.example/api/v6/tags/***

{"name":"it's $HOME `x`","t":"***"}
[stderr]
No changes were made.
exit 0

"#]]
    );
    // Needs no token and starts nothing.
    let world = World::sandbox();
    let run = api(&world, &["/sites", "--paginate", "--dry-run"]);
    assert!(
        run.stdout.ends_with("/api/v6/sites\n"),
        "{}",
        run.transcript()
    );
    assert!(!world.path(".local").exists());
}
