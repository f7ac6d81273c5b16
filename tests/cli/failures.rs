//! What goes wrong, and what is said then: a kind, an exit code, a next step, and never the token.

use crate::scripted::{Reply, Scripted, clients, page};
use crate::support::{Run, Server, World, interrupt};
use snapbox::{assert_data_eq, str};
use std::process::Stdio;

#[test]
fn nothing_configured() {
    assert_data_eq!(
        World::empty().run(&["clients", "list"]).transcript(),
        str![[r#"
[stderr]
error: no service is configured
hint: sitectl auth login asks for one; or set SITECTL_BASE_URL and SITECTL_TOKEN, or add --sandbox to practise on the embedded service
exit 2

"#]]
    );
    let world = World::empty().with("SITECTL_BASE_URL", "https://service.example/api/v6");
    assert_data_eq!(
        world.run(&["clients", "list"]).transcript(),
        str![[r#"
[stderr]
error: there is no API token
hint: sitectl auth login saves one; or put it in SITECTL_TOKEN; there is no flag, since a flag shows in the process list
exit 3

"#]]
    );
}

#[test]
fn a_token_that_is_not_accepted() {
    let server = Server::start(&[]);
    let run = server.world().with("SITECTL_TOKEN", "wr0ng-t0ken").run(&["clients", "list"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the service does not accept the token (401): A valid API token is required.
hint: check SITECTL_TOKEN or the profile's token, and that it belongs to this base URL
exit 3

"#]]
    );
    let run = server.world().with("SITECTL_TOKEN", "sandbox-inactive-token").run(&["clients", "list", "--json"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
{"error":{"kind":"auth","exit_code":3,"status":403,"code":"forbidden","message":"the service refuses this account (403): The account is inactive.","details":[],"hint":"the account may be inactive; ask its owner"}}
exit 3

"#]]
    );
}

#[test]
fn a_stopped_server() {
    let world = Server::start(&[]).world();
    assert_data_eq!(
        world.run(&["clients", "list", "--retries", "1"]).transcript(),
        str![[r#"
[stderr]
error: could not connect to http://127.0.0.1:PORT/api/v6: Connection refused (os error 111)
hint: check the base URL and the network; -v shows each exchange
exit 8

"#]]
    );
    let run =
        world.run(&["clients", "create", "--first-name", "A", "--email", "a@example.com", "--retries", "0", "--json"]);
    assert_eq!((run.code, run.error()["kind"].as_str()), (8, Some("unavailable")), "{}", run.transcript());
}

#[test]
fn an_answer_that_is_not_what_the_interface_promises() {
    for body in ["<html>", "", "[]", r#"{"clients":[]}"#, r#"{"clients":null,"meta":{}}"#] {
        let service = Scripted::new(vec![("GET", Reply::Json(200, body.into()))]);
        let run = service.world().run(&["clients", "list", "--retries", "0"]);
        assert!(run.code == 8 && run.stdout.is_empty(), "{body}: {}", run.transcript());
        service.requests();
    }
    let service = Scripted::new(vec![("GET", Reply::Json(200, "<html>".into()))]);
    assert_data_eq!(
        service.world().run(&["clients", "show", "a", "--retries", "0"]).transcript(),
        str![[r#"
[stderr]
error: the answer (200) is not what the interface promises: it is not JSON (expected value at line 1 column 1)
hint: try again later; -v shows each exchange
exit 8

"#]]
    );
}

#[test]
fn reads_are_tried_again() {
    let service = Scripted::new(vec![
        ("GET", Reply::Drop),
        ("GET", Reply::Json(503, String::new())),
        ("GET", Reply::Raw("HTTP/1.1 200 X\r\ncontent-length: 99\r\n\r\n{\"client\":".into())),
        ("GET", Reply::Json(200, "<html>".into())),
        ("GET", Reply::Json(200, r#"{"client":{"id":"a"}}"#.into())),
    ]);
    assert_eq!(service.world().run(&["clients", "show", "a", "-o", "ids"]).stdout, "a\n");
    service.requests();
}

#[test]
fn the_rate_limit_is_waited_for() {
    let used_up = "x-ratelimit-limit: 200\r\nx-ratelimit-remaining: 0\r\nx-ratelimit-reset: 1\r\n";
    let body = r#"{"clients":[{"id":"a"}],"meta":{"pagination":{"page":1,"perPage":1,"totalPages":2,"totalItems":2}}}"#;
    let first = format!("HTTP/1.1 200 X\r\nconnection: close\r\n{used_up}content-length: {}\r\n\r\n{body}", body.len());
    let service =
        Scripted::new(vec![("GET", Reply::Raw(first)), ("GET", Reply::Json(200, body.replace("\"a\"", "\"b\"")))]);
    let start = std::time::Instant::now();
    assert_eq!(service.world().run(&["clients", "list", "-o", "ids"]).stdout, "a\nb\n");
    assert!(start.elapsed() >= std::time::Duration::from_millis(990), "{:?}", start.elapsed());
    service.requests();
    let service = Scripted::new(vec![("GET", Reply::Json(429, String::new()))]);
    let run = service.world().run(&["clients", "show", "a", "--retries", "0"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the rate limit is used up (429)
hint: try again in a minute; sitectl auth status shows what remains
exit 7

"#]]
    );
}

#[test]
fn a_5xx_does_not_wait_for_the_rate_window() {
    let start = std::time::Instant::now();
    for remaining in [198, 0] {
        let headers =
            format!("x-ratelimit-limit: 200\r\nx-ratelimit-remaining: {remaining}\r\nx-ratelimit-reset: 60\r\n");
        let busy = format!("HTTP/1.1 503 X\r\n{headers}connection: close\r\ncontent-length: 0\r\n\r\n");
        let found = Reply::Json(200, r#"{"client":{"id":"a"}}"#.into());
        let service = Scripted::new(vec![("GET", Reply::Raw(busy)), ("GET", found)]);
        assert_eq!(service.world().run(&["clients", "show", "a", "-o", "ids"]).stdout, "a\n");
        service.requests();
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_429_does_not_use_up_the_retries() {
    let refused = || ("GET", Reply::Json(429, String::new()));
    let found = Reply::Json(200, r#"{"client":{"id":"a"}}"#.into());
    let service = Scripted::new(vec![refused(), refused(), ("GET", found)]);
    let run = service.world().run(&["clients", "show", "a", "-o", "ids", "--retries", "1"]);
    assert_eq!(run.transcript(), "[stdout]\na\nexit 0\n");
    service.requests();
}

#[test]
fn a_lost_answer_to_a_create_is_looked_up() {
    const AS_SENT: &str = r#"{"id":"1","first_name":"ada","email":"Ada@example.com","note":"n "}"#;
    let create = ["clients", "create", "--first-name", "Ada", "--email", "ada@example.com", "--note", "n"];
    let cases = [
        (Reply::Drop, AS_SENT, 0),
        (Reply::Json(500, String::new()), r#"{"id":"1","first_name":"Eve","email":"ada@example.com"}"#, 5),
        // Whether the note is the one that was sent is not known.
        (Reply::Json(500, String::new()), r#"{"id":"1","first_name":"Ada","email":"ada@example.com"}"#, 12),
        (Reply::Json(201, "oops".into()), "", 12),
        (Reply::Json(201, r#"{"client":{}}"#.into()), AS_SENT, 0),
        (Reply::Json(201, r#"{"client":{"id":"n"}}"#.into()), "", 12),
        (Reply::Json(201, format!(r#"{{"client":{AS_SENT},"success":false}}"#)), "", 12),
        (Reply::Json(502, String::new()), "", 12),
        (Reply::Json(504, String::new()), "", 12),
    ];
    for (lost, found, code) in cases {
        let list = if found.is_empty() { clients(&[]) } else { clients(&[found]) };
        let service = Scripted::new(vec![("POST /api/v6/clients", lost), ("GET /api/v6/clients?", list)]);
        let run = service.world().run(&create);
        assert_eq!(run.code, code, "{}", run.transcript());
        service.requests();
    }
    let service = Scripted::new(vec![("POST", Reply::Drop), ("GET", clients(&[]))]);
    assert_data_eq!(
        service.world().run(&create).transcript(),
        str![[r#"
[stderr]
error: the outcome of creating the client ada@example.com is unknown: the connection to http://127.0.0.1:PORT/api/v6 broke off: connection closed before message completed
hint: run the same command again: it is safe, because no two clients can have the same email
exit 12

"#]]
    );
}

/// The service commits after it has dropped the connection: what is not there yet is never said to be safe.
#[test]
fn a_change_that_comes_late_is_not_denied() {
    let old = || Reply::Json(200, r#"{"client":{"id":"c1","note":"old"}}"#.into());
    for lost in [Reply::Drop, Reply::Json(503, String::new())] {
        let service = Scripted::new(vec![("POST /api/v6/clients/c1/update", lost), ("GET /api/v6/clients/c1", old())]);
        let run = service.world().run(&["clients", "update", "c1", "--note", "new"]);
        assert!(run.code == 12 && run.stderr.contains("it is safe, because"), "{}", run.transcript());
        service.requests();
    }
    let service = Scripted::new(vec![("POST /api/v6/clients/delete", Reply::Drop), ("GET /api/v6/clients/c1", old())]);
    let run = service.world().run(&["clients", "delete", "c1", "--yes"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
deleted
requested  1
succeeded  0
failed     1
[stderr]
error: 1 of 1 client not confirmed as deleted
  the outcome of the deletion is unknown: the connection to http://127.0.0.1:PORT/api/v6 broke off: connection closed before message completed (unknown_outcome)
hint: run the same command again: it is safe, because a deletion is idempotent; --ignore-not-found accepts clients that are gone
exit 12

"#]]
    );
    service.requests();
}

#[test]
fn a_service_that_merges_sites_is_found_out() {
    let client = |sites: &str| format!(r#"{{"client":{{"id":"c1","site_ids":[{sites}]}}}}"#);
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", Reply::Json(200, client(r#""s1","s2""#))),
        ("POST /api/v6/clients/c1/update", Reply::Json(200, client(r#""s1","s2""#))),
    ]);
    let run = service.world().run(&["clients", "update", "c1", "--remove-site", "s2"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
id        c1
site_ids  s1, s2
[stderr]
error: the client was updated, but the service did not keep every value
  --remove-site: These stayed: s2 (not_kept)
hint: look at the client: sitectl clients show c1
exit 1

"#]]
    );
    assert_eq!(service.requests()[1].body, r#"{"client":{"site_ids":["s1"]}}"#);
}

#[test]
fn a_lost_answer_to_an_update_is_read_back() {
    let client = |fields: &str| Reply::Json(200, format!(r#"{{"client":{{"id":"c1",{fields}}}}}"#));
    let cases = [
        (r#""note":"new","first_name":"Bob""#, 0),
        (r#""note":"new","first_name":"Al""#, 12),
        // It may be the old name.
        (r#""note":"new","first_name":"bob""#, 12),
    ];
    for (found, code) in cases {
        let other = r#"{"client":{"id":"zzz","note":"new","first_name":"Bob"}}"#;
        let failed = r#"{"client":{"id":"c1","note":"new","first_name":"Bob"},"errors":["no"]}"#;
        for lost in [Reply::Drop, Reply::Json(200, other.into()), Reply::Json(200, failed.into())] {
            let script = vec![("POST /api/v6/clients/c1/update", lost), ("GET /api/v6/clients/c1", client(found))];
            let service = Scripted::new(script);
            let run = service.world().run(&["clients", "update", "c1", "--note", "new", "--first-name", "Bob"]);
            assert_eq!(run.code, code, "{}", run.transcript());
            service.requests();
        }
    }
    let nothing = Reply::Json(200, r#"{"client":{}}"#.into());
    let service = Scripted::new(vec![("POST", nothing), ("GET", Reply::Json(404, String::new()))]);
    let run = service.world().run(&["clients", "update", "c1", "--note", ""]);
    assert_eq!(run.code, 12, "{}", run.transcript());
    service.requests();
}

#[test]
fn sites_that_are_not_known_are_not_written_back() {
    for sites in ["", r#","site_ids":null"#, r#","site_ids":[{"id":"s1"}]"#] {
        let service = Scripted::new(vec![("GET", Reply::Json(200, format!(r#"{{"client":{{"id":"c1"{sites}}}}}"#)))]);
        let run = service.world().run(&["clients", "update", "c1", "--add-site", "s9"]);
        assert!(run.code == 8 && run.stderr.contains("--set-site"), "{}", run.transcript());
        service.requests();
    }
}

#[test]
fn a_deletion_looks_up_what_the_service_does_not_report() {
    let there = || Reply::Json(200, r#"{"client":{"id":"c2"}}"#.into());
    let gone = || Reply::Json(404, String::new());
    let named = r#"{"delete":{"ids":["c1","c1","zz"],"errors":[]},"meta":{"requested":2,"succeeded":1,"failed":1}}"#;
    let both = r#"{"delete":{"ids":["c1","c2"],"errors":[{"id":"c2","code":"locked"}]}}"#;
    let delete = ["clients", "delete", "c1", "c2", "--yes", "--json"];
    for (answer, looks, code, deleted) in [
        (named, vec![gone()], 0, vec!["c1", "c2"]),
        (named, vec![there()], 12, vec!["c1"]),
        (both, vec![there()], 12, vec!["c1"]),
        (r#"{"delete":{}}"#, vec![gone(), gone()], 0, vec!["c1", "c2"]),
        (r#"{"delete":{"ids":null,"errors":null}}"#, vec![gone(), there()], 12, vec!["c1"]),
    ] {
        let looks = looks.into_iter().map(|reply| ("GET /api/v6/clients/c", reply));
        let script = [("POST", Reply::Json(200, answer.into()))].into_iter().chain(looks);
        let service = Scripted::new(script.collect());
        let run = service.world().run(&delete);
        assert_eq!((run.code, &run.json()["deleted"]), (code, &serde_json::json!(deleted)), "{}", run.transcript());
        service.requests();
    }
    let service = Scripted::new(vec![("POST", Reply::Json(200, named.into())), ("GET", there())]);
    assert_data_eq!(
        service.world().run(&delete[..5]).transcript(),
        str![[r#"
[stdout]
deleted    c1
requested  2
succeeded  1
failed     1
[stderr]
error: 1 of 2 clients not confirmed as deleted
  the outcome of the deletion is unknown: the response does not say what became of every client (unknown_outcome)
hint: run the same command again: it is safe, because a deletion is idempotent; --ignore-not-found accepts clients that are gone
exit 12

"#]]
    );
}

#[test]
fn a_refusal_is_one_whether_or_not_its_words_arrive() {
    let cut = "HTTP/1.1 409 X\r\ncontent-length: 99\r\n\r\n{\"error\"";
    let service = Scripted::new(vec![("POST", Reply::Raw(cut.into()))]);
    let run = service.world().run(&["restore", "start", "s1", "p1", "--full", "--yes"]);
    assert_eq!(run.code, 6, "{}", run.transcript());
    service.requests();
}

#[test]
fn after_a_lost_answer_to_a_deletion_of_many_the_list_tells_who_is_left() {
    let ids: Vec<String> = (0..30).map(|number| format!("c{number}")).collect();
    let left: Vec<&str> = ids[28..].iter().map(String::as_str).collect();
    let service = Scripted::new(vec![
        ("POST /api/v6/clients/delete", Reply::Drop),
        ("GET /api/v6/clients?", page(&left, 1, 1, 2)),
    ]);
    let run = service.world().run_with(&["clients", "delete", "-", "--yes", "--json"], &ids.join("\n"));
    let result = run.json();
    assert_eq!(
        (run.code, &result["succeeded"], &result["failed"]),
        (12, &28.into(), &2.into()),
        "{}",
        run.transcript()
    );
    assert_eq!(result["errors"][0]["code"], "unknown_outcome");
    service.requests();
}

#[test]
fn a_service_that_does_not_say_which_sites_it_kept_is_asked() {
    let client = |more: &str| Reply::Json(200, format!(r#"{{"client":{{"id":"c1"{more}}}}}"#));
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", client(r#","site_ids":["s1"]"#)),
        ("POST /api/v6/clients/c1/update", client("")),
        ("GET /api/v6/clients/c1", client(r#","site_ids":["s1","s9"]"#)),
    ]);
    let run = service.world().run(&["clients", "update", "c1", "--set-site", "s9"]);
    assert!(run.code == 1 && run.stderr.contains("These stayed: s1"), "{}", run.transcript());
    service.requests();
}

#[test]
fn a_deletion_s_answer_is_read_leniently() {
    let answer =
        r#"{"delete":{"ids":[1],"errors":[{"id":99,"code":null,"message":null},{"id":7,"code":"not_found"}]}}"#;
    let service = Scripted::new(vec![("POST", Reply::Json(200, answer.into()))]);
    let run = service.world().run(&["clients", "delete", "1", "99", "7", "--yes", "--json"]);
    let result = run.json();
    assert_eq!((run.code, &result["deleted"]), (9, &serde_json::json!(["1"])), "{}", run.transcript());
    assert_eq!((&result["errors"][0]["code"], &result["errors"][1]["code"]), (&"refused".into(), &"not_found".into()));
    service.requests();
}

#[test]
fn a_value_that_the_service_did_not_keep_is_an_error() {
    let kept = |note: &str| {
        let client = format!(r#"{{"client":{{"id":"c1","first_name":"Ada","email":"ada@x.example","note":{note}}}}}"#);
        Scripted::new(vec![("POST", Reply::Json(200, client))])
    };
    let update = ["clients", "update", "c1", "--note", "new", "-q"];
    let create = ["clients", "create", "--first-name", " ada", "--email", "ADA@x.example", "--note", "new", "-q"];
    for (args, done) in [(&update[..], "updated"), (&create, "created")] {
        let run = kept("null").world().run(args);
        let error = format!(
            "error: the client was {done}, but the service did not keep every value\n  --note: Was sent as \"new\", but the service has null (not_kept)\n"
        );
        assert_eq!((run.code, run.stderr.as_str()), (1, error.as_str()));
        assert!(run.stdout.contains("ada@x.example"), "{}", run.transcript());
        let run = kept(r#"" NEW""#).world().run(args);
        assert!(run.code == 0 && run.stderr.is_empty(), "{}", run.transcript());
    }
}

#[test]
fn problems_find_their_flags_however_the_service_names_them() {
    let details = r#"{"error":{"details":[{"code":"a","param":"client.email","message":"m"},{"code":"b","param":"site_ids[0]","message":"m"}]}}"#;
    let service = Scripted::new(vec![("POST", Reply::Json(422, details.into()))]);
    let run = service.world().run(&["clients", "create", "--first-name", "A", "--email", "a@x.example", "--site", "s"]);
    assert!(run.stderr.contains("--email: m (a)") && run.stderr.contains("--site: m (b)"), "{}", run.transcript());
    service.requests();
    for flag in ["--set-site", "--add-site", "--remove-site"] {
        assert_eq!(World::sandbox().run(&["clients", "update", "client-0001", flag, ""]).code, 2);
    }
}

#[test]
fn who_interrupts_the_finding_out_is_told_that_something_was_sent() {
    let ids: Vec<String> = (0..150).map(|number| format!("c{number}")).collect();
    let gone = format!(r#"{{"delete":{{"ids":{:?},"errors":[]}}}}"#, &ids[..100]);
    let create = vec!["clients", "create", "--first-name", "A", "--email", "a@x.example", "--json"];
    let update = vec!["clients", "update", "c1", "--note", "n", "--json"];
    let delete = [vec!["clients", "delete", "--yes", "--json"], ids.iter().map(String::as_str).collect()].concat();
    for (args, answers) in [
        (create, vec![("POST", Reply::Drop)]),
        (update, vec![("POST", Reply::Drop)]),
        (delete, vec![("POST", Reply::Json(200, gone)), ("POST", Reply::Drop)]),
    ] {
        let sent = answers.len();
        let service = Scripted::new(answers.into_iter().chain([("GET", Reply::Silence)]).collect());
        let child = service.world().command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        (0..=sent).for_each(|_| drop(service.next()));
        interrupt(&child);
        let run = Run::of(child.wait_with_output().unwrap());
        let error = run.error();
        let what = if args[1] == "delete" { "the outcome of the deletion is unknown" } else { "before it was known" };
        let told = error.to_string().contains(what);
        assert!(run.code == 130 && told, "{}", run.transcript());
        assert!(error["hint"].as_str().unwrap().contains("it is safe, because"), "{error}");
        if args[1] == "delete" {
            assert_eq!((&run.json()["succeeded"], &run.json()["failed"]), (&100.into(), &50.into()));
        }
        service.requests();
    }
}

#[test]
fn a_deletion_that_is_cut_short_accounts_for_every_client() {
    let ids: Vec<String> = (0..250).map(|number| format!("c{number}")).collect();
    let gone = format!(r#"{{"delete":{{"ids":{:?},"errors":[]}}}}"#, &ids[..100]);
    let not_found = || Reply::Json(404, String::new());
    for (replies, code, failed, not_sent) in [
        (vec![("POST", Reply::Json(401, String::new()))], 9, ("auth", 100), 50),
        // A response that rejects the whole request does not say that the clients are gone.
        (vec![("POST", not_found()), ("POST", not_found())], 9, ("not_found", 150), 0),
        (vec![("POST", Reply::Json(504, String::new())), ("GET", not_found())], 12, ("unknown_outcome", 100), 50),
    ] {
        let first = ("POST", Reply::Json(200, gone.clone()));
        let service = Scripted::new([first].into_iter().chain(replies).collect());
        let args = ["clients", "delete", "-", "--yes", "--json", "--ignore-not-found"];
        let run = service.world().run_with(&args, &ids.join("\n"));
        let result = run.json();
        let errors = result["errors"].as_array().unwrap();
        let with = |code: &str| errors.iter().filter(|error| error["code"] == code).count();
        assert_eq!((run.code, with(failed.0), with("not_sent")), (code, failed.1, not_sent), "{}", run.transcript());
        assert_eq!((&result["succeeded"], &result["ignored"]), (&100.into(), &serde_json::json!([])));
        service.requests();
    }
}
