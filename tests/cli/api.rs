//! `sitectl api`: where a request by hand may go, what it sends, and what becomes of it.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World, interrupt};
use snapbox::{assert_data_eq, str};
use std::process::Stdio;

fn api(world: &World, args: &[&str]) -> Run {
    world.run(&[&["api"], args].concat())
}

/// An answer with these headers.
pub fn answer(status: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    Reply::Raw(format!("HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"))
}

#[test]
fn a_request_goes_where_it_was_typed() {
    for (args, line) in [
        (&["/tags"][..], "GET /api/v6/tags"),
        (&["tags/7"], "GET /api/v6/tags/7"),
        (&["get", "/tags?page=2"], "GET /api/v6/tags?page=2"),
        (&["/tags/a b/ü?filters[name:eq]=x y"], "GET /api/v6/tags/a%20b/%C3%BC?filters%5Bname:eq%5D=x%20y"),
        (
            &["/tags?a=1", "-f", "filters[name:contains]=a&b=ü"],
            "GET /api/v6/tags?a=1&filters%5Bname:contains%5D=a%26b%3D%C3%BC",
        ),
        (
            &["/tags", "-F", "a=\"x y\"", "-F", "b=12345678901234567890123", "-F", "c=[1]"],
            "GET /api/v6/tags?a=x%20y&b=12345678901234567890123&c=%5B1%5D",
        ),
        (
            &["/tags", "--filter", "name:eq=a=b", "--filter", "name:eq=c", "--sort", "name"],
            "GET /api/v6/tags?filters%5Bname:eq%5D=a%3Db&filters%5Bname:eq%5D=c&sort=name,asc",
        ),
        (&["Delete", "/tags/7?force=1"], "DELETE /api/v6/tags/7?force=1"),
        (&["HEAD", "/tags", "-f", "a=b"], "HEAD /api/v6/tags?a=b"),
    ] {
        let service = Scripted::new(vec![("", answer(200, "", if args[0] == "HEAD" { "" } else { "{}" }))]);
        let run = api(&service.world(), args);
        let seen = service.requests();
        assert_eq!((run.code, seen[0].line.as_str()), (0, line), "{args:?}\n{}", run.transcript());
        assert!(seen[0].body.is_empty(), "{args:?}");
    }
}

#[test]
fn a_whole_address_is_taken_where_it_is_below_the_base_url() {
    let (_server, world) = Server::start(&[]).world_kept();
    let base = world.run(&["api", "/sites", "--dry-run", "--json"]).json()["url"].as_str().unwrap().to_string();
    let run = api(&world, &[&format!("{base}?perPage=2"), "-o", "ids"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "site-0040\nsite-0039\n"), "{}", run.transcript());
}

#[test]
fn what_leads_elsewhere_is_refused_before_anything_is_sent() {
    let service = Scripted::new(vec![]);
    let world = service.world();
    for path in [
        "",
        " ",
        "/",
        "?page=2",
        "//evil.example/x",
        "https://evil.example/api/v6/x",
        "http://127.0.0.1:1/api/v6/x",
        "..",
        "/a/../b",
        "/%2e%2E/x",
        "/a%2f..%2f..%2fb",
        "/a#b",
        "/a\nb",
        "/a\u{1b}[31m",
        "/a%0Ab",
        "file:///etc/passwd",
    ] {
        let run = api(&world, &[path]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{path:?}\n{}", run.transcript());
        assert!(run.stderr.contains("is below http://127.0.0.1:") && !run.stderr.contains('\u{1b}'), "{path:?}");
    }
    assert_eq!(service.requests().len(), 0);
}

#[test]
fn a_path_that_holds_the_token_is_refused() {
    let service = Scripted::new(vec![]);
    for args in [
        &["/x/sandbox-token"][..],
        &["/x?t=sandbox%2Dtoken"],
        &["/x", "-f", "t=sandbox-token"],
        &["POST", "/sandbox-token"],
    ] {
        let run = api(&service.world(), args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(
            run.stderr.contains("nothing was sent") && !run.stderr.contains("sandbox-token"),
            "{}",
            run.transcript()
        );
    }
    service.requests();
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let world = World::sandbox();
    assert_data_eq!(
        api(
            &world,
            &[
                "POST",
                "/../x",
                "-f",
                "a=1",
                "-f",
                "a[b]=2",
                "-f",
                "c",
                "-F",
                "d=x",
                "--filter",
                "e=1",
                "--sort",
                "f,down",
                "--paginate"
            ]
        )
        .transcript(),
        str![[r#"
[stderr]
error: there are 9 problems
  the path '/../x' holds . or .. as a segment, which would climb out of it; a path such as /clients?page=2 is below http://127.0.0.1:PORT/api/v6; a whole address is taken where it begins with that
  -f: 'c' is not of the form KEY=VALUE; such as -f name=Ada
  -F d: 'x' is not JSON; -f d=… sends text; JSON is a number, true, false, null, "text", a list or an object
  --filter: 'e=1' is not of the form FIELD:OP=VALUE; such as --filter name:contains=example
  --sort: 'down' is not a direction; allowed: asc, desc
  --filter is for GET, and this is POST; a request without a method is a GET
  --sort is for GET, and this is POST; a request without a method is a GET
  --paginate is for GET, and this is POST; a request without a method is a GET
  -f a[b] goes into what has a value already; --input - takes a whole body, as JSON, from stdin
exit 2

"#]]
    );
    assert_data_eq!(
        api(&world, &["FETCH", "/x"]).transcript(),
        str![[r#"
[stderr]
error: invalid value 'FETCH' for '[METHOD]'
  [possible values: GET, HEAD, POST, PUT, PATCH, DELETE]

  tip: a similar value exists: 'PATCH'

hint: see sitectl api --help
exit 2

"#]]
    );
    assert_data_eq!(
        api(&world, &["/x", "-F", "count=ten"]).transcript(),
        str![[r#"
[stderr]
error: -F count: 'ten' is not JSON
hint: -f count=… sends text; JSON is a number, true, false, null, "text", a list or an object
exit 2

"#]]
    );
    for args in [
        &[][..],
        &["GET", "/x", "/y"],
        &["POST", "/x", "--input", "-", "-f", "a=b"],
        &["POST", "/x", "--input", "-", "-F", "a=1"],
        &["/x", "--limit", "3"],
        &["/x", "--per-page", "3"],
        &["/x", "--verify"],
        &["/x", "--paginate", "--limit", "0"],
        &["HEAD", "/x", "--paginate"],
        &["HEAD", "/x", "--sort", "a"],
        &["/x", "-f", "=a"],
        &["PUT", "/x", "-f", "a[b=c"],
    ] {
        let run = api(&world, args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}\n{}", run.transcript());
    }
}

#[test]
fn refusals_name_what_was_typed() {
    let world = World::sandbox();
    assert_data_eq!(
        api(
            &world,
            &["POST", "/clients", "-f", "client[first_name]=", "-F", "client[note]=7", "-f", "client[email]=x"]
        )
        .transcript(),
        str![[r#"
[stderr]
error: Invalid parameters.
  -f client[first_name]: Can't be blank (blank)
  -f client[email]: Invalid email format (invalid_format)
  -F client[note]: Must be a string (invalid_type)
hint: the service refused it; -vv shows what was sent, and what it answered
exit 5

"#]]
    );
    assert_data_eq!(
        api(&world, &["/clients", "--filter", "shoe:eq=9", "--sort", "shoe", "-f", "perPage=0"]).transcript(),
        str![[r#"
[stderr]
error: Invalid parameters.
  -f perPage: Must be a whole number from 1 to 1000 (invalid_value)
  --sort: Can't be sorted by "shoe" (unsupported_field)
  --filter: Can't be filtered by "shoe" (unsupported_field)
hint: the service refused it; -vv shows what was sent, and what it answered
exit 5

"#]]
    );
    assert_data_eq!(
        api(&world, &["clients/client-9999"]).transcript(),
        str![[r#"
[stderr]
error: not found (404): Client not found.
hint: /clients/client-9999 was asked for; a path is relative to the base URL
exit 4

"#]]
    );
    let service = Scripted::new(vec![("PATCH", Reply::Json(405, String::new()))]);
    let run = api(&service.world(), &["PATCH", "/clients"]);
    assert!(
        run.code == 8 && run.stderr.contains("hint: the path does not take PATCH; trying again does not help\n"),
        "{}",
        run.transcript()
    );
    service.requests();
    let (server, _) = Server::start(&[]).world_kept();
    let run = api(&server.world(), &["/clints?x=1", "--json"]);
    let hint = format!("{}/clints?x=1 was asked for; a path is relative to the base URL", server.base_url);
    assert_eq!((run.code, run.error()["hint"].as_str()), (4, Some(hint.as_str())), "{}", run.transcript());
}

#[test]
fn the_head_of_each_answer_is_shown_where_it_is_wanted() {
    let headers = "content-type: application/json\r\nset-cookie: id=secret\r\nx-echo: Bearer sandbox-token \u{9b}\r\n";
    let refused = r#"{"error":{"message":"No."}}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/a", answer(200, headers, "{}")),
        ("PUT /api/v6/b", answer(422, headers, refused)),
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
    assert_data_eq!(
        api(&world, &["PUT", "/b", "--include", "-q"]).transcript(),
        str![[r#"
[stderr]
HTTP 422 Unprocessable Entity
content-type: application/json
set-cookie: ***
x-echo: Bearer *** /u{9b}
connection: close
content-length: 27

error: No.
exit 5

"#]]
    );
    service.requests();
}

#[test]
fn head_prints_nothing() {
    let world = World::sandbox();
    let run = api(&world, &["HEAD", "/clients"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.transcript());
    assert!(run.stderr.contains("--include shows"), "{}", run.transcript());
    let run = api(&world, &["HEAD", "/clients", "-i"]);
    assert!(
        run.stderr.starts_with("HTTP 200 OK\n") && run.stderr.contains("\nx-ratelimit-limit: 200\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_change_is_sent_once_unless_it_was_surely_not_processed() {
    let cases: [(&str, Reply, i32); 4] = [
        ("POST", Reply::Drop, 12),
        ("PUT", Reply::Json(503, String::new()), 12),
        ("PATCH", Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".into()), 12),
        ("DELETE", Reply::Json(200, "<html>".into()), 12),
    ];
    for (method, reply, code) in cases {
        let service = Scripted::new(vec![(method, reply)]);
        let run = api(&service.world(), &[method, "/tags/7", "-f", "a=b"]);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{method}\n{}", run.transcript());
        assert!(run.stderr.contains("hint: look what became of it before you send it again"), "{}", run.transcript());
        assert_eq!(run.stderr.contains(" api /tags/7"), method != "POST", "{}", run.transcript());
        service.requests();
    }
    let service = Scripted::new(vec![("POST", answer(429, "retry-after: 0\r\n", "")), ("POST", answer(204, "", ""))]);
    let run = api(&service.world(), &["POST", "/tags"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert_eq!(service.requests().len(), 2);
}

/// A change that is answered with this body.
fn changed(body: &str, args: &[&str]) -> (Run, Vec<crate::scripted::Seen>) {
    let service = Scripted::new(vec![("POST", answer(200, "", body))]);
    let run = api(&service.world(), &[&["POST", "/tags"], args].concat());
    (run, service.requests())
}

#[test]
fn what_goes_wrong_after_a_change_does_not_hide_that_it_was_made() {
    let made = "the request was answered with success, but ";
    let hint = "do not send it again for what it prints";
    for (body, args) in [
        (r#"{"tag":{"name":"x"}}"#, &["-o", "ids"][..]),
        (r#"{"tags":[{"name":"x"}]}"#, &["-o", "ids"]),
        (r#"{"tag":{"id":1}}"#, &["--jq", ".tag.id.x"]),
        (r#"{"tag":{"id":1}}"#, &["--list", "tags", "-o", "ids"]),
    ] {
        let (run, _) = changed(body, args);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.transcript());
        assert!(run.stderr.contains(made) && run.stderr.contains(hint), "{}", run.transcript());
        assert!(!run.stderr.contains("ndjson"), "{}", run.transcript());
    }
    for format in ["table", "json", "ndjson", "csv", "yaml", "ids"] {
        let service = Scripted::new(vec![("POST", answer(200, "", r#"{"tag":{"id":1}}"#))]);
        let world = service.world();
        let mut command = world.command(&["api", "POST", "/tags", "-o", format]);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::of(command.stdout(full).stderr(Stdio::piped()).output().unwrap());
        service.requests();
        assert_eq!(run.code, 1, "{format}: {}", run.transcript());
        let made = "the request was answered with success, but could not write to stdout";
        assert!(run.stderr.contains(made) && run.stderr.contains("do not send it again"), "{}", run.transcript());
    }
}

#[test]
fn a_change_without_a_body_says_so() {
    for method in ["POST", "PUT", "PATCH", "DELETE", "GET"] {
        let service = Scripted::new(vec![(method, answer(200, "", "{}"))]);
        assert_eq!(api(&service.world(), &[method, "/tags/1"]).code, 0, "{method}");
        let headers = service.requests().remove(0).headers;
        let lengths: Vec<_> = headers.iter().filter(|line| line.to_lowercase().starts_with("content-length")).collect();
        assert_eq!(lengths.len(), usize::from(method != "GET"), "{method}: {headers:?}");
        assert!(lengths.iter().all(|line| line.ends_with(": 0")), "{method}: {headers:?}");
    }
}

#[test]
fn habits_of_other_programs_are_told_how_it_is_here() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    for args in [&["/tags", "-X", "post"][..], &["-XPOST", "/tags"], &["--method", "POST", "/tags"]] {
        let run = api(&world, args);
        assert_eq!(run.code, 2, "{args:?}\n{}", run.transcript());
        let hint = "hint: the method comes first: sitectl api POST /tags\n";
        assert!(run.stderr.contains(hint), "{args:?}\n{}", run.transcript());
    }
    let run = api(&world, &["/tags", "-H", "Accept: text/csv"]);
    assert!(run.code == 2 && run.stderr.contains("error: -H: headers cannot be chosen"), "{}", run.transcript());
}

#[test]
fn the_words_of_a_refusal_survive_whatever_stands_beside_them() {
    let said = |status: u16, body: &str| {
        let service = Scripted::new(vec![("POST", Reply::Json(status, body.into()))]);
        let run = api(&service.world(), &["POST", "/tags", "-f", "name=x", "--retries", "0"]);
        service.requests();
        run.stderr
    };
    let details = said(422, r#"{"error":{"code":"c","message":"No.","details":{"name":["bad"]}}}"#);
    assert!(details.starts_with("error: No.\n  -f name: bad\n"), "{details}");
    assert!(said(422, r#"{"error":{"message":"No.","details":null}}"#).starts_with("error: No.\n"));
    assert!(said(401, r#"{"error":{"message":"Expired."}}"#).contains("(401): Expired.\n"));
    assert!(said(429, r#"{"error":{"message":"Slow."}}"#).contains(": Slow.\n"));
    for body in ["<html>", "", r#"{"x":1}"#] {
        assert!(said(400, body).contains("hint: the service refused it; -vv shows"), "{body}");
    }
    let long = said(409, &format!(r#"{{"error":{{"message":"{}sandbox-token"}}}}"#, "x".repeat(200_000)));
    assert!(long.len() < 3000, "{}", long.len());
}

#[cfg(unix)]
#[test]
fn ctrl_c_during_a_change_says_that_it_may_have_been_made() {
    let service = Scripted::new(vec![("POST", Reply::Silence)]);
    let world = service.world();
    let mut command = world.command(&["api", "POST", "/tags", "-f", "name=x"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    service.next();
    interrupt(&child);
    let run = Run::of(child.wait_with_output().unwrap());
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: interrupted before the answer came; the change may have been made
hint: look what became of it before you send it again
exit 130

"#]]
    );
}

#[test]
fn a_restore_by_hand_says_what_it_lacks() {
    let world = World::sandbox();
    let path = "/sites/site-0001/backups/snap-0001-1/restore";
    let fields =
        ["-F", "restore[scope][include_files]=true", "-F", "restore[scope][include_database]=true", "-o", "ids"];
    let run = api(&world, &[&["POST", path], &fields[..]].concat());
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
task-ID
[stderr]
warning: a restore by hand is not in the journal, and nothing keeps it from being started twice; sitectl --sandbox restore start site-0001 snap-0001-1 keeps it there and watches it
exit 0

"#]]
    );
    assert_eq!(world.journal(), "");
}
