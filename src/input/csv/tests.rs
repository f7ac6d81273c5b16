//! Files as spreadsheets write them, and as hands spoil them.

use crate::input::Document;
use crate::input::InputFormat::Csv;
use crate::input::place::Place;
use crate::input::tests::{problems, refused, rows};
use serde_json::{Value, json};

fn values(document: &Document, column: &str) -> Vec<Value> {
    document.rows.iter().map(|row| row.value(column).cloned().unwrap_or_default()).collect()
}

#[test]
fn rows_have_places() {
    let text = "\u{feff}\r\n email ,note,address\r\na@b,\"one\r\ntwo\",x\r\n\r\n  \r\n,,\r\nc@d, y ,\"\"";
    let document = rows(text, Csv);
    assert_eq!(values(&document, "email"), ["a@b", "c@d"]);
    assert_eq!(values(&document, "note"), ["one\r\ntwo", " y "]);
    assert_eq!(values(&document, "address"), [json!("x"), Value::Null]);
    let places: Vec<_> = document.rows.iter().map(|row| (row.place.line, row.place.column)).collect();
    assert_eq!(places, [(3, None), (8, None)]);
    let address = document.rows[0].cell("address").map(|cell| cell.place);
    assert_eq!(address, Some(Place { line: 4, column: Some(3) }));
    let detail = document.detail(&document.rows[1], "address", "blank", "Can't be blank");
    assert_eq!(detail.place.as_deref(), Some("clients.txt line 8, column 3 (address)"));
    let detail = document.detail(&document.rows[1], "id", "blank", "Can't be blank");
    assert_eq!(detail.place.as_deref(), Some("clients.txt line 8 (id)"));
}

#[test]
fn files_of_old_spreadsheets_end_lines_with_a_return() {
    let document = rows("email,note\ra@b,\"x\ry\"\rc@d,z\r", Csv);
    assert_eq!(document.rows.iter().map(|row| row.place.line).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(values(&document, "note"), ["x\ry", "z"]);
    assert_eq!(document.excerpt(&[1]), "email,note\rc@d,z\r");
}

#[test]
fn lists() {
    for (cell, value) in [
        ("s1; s2;;s3 ", json!(["s1", "s2", "s3"])),
        ("s1", json!(["s1"])),
        ("\" [\"\"a;b\"\", 7]\"", json!(["a;b", 7])),
        ("[]", json!([])),
        ("\" ; \"", Value::Null),
        ("", Value::Null),
    ] {
        assert_eq!(values(&rows(&format!("id,site_ids\n1,{cell}\n"), Csv), "site_ids"), [value], "{cell}");
    }
    assert_eq!(
        problems("id,site_ids\n1,[s1;s2]\n", Csv),
        ["line 2, column 2 (site_ids): invalid_type Must be a list with semicolons between its items, or a JSON array"]
    );
}

#[test]
fn problems_do_not_hide_the_rest() {
    let text = "id,emial,id,,created_at\n1,a,2,,x\n1,a\n1,a,2,,x,y\n7,\"a\"b,,,\n3,,,z,\n";
    assert_eq!(values(&rows(text, Csv), "note").len(), 2);
    assert_eq!(
        problems(text, Csv),
        [
            "line 1, column 2 (emial): unknown_field Is not a known column; did you mean 'email'? allowed: id, \
             first_name, last_name, email, company_name, address, note, site_ids",
            "line 1, column 3 (id): duplicate_field Names a column for the second time",
            "line 3: invalid_row Has 2 cells, but the first line names 5",
            "line 4: invalid_row Has 6 cells, but the first line names 5; a value with a comma in it has to be in \
             quotes",
            "line 5, column 2: invalid_syntax Goes on behind its closing quote; a quote inside a quoted value has to \
             be written twice",
            "line 6, column 4: unknown_field Is not a known column; allowed: id, first_name, last_name, email, \
             company_name, address, note, site_ids",
        ]
    );
}

#[test]
fn what_names_no_columns_is_refused() {
    for (text, message) in [
        (
            "id;email\n1;a@b\n",
            "The columns are separated by semicolons, not by commas: save it as CSV UTF-8 with commas as separator",
        ),
        (
            "\"id\"\t\"email\"\n",
            "The columns are separated by tabs, not by commas: save it as CSV UTF-8 with commas as separator",
        ),
        (
            "Ada,a@b\n",
            "Must name the columns, separated by commas; allowed: id, first_name, last_name, email, company_name, \
             address, note, site_ids",
        ),
    ] {
        assert_eq!(refused(text, Csv), [format!("line 1: invalid_header {message}")]);
    }
    assert_eq!(rows("\n,,\n", Csv).rows.len(), 0);
}

#[test]
fn a_quote_that_is_never_closed_ends_it() {
    let text = "id,note\n1\n2,\"x\n3,y\n";
    assert_eq!(
        refused(text, Csv),
        [
            "line 2: invalid_row Has 1 cell, but the first line names 2",
            "line 3, column 2: invalid_syntax Begins with a quote that is never closed",
        ]
    );
}

#[test]
fn an_excerpt_is_the_rows_own_text() {
    let text = "\u{feff}id,\"note\"\r\n1, a\r\n\r\n2,\"b\r\n\"\r\n\"3\",c";
    let document = rows(text, Csv);
    assert_eq!(document.excerpt(&[2, 1]), "\u{feff}id,\"note\"\r\n\"3\",c\r\n2,\"b\r\n\"\r\n");
    assert_eq!(document.excerpt(&[]), "\u{feff}id,\"note\"\r\n");
    assert_eq!(rows("id", Csv).excerpt(&[7]), "id\n");
}
