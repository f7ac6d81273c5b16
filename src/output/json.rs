//! JSON: lists as the records of the response, single results indented. Only white space changes,
//! so that numbers, escapes and the order of keys stay as in the response.

use super::sink::{OutputText, PrintedKind, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use serde_json::value::RawValue;

/// One JSON value, or an array. An incomplete array is not closed, so that no parser accepts it.
pub struct Json {
    content: PrintedKind,
    has_records: bool,
}

impl Json {
    pub fn new(content: PrintedKind) -> Self {
        Self {
            content,
            has_records: false,
        }
    }
}

impl Sink for Json {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        let is_first = !std::mem::replace(&mut self.has_records, true);
        let start = if is_first { "[\n" } else { ",\n" };
        match self.content {
            PrintedKind::List(_) | PrintedKind::Rows(_) => out.extend([start, record.json()]),
            PrintedKind::Record | PrintedKind::OwnResult => {
                out.extend([&indented(record.json(), 0), "\n"])
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut OutputText) -> Result<()> {
        if !self.content.is_single() {
            out.push_str(if self.has_records { "\n]\n" } else { "[]\n" });
        }
        Ok(())
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}

/// One JSON value per line.
pub struct Ndjson;

impl Sink for Ndjson {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        let raw = record.json();
        if memchr::memchr2(b'\n', b'\r', raw.as_bytes()).is_some() {
            out.push_str(&compact(raw));
        } else {
            out.push_str(raw);
        }
        out.push('\n');
        Ok(())
    }

    fn end(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}

/// Returns the items of an array.
pub fn parse_items(array: &str) -> Result<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(array)?;
    Ok(items.into_iter().map(Record::new).collect())
}

/// Returns the JSON without white space between tokens, on one line.
pub fn compact(raw: &str) -> String {
    tokens(raw).collect()
}

/// Returns the JSON indented by two spaces per level. `depth` is the level of the value itself,
/// whose first line the caller indents.
fn indented(raw: &str, mut depth: usize) -> String {
    let mut out = String::with_capacity(raw.len() * 2);
    let mut previous = "";
    for token in tokens(raw) {
        let follows_opening = matches!(previous, "{" | "[");
        let is_closing = matches!(token, "}" | "]");
        if is_closing {
            depth = depth.saturating_sub(1);
        }
        // Entries and closing brackets begin a line, but an empty object or list stays on its line.
        if follows_opening != is_closing || previous == "," {
            break_line(&mut out, depth);
        }
        out.push_str(token);
        match token {
            ":" => out.push(' '),
            "{" | "[" => depth += 1,
            _ => {}
        }
        previous = token;
    }
    out
}

/// Begins a line. Levels deeper than 64 are not indented further, because the spaces of a deeply
/// nested value would fill the disk.
fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(64)));
}

/// Refuses a value so deep that a recursive reader would overflow the stack. The error begins with
/// `error_prefix`.
pub fn check_depth(raw: &str, error_prefix: &dyn Fn() -> String) -> Result<()> {
    const MAX_DEPTH: usize = 500;
    let mut depth: usize = 0;
    for token in tokens(raw) {
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            let message = format!(
                "{}: nested more than {MAX_DEPTH} levels deep",
                error_prefix()
            );
            return Err(Error::new(Kind::Error, message).with_hint("use -o json without --jq"));
        }
    }
    Ok(())
}

/// Returns the tokens of valid JSON.
pub fn tokens(raw: &str) -> impl Iterator<Item = &str> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let length = token_length(rest)?;
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

fn token_length(rest: &str) -> Option<usize> {
    match rest.as_bytes().first()? {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => Some(1),
        b'"' => Some(string_length(rest)),
        _ => {
            let ends_token =
                |c: char| c.is_ascii_whitespace() || matches!(c, ',' | '}' | ']' | ':');
            Some(rest.find(ends_token).unwrap_or(rest.len()))
        }
    }
}

fn string_length(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    // `end` does not count the opening quote, and is the index of the closing one.
    end.map_or(rest.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAW: &str =
        "{ \"a\" : [ 1.10 , 1e400,{} ,[ ]],\n\"b\\\\\\\" c\":\"x , : \\u00e9\" , \"d\":null}";

    #[test]
    fn only_white_space_changes() {
        assert_eq!(
            compact(RAW),
            r#"{"a":[1.10,1e400,{},[]],"b\\\" c":"x , : \u00e9","d":null}"#
        );
        assert_eq!(compact(&indented(RAW, 0)), compact(RAW));
    }

    #[test]
    fn indents_by_two() {
        assert_eq!(
            indented(r#"{"a":[1,{}],"b":{}}"#, 0),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {}\n}"
        );
        assert_eq!(indented(r#"{"a":1}"#, 1), "{\n    \"a\": 1\n  }");
    }

    #[test]
    fn a_record_with_line_breaks_is_one_line() {
        let mut out = OutputText::new(|text| text.into(), std::io::sink());
        let record = Record::from_json(RAW.into());
        assert!(Ndjson.add(&record, &mut out).is_ok());
        assert_eq!(*out, compact(RAW) + "\n");
    }
}
