//! Tests of reading and reporting each format.

use super::{ColumnKind, Columns, Document, InputFormat};
use InputFormat::{Csv, Json, Ndjson};
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
        ("site_ids", ColumnKind::List),
    ],
    ignored: &["created_at", "updated_at"],
    keys: &["id", "email"],
    list_field: Some("clients"),
    list: None,
};

/// Parses text of this format.
pub fn read(text: &str, format: InputFormat) -> Document {
    Document::parse("f", text, format, &COLUMNS).unwrap_or_else(|error| unreachable!("{error}"))
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
    let problems = document.problems.iter().map(|problem| &problem.detail);
    let problems = problems.chain(&document.unknown_column_problems);
    problems.map(problem).collect()
}

fn error_message(text: &str, format: InputFormat) -> String {
    Document::parse("f", text, format, &COLUMNS)
        .map_or_else(|error| error.message.clone(), |_| String::new())
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
fn quotes_that_change_a_value_are_problems() {
    assert_eq!(
        problems("id,note\n1,\"a\"b\n2,\"c\"\"d\"\n3,\"e\n", Csv),
        [
            "f line 2: invalid_syntax Has text after a closing quote",
            "f line 4: invalid_syntax Has a quote that is never closed",
        ]
    );
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
            "f record 2, field id ('2'): duplicate_field Is in the record twice",
            "f record 2, field note (2, 'b'): duplicate_field Is in the record twice",
            "f record 3: invalid_type Must be an object",
        ]
    );
    assert_eq!(
        problems(r#"{"note":"a","note":"a"}"#, Json),
        ["f record 1, field note ('a'): duplicate_field Is in the record twice"]
    );
    assert_eq!(
        error_message("[\n{\"note\":\"x\",}]", Json),
        "f: invalid JSON: trailing comma at line 2 column 13; no changes were made"
    );
}

#[test]
fn ndjson_is_one_object_per_line() {
    assert_eq!(
        positions("\n{}\r\n\n{\"note\":\"1\"}", Ndjson),
        ["line 2", "line 4"]
    );
    assert_eq!(
        problems(
            "{}\n \n[1]\n{\"id\":1,\"id\":1}\n{\"note\": x}\nword",
            Ndjson
        ),
        [
            "f line 3: invalid_type Must be an object",
            "f line 4, field id ('1'): duplicate_field Is in the record twice",
            "f line 5: invalid_syntax Invalid JSON: expected value at column 10",
            "f line 6: invalid_syntax Invalid JSON: expected value at column 1",
        ]
    );
}

#[test]
fn error_values_of_spreadsheets_are_no_comments() {
    let texts = ["#N/A", "#NV", "#DIV/0!", "#5 blue", "# note"];
    assert_eq!(
        texts.map(super::is_error_value),
        [true, true, true, false, false]
    );
}
