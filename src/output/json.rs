//! JSON: lists as the records of the response, single results indented. Only white space changes, so that numbers,
//! escapes and the order of keys stay as in the response.

use super::sink::{Content, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;

/// One JSON value, or an array. An incomplete array stays open.
pub struct Json {
    content: Content,
    begun: bool,
}

impl Json {
    /// Begins to print.
    pub fn new(content: Content) -> Self {
        Self {
            content,
            begun: false,
        }
    }
}

impl Sink for Json {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        let begun = std::mem::replace(&mut self.begun, true);
        match self.content {
            Content::List(_) => out.extend([if begun { ",\n" } else { "[\n" }, record.json()]),
            Content::Results => out.extend([
                if begun { ",\n  " } else { "[\n  " },
                &indented(record.json(), 1),
            ]),
            Content::Record | Content::Result => out.extend([&indented(record.json(), 0), "\n"]),
        }
        Ok(())
    }

    fn end(&mut self, is_complete: bool, out: &mut String) -> Result<()> {
        match self.begun {
            _ if self.content.is_single() || !is_complete => {}
            true => out.push_str("\n]\n"),
            false => out.push_str("[]\n"),
        }
        Ok(())
    }
}

/// One JSON object per line.
pub struct Ndjson;

impl Sink for Ndjson {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        let raw = record.json();
        match memchr::memchr2(b'\n', b'\r', raw.as_bytes()) {
            Some(_) => out.push_str(&compact(raw)),
            None => out.push_str(raw),
        }
        out.push('\n');
        Ok(())
    }
}

/// Returns the JSON without white space between tokens, on one line.
pub fn compact(raw: &str) -> String {
    tokens(raw).collect()
}

/// Returns the JSON indented by two spaces per level, beginning at this level.
fn indented(raw: &str, mut depth: usize) -> String {
    let mut out = String::with_capacity(raw.len() * 2);
    let mut previous = "";
    for token in tokens(raw) {
        let (opened, closes) = (matches!(previous, "{" | "["), matches!(token, "}" | "]"));
        depth = depth.saturating_sub(closes.into());
        // An empty object or list stays on its line.
        if opened != closes || previous == "," {
            break_line(&mut out, depth);
        }
        out.push_str(token);
        if token == ":" {
            out.push(' ');
        }
        depth += usize::from(matches!(token, "{" | "["));
        previous = token;
    }
    out
}

/// Deeper levels are not indented further, because spaces would fill the disk.
fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(64)));
}

/// Refuses a value so deep that a recursive reader would overflow the stack.
pub fn check_depth(raw: &str, option: &str) -> Result<()> {
    const DEEPEST: usize = 500;
    let depths = tokens(raw).scan(0_usize, |depth, token| {
        match token {
            "{" | "[" => *depth += 1,
            "}" | "]" => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    if depths.max() <= Some(DEEPEST) {
        return Ok(());
    }
    let message = format!("{option}: a record is nested more than {DEEPEST} levels deep");
    Err(Error::new(Kind::Error, message).with_hint("use -o json"))
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
        _ => Some(
            rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '}' | ']' | ':'))
                .unwrap_or(rest.len()),
        ),
    }
}

fn string_length(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
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
        assert_eq!(indented("7", 0), "7");
    }
}
