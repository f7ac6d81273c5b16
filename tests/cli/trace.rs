//! `-v` and `-vv`: what is told of each exchange, and that the token is in none of it, however the service writes it.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, World, steady};
use regex::Regex;
use snapbox::{IntoData, assert_data_eq, str};

/// A token that every escape there is has something to say about.
const TOKEN: &str = r#"s3c/r"e\t+k%n"#;
const SHOW: [&str; 3] = ["clients", "show", "c1"];

/// The token as JSON, URLs and headers may write it; none of these may be printed.
fn forms() -> Vec<String> {
    let each = |form: &dyn Fn(char) -> String| TOKEN.chars().map(form).collect::<String>();
    let code = |c: char| u32::from(c);
    let json = |c: char| if matches!(c, '"' | '\\') { format!("\\{c}") } else { c.to_string() };
    vec![
        TOKEN.into(),
        each(&json),
        each(&|c| if c == '/' { "\\/".into() } else { json(c) }),
        each(&|c| format!("\\u{:04x}", code(c))),
        each(&|c| format!("\\u{:04X}", code(c))),
        each(&|c| if code(c) % 2 == 0 { json(c) } else { format!("\\u{:04X}", code(c)) }),
        each(&|c| format!("%{:02x}", code(c))),
        each(&|c| format!("%{:02X}", code(c))),
        each(&|c| if c.is_ascii_alphanumeric() { c.into() } else { format!("%{:02X}", code(c)) }),
    ]
}

/// Runs on a service that answers with these, and sees that the token is nowhere.
fn run(script: Vec<(&'static str, Reply)>, args: &[&str]) -> Run {
    let service = Scripted::new(script);
    let run = World::on(&service.base_url).with("SITECTL_TOKEN", TOKEN).run(args);
    service.requests();
    for form in forms() {
        assert!(!format!("{}{}", run.stdout, run.stderr).contains(&form), "{form}\n{}", run.transcript());
    }
    run
}

fn answer(status: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    Reply::Raw(format!("HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"))
}

/// The same with every length of time replaced.
fn timeless(run: &Run) -> String {
    let time = Regex::new(r"(\(|going on in )\d+(µs|ms|s)").unwrap();
    time.replace_all(&steady(&run.transcript()), "${1}TIME").into_owned()
}

#[test]
fn an_echoed_token_is_masked_in_every_form() {
    for form in forms() {
        // Only some forms can stand in JSON as they are.
        let quoted = if serde_json::from_str::<String>(&format!("\"{form}\"")).is_ok() {
            form.clone()
        } else {
            form.replace('\\', "\\\\").replace('"', "\\\"")
        };
        let body = format!(
            r#"{{"error":{{"code":"{quoted}","message":"no {quoted}!","details":[{{"code":"{quoted}","param":"{quoted}","message":"{quoted}"}}]}}}}"#
        );
        let headers = format!("x-echo: Bearer {form}\r\nset-cookie: session=opens-all\r\nlocation: /{form}\r\n");
        for flags in [&["-v"][..], &["-vv"], &["-vv", "--json"]] {
            for status in [422, 302, 418] {
                let run = run(vec![("GET", answer(status, &headers, &body))], &[&SHOW, flags].concat());
                assert!(run.stderr.contains("***") && !run.stderr.contains("opens-all"), "{}", run.transcript());
            }
        }
    }
}

#[test]
fn what_was_sent_is_masked_too() {
    let create = ["clients", "create", "--first-name", TOKEN, "--email", "a@example.com", "-vv"];
    let run = run(vec![("POST", answer(422, "", ""))], &create);
    assert!(run.stderr.contains(r#"> {"client":{"first_name":"***""#), "{}", run.stderr);
    assert!(run.stderr.contains("> authorization: ***"), "{}", run.stderr);
}

#[test]
fn a_line_tells_an_exchange() {
    let left =
        |left: u32| format!("x-ratelimit-limit: 200\r\nx-ratelimit-remaining: {left}\r\nx-ratelimit-reset: 60\r\n");
    let body = r#"{"client":{"id":"c1"}}"#;
    let script = vec![
        ("GET", answer(500, &left(199), "")),
        ("GET", Reply::Drop),
        ("GET", answer(200, &format!("{}x-a: \t\u{9b}31m\r\n", left(197)), body)),
    ];
    assert_data_eq!(
        timeless(&run(script, &[&SHOW[..], &["-v"]].concat())),
        str![[r#"
[stdout]
id  c1
[stderr]
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 500 (TIME)
the last attempt failed; going on in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (TIME, attempt 2)
the last attempt failed; going on in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 200 (TIME, attempt 3, 197 of 200 requests left)
exit 0

"#]]
    );
}

#[test]
fn headers_and_bodies_are_told_once_they_are_asked_for() {
    let script =
        vec![("GET", answer(200, "x-odd: a\u{9b}b\r\n", "{\"client\":{\"id\":\"c1\",\r\n\"x\":\"\u{202e}\"}}"))];
    assert_data_eq!(
        timeless(&run(script, &[&SHOW[..], &["-vv", "-o", "ids"]].concat())),
        str![[r#"
[stdout]
c1
[stderr]
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 200 (TIME)
  > accept: application/json
  > authorization: ***
  < x-odd: a\u{9b}b
  < connection: close
  < content-length: 34
  < {"client":{"id":"c1",\r\n"x":"\u{202e}"}}
exit 0

"#]]
        .raw()
    );
}
