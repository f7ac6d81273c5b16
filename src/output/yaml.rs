//! YAML from the tokens of JSON: numbers keep every digit, keys their order. YAML 1.1 and 1.2 read it the same.

use super::json::{check_depth, tokens};
use super::sink::Sink;
use crate::error::Result;
use crate::resources::{Record, unquoted};
use crate::terminal::is_hidden;
use std::borrow::Cow;
use std::fmt::Write;
use std::iter::Peekable;

/// A document, or a sequence of records.
pub struct Yaml {
    single: bool,
    begun: bool,
}

impl Yaml {
    /// Begins to print.
    pub fn new(single: bool) -> Self {
        Self { single, begun: false }
    }
}

impl Sink for Yaml {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        self.begun = true;
        check_depth(record.json(), "-o yaml")?;
        let place = if self.single { Place::Top } else { Place::Item };
        out.push_str(if self.single { "" } else { "- " });
        Writer { tokens: tokens(record.json()).peekable(), out }.value(place, 0);
        Ok(())
    }

    fn finish(&mut self, out: &mut String) -> Result<()> {
        out.push_str(if self.single || self.begun { "" } else { "[]\n" });
        Ok(())
    }
}

/// The text before a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing.
    Top,
    /// `- `
    Item,
    /// `key:`
    Key,
}

struct Writer<'r, 'o, T: Iterator<Item = &'r str>> {
    tokens: Peekable<T>,
    out: &'o mut String,
}

impl<'r, T: Iterator<Item = &'r str>> Writer<'r, '_, T> {
    fn next(&mut self) -> &'r str {
        self.tokens.next().unwrap_or_default()
    }

    /// Writes the next value, to the end of its last line. `level` is that of the collection around it.
    fn value(&mut self, place: Place, level: usize) {
        let token = self.next();
        let empty = self.tokens.peek().is_some_and(|next| matches!((token, *next), ("{", "}") | ("[", "]")));
        if empty || !matches!(token, "{" | "[") {
            let end = if empty { self.next() } else { "" };
            let space = if place == Place::Key { " " } else { "" };
            return self.out.extend([space, &plain_or_quoted(token), end, "\n"]);
        }
        if place == Place::Key {
            self.out.push('\n');
        }
        let inner = if place == Place::Top { 0 } else { level + 1 };
        self.block(token == "{", inner, place == Place::Key);
    }

    /// Writes the entries of an object or list. The first may continue the current line.
    fn block(&mut self, object: bool, level: usize, mut fresh: bool) {
        loop {
            if std::mem::replace(&mut fresh, true) {
                self.out.extend(std::iter::repeat_n("  ", level));
            }
            if object {
                let key = plain_or_quoted(self.next());
                let colon = self.next();
                self.out.extend([&key, colon]);
                self.value(Place::Key, level);
            } else {
                self.out.push_str("- ");
                self.value(Place::Item, level);
            }
            if self.next() != "," {
                return;
            }
        }
    }
}

/// Words that YAML 1.1 readers treat as other values than text, in any case.
const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];

/// Returns a scalar JSON token as YAML. A string is quoted unless every reader reads it as the same text.
fn plain_or_quoted(token: &str) -> Cow<'_, str> {
    match token.as_bytes().first() {
        Some(b'"') => match unquoted(token) {
            text if is_plain(&text) => text,
            text => in_quotes(&text).into(),
        },
        Some(b'-' | b'0'..=b'9') => number(token),
        _ => token.into(),
    }
}

fn is_plain(text: &str) -> bool {
    let known = |c: char| c.is_alphanumeric() && !is_hidden(c) || " _-./@:,'()+".contains(c);
    text.starts_with(char::is_alphabetic)
        && text.chars().all(known)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn in_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => escape(&mut out, u32::from(c)),
            c => write!(out, "{c}"),
        };
    }
    out.push('"');
    out
}

fn escape(out: &mut String, code: u32) -> std::fmt::Result {
    match code {
        0..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    }
}

/// Returns a number for YAML 1.1, where an exponent requires a decimal point and a sign.
fn number(token: &str) -> Cow<'_, str> {
    let Some(at) = token.find(['e', 'E']) else { return token.into() };
    let (digits, exponent) = (&token[..at], &token[at + 1..]);
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) { "" } else { "+" };
    format!("{digits}{point}{}{sign}{exponent}", &token[at..=at]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(single: bool, raw: &str) -> String {
        let (mut sink, mut out) = (Yaml::new(single), String::new());
        let printed = sink.row(&Record::whole(raw.into()), &mut out);
        assert!(printed.and_then(|()| sink.finish(&mut out)).is_ok());
        out
    }

    #[test]
    fn blocks() {
        let raw = r#"{"id":"a","none":null,"list":["x",[1,{"k":2,"l":{}}],[]],"o":{"p":{"q":true}},"e":{}}"#;
        let text = "\
id: a
none: null
list:
  - x
  - - 1
    - k: 2
      l: {}
  - []
o:
  p:
    q: true
e: {}
";
        assert_eq!(printed(true, raw), text);
        let indented: Vec<String> = text.lines().map(|line| format!("  {line}\n")).collect();
        assert_eq!(printed(false, raw), format!("- {}", indented.concat().trim_start()));
        assert_eq!(printed(true, r#"[1,"no"]"#), "- 1\n- \"no\"\n");
        assert_eq!(printed(false, "[1,2]"), "- - 1\n  - 2\n");
    }

    #[test]
    fn ambiguous_scalars_are_quoted() {
        for text in ["client-0001", "Zoë O'Hara", "a@b.example", "https://x.example/a", "東京", "Not null", "x,y"] {
            assert_eq!(plain_or_quoted(&format!("\"{text}\"")), text);
        }
        let texts = "|no|NO|y|Off|null|~|1e3|0x1f|1_000|12:30:45|.inf|.nan|-1|2026-10-07|2026-10-07T10:30:00.000Z|- a|a: b|a:|a #b|#a\
            |&a|*a|!a|%a|@a|`a|'a'|[a]|{a}|a |a b |? a|---|=|<<|nan|🎉";
        for text in texts.split('|') {
            assert_eq!(plain_or_quoted(&format!("\"{text}\"")), format!("\"{text}\""));
        }
        for (token, text) in [
            (r#""\"a\\\/\n\r\t\u001b\u0085\u202e\u0000""#, r#""\"a\\/\n\r\t\u001b\u0085\u202e\u0000""#),
            (r#""\ufeff\uffff\udb40\udc41""#, r#""\ufeff\uffff\U000e0041""#),
            (r#""caf\ud83d""#, r#""caf\\ud83d""#),
            ("1e3", "1.0e+3"),
            ("-1E400", "-1.0E+400"),
            ("1.50e-7", "1.50e-7"),
            ("12345678901234567890123.10", "12345678901234567890123.10"),
            ("null", "null"),
        ] {
            assert_eq!(plain_or_quoted(token), text);
        }
    }
}
