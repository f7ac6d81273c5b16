//! `sitectl api --dry-run`: a command that a shell runs as it is printed, and that tells no secret.

use crate::support::{Run, Server, World};
use proptest::prelude::*;
use snapbox::{assert_data_eq, str};

/// The arguments that a shell gives to curl.
fn arguments(world: &World, command: &str) -> Vec<String> {
    let script = format!("curl() {{ for word; do printf '%s\\0' \"$word\"; done; }}\n{command}");
    let run = Run::of(world.shell(&["-e", "-c", &script]).env("SITECTL_TOKEN", "t").output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command}");
    run.stdout.split_terminator('\0').map(String::from).collect()
}

fn dry(world: &World, args: &[&str], stdin: &str) -> Run {
    world.run_with(&[&["api"], args, &["--dry-run"]].concat(), stdin)
}

#[test]
fn it_is_a_curl_command() {
    let world =
        World::empty().with("SITECTL_BASE_URL", "https://service.example/api/v6").with("SITECTL_TOKEN", "s3cret-token");
    assert_data_eq!(
        dry(&world, &["/tags?page=2"], "").transcript(),
        str![[r#"
[stdout]
curl -sS --max-time 30 -H "Authorization: Bearer $SITECTL_TOKEN" -H 'Accept: application/json' 'https://service.example/api/v6/tags?page=2'
[stderr]
nothing was sent
the token is not shown: the command takes it from SITECTL_TOKEN
exit 0

"#]]
    );
    let args = ["POST", "/tags", "-f", "name=it's $HOME `x`", "--request-timeout", "1500ms", "--ca-cert", "my ca.pem"];
    assert_data_eq!(
        dry(&world, &args, "").transcript(),
        str![[r#"
[stdout]
curl -sS -X POST --max-time 1.5 --cacert 'my ca.pem' -H "Authorization: Bearer $SITECTL_TOKEN" -H 'Accept: application/json' -H 'Content-Type: application/json' --data '{"name":"it'/''s $HOME `x`"}' https://service.example/api/v6/tags
[stderr]
nothing was sent
the token is not shown: the command takes it from SITECTL_TOKEN
exit 0

"#]]
    );
    assert_data_eq!(
        dry(&world, &["DELETE", "/tags", "-f", "a=s3cret-token"], "").transcript(),
        str![[r#"
[stdout]
curl -sS -X DELETE --max-time 30 -H "Authorization: Bearer $SITECTL_TOKEN" -H 'Accept: application/json' -H 'Content-Type: application/json' --data '{"a":"***"}' https://service.example/api/v6/tags
[stderr]
nothing was sent
the token is not shown: the command takes it from SITECTL_TOKEN
*** in the body stands for the token: sitectl sends the token, the command would send ***
exit 0

"#]]
    );
    let input = dry(&world, &["PUT", "/tags/1", "--input", "-", "--json"], "{\"n\": 1e400}\n");
    assert_data_eq!(
        input.transcript(),
        str![[r#"
[stdout]
{
  "method": "PUT",
  "url": "https://service.example/api/v6/tags/1",
  "body": {
    "n": 1e400
  },
  "curl": "curl -sS -X PUT --max-time 30 -H /"Authorization: Bearer $SITECTL_TOKEN/" -H 'Accept: application/json' -H 'Content-Type: application/json' --data '{/"n/": 1e400}/n' https://service.example/api/v6/tags/1"
}
[stderr]
nothing was sent
the token is not shown: the command takes it from SITECTL_TOKEN
exit 0

"#]]
    );
    assert_data_eq!(
        dry(&world, &["HEAD", "/tags", "-o", "yaml"], "").transcript(),
        str![[r#"
[stdout]
method: HEAD
url: https://service.example/api/v6/tags
body: null
curl: "curl -sS --head --max-time 30 -H /"Authorization: Bearer $SITECTL_TOKEN/" -H 'Accept: application/json' https://service.example/api/v6/tags"
[stderr]
nothing was sent
the token is not shown: the command takes it from SITECTL_TOKEN
exit 0

"#]]
    );
    std::fs::write(world.path("it's.json"), "[]").unwrap();
    let run = dry(&world, &["PATCH", "/x", "--input", "it's.json"], "");
    assert!(run.stdout.contains(r"--data-binary '@it'\''s.json' "), "{}", run.transcript());
}

#[test]
fn it_needs_no_token_and_starts_nothing() {
    let world = World::empty().with("SITECTL_BASE_URL", "http://127.0.0.1:1/api/v6");
    let run = dry(&world, &["/tags"], "");
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("set SITECTL_TOKEN to it"), "{}", run.transcript());
    let world = World::sandbox();
    assert_data_eq!(
        dry(&world, &["/sites", "--paginate", "--limit", "7"], "").transcript(),
        str![[r#"
[stdout]
curl -sS --max-time 30 -H "Authorization: Bearer $SITECTL_TOKEN" -H 'Accept: application/json' 'http://127.0.0.1:PORT/api/v6/sites?page=1&perPage=7'
[stderr]
nothing was sent; --paginate sends this for page 1, and the same for each page after it
before you run it, start the service with sitectl sandbox serve and set SITECTL_TOKEN to sandbox-token
exit 0

"#]]
    );
    assert!(!world.path(".local").exists());
}

#[test]
fn it_refuses_what_the_request_would_be_refused_for() {
    let world = World::on("http://127.0.0.1:1/api/v6").with("SITECTL_TOKEN", "s3cret-token");
    for args in [&["/x/s3cret-token"][..], &["/x?t=s3cret%2Dtoken"], &["/x", "-f", "t=s3cret-token"]] {
        let run = dry(&world, args, "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.transcript());
        assert!(run.stderr.contains("the path or query holds the token"), "{}", run.transcript());
    }
}

#[test]
fn the_command_sends_the_body_that_the_request_would() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    let long = format!("[\"{}\"]", "x".repeat(70_000));
    for (file, text) in
        [("marked.json", "\u{feff}[1]"), ("long.json", &long), ("marked-long.json", &format!("\u{feff}{long}"))]
    {
        std::fs::write(world.path(file), text).unwrap();
    }
    for (input, stdin, sends, is_noted) in [
        ("marked.json", "", "--data '[1]'", false),
        ("long.json", "", "--data-binary @long.json", false),
        ("marked-long.json", "", "--data-binary @-", true),
        ("-", "[2]", "--data '[2]'", false),
        ("-", &long, "--data-binary @-", true),
    ] {
        let run = dry(&world, &["POST", "/x", "--input", input], stdin);
        assert!(run.code == 0 && run.stdout.contains(&format!(" {sends} ")), "{input}: {}", run.transcript());
        assert_eq!(run.stderr.contains("pipe it into the command"), is_noted, "{input}: {}", run.stderr);
    }
}

#[test]
fn what_it_prints_does_what_the_request_does() {
    let server = Server::start(&[]);
    let world = server.world();
    let run = dry(
        &world,
        &["POST", "/clients", "-f", "client[first_name]=O'Hara \\ \"", "-f", "client[email]=o@example.com"],
        "",
    );
    let words = arguments(&world, &run.stdout);
    let after = |flag: &str| words[words.iter().position(|word| word == flag).unwrap() + 1].clone();
    assert_eq!(after("--data"), r#"{"client":{"first_name":"O'Hara \\ \"","email":"o@example.com"}}"#);
    assert_eq!((after("-X"), after("-H")), ("POST".into(), "Authorization: Bearer t".into()));
    assert_eq!(words.last(), Some(&format!("{}/clients", server.base_url)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn a_shell_takes_any_text_for_what_it_is(text in "[^\0]{0,16}", path in "[a-z][a-z'\"$`!*?& (){}ü;|~-]{0,12}") {
        let world = World::on("http://127.0.0.1:1/api/v6");
        let (path, field) = (format!("/{path}x"), format!("a={text}"));
        let run = dry(&world, &["POST", &path, "-f", &field], "");
        prop_assert_eq!(run.code, 0, "{}", run.transcript());
        let words = arguments(&world, &run.stdout);
        let body = &words[words.iter().position(|word| word == "--data").unwrap() + 1];
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap(), serde_json::json!({ "a": text }));
        prop_assert!(words.last().unwrap().starts_with("http://127.0.0.1:1/api/v6/"));
    }
}
