//! Failed requests: the kind of error, the exit code, and what the service did.

use crate::common::{World, interrupt, wait};
use crate::service::{Reply, Scripted, Service, clients, page};
use predicates::str::{contains, is_empty};

#[test]
fn a_request_needs_a_token_and_a_service() {
    for (world, code, error) in [
        (
            World::on("http://127.0.0.1:1/api/v6").with("SITECTL_TOKEN", ""),
            3,
            "no API token specified",
        ),
        (
            World::on("http://127.0.0.1:1/api/v6"),
            8,
            "could not connect to http://127.0.0.1:1/api/v6",
        ),
    ] {
        let run = world.run("clients list --retries 0");
        assert!(
            run.code == code && run.stderr.contains(error) && run.stdout.is_empty(),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn a_create_whose_response_is_lost_is_looked_up() {
    const AS_SENT: &str = r#"{"id":"1","first_name":"Ada","email":"ADA@example.com","note":"n "}"#;
    let create = "clients create --first-name Ada --email ada@example.com --note n";
    let cases = [
        (
            Reply::status(500),
            r#"{"id":"1","first_name":"Eve","email":"ada@example.com"}"#,
            5,
        ),
        // Whether the note is the one that was sent is not known.
        (
            Reply::status(500),
            r#"{"id":"1","first_name":"Ada","email":"ada@example.com"}"#,
            12,
        ),
        (Reply::Json(201, r#"{"client":{}}"#.into()), AS_SENT, 0),
        (Reply::Json(201, r#"{"client":{"id":"n"}}"#.into()), "", 12),
        (
            Reply::Json(201, format!(r#"{{"client":{AS_SENT},"success":false}}"#)),
            "",
            12,
        ),
    ];
    for (lost, found, code) in cases {
        const LIST: &str = "GET /api/v6/clients?";
        let mut script = vec![("POST /api/v6/clients", lost)];
        if found.is_empty() {
            // Searched by its email, and then in the entire list.
            script.extend([(LIST, clients(&[])), (LIST, clients(&[]))]);
        } else {
            script.push((LIST, clients(&[found])));
        }
        let service = Scripted::new(script);
        let run = service.world().run(create);
        assert_eq!(run.code, code, "{}", run.transcript());
        let hint = run
            .stderr
            .contains("hint: run the same command again: it is safe, because no two clients");
        assert_eq!(hint, code == 12, "{}", run.transcript());
    }
    // The status of a refusal is enough.
    let cut_off = "HTTP/1.1 422 X\r\ncontent-length: 9\r\n\r\n{";
    let service = Scripted::new(vec![("POST", Reply::Raw(cut_off.into()))]);
    assert_eq!(service.world().run(create).code, 5);
}

/// A response without the sites is read again.
#[test]
fn a_partial_response_is_not_what_was_requested() {
    const CLIENT: &str = r#"{"client":{"id":"1","first_name":"Ada","email":"a@x.example"}}"#;
    const RANGE: &str = "content-range: items 0-1/50\r\n";
    for (status, headers) in [(206, ""), (200, RANGE)] {
        let service = Service::start(move |request| {
            let body = match request.line.starts_with("GET") {
                true => {
                    r#"{"items":[{"id":"1"}],"clients":[],"meta":{"pagination":{"totalItems":0}}}"#
                }
                false => CLIENT,
            };
            Reply::KeepAlive(status, headers.into(), body.into())
        });
        for (command, code) in [
            ("clients list", 8),
            ("api /tags --paginate", 8),
            ("clients create --first-name Ada --email a@x.example", 12),
        ] {
            let run = service.world().run(format!("{command} --retries 0"));
            assert!(
                run.code == code && run.stdout.is_empty() && run.stderr.contains("only a part"),
                "{headers}{}",
                run.transcript()
            );
        }
    }
}

#[test]
fn a_response_compressed_with_gzip_is_read_and_another_one_refused() {
    /// The body below.
    const BODY: &[u8] =
        b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xab\x56\x4a\xce\xc9\x4c\xcd\x2b\x29\x56\xb2\x8a\
        \xae\x56\xca\x4c\x51\xb2\x52\x4a\x36\x54\xaa\x8d\xad\x05\0\x83\x30\xa5\x09\x19\0\0\0";
    let plain = br#"{"clients":[{"id":"c1"}]}"#;
    for (encoding, body, code) in [("gzip", BODY, 0), ("identity", plain, 0), ("br", BODY, 8)] {
        let service = Service::start(move |request| {
            assert!(request.headers.contains(&"accept-encoding: gzip".into()));
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: {encoding}\r\n\r\n"
            );
            Reply::Raw([head.as_bytes(), body].concat())
        });
        let list = "api /clients -o ids --retries 0";
        let run = service.world().run(list);
        let (stdout, stderr) = match code {
            0 => ("c1\n", ""),
            _ => ("", "unsupported Content-Encoding 'br'"),
        };
        assert!(
            run.code == code && run.stdout == stdout && run.stderr.contains(stderr),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn an_update_whose_response_is_lost_is_looked_up() {
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
        for lost in [
            Reply::Drop,
            Reply::Json(200, other.into()),
            Reply::Json(200, failed.into()),
        ] {
            let script = vec![
                ("POST /api/v6/clients/c1/update", lost),
                ("GET /api/v6/clients/c1", client(found)),
            ];
            let service = Scripted::new(script);
            let run = service
                .world()
                .run("clients update c1 --note new --first-name Bob");
            assert_eq!(run.code, code, "{}", run.transcript());
        }
    }
    // The response has no client, and the service trims values.
    let service = Scripted::new(vec![
        ("POST", Reply::Json(200, r#"{"ok":true}"#.into())),
        ("GET", client(r#""note":"new""#)),
    ]);
    let args = "clients update c1 --note ' new '";
    assert_eq!(service.world().run(args).code, 0);
    // The client that is found is another one.
    let other = Reply::Json(200, r#"{"client":{"id":"zzz","note":"new"}}"#.into());
    let service = Scripted::new(vec![("POST", Reply::Drop), ("GET", other)]);
    let update = "clients update c1 --note new";
    assert_eq!(service.world().run(update).code, 12);
    let nothing = Reply::Json(200, r#"{"client":{}}"#.into());
    let service = Scripted::new(vec![("POST", nothing), ("GET", Reply::status(404))]);
    let run = service.world().run("clients update c1 --note ''");
    assert_eq!(run.code, 12, "{}", run.transcript());
}

#[test]
fn unknown_sites_are_not_written_back() {
    for sites in ["", r#","site_ids":[{"id":"s1"}]"#] {
        let service = Scripted::new(vec![(
            "GET",
            Reply::Json(200, format!(r#"{{"client":{{"id":"c1"{sites}}}}}"#)),
        )]);
        let run = service.world().run("clients update c1 --remove-site s9");
        run.assert_stderr(8, contains("--set-site"));
    }
}

#[test]
fn a_deletion_that_is_not_reported_is_looked_up() {
    // The ids that were typed are deleted, whatever the service shows.
    let there = || Reply::Json(200, r#"{"client":{"id":"c9"}}"#.into());
    let gone = || Reply::status(404);
    let named = r#"{"delete":{"ids":["c1","c1","zz"],"errors":[]},"meta":{"requested":2,"succeeded":1,"failed":1}}"#;
    let both = r#"{"delete":{"ids":["c1","c2"],"errors":[{"id":"c2","code":"locked"}]}}"#;
    let delete = ["clients", "delete", "c1", "c2", "--yes", "--json"];
    for (response, looks, code, deleted) in [
        (named, vec![gone()], 0, vec!["c1", "c2"]),
        (named, vec![there()], 12, vec!["c1"]),
        (both, vec![there()], 12, vec!["c1"]),
        (
            r#"{"delete":{}}"#,
            vec![gone(), gone()],
            0,
            vec!["c1", "c2"],
        ),
        (
            r#"{"delete":{"ids":["c1","c2"]},"success":false}"#,
            vec![there(), there()],
            12,
            vec![],
        ),
        (
            r#"{"delete":{"ids":["c1","c2"],"error":"locked"}}"#,
            vec![there(), gone()],
            12,
            vec!["c2"],
        ),
        (
            r#"{"delete":{"ids":null,"errors":null}}"#,
            vec![gone(), there()],
            12,
            vec!["c1"],
        ),
    ] {
        let looks = looks
            .into_iter()
            .map(|reply| ("GET /api/v6/clients/c", reply));
        let script = vec![
            ("GET /api/v6/clients/c1", there()),
            ("GET /api/v6/clients/c2", there()),
            ("POST", Reply::Json(200, response.into())),
        ];
        let service = Scripted::new(script.into_iter().chain(looks).collect());
        let run = service.world().run(&delete);
        assert_eq!(
            (run.code, &run.json()["deleted"]),
            (code, &serde_json::json!(deleted)),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn a_deletion_of_many_whose_response_is_lost_reads_the_list() {
    let ids: Vec<String> = (0..30).map(|number| format!("c{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let left = &ids[28..];
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", page(&ids, 1, 1, 30)),
        ("POST /api/v6/clients/delete", Reply::Drop),
        ("GET /api/v6/clients?", page(left, 1, 1, 2)),
    ]);
    let args = "clients delete - --yes --json --save saved.json";
    let run = service.world().run_with(args, &ids.join("\n"));
    let result = run.json();
    assert_eq!(
        (run.code, &result["succeeded"], &result["failed"]),
        (12, &28.into(), &2.into()),
        "{}",
        run.transcript()
    );
    let error = run.error();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    assert_eq!(error["details"][1]["param"], "c29");
    assert!(
        text(&error["hints"][0]).contains("without --save"),
        "{error}"
    );
    assert_eq!(result["errors"][0]["code"], "unknown_outcome");
}

#[test]
fn a_value_that_the_service_did_not_keep_is_an_error() {
    let kept = |note: &str| {
        let client = format!(
            r#"{{"client":{{"id":"c1","first_name":"Ada","email":"ada@x.example","note":{note}}}}}"#
        );
        Scripted::new(vec![("POST", Reply::Json(200, client))])
    };
    let update = ["clients", "update", "c1", "--note", "new", "-q"];
    let create = [
        "clients",
        "create",
        "--first-name",
        " Ada",
        "--email",
        "ADA@x.example",
        "--note",
        "new",
        "-q",
    ];
    for (args, done) in [(&update[..], "updated"), (&create, "created")] {
        let run = kept("null").world().run(args);
        let error = format!(
            "error: the client was {done}, but the service did not keep every value\n  --note: Was sent as \"new\", but the service has null (not_kept)\n"
        );
        assert_eq!((run.code, run.stderr.as_str()), (1, error.as_str()));
        assert!(run.stdout.contains("ada@x.example"), "{}", run.transcript());
        let run = kept(r#"" new\r\n""#).world().run(args);
        run.assert_stderr(0, is_empty());
    }
}

#[test]
fn an_interrupted_lookup_reports_that_a_change_was_sent() {
    let ids: Vec<String> = (0..150).map(|number| format!("c{number}")).collect();
    let gone = format!(r#"{{"delete":{{"ids":{:?},"errors":[]}}}}"#, &ids[..100]);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let list = page(&ids, 1, 1, 150);
    let create = vec![
        "clients",
        "create",
        "--first-name",
        "A",
        "--email",
        "a@x.example",
        "--json",
    ];
    let update = vec!["clients", "update", "c1", "--note", "n", "--json"];
    let delete = [vec!["clients", "delete", "--yes", "--json"], ids.clone()].concat();
    for (args, replies) in [
        (create, vec![("POST", Reply::Drop)]),
        (update, vec![("POST", Reply::Drop)]),
        (
            delete,
            vec![
                ("GET", list),
                ("POST", Reply::Json(200, gone)),
                ("POST", Reply::Drop),
            ],
        ),
    ] {
        let sent = replies.len();
        let service = Scripted::new(
            replies
                .into_iter()
                .chain([("GET", Reply::Silence)])
                .collect(),
        );
        let world = service.world();
        let child = world.start(&args);
        (0..=sent).for_each(|_| drop(service.next()));
        interrupt(&child);
        let run = wait(child);
        let error = run.error();
        let what = if args[1] == "delete" {
            "the outcome of the deletion is unknown"
        } else {
            "its outcome is unknown"
        };
        let shown = error.to_string().contains(what);
        assert!(run.code == 130 && shown, "{}", run.transcript());
        assert!(
            error["hints"][0]
                .as_str()
                .unwrap()
                .contains("it is safe, because"),
            "{error}"
        );
        if args[1] == "delete" {
            assert_eq!(
                (&run.json()["succeeded"], &run.json()["failed"]),
                (&100.into(), &50.into())
            );
        }
    }
}

#[test]
fn a_deletion_that_stops_early_reports_every_client() {
    let ids: Vec<String> = (0..250).map(|number| format!("c{number}")).collect();
    let gone = format!(r#"{{"delete":{{"ids":{:?},"errors":[]}}}}"#, &ids[..100]);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let not_found = || Reply::status(404);
    for (replies, code, failed, not_sent) in [
        (vec![("POST", Reply::status(401))], 9, ("auth", 100), 50),
        // A response that rejects the whole request does not say that the clients are gone.
        (
            vec![("POST", not_found()), ("POST", not_found())],
            9,
            ("not_found", 150),
            0,
        ),
        // One lost response does not stop the rest.
        (
            vec![
                ("POST", Reply::status(504)),
                ("GET", not_found()),
                ("POST", not_found()),
            ],
            12,
            ("unknown_outcome", 100),
            0,
        ),
    ] {
        let first = vec![
            ("GET /api/v6/clients?", page(&ids, 1, 1, 250)),
            ("POST", Reply::Json(200, gone.clone())),
        ];
        let service = Scripted::new([first, replies].concat());
        let args = "clients delete - --yes --json --ignore-not-found";
        let run = service.world().run_with(args, &ids.join("\n"));
        let result = run.json();
        let errors = result["errors"].as_array().unwrap();
        let with = |code: &str| errors.iter().filter(|error| error["code"] == code).count();
        assert_eq!(
            (run.code, with(failed.0), with("not_sent")),
            (code, failed.1, not_sent),
            "{}",
            run.transcript()
        );
        assert_eq!(
            (&result["succeeded"], &result["ignored"]),
            (&100.into(), &serde_json::json!([]))
        );
        let details = run.error()["details"].as_array().unwrap().clone();
        assert_eq!((details.len(), &details[0]["param"]), (150, &"c100".into()));
    }
}
