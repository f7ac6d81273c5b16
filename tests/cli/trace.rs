//! `-v` and `-vv`: the report of each exchange, without the token.

use crate::common::{Run, World, steady};
use crate::service::{Reply, Scripted};
use regex::Regex;
use snapbox::{IntoData, assert_data_eq, str};

const TOKEN: &str = "s3c/re+k%n";
const SHOW: [&str; 3] = ["clients", "show", "c1"];

/// Runs a command on a service with this script, and checks that the token is not printed.
fn run(script: Vec<(&'static str, Reply)>, args: &[&str]) -> Run {
    let service = Scripted::new(script);
    let run = World::on(&service.base_url)
        .with("SITECTL_TOKEN", TOKEN)
        .run(args);
    assert!(
        !format!("{}{}", run.stdout, run.stderr).contains(TOKEN),
        "{}",
        run.transcript()
    );
    run
}

fn answer(status: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    Reply::Raw(format!(
        "HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    ).into_bytes())
}

/// Returns the transcript with every duration replaced.
fn timeless(run: &Run) -> String {
    let time = Regex::new(r"(\(|continuing in )\d+(µs|ms|s)").unwrap();
    time.replace_all(&steady(&run.transcript()), "${1}TIME")
        .into_owned()
}

#[test]
fn the_token_in_a_request_is_masked() {
    let create = [
        "clients",
        "create",
        "--first-name",
        TOKEN,
        "--email",
        "a@example.com",
        "-vv",
    ];
    let run = run(vec![("POST", answer(422, "", ""))], &create);
    assert!(
        run.stderr.contains(r#"> {"client":{"first_name":"***""#),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("> authorization: ***"),
        "{}",
        run.stderr
    );
}

#[test]
fn verbose_prints_one_line_per_request() {
    let left = |left: u32| {
        format!(
            "x-ratelimit-limit: 200\r\nx-ratelimit-remaining: {left}\r\nx-ratelimit-reset: 60\r\n"
        )
    };
    let body = r#"{"client":{"id":"c1"}}"#;
    let script = vec![
        ("GET", answer(500, &left(199), "")),
        ("GET", Reply::Drop),
        (
            "GET",
            answer(200, &format!("{}x-a: \t\u{9b}31m\r\n", left(197)), body),
        ),
    ];
    assert_data_eq!(
        timeless(&run(script, &[&SHOW[..], &["-v"]].concat())),
        str![[r#"
[stdout]
id  c1
[stderr]
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 500 (TIME)
the service responded with 500; continuing in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (TIME, attempt 2)
request failed; continuing in TIME
GET http://127.0.0.1:PORT/api/v6/clients/c1 -> 200 (TIME, attempt 3, 197 of 200 requests left, resets in TIME)
exit 0

"#]]
    );
}

#[test]
fn headers_and_bodies_are_shown_with_vv() {
    let script = vec![(
        "GET",
        answer(
            200,
            "x-odd: a\u{9b}b\r\n",
            "{\"client\":{\"id\":\"c1\",\r\n\"x\":\"\u{202e}\"}}",
        ),
    )];
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
