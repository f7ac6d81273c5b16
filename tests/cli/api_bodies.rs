//! `sitectl api`: what is sent as a body, to the last byte.

use crate::api::answer;
use crate::scripted::Scripted;
use crate::support::{Run, World};
use proptest::prelude::*;
use snapbox::{assert_data_eq, str};

/// The body that arrives, and how the program ended.
fn sent(args: &[&str], stdin: &str) -> (String, Run) {
    let service = Scripted::new(vec![("POST", answer(200, "", "{}"))]);
    let run = service.world().run_with(&[&["api", "post", "/tags"], args].concat(), stdin);
    let mut seen = service.requests();
    let json = seen[0].headers.iter().any(|header| header.eq_ignore_ascii_case("content-type: application/json"));
    assert_eq!(json, !seen[0].body.is_empty());
    (seen.remove(0).body, run)
}

#[test]
fn fields_make_an_object() {
    for (args, body) in [
        (&[][..], ""),
        (
            &["-f", "client[first_name]=Ada \"A\"", "-f", "client[email]=a=b"],
            r#"{"client":{"first_name":"Ada \"A\"","email":"a=b"}}"#,
        ),
        (
            &["-F", "n=123456789012345678901234567890.10", "-F", "b=true", "-f", "t=true"],
            r#"{"t":"true","n":123456789012345678901234567890.10,"b":true}"#,
        ),
        (
            &["-f", "ids[]=a", "-f", "ids[]=b", "-F", "x[][y]=1", "-F", "x[][y]={\"z\": [ ]}"],
            r#"{"ids":["a","b"],"x":[{"y":1},{"y":{"z": [ ]}}]}"#,
        ),
    ] {
        let (seen, run) = sent(args, "");
        assert_eq!((seen.as_str(), run.code), (body, 0), "{args:?}\n{}", run.transcript());
    }
}

#[test]
fn input_is_sent_byte_for_byte() {
    for body in ["{\"a\" : 1e400,\r\n \"a\":12345678901234567890123, \"é\":\"\\u00e9\u{9b}\"}\n\n", "[]", " null", "7"]
    {
        let (seen, run) = sent(&["--input", "-"], body);
        assert_eq!((seen.as_str(), run.code), (body, 0), "{}", run.transcript());
    }
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(50 << 20));
    let (seen, run) = sent(&["--input", "-"], &large);
    assert!(seen == large && run.code == 0, "{}", run.transcript());
}

#[test]
fn what_is_no_body_is_refused_before_anything_is_sent() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    let run = |args: &[&str], stdin: &str| world.run_with(&[&["api"], args].concat(), stdin).transcript();
    assert_data_eq!(
        run(&["POST", "/x", "--input", "-"], "{\n  \"a\": 1,\n}\n"),
        str![[r#"
[stderr]
error: stdin: invalid JSON: key must be a string at line 3 column 1
hint: No changes were made. Fix the file and retry.
exit 5

"#]]
    );
    assert_data_eq!(
        run(&["POST", "/x", "--input", "-"], ""),
        str![[r#"
[stderr]
error: stdin: invalid JSON: EOF while parsing a value at line 1 column 0
hint: No changes were made. Fix the file and retry.
exit 5

"#]]
    );
    assert_data_eq!(
        run(&["POST", "/x", "--input", "missing.json"], ""),
        str![[r#"
[stderr]
error: could not read missing.json: No such file or directory (os error 2)
hint: pass a file that can be read, or - for stdin
exit 2

"#]]
    );
    assert_data_eq!(
        run(&["/x", "--input", "-"], "{}"),
        str![[r#"
[stderr]
error: --input is a body, and GET has none
hint: name the method: sitectl api POST /x --input FILE
exit 2

"#]]
    );
    std::fs::write(world.path("latin.json"), b"{\"a\":\"\xe9\"}").unwrap();
    assert!(run(&["POST", "/x", "--input", "latin.json"], "").ends_with("exit 5\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_text_arrives_as_it_is(key in "[^\\[\\]=\\s\0-][^\\[\\]=\0]{0,8}", value in "[^\0]{0,12}") {
        let field = format!("{key}={value}");
        let (body, run) = sent(&["-f", &field], "");
        prop_assert_eq!(run.code, 0, "{}", run.transcript());
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&body).unwrap(), serde_json::json!({ key: value }));
    }
}
