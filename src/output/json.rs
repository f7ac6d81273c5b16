//! JSON laid out anew without touching a token: numbers, escapes and key order stay as the service wrote them.

use crate::resources::unquoted;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The same JSON without the white space between tokens, so that it fits on one line.
pub fn compact(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for token in tokens(raw) {
        out.push_str(token);
    }
    out
}

/// The same JSON, indented by two spaces a level, of which it is already inside so many.
pub fn indented(raw: &str, mut depth: usize) -> String {
    let mut out = String::with_capacity(raw.len() * 2);
    let mut all = tokens(raw).peekable();
    while let Some(token) = all.next() {
        match token {
            "{" | "[" if all.peek().is_some_and(|next| matches!(*next, "}" | "]")) => {
                out.push_str(token);
                out.push_str(all.next().unwrap_or_default());
            }
            "{" | "[" => {
                depth += 1;
                out.push_str(token);
                break_line(&mut out, depth);
            }
            "}" | "]" => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push_str(token);
            }
            "," => {
                out.push(',');
                break_line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            token => out.push_str(token),
        }
    }
    out
}

/// Levels beyond which nothing is indented further: what is nested without end must not fill the disk with spaces.
const DEEPEST: usize = 64;

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

/// The tokens of text that is known to be JSON.
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

/// The tokens without those members whose name comes again in the same object: of several, the last is the one that
/// readers take.
pub fn tokens_once(raw: &str) -> impl Iterator<Item = &str> {
    let repeated = repeated(raw);
    let mut all = tokens(raw);
    std::iter::from_fn(move || {
        let mut token = all.next()?;
        while repeated.contains(&token.as_ptr()) {
            skip_member(&mut all);
            token = all.next()?;
        }
        Some(token)
    })
}

/// Where the names are that come again.
fn repeated(raw: &str) -> HashSet<*const u8> {
    let mut repeated = HashSet::new();
    let mut open: Vec<HashMap<Cow<'_, str>, *const u8>> = Vec::new();
    let mut all = tokens(raw).peekable();
    while let Some(token) = all.next() {
        match token {
            "{" | "[" => open.push(HashMap::new()),
            "}" | "]" => drop(open.pop()),
            name if all.peek() == Some(&":") => {
                let names = open.last_mut();
                repeated.extend(names.and_then(|names| names.insert(unquoted(name), name.as_ptr())));
            }
            _ => {}
        }
    }
    repeated
}

/// Goes on from a member's name to behind the comma that ends it.
fn skip_member<'r>(tokens: &mut impl Iterator<Item = &'r str>) {
    let mut depth = 0usize;
    for token in tokens {
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 0 => return,
            _ => {}
        }
    }
}

fn token_length(rest: &str) -> Option<usize> {
    match rest.as_bytes().first()? {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => Some(1),
        b'"' => Some(string_length(rest)),
        _ => Some(
            rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '}' | ']' | ':')).unwrap_or(rest.len()),
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

    const RAW: &str = "{ \"a\" : [ 1.10 , 1e400,{} ,[ ]],\n\"b\\\\\\\" c\":\"x , : \\u00e9\" , \"d\":null}";

    #[test]
    fn only_white_space_changes() {
        assert_eq!(compact(RAW), r#"{"a":[1.10,1e400,{},[]],"b\\\" c":"x , : \u00e9","d":null}"#);
        assert_eq!(compact(&indented(RAW, 0)), compact(RAW));
    }

    #[test]
    fn of_several_members_of_one_name_the_last_counts() {
        let raw = r#"{"a":{"x":[1,2],"x":3},"b":"a","\u0061":[{"y":{},"y":[],"y":1},"y"],"c":{"b":1}}"#;
        assert_eq!(tokens_once(raw).collect::<String>(), r#"{"b":"a","\u0061":[{"y":1},"y"],"c":{"b":1}}"#);
        assert_eq!(tokens_once(RAW).collect::<String>(), compact(RAW));
    }

    #[test]
    fn indents_by_two() {
        assert_eq!(indented(r#"{"a":[1,{}],"b":{}}"#, 0), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {}\n}");
        assert_eq!(indented(r#"{"a":1}"#, 1), "{\n    \"a\": 1\n  }");
        assert_eq!(indented("7", 0), "7");
    }
}
