//! One JSON object after the other, most often one a line. Of a file with bad lines, all of them are reported.

use super::json::{self, explain, row};
use super::reading::Reading;
use serde_json::value::RawValue;

/// Reads all rows.
///
/// # Errors
/// What to say of a file in which something is not JSON; what and why is among the problems.
pub fn read(reading: &mut Reading<'_>) -> Result<(), &'static str> {
    let text = reading.text;
    // One object over several lines, or an array after all.
    if serde_json::from_str::<&RawValue>(text).is_ok() {
        return json::read(reading);
    }
    let mut start = 0;
    let mut whole = true;
    while start < text.len() {
        let end = end_of_part(text, start);
        whole &= part(reading, start, end);
        start = end;
    }
    if whole { Ok(()) } else { Err("not all of it is JSON") }
}

/// A row never goes on behind a line that begins with `{`: what is broken before it does not reach further.
fn end_of_part(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let mut ends = memchr::memchr2_iter(b'\n', b'\r', rest.as_bytes());
    ends.find(|end| rest[end + 1..].starts_with('{')).map_or(text.len(), |end| start + end + 1)
}

/// The values of a part, and whether all of it was some.
fn part(reading: &mut Reading<'_>, mut start: usize, end: usize) -> bool {
    let mut whole = true;
    loop {
        let rest = &reading.text[start..end];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        match values.next() {
            None => return whole,
            Some(Ok(raw)) => {
                row(reading, raw);
                start += values.byte_offset();
            }
            Some(Err(error)) => {
                whole = false;
                let (at, message) = explain(&error, rest);
                reading.broken(start + at, message.replace("the file ends", "the line ends"));
                // What was broken on one line says nothing of the next; what went over several takes them along.
                let begun = rest.len() - rest.trim_start().len();
                match rest[begun..].find(['\n', '\r']) {
                    Some(line) if at <= begun + line => start += begun + line,
                    _ => return false,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::input::InputFormat::Ndjson;
    use crate::input::tests::{problems, refused, rows};

    #[test]
    fn a_row_a_line_or_over_several() {
        let text = "\n{\"note\":\"1\"}\r\n\n{\"note\":\n \"2\"} {\"note\":\"3\"}\n{\n\"note\": \"4\"\n}";
        let document = rows(text, Ndjson);
        let places: Vec<_> = document.rows.iter().map(|row| (row.place.line, row.place.column)).collect();
        assert_eq!(places, [(2, None), (4, None), (5, Some(7)), (6, None)]);
        assert_eq!(rows("{\n\"note\":\n{\n}}", Ndjson).rows.len(), 1);
        assert_eq!(rows(" \n", Ndjson).rows.len(), 0);
        assert_eq!(rows("[{},\n{}]", Ndjson).rows.len(), 2);
        assert_eq!(problems("{}\n[1]\n7", Ndjson).len(), 2);
    }

    #[test]
    fn all_bad_lines_are_reported() {
        let text = "{\"note\":\"1\"}\n{\"note\":\n{\"note\": x}\nword\n{\"a\":1,}\n{\n \"note\": \"x\n}\n{}";
        assert_eq!(
            refused(text, Ndjson),
            [
                "line 2, column 9: invalid_syntax the line ends while parsing a value",
                "line 3, column 10: invalid_syntax expected value",
                "line 4, column 1: invalid_syntax expected value",
                "line 5, column 8: invalid_syntax trailing comma",
                "line 7, column 11: invalid_syntax control character (\\u0000-\\u001F) found while parsing a string",
            ]
        );
    }
}
