//! YAML as people write it, and as it is spoiled.

use crate::input::Document;
use crate::input::InputFormat::Yaml;
use crate::input::place::Place;
use crate::input::tests::{problems, refused, rows};
use serde_json::{Value, json};

fn values(document: &Document, column: &str) -> Vec<Value> {
    document.rows.iter().map(|row| row.value(column).cloned().unwrap_or_default()).collect()
}

fn one(value: &str) -> Value {
    let document = rows(&format!("note: {value}\n"), Yaml);
    assert!(document.problems.is_empty() && document.rows.len() == 1, "{value}: {document:?}");
    document.rows[0].value("note").cloned().unwrap_or_default()
}

#[test]
fn words_are_their_own_letters() {
    for word in ["007", "no", "1e3", "0x1f", "1_000", "12:30", "2026-10-07", ".inf", "true", "+1", "nil", "NuLL", "<<"]
    {
        assert_eq!(one(word), json!(word));
    }
    for null in ["", "~", "null", "Null", "NULL", "# x"] {
        assert_eq!(one(null), Value::Null, "{null}");
    }
    for (source, text) in [
        ("'null'", "null"),
        ("\"~\"", "~"),
        ("''", ""),
        ("!!str ~", "~"),
        ("! no", "no"),
        ("a # b", "a"),
        ("'it''s'", "it's"),
        ("\"\\u00e9\\x41\\n\\U0001f600\"", "éA\n😀"),
        ("|\n  one\n   two\n\n", "one\n two\n"),
        (">-\n  one\n  two", "one two"),
        ("one\r\n  two", "one two"),
    ] {
        assert_eq!(one(source), json!(text), "{source}");
    }
    assert_eq!(one("[1, ~, {a: b}]"), json!(["1", null, {"a": "b"}]));
}

#[test]
fn rows_have_places() {
    let text = "\u{feff}# clients\r\n---\r\n- email: é\r\n  note:\r\n  site_ids:\r\n  - s1\r\n-\r\n  ? email\r\n  : b\r\n...\r\n---\r\nemail: c\r\n";
    let document = rows(text, Yaml);
    assert_eq!(values(&document, "email"), ["é", "b", "c"]);
    assert_eq!(values(&document, "site_ids")[0], json!(["s1"]));
    let places: Vec<_> = document.rows.iter().map(|row| (row.place.line, row.place.column)).collect();
    assert_eq!(places, [(3, None), (8, None), (12, None)]);
    assert_eq!(document.rows[0].cell("email").map(|cell| cell.place), Some(Place { line: 3, column: Some(10) }));
    let detail = document.detail(&document.rows[0], "note", "blank", "Can't be blank");
    assert_eq!(detail.place.as_deref(), Some("clients.txt line 4, column 7 (note)"));
    assert_eq!(rows("[{note: a}, {note: b}]", Yaml).rows[1].place, Place { line: 1, column: Some(13) });
    for empty in ["", "# nothing\n", "---\n...\n", "~", "[]"] {
        assert_eq!(rows(empty, Yaml).rows.len(), 0, "{empty}");
    }
}

#[test]
fn problems_do_not_hide_the_rest() {
    let text =
        "- emial: a\n  note: x\n  note: y\n- word\n- emial: b\n- note: !!int 7\n- ? [a]\n  : b\n- note: !x [a]\n- *a\n";
    let text = text.replace("- word", "- &a word");
    assert_eq!(values(&rows(&text, Yaml), "note"), [json!("x"), Value::Null]);
    assert_eq!(
        problems(&text, Yaml),
        [
            "line 1, column 10 (emial): unknown_field Is not a known column; did you mean 'email'? allowed: id, \
             first_name, last_name, email, company_name, address, note, site_ids",
            "line 3, column 9 (note): duplicate_field Is named twice in this row",
            "line 4: invalid_type Must be a mapping of names to values",
            "line 6, column 9 (note): invalid_type The tag tag:yaml.org,2002:!int is not supported: values are text",
            "line 7, column 5: invalid_type The name of a column must be a word",
            "line 9, column 9 (note): invalid_type The tag !x is not supported: values are text",
            "line 10: invalid_type Must be a mapping of names to values",
        ]
    );
}

#[test]
fn aliases_repeat_values_within_reason() {
    let document = rows("- site_ids: &all [a, &b b]\n  note: &n x\n- site_ids: *all\n  note: *b\n- note: *n\n", Yaml);
    assert_eq!(values(&document, "site_ids"), [json!(["a", "b"]), json!(["a", "b"]), Value::Null]);
    assert_eq!(values(&document, "note"), ["x", "b", "x"]);
    assert_eq!(problems("- &a {note: x}\n- {note: *a}\n", Yaml).len(), 1);
    assert_eq!(refused("note: *a\n", Yaml).len(), 1);
    let mut bomb = "- note: &n0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_string();
    for level in 0..30 {
        bomb += &format!("- note: &n{} [{}]\n", level + 1, vec![format!("*n{level}"); 9].join(", "));
    }
    let document = rows(&bomb, Yaml);
    assert!(document.problems.iter().any(|problem| problem.message.starts_with("Repeats too much")));
}

#[test]
fn what_is_not_yaml_says_where() {
    for (text, place) in [
        ("- note: \"x\n- note: y\n", "line 1, column 9"),
        ("- note: x\n note: y\n", "line 2, column 2"),
        ("note: [a\nb: c\n", "line 2, column 2"),
        ("note: a\0b", "line 1, column 8"),
    ] {
        let found = refused(text, Yaml);
        assert!(found.len() == 1 && found[0].starts_with(&format!("{place}: invalid_syntax ")), "{found:?}");
    }
}

#[test]
fn nesting_has_no_end() {
    for (open, close) in [("[", "]"), ("- ", ""), ("? ", ""), ("{a: ", "}"), ("- - ? ", "")] {
        let deep = format!("{}x{}", open.repeat(20_000), close.repeat(20_000));
        assert_eq!(refused(&deep, Yaml).len(), 1, "{open}");
    }
}
