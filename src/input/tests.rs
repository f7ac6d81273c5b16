//! Tests of reading, reporting and writing each format.

use super::{ColumnKind, Columns, Document, InputFormat};
use InputFormat::{Csv, Json, Ndjson, Yaml};
use serde_json::{Value, json};

/// The columns of clients.
pub const COLUMNS: Columns = Columns {
    known: &[
        ("id", ColumnKind::Text),
        ("first_name", ColumnKind::Text),
        ("last_name", ColumnKind::Text),
        ("email", ColumnKind::Text),
        ("company_name", ColumnKind::Text),
        ("address", ColumnKind::Text),
        ("note", ColumnKind::Text),
        ("site_ids", ColumnKind::ClearableList),
    ],
    ignored: &["created_at", "updated_at"],
    keys: &["id", "email"],
    list_field: Some("clients"),
    list: None,
};

/// Parses text of this format.
pub fn read(text: &str, format: InputFormat) -> Document {
    Document::parse("f", text.into(), format, &COLUMNS)
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn values(text: &str, format: InputFormat, column: &str) -> Vec<Value> {
    read(text, format)
        .rows
        .iter()
        .map(|row| row.value(column).cloned().unwrap_or_default())
        .collect()
}

fn positions(text: &str, format: InputFormat) -> Vec<String> {
    read(text, format)
        .rows
        .iter()
        .map(|row| row.position.to_string())
        .collect()
}

fn problems(text: &str, format: InputFormat) -> Vec<String> {
    let document = read(text, format);
    let problem = |detail: &crate::error::Detail| {
        let (message, _) = detail
            .message
            .split_once(';')
            .unwrap_or((&detail.message, ""));
        format!(
            "{}: {} {message}",
            detail.position.as_deref().unwrap_or_default(),
            detail.code()
        )
    };
    document.all_problems().map(problem).collect()
}

fn error_message(text: &str, format: InputFormat) -> String {
    Document::parse("f", text.into(), format, &COLUMNS)
        .map_or_else(|error| error.message.clone(), |_| String::new())
}

#[test]
fn csv_is_read_as_spreadsheets_write_it() {
    let text = "\r\n email ,note,address\r\na@b,\"one\r\ntwo\",x\r\n\r\n,,\r\nc@d, y ,\" \"\r\ne@f";
    assert_eq!(values(text, Csv, "email"), ["a@b", "c@d", "e@f"]);
    assert_eq!(
        values(text, Csv, "note"),
        [json!("one\r\ntwo"), json!(" y "), Value::Null]
    );
    assert_eq!(
        values(text, Csv, "address"),
        [json!("x"), Value::Null, Value::Null]
    );
    assert_eq!(
        positions(text, Csv),
        ["line 3", "line 7 (row 6)", "line 8 (row 7)"]
    );
    assert_eq!(
        positions("email,note\ra@b,\"x\ry\"\rc@d,z\r", Csv),
        ["line 2", "line 4 (row 3)"]
    );
    assert_eq!(
        positions("sep=;\nemail;note\na@b;x\n", Csv),
        ["line 3 (row 2)"]
    );
    for text in [
        "Email;First Name\na@b;Ada\n",
        "EMAIL\tfirst-name\na@b\tAda\n",
        "E-Mail,firstname\na@b,Ada\n",
        "\"email\",\"first_name\"\na@b,Ada",
        "sep=;\r\nEmail;First Name\r\na@b;Ada\r\n",
    ] {
        assert_eq!(
            (values(text, Csv, "email"), values(text, Csv, "first_name")),
            (vec!["a@b".into()], vec!["Ada".into()])
        );
    }
}

#[test]
fn csv_cells_hold_lists() {
    for (cell, value) in [
        ("s1; s2;;s3 ", json!(["s1", "s2", "s3"])),
        ("\" [\"\"a;b\"\", 7]\"", json!(["a;b", 7])),
        ("[]", json!([])),
        (" ", Value::Null),
        ("", Value::Null),
    ] {
        let text = format!("id,site_ids\n1,{cell}\n");
        assert_eq!(values(&text, Csv, "site_ids"), [value], "{cell}");
        assert_eq!(read(&text, Csv).problems, [], "{cell}");
    }
}

#[test]
fn csv_problems_are_reported_together() {
    let text = "id,emial,id,,site_ids\n1,a,2,,x\n1,2,3,4,5,6\n7,\"a\"b,,,\n3,,,z,[s\n5,,,,\" ; \"\n4,,\"x,,\n";
    assert_eq!(
        problems(text, Csv),
        [
            "f line 1, column id: duplicate_field Is in the header twice",
            "f line 3 (3): invalid_row Has 6 cells, but the header has 5",
            "f line 4: invalid_syntax Has text after a closing quote",
            "f line 5, column site_ids (3): invalid_type Must be a list separated by semicolons, \
             or a JSON array, not '[s'",
            "f line 5 (3): unknown_field Cell 4 has 'z', but no heading",
            "f line 6, column site_ids (5): invalid_type Has only separators",
            "f line 7: invalid_syntax Has a quote that is never closed",
            "f line 1, column emial: unknown_field Is not a known column",
        ]
    );
    assert_eq!(
        error_message("\"id\nx\n", Csv),
        "f: line 1: Has a quote that is never closed"
    );
    assert!(
        error_message("Ada,a@b\n", Csv).starts_with(
            "f: the first line must name the columns; it has 'Ada', 'a@b'; allowed: id,"
        )
    );
    assert_eq!(read("", Csv).rows.len() + read("\n,,\n", Csv).rows.len(), 0);
}

#[test]
fn json_is_an_array_or_one_object() {
    let text = r#"[{"note": 7, "address": null, "site_ids": ["é", 1]}, {}]"#;
    assert_eq!(values(text, Json, "note"), [json!(7), Value::Null]);
    assert_eq!(values(text, Json, "site_ids")[0], json!(["é", 1]));
    assert_eq!(positions(text, Json), ["record 1", "record 2"]);
    assert_eq!(
        [r#"{"note":"x"}"#, "[]", " \n"].map(|text| read(text, Json).rows.len()),
        [1, 0, 0]
    );
    assert_eq!(
        problems(r#"[{"emial":"a","created_at":1},7,{"emial":"b"}]"#, Json),
        [
            "f record 2: invalid_type Must be an object",
            "f record 1, field emial: unknown_field Is not a known column"
        ]
    );
    assert_eq!(
        problems(
            r#"[{"id":1},{"note":"a","id":2,"not\u0065":"b","id":2,"id":2},7]"#,
            Json
        ),
        [
            "f record 3: invalid_type Must be an object",
            "f record 2, field id ('2'): duplicate_field Is in the record twice",
            "f record 2, field note (2, 'b'): duplicate_field Is in the record twice",
        ]
    );
    assert_eq!(
        problems(r#"{"note":"a","note":"a"}"#, Json),
        ["f record 1, field note ('a'): duplicate_field Is in the record twice"]
    );
    assert_eq!(
        error_message("[\n{\"note\":\"x\",}]", Json),
        "f: invalid JSON: trailing comma at line 2 column 13"
    );
}

#[test]
fn ndjson_is_one_object_per_line() {
    assert_eq!(
        positions("\n{}\r\n\n{\"note\":\"1\"}", Ndjson),
        ["line 2", "line 4"]
    );
    assert_eq!(
        problems("{}\n[1]\n{\"id\":1,\"id\":1}\n{\"note\": x}\nword", Ndjson),
        [
            "f line 2: invalid_type Must be an object",
            "f line 3, field id ('1'): duplicate_field Is in the record twice",
            "f line 4: invalid_syntax Invalid JSON: expected value at column 10",
            "f line 5: invalid_syntax Invalid JSON: expected value at column 1",
        ]
    );
}

#[test]
fn yaml_scalars_keep_their_letters() {
    let note = |value: &str| values(&format!("note: {value}\n"), Yaml, "note").remove(0);
    for word in [
        "007",
        "no",
        "1e3",
        "0x1f",
        "1_000",
        "12:30",
        "2026-10-07",
        ".inf",
        "true",
        "+1",
        "NuLL",
        "<<",
    ] {
        assert_eq!(note(word), json!(word));
    }
    for null in ["", "~", "null", "# x"] {
        assert_eq!(note(null), Value::Null, "{null}");
    }
    assert_eq!((note("'null'"), note("a # b")), ("null".into(), "a".into()));
    assert_eq!(note("[1, ~, {a: b}]"), json!(["1", null, {"a": "b"}]));
}

#[test]
fn yaml_is_a_sequence_or_one_mapping() {
    let text = "# clients\r\n---\r\n- email: é\r\n  site_ids:\r\n  - s1\r\n-\r\n  ? email\r\n  : b\r\n\
                ...\r\n---\r\nemail: c\r\n";
    assert_eq!(values(text, Yaml, "email"), ["é", "b", "c"]);
    assert_eq!(positions(text, Yaml), ["record 1", "record 2", "record 3"]);
    assert_eq!(
        ["# nothing\n", "[]"].map(|empty| read(empty, Yaml).rows.len()),
        [0, 0]
    );
    assert_eq!(
        problems("- note: x\n- word\n", Yaml),
        ["f record 2: invalid_type Must be an object"]
    );
    for text in [
        "- note: \"x\n- note: y\n",
        "note: [a\nb: c\n",
        "- note: x\n  note: y\n",
        "? [a]\n: b\n",
    ] {
        assert!(
            error_message(text, Yaml).starts_with("f: invalid YAML: "),
            "{text}"
        );
    }
    assert!(error_message("- &a {note: x}\n- *a\n", Yaml).contains("aliases"));
}

#[test]
fn rows_are_written_as_they_were() {
    let excerpt = |text: &str, format| read(text, format).excerpt(vec![1]);
    assert_eq!(
        excerpt("ID;Note\n1;a\n2;\"b\nc\"\n", Csv),
        "ID;Note\n2;\"b\nc\"\n"
    );
    assert_eq!(excerpt("sep=;\nID\n1,0\n2,0", Csv), "sep=;\nID\n2,0\n");
    assert_eq!(
        excerpt("{\"id\":\"1\"}\n\n{\"id\":2, \"id\":null}", Ndjson),
        "{\"id\":2, \"id\":null}\n"
    );
    assert_eq!(
        excerpt(
            "\u{feff}[{}, {\"id\": 1.0000000000000000001, \"id\": 2}]",
            Json
        ),
        "[\n  {\"id\": 1.0000000000000000001, \"id\": 2}\n]\n"
    );
    assert_eq!(
        excerpt("- id: 1\n- id: 02\n  site_ids: [a]\n", Yaml),
        "[\n  {\n    \"id\": \"02\",\n    \"site_ids\": [\n      \"a\"\n    ]\n  }\n]\n"
    );
}

#[test]
fn rows_that_are_no_records_can_be_skipped_and_are_kept_as_they_were() {
    for (text, format, kept) in [
        ("id\n1\n\"2\"x\"\"\n3,4\n", Csv, "id\n\"2\"x\"\"\n3,4\n"),
        ("{}\n{\"id\": 1.10\n7\n", Ndjson, "{\"id\": 1.10\n7\n"),
        ("[1.10, {}, [\"a\"]]", Json, "[\n  1.10,\n  [\"a\"]\n]\n"),
        (
            "- word\n- id: 1\n- [a]\n",
            Yaml,
            "[\n  \"word\",\n  [\n    \"a\"\n  ]\n]\n",
        ),
    ] {
        let document = read(text, format);
        let rows: Vec<usize> = document
            .problems
            .iter()
            .filter_map(|problem| problem.row)
            .collect();
        assert_eq!((document.rows.len(), &rows[..]), (1, &[1, 2][..]), "{text}");
        assert_eq!(document.excerpt(rows), kept);
    }
    // The line break may be part of the cell.
    for row in ["\"a \"b\" c\n", "\"a\nb\"c\n", "\"a\n"] {
        let document = read(&format!("id\n{row}2\n"), Csv);
        assert!(
            document
                .problems
                .iter()
                .any(|problem| problem.row.is_none()),
            "{row}"
        );
    }
}

#[test]
fn positions_name_the_record_and_the_value() {
    let document = read(&format!("id,email,note\n,a@b,{}\n", "x".repeat(41)), Csv);
    let row = &document.rows[0];
    let note = format!("f line 2, column note (a@b, '{}…')", "x".repeat(40));
    assert_eq!(document.locate_value(row, "note"), note);
    assert_eq!(
        document.locate_value(row, "email"),
        "f line 2, column email ('a@b')"
    );
    assert_eq!(document.locate_value(row, ""), "f line 2 (a@b)");
    assert_eq!(
        document.locate_value(row, "id"),
        "f line 2, column id (a@b)"
    );
    let document = read(r#"{"note": 12345678901234567890123.10}"#, Json);
    let note = document.locate_value(&document.rows[0], "note");
    assert_eq!(note, "f record 1, field note");
}
