//! Every format, of everything that is printed, and what never is.

use crate::scripted::{Reply, Scripted, page};
use crate::support::{Run, Server, World, interrupt};
use serde_json::{Value, json};
use snapbox::{IntoData, assert_data_eq, str};
use std::process::Stdio;

/// What is hard to print: an unknown field, an order of its own, long numbers, and text that drives a terminal.
const ODD: &str = r#"{"zeta":1.10,"id":"a","big":123456789012345678901234567890,"new":{"b":[1e400],"a":null},"email":"\u001b[31m\u202e\u200b=1+1","note":"one\r\ntwo, \"three\"","site_ids":["s1","s2"]}"#;

/// Runs a list of clients whose only page holds these records.
fn list(records: &str, args: &[&str]) -> Run {
    let count = serde_json::from_str::<Vec<&serde_json::value::RawValue>>(&format!("[{records}]")).unwrap().len();
    let body = format!(
        r#"{{"clients":[{records}],"meta":{{"pagination":{{"page":1,"perPage":9,"totalPages":1,"totalItems":{count}}}}}}}"#
    );
    let service = Scripted::new(vec![("GET", Reply::Json(200, body))]);
    let run = service.world().run(&[&["clients", "list"], args].concat());
    service.requests();
    run
}

#[test]
fn an_odd_record_in_every_format() {
    assert_data_eq!(list(ODD, &["--json"]).transcript(), str![[r#"
[stdout]
[
{"zeta":1.10,"id":"a","big":123456789012345678901234567890,"new":{"b":[1e400],"a":null},"email":"\u001b[31m\u202e\u200b=1+1","note":"one\r\ntwo, \"three\"","site_ids":["s1","s2"]}
]
exit 0

"#]].raw());
    assert_data_eq!(list(ODD, &["-o", "ndjson"]).transcript(), str![[r#"
[stdout]
{"zeta":1.10,"id":"a","big":123456789012345678901234567890,"new":{"b":[1e400],"a":null},"email":"\u001b[31m\u202e\u200b=1+1","note":"one\r\ntwo, \"three\"","site_ids":["s1","s2"]}
exit 0

"#]].raw());
    assert_data_eq!(
        list(ODD, &["-o", "csv"]).transcript().replace(['\u{1b}', '\u{202e}', '\u{200b}'], "·"),
        str![[r#"
[stdout]
id,first_name,last_name,email,company_name,address,note,site_ids,created_at,updated_at
a,,,·[31m··=1+1,,,"one
two, ""three""",s1;s2,,
exit 0

"#]]
        .raw()
    );
    assert_data_eq!(
        list(ODD, &["-o", "yaml"]).transcript(),
        str![[r#"
[stdout]
- zeta: 1.10
  id: a
  big: 123456789012345678901234567890
  new:
    b:
      - 1.0e+400
    a: null
  email: "\x1b[31m\u202e\u200b=1+1"
  note: "one\r\ntwo, \"three\""
  site_ids:
    - s1
    - s2
exit 0

"#]]
        .raw()
    );
    assert_data_eq!(
        list(ODD, &["-o", "ids"]).transcript(),
        str![[r#"
[stdout]
a
exit 0

"#]]
        .raw()
    );
    assert_data_eq!(
        list(ODD, &[]).transcript(),
        str![[r#"
[stdout]
ID  FIRST NAME  LAST NAME  EMAIL                           COMPANY  SITES   CREATED
a                          \u{1b}[31m\u{202e}\u{200b}=1+1           s1, s2
exit 0

"#]]
        .raw()
    );
}

#[test]
fn off_a_terminal_only_a_table_changes_the_data() {
    let text = "\u{1b}[31m\u{202e}\u{9b}\u{200b} \u{200c}\\u{1b} \u{200d}\r";
    let record = json!({"id": text, "email": text, "\u{202d}": 1}).to_string();
    let printed = |format: &str, fields: &[&str]| {
        let run = list(&record, &[&["-o", format], fields].concat());
        assert_eq!(run.code, 0, "{}", run.transcript());
        run.stdout
    };
    assert_eq!(printed("ids", &[]), format!("{text}\n"));
    assert_eq!(printed("csv", &["--fields", "email,\u{202d}"]), format!("email,\u{202d}\n\"{text}\",1\n"));
    assert!(printed("json", &[]).contains(&record));
    assert_eq!(printed("ndjson", &[]), format!("{record}\n"));
    assert!(printed("yaml", &[]).starts_with(r#"- id: "\x1b[31m\u202e\x9b\u200b "#));
    let table = printed("table", &["--fields", "email,\u{202d}"]);
    assert!(table.contains("\\u{1b}[31m\\u{202e}\\u{9b}\\u{200b} \u{200c}\\u{1b} \u{200d}\\r"), "{table}");
    assert!(!table.contains(['\u{1b}', '\u{202e}', '\u{202d}', '\u{9b}', '\u{200b}']), "{table}");
}

#[test]
fn one_record_in_every_format() {
    let world = World::sandbox();
    let show = |args: &[&str]| world.run(&[&["clients", "show", "client-0001"], args].concat()).transcript();
    assert_data_eq!(
        show(&["-o", "csv"]),
        str![[r#"
[stdout]
id,first_name,last_name,email,company_name,address,note,site_ids,created_at,updated_at
client-0001,Amara,Okafor,amara.okafor@okafor-interiors.example,Okafor Interiors,"14 Marina Road, Lagos",Prefers calls in the morning.,site-0001;site-0002,2025-01-07T08:30:00.000Z,2025-01-07T08:30:00.000Z
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["-o", "yaml"]),
        str![[r#"
[stdout]
id: client-0001
first_name: Amara
last_name: Okafor
email: amara.okafor@okafor-interiors.example
company_name: Okafor Interiors
address: "14 Marina Road, Lagos"
note: Prefers calls in the morning.
site_ids:
  - site-0001
  - site-0002
created_at: "2025-01-07T08:30:00.000Z"
updated_at: "2025-01-07T08:30:00.000Z"
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["-o", "ids"]),
        str![[r#"
[stdout]
client-0001
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["-o", "ndjson", "--fields", "id,site_ids"]),
        str![[r#"
[stdout]
{"id":"client-0001","site_ids":["site-0001","site-0002"]}
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["--json", "--fields", "site_ids.1,id"]),
        str![[r#"
[stdout]
{
  "site_ids.1": "site-0002",
  "id": "client-0001"
}
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["--fields", "email,nope"]),
        str![[r#"
[stdout]
email  amara.okafor@okafor-interiors.example
nope
[stderr]
warning: no record has a field 'nope'; did you mean 'note'? allowed: id, first_name, last_name, email, company_name, address, note, site_ids, created_at, updated_at
exit 0

"#]]
    );
    assert_data_eq!(
        show(&["--jq", ".site_ids[]"]),
        str![[r#"
[stdout]
site-0001
site-0002
exit 0

"#]]
    );
}

#[test]
fn a_result_in_every_format() {
    let delete = |args: &[&str]| {
        let delete = ["clients", "delete", "client-0058", "nope", "--yes", "--ignore-not-found"];
        World::sandbox().run(&[&delete, args].concat()).transcript()
    };
    assert_data_eq!(
        delete(&[]),
        str![[r#"
[stdout]
deleted    client-0058
errors
ignored    nope
requested  2
succeeded  1
failed     0
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["--json"]),
        str![[r#"
[stdout]
{
  "deleted": [
    "client-0058"
  ],
  "errors": [],
  "ignored": [
    "nope"
  ],
  "requested": 2,
  "succeeded": 1,
  "failed": 0
}
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["-o", "ndjson"]),
        str![[r#"
[stdout]
{"deleted":["client-0058"],"errors":[],"ignored":["nope"],"requested":2,"succeeded":1,"failed":0}
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["-o", "csv"]),
        str![[r#"
[stdout]
deleted,errors,ignored,requested,succeeded,failed
client-0058,,nope,2,1,0
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["-o", "yaml"]),
        str![[r#"
[stdout]
deleted:
  - client-0058
errors: []
ignored:
  - nope
requested: 2
succeeded: 1
failed: 0
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["-o", "ids"]),
        str![[r#"
[stdout]
client-0058
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["--jq", ".deleted | length"]),
        str![[r#"
[stdout]
1
exit 0

"#]]
    );
    assert_data_eq!(
        delete(&["-o", "csv", "--fields", "failed,deleted", "--no-header"]),
        str![[r#"
[stdout]
0,client-0058
exit 0

"#]]
    );
}

#[test]
fn several_results_are_rows() {
    let server = Server::start(&["--restore-time", "0s"]);
    let world = server.world();
    let start = ["restore", "start", "site-0001", "snap-0001-1", "--full", "--yes", "--jq", ".task_id"];
    let task = world.run(&start).stdout.trim().to_string();
    let watch = ["restore", "watch", &task, "-q", "--fields", "site_id,outcome,task.type"];
    for (format, text) in [
        ("table", "SITE ID    OUTCOME    TASK.TYPE\nsite-0001  succeeded  restore\n"),
        ("csv", "site_id,outcome,task.type\nsite-0001,succeeded,restore\n"),
        ("yaml", "- site_id: site-0001\n  outcome: succeeded\n  task.type: restore\n"),
        (
            "json",
            "[\n  {\n    \"site_id\": \"site-0001\",\n    \"outcome\": \"succeeded\",\n    \"task.type\": \"restore\"\n  }\n]\n",
        ),
    ] {
        let run = world.run(&[&watch[..], &["-o", format]].concat());
        assert_eq!((run.stdout.as_str(), run.code), (text, 0), "{}", run.transcript());
    }
    let world = World::sandbox();
    for (format, text) in [("table", ""), ("json", "[]\n"), ("ndjson", ""), ("csv", ""), ("yaml", "[]\n"), ("ids", "")]
    {
        assert_eq!(world.run(&["restore", "watch", "-o", format]).stdout, text, "{format}");
    }
}

#[test]
fn an_empty_list_in_every_format() {
    let world = World::sandbox();
    for (args, text) in [
        (&["-o", "table"][..], ""),
        (&["-o", "json"], "[]\n"),
        (&["-o", "ndjson"], ""),
        (&["-o", "yaml"], "[]\n"),
        (&["-o", "ids"], ""),
        (&["-o", "csv"], "id,first_name,last_name,email,company_name,address,note,site_ids,created_at,updated_at\n"),
        (&["-o", "csv", "--no-header"], ""),
        (&["-o", "csv", "--fields", "email,nope"], "email,nope\n"),
        (&["--jq", "length"], "0\n"),
        (&["-o", "ndjson", "--jq", "."], ""),
    ] {
        let run = world.run(&[&["clients", "list", "--search", "nobody at all"], args].concat());
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (text, "no clients found\n"), "{args:?}");
    }
}

#[test]
fn csv_of_an_unspecified_list_has_what_its_first_page_has() {
    let page = |page: u32, site: &str| {
        let meta = format!(r#""meta":{{"pagination":{{"page":{page},"perPage":1,"totalPages":2,"totalItems":2}}}}"#);
        ("GET", Reply::Json(200, format!(r#"{{"sites":[{site}],{meta}}}"#)))
    };
    let service = Scripted::new(vec![page(1, r#"{"url":"x","id":"a"}"#), page(2, r#"{"id":"b","php":"8"}"#)]);
    assert_data_eq!(
        service.world().run(&["sites", "list", "-o", "csv"]).transcript(),
        str![[r#"
[stdout]
url,id
x,a
,b
[stderr]
warning: these fields came after the first page and have no column: php (--fields names columns)
exit 0

"#]]
    );
    service.requests();
}

#[test]
fn fields() {
    let records = r#"{"id":"a","owner":{"name":"Zoë","ids":[10,20]},"a.b":1},{"id":"b","owner":null}"#;
    let fields = ["--fields", "owner.name, a.b,owner.ids.1", "--fields", "id"];
    let list = |args: &[&str]| list(records, &[&fields, args].concat()).transcript();
    assert_data_eq!(
        list(&[]),
        str![[r#"
[stdout]
OWNER.NAME  A.B  OWNER.IDS.1  ID
Zoë         1    20           a
                              b
exit 0

"#]]
    );
    assert_data_eq!(
        list(&["--json"]),
        str![[r#"
[stdout]
[
{"owner.name":"Zoë","a.b":1,"owner.ids.1":20,"id":"a"},
{"owner.name":null,"a.b":null,"owner.ids.1":null,"id":"b"}
]
exit 0

"#]]
    );
    assert_data_eq!(
        list(&["-o", "csv"]),
        str![[r#"
[stdout]
owner.name,a.b,owner.ids.1,id
Zoë,1,20,a
,,,b
exit 0

"#]]
    );
    assert_data_eq!(
        list(&["-o", "yaml"]),
        str![[r#"
[stdout]
- owner.name: Zoë
  a.b: 1
  owner.ids.1: 20
  id: a
- owner.name: null
  a.b: null
  owner.ids.1: null
  id: b
exit 0

"#]]
    );
    assert_data_eq!(
        list(&["--jq", "map(keys_unsorted)[0]"]),
        str![[r#"
[stdout]
["owner.name","a.b","owner.ids.1","id"]
exit 0

"#]]
    );
}

#[test]
fn a_field_that_no_record_has_is_said() {
    assert_data_eq!(
        list(r#"{"id":"a","email":"x"}"#, &["--fields", "id,emial", "-o", "csv"]).transcript(),
        str![[r#"
[stdout]
id,emial
a,
[stderr]
warning: no record has a field 'emial'; did you mean 'email'? allowed: id, email
exit 0

"#]]
    );
}

#[test]
fn what_does_not_go_together_is_refused() {
    let world = World::sandbox();
    let list = |args: &[&str]| world.run(&[&["clients", "list"], args].concat()).transcript();
    assert_data_eq!(
        list(&["--fields", "id", "-o", "ids"]),
        str![[r#"
[stderr]
error: --fields does not go with -o ids, which prints ids alone
hint: leave one of them away; -o csv --no-header prints fields alone
exit 2

"#]]
    );
    assert_data_eq!(
        list(&["--fields", "id,,email"]),
        str![[r#"
[stderr]
error: invalid value '' for '--fields <A,B,C>': a field's name is missing

hint: see sitectl clients list --help
exit 2

"#]]
    );
    assert_data_eq!(
        list(&["--fields", "id,email,id"]),
        str![[r#"
[stderr]
error: --fields names 'id' twice
hint: name each field once
exit 2

"#]]
    );
    assert_data_eq!(
        list(&["--jq", ".", "-o", "csv"]),
        str![[r#"
[stderr]
error: --jq filters JSON: it goes with -o json and -o ndjson
hint: leave --output away, or --jq
exit 2

"#]]
    );
    assert_data_eq!(
        list(&["--jq", ".[] | nope"]),
        str![[r#"
[stderr]
{"error":{"kind":"usage","exit_code":2,"status":null,"code":null,"message":"--jq: there is no filter 'nope', at character 7 of '.[] | nope'","details":[],"hint":"this is jq without env, input, debug and halt; see https://jqlang.org/manual"}}
exit 2

"#]]
    );
    assert_data_eq!(
        list(&["--jq", "env.SITECTL_TOKEN", "-o", "ndjson"]),
        str![[r#"
[stderr]
{"error":{"kind":"usage","exit_code":2,"status":null,"code":null,"message":"--jq: there is no filter 'env', at character 1 of 'env.SITECTL_TOKEN'","details":[],"hint":"this is jq without env, input, debug and halt; see https://jqlang.org/manual"}}
exit 2

"#]]
    );
}

#[test]
fn a_filter_is_checked_before_anything_is_sent() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    assert_eq!(world.run(&["clients", "delete", "x", "--yes", "--jq", ".["]).code, 2);
}

#[test]
fn jq() {
    let world = World::sandbox();
    let list = |args: &[&str]| world.run(&[&["clients", "list"], args].concat());
    assert_data_eq!(
        list(&["--limit", "2", "--jq", ".[] | .email, {id}"]).transcript(),
        str![[r#"
[stdout]
li@single-name.example
{"id":"client-0060"}
quentin@long-names.example
{"id":"client-0059"}
[stderr]
the first 2 of 60 clients
exit 0

"#]]
    );
    assert_data_eq!(
        list(&["--limit", "2", "-o", "ndjson", "--jq", "[.id, .site_ids] | tojson"]).transcript(),
        str![[r#"
[stdout]
["client-0060",[]]
["client-0059",[]]
[stderr]
the first 2 of 60 clients
exit 0

"#]]
    );
    assert_eq!(list(&["--jq", "length"]).stdout, "60\n");
    assert_eq!(list(&["--jq", "-length"]).stdout, "-60\n");
    assert_eq!(list(&["-o", "NDJSON", "--limit", "1", "--jq", ".id"]).stdout, "client-0060\n");
    assert_data_eq!(
        list(&["--limit", "2", "--jq", ".[0].id, .id"]).transcript(),
        str![[r#"
[stdout]
client-0060
[stderr]
{"error":{"kind":"error","exit_code":1,"status":null,"code":null,"message":"--jq: cannot index [{/"id/":/"client-0060/",/"first_name/":/"李/",/"last_name/":/"/",/"email/":/"li@single-name.example/",/"company_name/":/"/",/"address/":/"/",/"note/":/"/",/"site_ids/":[],/"created_at/":/"2026-10-18T11:30:00.000Z/",/"updat…","details":[],"hint":"? passes over what the filter cannot take, as in .[].site_ids[0]?"}}
exit 1

"#]]
    );
    // What was saved as the format gives way to a filter that was typed, unless it is JSON by the line.
    for (output, text) in [("csv", "2\n"), ("json", "2\n"), ("ndjson", "10\n10\n"), ("NDJSON", "10\n10\n")] {
        let world = World::sandbox().with("SITECTL_OUTPUT", output);
        assert_eq!(world.run(&["clients", "list", "--limit", "2", "--jq", "length"]).stdout, text, "{output}");
    }
    let run = self::list(ODD, &["--jq", ".[] | .big, .zeta, .new.b, .email"]);
    assert_eq!(run.stdout, "123456789012345678901234567890\n1.10\n[1e400]\n\u{1b}[31m\u{202e}\u{200b}=1+1\n");
}

#[test]
fn of_a_list_that_broke_off_a_filter_prints_nothing() {
    let script = || vec![("GET", page(&["a", "b"], 1, 2, 4)), ("GET", Reply::Json(401, "{}".into()))];
    let service = Scripted::new(script());
    let run = service.world().run(&["clients", "list", "--jq", "length"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", 3), "{}", run.transcript());
    service.requests();
    for (args, text) in [
        (&["-o", "ndjson", "--jq", ".id"][..], "a\nb\n"),
        (&["-o", "csv", "--fields", "id"], "id\na\nb\n"),
        (&["-o", "yaml"], "- id: a\n- id: b\n"),
        (&["--json"], "[\n{\"id\":\"a\"},\n{\"id\":\"b\"}"),
        (&["--fields", "id"], "ID\na\nb\n"),
    ] {
        let service = Scripted::new(script());
        let run = service.world().run(&[&["clients", "list"], args].concat());
        assert_eq!((run.stdout.as_str(), run.code), (text, 3), "{args:?}");
        service.requests();
    }
}

#[test]
fn records_without_an_id_are_not_lost_in_silence() {
    let records = r#"{"id":"a"},{"id":null},{"name":"x"},{"id":7}"#;
    let body = format!(r#"{{"sites":[{records}]}}"#);
    let service = Scripted::new(vec![("GET", Reply::Json(200, body))]);
    assert_data_eq!(
        service.world().run(&["sites", "list", "-o", "ids", "--page", "1"]).transcript(),
        str![[r#"
[stdout]
a
7
[stderr]
error: 2 records have no id on one line, and are not among the ids
hint: -o ndjson shows them whole
exit 13

"#]]
    );
    service.requests();
}

#[test]
fn a_reader_that_goes_away_ends_every_format_quietly() {
    let world = World::sandbox();
    for format in ["table", "json", "ndjson", "csv", "yaml", "ids"] {
        for command in [&["clients", "list"][..], &["clients", "show", "client-0001"]] {
            let mut command = world.command(&[command, &["-o", format]].concat());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{format}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_in_every_format() {
    let world = World::sandbox();
    for args in ["-otable", "-ojson", "-ondjson", "-ocsv", "-oyaml", "-oids", "--jq=."] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = world.command(&["clients", "list", args]).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("stdout"), "{args}");
    }
}

#[test]
fn colour_is_for_people_and_follows_the_rules() {
    let world = World::sandbox();
    let bold = |world: &World, args: &[&str]| world.run(args).stdout.contains('\u{1b}');
    let table = ["clients", "list", "--limit", "1"];
    assert!(!bold(&world, &table));
    assert!(bold(&world, &[&table[..], &["--color", "always"]].concat()));
    for format in ["json", "ndjson", "csv", "yaml", "ids"] {
        assert!(!bold(&world, &[&table[..], &["--color", "always", "-o", format]].concat()), "{format}");
    }
    assert!(bold(&world, &["--color=always", "--help"]) && !bold(&world, &["--help"]));
    let forced = World::sandbox().with("CLICOLOR_FORCE", "1");
    assert!(bold(&forced, &table) && !bold(&forced, &[&table[..], &["--color", "never"]].concat()));
    assert!(bold(&forced, &["--help"]) && !bold(&forced, &["--color", "never", "--help"]));
    let usage = |args: &[&str]| forced.run(args).stderr.contains('\u{1b}');
    assert!(usage(&["clients", "--nope"]) && !usage(&["--color", "never", "clients", "--nope"]));
    let none = World::sandbox().with("CLICOLOR_FORCE", "1").with("NO_COLOR", "1");
    assert!(!bold(&none, &table) && !bold(&none, &["--help"]));
}

#[test]
fn wide_characters_keep_columns_aligned() {
    let records = r#"{"id":"a","first_name":"東京","email":"x"},{"id":"b","first_name":"👩‍👩‍👧","email":"x"},{"id":"c","first_name":"e\u0301","email":"x"},{"id":"d","first_name":"abc","email":"x"}"#;
    assert_data_eq!(
        list(records, &["--fields", "id,first_name,email"]).stdout,
        str![[r#"
ID  FIRST NAME  EMAIL
a   東京        x
b   👩‍👩‍👧          x
c   é           x
d   abc         x

"#]]
    );
}

#[test]
fn the_first_rows_are_seen_before_the_last_page_is_there() {
    for (format, text) in [("json", "[\n{\"id\":\"a\"},\n{\"id\":\"b\"}"), ("csv", "id\na\nb\n"), ("ids", "a\nb\n")] {
        let service = Scripted::new(vec![("GET", page(&["a", "b"], 1, 2, 4)), ("GET", Reply::Silence)]);
        let fields: &[&str] = if format == "csv" { &["--fields", "id"] } else { &[] };
        let args = ["clients", "list", "--request-timeout", "1s", "--retries", "0", "-o", format];
        let run = service.world().run(&[&args, fields].concat());
        assert_eq!((run.stdout.as_str(), run.code), (text, 13));
        service.requests();
    }
}

#[test]
fn json_of_everything_is_json() {
    let world = World::sandbox();
    let both = world.run(&["clients", "list", "--json", "--fields", "id,site_ids,nope"]).json();
    assert_eq!(both.as_array().map(Vec::len), Some(60));
    assert_eq!(both[0]["nope"], Value::Null);
}

#[test]
fn what_became_of_a_change_is_said_although_it_cannot_be_printed() {
    let world = World::sandbox();
    let restore = ["restore", "start", "site-0013", "latest", "--full", "--yes", "--watch"];
    for (args, kind, code) in
        [(&["clients", "delete", "nope", "--yes"][..], "not_found", 4), (&restore, "restore_failed", 10)]
    {
        let run = world.run(&[args, &["--jq", "error(1)"]].concat());
        assert_eq!((run.code, run.error()["kind"].as_str()), (code, Some(kind)), "{}", run.transcript());
        let mut child = world.command(&[args, &["--json"]].concat());
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.error()["kind"].as_str()), (code, Some(kind)), "{}", run.transcript());
    }
}

#[cfg(unix)]
#[test]
fn a_filter_that_never_ends_can_be_interrupted() {
    let world = World::sandbox();
    for args in [&["list", "--jq", "1, (repeat(1) | empty)"][..], &["show", "client-0001", "--jq", "last(range(1e15))"]]
    {
        let mut command = world.command(&[&["clients"], args].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            if std::time::Instant::now() > deadline {
                child.kill().unwrap();
            }
            interrupt(&child);
        }
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.error()["kind"].as_str()), (130, Some("interrupted")), "{}", run.transcript());
    }
}

#[test]
fn a_change_that_cannot_be_printed_is_still_said_to_be_made() {
    let world = World::sandbox();
    for (args, hint) in [
        (
            &["clients", "create", "--first-name", "A", "--email", "a@b.example"][..],
            "the client was created all the same",
        ),
        (&["clients", "update", "a@b.example", "--note", "x"], "the client was updated all the same"),
        (&["restore", "start", "site-0001", "latest", "--full", "--yes"], "the restore was started all the same"),
    ] {
        let run = world.run(&[args, &["--jq", "error(\"no\")"]].concat());
        assert_eq!(run.code, 1, "{}", run.transcript());
        assert!(run.stderr.contains(hint), "{}", run.transcript());
    }
}
