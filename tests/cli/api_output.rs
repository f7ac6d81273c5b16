//! `sitectl api`: what is printed of an answer that nobody declared.

use crate::api::answer;
use crate::screen::Terminal;
use crate::scripted::Scripted;
use crate::support::Run;
use snapbox::{assert_data_eq, str};

/// Runs on a service that answers with this body.
fn on(body: &str, args: &[&str]) -> Run {
    let service = Scripted::new(vec![("GET", answer(200, "", body))]);
    let run = service.world().run(&[&["api", "/x"], args].concat());
    service.requests();
    run
}

const TAGS: &str = r##"{ "tags" : [
  {"created_at":"2026-01-31T10:00:00Z","color":"#f00","name":"live","id":7,"sites":{"count":2},"gone":null,"big":123456789012345678901234567890},
  {"name":"old\u001b[31m","note":"x","color":null,"id":8}],
 "meta":{"pagination":{"page":1,"perPage":2,"totalPages":3,"totalItems":6}}}"##;

#[test]
fn json_is_the_answer_as_it_came() {
    for body in [TAGS, "[1,\r\n2]", "null", "7\n", r#"{"a":1e400,"a":"\u0007\ud83d"}"#, "\"\u{9b}\u{202e}\""] {
        let run = on(body, &["--json"]);
        assert_eq!((run.code, run.stdout), (0, format!("{}\n", body.trim_end_matches('\n'))), "{body}");
    }
    assert_eq!(on(TAGS, &["--jq", ".meta.pagination.totalItems"]).stdout, "6\n");
    assert_eq!(on(TAGS, &["--jq", ".id", "-o", "ndjson"]).stdout, "7\n8\n");
    assert_eq!(on("[1,2]", &["--jq", "add"]).stdout, "3\n");
}

#[test]
fn other_formats_print_the_records() {
    assert_data_eq!(
        on(TAGS, &[]).transcript(),
        str![[r#"
[stdout]
ID  NAME           COLOR  BIG                             NOTE  CREATED AT
7   live           #f00   123456789012345678901234567890        2026-01-31T10:00:00Z
8   old/u{1b}[31m                                         x
[stderr]
page 1 of 3: 2 of 6 records; --paginate reads all
exit 0

"#]]
    );
    assert_data_eq!(
        on(TAGS, &["-o", "csv"]).transcript().replace('\u{1b}', "·"),
        str![[r#"
[stdout]
created_at,color,name,id,sites,gone,big,note
2026-01-31T10:00:00Z,#f00,live,7,"{""count"":2}",,123456789012345678901234567890,
,,old·[31m,8,,,,x
[stderr]
page 1 of 3: 2 of 6 records; --paginate reads all
exit 0

"#]]
    );
    assert_data_eq!(
        on(TAGS, &["-o", "ndjson"]).transcript(),
        str![[r##"
[stdout]
{"created_at":"2026-01-31T10:00:00Z","color":"#f00","name":"live","id":7,"sites":{"count":2},"gone":null,"big":123456789012345678901234567890}
{"name":"old/u001b[31m","note":"x","color":null,"id":8}
[stderr]
page 1 of 3: 2 of 6 records; --paginate reads all
exit 0

"##]]
    );
    assert_data_eq!(
        on(TAGS, &["-o", "yaml"]).transcript(),
        str![[r##"
[stdout]
- created_at: "2026-01-31T10:00:00Z"
  color: "#f00"
  name: live
  id: 7
  sites:
    count: 2
  gone: null
  big: 123456789012345678901234567890
- name: "old/x1b[31m"
  note: x
  color: null
  id: 8
[stderr]
page 1 of 3: 2 of 6 records; --paginate reads all
exit 0

"##]]
    );
    assert_data_eq!(
        on(TAGS, &["-o", "ids"]).transcript(),
        str![[r#"
[stdout]
7
8
[stderr]
page 1 of 3: 2 of 6 records; --paginate reads all
exit 0

"#]]
    );
    assert_data_eq!(
        on(TAGS, &["--json", "--fields", "id,sites.count", "-q"]).transcript(),
        str![[r#"
[stdout]
[
{"id":7,"sites.count":2},
{"id":8,"sites.count":null}
]
exit 0

"#]]
    );
    assert_data_eq!(
        on(TAGS, &["--fields", "name,big", "-q"]).transcript(),
        str![[r#"
[stdout]
NAME           BIG
live           123456789012345678901234567890
old/u{1b}[31m
exit 0

"#]]
    );
}

#[test]
fn a_narrow_terminal_loses_the_times_first() {
    let tags = r##"[{"updated_at":"2026-01-31T10:00:00Z","color":"#f00","status":"\u001b[31mok","name":"a name that is long","id":"tag-1"}]"##;
    let service = Scripted::new(vec![("GET", answer(200, "", tags))]);
    let world = service.world();
    let mut terminal = Terminal::start(world.command(&["api", "/tags", "-o", "table"]), 50, 10);
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let text = terminal.text();
    let headings = text.lines().next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    assert_eq!(headings, ["ID", "NAME", "STATUS", "COLOR"], "{text}");
    assert!(text.contains("left out at this width: UPDATED AT"), "{text}");
    assert!(!terminal.bytes().windows(5).any(|bytes| bytes == b"\x1b[31m"), "{text}");
}

#[test]
fn one_object_is_one_record() {
    let tag = r#"{"tag":{"id":7,"sites":["a","b"]},"meta":{}}"#;
    assert_eq!(on(tag, &[]).stdout, "id     7\nsites  a, b\n");
    assert_eq!(on(tag, &["-o", "ids"]).stdout, "7\n");
    assert_eq!(on(tag, &["--json", "--fields", "id"]).stdout, "{\n  \"id\": 7\n}\n");
    let two = r#"{"deleted":[1],"errors":[]}"#;
    assert_eq!(on(two, &["-o", "ndjson"]).stdout, format!("{two}\n"));
    assert_eq!(on(r#"{"id":"c","site_ids":["s"]}"#, &["-o", "csv"]).stdout, "id,site_ids\nc,s\n");
}

#[test]
fn values_are_rows_too() {
    let words = r#"{"words":["a",null,7,{"id":"x"},["b"]]}"#;
    assert_eq!(on(words, &["-o", "ndjson"]).stdout, "\"a\"\nnull\n7\n{\"id\":\"x\"}\n[\"b\"]\n");
    let run = on(r#"["a","b\nc"]"#, &["-o", "ids"]);
    assert_eq!((run.code, run.stdout.as_str()), (13, "a\n"), "an id with a line break would be read as two");
    assert_eq!(on(r#"["a","b"]"#, &["-o", "csv"]).stdout, "value\na\nb\n");
    assert_eq!(on(r#"["a","b"]"#, &[]).stdout, "VALUE\na\nb\n");
    assert_eq!(on(r#"["a",1]"#, &["-o", "yaml"]).stdout, "- a\n- 1\n");
    assert_eq!(on("7", &[]).stdout, "value  7\n");
    assert_eq!(on(words, &["-o", "ids"]).code, 13, "null and a list are no ids");
}

#[test]
fn a_known_list_has_the_columns_of_its_command() {
    let run = on(r#"{"snapshots":[{"size_bytes":1,"id":"s","type":"x"}]}"#, &[]);
    assert_eq!(run.stdout.lines().next(), Some("ID  STATUS  CREATED  SIZE"), "{}", run.transcript());
}

#[test]
fn what_is_not_there_is_told() {
    assert_data_eq!(
        on("", &["--json"]).transcript(),
        str![[r#"
[stderr]
the answer has no body
exit 0

"#]]
    );
    assert_data_eq!(
        on(r#"{"tags":[]}"#, &[]).transcript(),
        str![[r#"
[stderr]
no records found
exit 0

"#]]
    );
    assert_data_eq!(
        on(r#"{"tags":[{"id":1}],"meta":{"next_cursor":"x"}}"#, &["-o", "ids"]).transcript(),
        str![[r#"
[stdout]
1
[stderr]
there may be more records; --paginate reads all
exit 0

"#]]
    );
    let all = r#"{"tags":[{"id":1}],"meta":{"pagination":{"page":1,"perPage":25,"totalPages":1,"totalItems":1}}}"#;
    assert_eq!(on(all, &["-o", "ids"]).stderr, "");
    let last = r#"{"tags":[{"id":3}],"meta":{"pagination":{"page":2,"perPage":2,"totalPages":2,"totalItems":3}}}"#;
    assert_eq!(on(last, &["--json"]).stderr, "page 2 of 2: 1 of 3 records; --paginate reads all\n");
}

#[test]
fn more_than_is_shown_is_told_in_every_format() {
    let pages = r#""meta":{"pagination":{"page":1,"perPage":25,"totalPages":3,"totalItems":60}}"#;
    for (body, note) in [
        (format!(r#"{{"a":[{{"id":1}}],"b":[],{pages}}}"#), "not all of 60 records; --paginate --list a reads all"),
        (
            format!(r#"{{"data":{{"items":[{{"id":1}}]}},{pages}}}"#),
            "not all of 60 records; --paginate --list data.items reads all",
        ),
        (format!(r#"{{"id":"q","a":[{{"id":1}}],{pages}}}"#), "1 of 60 records; --paginate reads all"),
        (format!(r#"{{"x":1,{pages}}}"#), "not all of 60 records"),
    ] {
        for args in
            [&["--json"][..], &["--jq", "length"], &["-o", "table"], &["-o", "ndjson"], &["-o", "yaml"], &["-o", "csv"]]
        {
            let run = on(&body, args);
            assert_eq!((run.code, run.stderr), (0, format!("page 1 of 3: {note}\n")), "{body} {args:?}");
        }
    }
    let without = on(&format!(r#"{{"a":[{{"x":1}}],{pages}}}"#), &["-o", "ids"]);
    assert!(without.code == 13 && without.stderr.contains("page 1 of 3: 1 of 60 records"), "{}", without.transcript());
    for (pagination, note) in [
        (r#"{"totalPages":3}"#, "one page of 3: 1 records; --paginate reads all\n"),
        (r#"{"total_items":"2"}"#, "one page: 1 of 2 records; --paginate reads all\n"),
        (r#"{"totalPages":1}"#, ""),
    ] {
        let body = format!(r#"{{"a":[{{"id":1}}],"meta":{{"pagination":{pagination}}}}}"#);
        assert_eq!(on(&body, &["--json"]).stderr, note, "{pagination}");
    }
}

#[test]
fn of_several_ids_the_last_counts_in_every_format() {
    let twice = r#"[{"id":1,"id":2}]"#;
    assert_eq!(
        (on(twice, &["-o", "ids"]).stdout.as_str(), on(twice, &["-o", "csv"]).stdout.as_str()),
        ("2\n", "id\n2\n")
    );
}

#[test]
fn what_is_not_json_is_no_answer() {
    for body in ["<html>", "{", "{} {}", "\u{feff}{}"] {
        let run = on(body, &["--retries", "0", "--json"]);
        assert_eq!((run.code, run.stdout.as_str()), (8, ""), "{body}\n{}", run.transcript());
    }
}

#[test]
fn size_and_depth_do_not_matter() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(on(&deep, &["--json"]).stdout, format!("{deep}\n"));
    for format in ["table", "csv", "ndjson"] {
        assert_eq!(on(&deep, &["-o", format]).code, 0, "{format}");
    }
    for args in [["--jq", "."], ["-o", "yaml"]] {
        assert_eq!(on(&deep, &args).code, 1, "{args:?}");
    }
    let many: Vec<String> = (0..200_000).map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}", "x".repeat(200))).collect();
    let large = format!("{{\"items\":[{}]}}", many.join(","));
    let run = on(&large, &["--json"]);
    assert!(run.code == 0 && run.stdout.trim_end() == large);
    assert_eq!(on(&large, &["-o", "ids"]).stdout.lines().count(), 200_000);
}
