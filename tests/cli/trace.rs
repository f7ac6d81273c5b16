//! `-v` and `-vv`: the report of each exchange never contains the token, in whatever form the service writes it.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, World, steady};
use regex::Regex;
use snapbox::{IntoData, assert_data_eq, str};

/// A token that every way of escaping changes.
const TOKEN: &str = r#"s3c/r"e\t+k%n"#;
const SHOW: [&str; 3] = ["clients", "show", "c1"];

/// Returns some forms of the token in JSON, URLs and headers, none of which may be printed.
fn forms() -> [String; 4] {
    let each = |form: &dyn Fn(char) -> String| TOKEN.chars().map(form).collect::<String>();
    let json = serde_json::json!(TOKEN).to_string().trim_matches('"').to_string();
    let (escaped, percent) = (|c| format!("\\u{:04x}", u32::from(c)), |c| format!("%{:02X}", u32::from(c)));
    [TOKEN.into(), json, each(&escaped), each(&percent)]
}

/// Runs a command on a service with this script, and checks that the token is not printed.
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

/// Returns the transcript with every duration replaced.
fn timeless(run: &Run) -> String {
    let time = Regex::new(r"(\(|continuing in )\d+(µs|ms|s)").unwrap();
    time.replace_all(&steady(&run.transcript()), "${1}TIME").into_owned()
}

#[test]
fn an_echoed_token_is_masked_in_every_form() {
    for form in &forms()[1..] {
        let body = format!(
            r#"{{"error":{{"code":"{form}","message":"no {form}!","details":[{{"code":"{form}","param":"{form}","message":"{form}"}}]}}}}"#
        );
        let headers = format!("x-echo: Bearer {form}\r\nset-cookie: session=opens-all\r\nlocation: /{form}\r\n");
        for flags in [&["-v"][..], &["-vv"], &["-vv", "--json"]] {
            for status in [422, 302] {
                let run = run(vec![("GET", answer(status, &headers, &body))], &[&SHOW, flags].concat());
                assert!(run.stderr.contains("***") && !run.stderr.contains("opens-all"), "{}", run.transcript());
            }
        }
    }
}

#[test]
fn the_token_in_a_request_is_masked() {
    let create = ["clients", "create", "--first-name", TOKEN, "--email", "a@example.com", "-vv"];
    let run = run(vec![("POST", answer(422, "", ""))], &create);
    assert!(run.stderr.contains(r#"> {"client":{"first_name":"***""#), "{}", run.stderr);
    assert!(run.stderr.contains("> authorization: ***"), "{}", run.stderr);
}

#[test]
fn an_exchange_is_one_line() {
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
request failed; continuing in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (TIME, attempt 2)
request failed; continuing in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 200 (TIME, attempt 3, 197 of 200 requests left, resets in TIME)
exit 0

"#]]
    );
}

#[test]
fn headers_and_bodies_are_shown_with_vv() {
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
