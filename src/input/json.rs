//! JSON: an array of objects, or one object. Values are read from the text itself, so that each has a place.

use super::reading::Reading;
use crate::resource::{lenient, members};
use serde_json::value::RawValue;

/// Reads all rows.
///
/// # Errors
/// What to say of a file that is not JSON; why is among the problems.
pub fn read(reading: &mut Reading<'_>) -> Result<(), &'static str> {
    let text = reading.text;
    let parsed: serde_json::Result<Vec<&RawValue>> = match text.trim_start().as_bytes().first() {
        None => return Ok(()),
        Some(b'[') => serde_json::from_str(text),
        Some(_) => serde_json::from_str(text).map(|whole| vec![whole]),
    };
    match parsed {
        Ok(rows) => rows.into_iter().for_each(|raw| row(reading, raw)),
        Err(error) => {
            let (offset, message) = explain(&error, text);
            reading.broken(offset, message + more(text, offset));
            return Err("it is not JSON");
        }
    }
    Ok(())
}

/// What follows an object that would be the whole file.
fn more(text: &str, offset: usize) -> &'static str {
    let begins = text[offset..].starts_with('{') && text.trim_start().starts_with('{');
    if begins { "; a file of one object after the other is read with --input-format ndjson" } else { "" }
}

/// Takes a value, which borrows from the text, as a row.
pub fn row(reading: &mut Reading<'_>, raw: &RawValue) {
    let start = offset(reading.text, raw);
    let Ok(members) = members(raw.get()) else {
        let place = reading.row_place(start);
        return reading.problem(place, "", "invalid_type", "Must be an object");
    };
    let text = reading.text;
    let mut row = reading.row(start..start + raw.get().len());
    for (name, raw) in members {
        row.member(&name, offset(text, raw), lenient(raw));
    }
    row.end();
}

/// Where a part of the text begins.
fn offset(text: &str, raw: &RawValue) -> usize {
    (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// Where the parser stopped, and what it says of it.
pub fn explain(error: &serde_json::Error, text: &str) -> (usize, String) {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_string();
    if error.is_eof() {
        return (text.trim_end().len(), message.replace("EOF", "the file ends"));
    }
    // The parser counts lines at `\n` and columns in bytes.
    let mut lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1));
    let start = lines.nth(error.line().saturating_sub(1)).unwrap_or(text.len());
    let mut offset = (start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let comma = message == "key must be a string" && text[offset..].starts_with('}');
    (offset, if comma { "trailing comma".into() } else { message })
}

#[cfg(test)]
mod tests {
    use crate::input::InputFormat;
    use crate::input::place::Place;
    use crate::input::tests::{problems, refused, rows};
    use serde_json::json;

    #[test]
    fn values_keep_their_types_and_places() {
        let text =
            "[\n  {\"email\": \"a@b\",\r\n   \"note\": 7, \"address\": null, \"site_ids\": [\"é\", 1]},\n  {}\n]";
        let document = rows(text, InputFormat::Json);
        assert_eq!(document.rows.len(), 2);
        let row = &document.rows[0];
        assert_eq!(row.place, Place { line: 2, column: None });
        assert_eq!(row.value("note"), Some(&json!(7)));
        assert_eq!(row.value("site_ids"), Some(&json!(["é", 1])));
        assert_eq!(row.value("address"), None);
        assert_eq!(row.cell("note").map(|cell| cell.place), Some(Place { line: 3, column: Some(12) }));
        let detail = document.detail(row, "address", "blank", "Can't be blank");
        assert_eq!(detail.place.as_deref(), Some("clients.txt line 3, column 26 (address)"));
        let detail = document.detail(&document.rows[1], "email", "blank", "Can't be blank");
        assert_eq!(detail.place.as_deref(), Some("clients.txt line 4 (email)"));
        assert_eq!(rows(r#"{"note":"x"}"#, InputFormat::Json).rows.len(), 1);
        assert_eq!(rows(r#"[{},{}]"#, InputFormat::Json).rows[1].place, Place { line: 1, column: Some(5) });
        assert_eq!(rows(" \n", InputFormat::Json).rows.len() + rows("[]", InputFormat::Json).rows.len(), 0);
    }

    #[test]
    fn problems_do_not_hide_the_rest() {
        let text = r#"[{"emial":"a","note":"x","note":"y","created_at":1},7,{"email":"b"}]"#;
        assert_eq!(rows(text, InputFormat::Json).rows.len(), 2);
        let found = problems(text, InputFormat::Json);
        assert_eq!(
            found,
            [
                "line 1, column 11 (emial): unknown_field Is not a known column; did you mean 'email'? allowed: id, \
                 first_name, last_name, email, company_name, address, note, site_ids",
                "line 1, column 33 (note): duplicate_field Is named twice in this row",
                "line 1, column 53: invalid_type Must be an object",
            ]
        );
    }

    #[test]
    fn what_is_not_json_says_where() {
        for (text, place) in [
            ("[\n{\"note\":\"x\",}]", "line 2, column 13: invalid_syntax trailing comma"),
            ("[{\"note\":\"é\" \"x\"}]", "line 1, column 14: invalid_syntax expected `,` or `}`"),
            ("[{\"note\":1}\n\n", "line 1, column 12: invalid_syntax the file ends while parsing a list"),
            (
                "{}\n{}",
                "line 2, column 1: invalid_syntax trailing characters; a file of one object after the other is read \
                 with --input-format ndjson",
            ),
        ] {
            assert_eq!(refused(text, InputFormat::Json), [place]);
        }
    }

    #[test]
    fn nesting_has_no_end() {
        let deep = "[".repeat(200_000);
        assert_eq!(refused(&deep, InputFormat::Json).len(), 1);
        let deep = format!("[{{\"note\":{deep}{}}}]", "]".repeat(200_000));
        assert_eq!(rows(&deep, InputFormat::Json).rows.len(), 1);
    }
}
