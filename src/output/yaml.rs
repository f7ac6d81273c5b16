//! YAML from the text of JSON values: numbers keep every digit, keys their order. YAML 1.1 and 1.2
//! read it the same.

use super::json::{check_depth, compact};
use super::sink::{OutputText, Sink};
use crate::error::Result;
use crate::resources::{Record, is_hidden, members, unquote};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write;

/// A document, or a sequence of records.
pub struct Yaml {
    is_single: bool,
    has_records: bool,
}

impl Yaml {
    pub fn new(is_single: bool) -> Self {
        Self {
            is_single,
            has_records: false,
        }
    }
}

impl Sink for Yaml {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        self.has_records = true;
        check_depth(record.json(), &|| "-o yaml: a record".into())?;
        if self.is_single {
            return write_value(record.json(), 0, false, out);
        }
        out.push_str("- ");
        write_value(record.json(), 1, false, out)
    }

    fn end(&mut self, out: &mut OutputText) -> Result<()> {
        if !self.is_single && !self.has_records {
            out.push_str("[]\n");
        }
        Ok(())
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}

/// Writes a value and the end of its last line. `level` is the indentation of its entries, if it
/// has any; they begin on a new line if the value `follows_key`.
fn write_value(raw: &str, level: usize, follows_key: bool, out: &mut String) -> Result<()> {
    let entries = entries(raw)?;
    if entries.is_empty() {
        let space = if follows_key { " " } else { "" };
        out.extend([space, &simple_value(raw), "\n"]);
        return Ok(());
    }
    if follows_key {
        out.push('\n');
    }
    for (index, (key, value)) in entries.into_iter().enumerate() {
        // The first entry of a list item continues the line of its `- `.
        if index > 0 || follows_key {
            out.extend(std::iter::repeat_n("  ", level));
        }
        match &key {
            Some(key) => out.extend([key, ":"]),
            None => out.push_str("- "),
        }
        write_value(value.get(), level + 1, key.is_some(), out)?;
    }
    Ok(())
}

/// Returns the fields of an object with their keys as YAML, or the items of a list without keys.
/// Empty for an empty object or list, and for any other value.
fn entries(raw: &str) -> Result<Vec<(Option<String>, &RawValue)>> {
    let mut entries = Vec::new();
    if raw.starts_with('{') {
        for (name, value) in members(raw)? {
            entries.push((Some(quote_if_needed(name).into()), value));
        }
    } else if raw.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(raw)?;
        for item in items {
            entries.push((None, item));
        }
    }
    Ok(entries)
}

/// Words that YAML 1.1 readers treat as other values than text, in any case.
const NOT_TEXT: [&str; 11] = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
];

/// Returns a JSON value without entries as YAML.
fn simple_value(raw: &str) -> Cow<'_, str> {
    match raw.as_bytes().first() {
        Some(b'"') => quote_if_needed(unquote(raw)),
        Some(b'-' | b'0'..=b'9') => yaml_number(raw),
        _ => compact(raw).into(),
    }
}

/// Quotes a text unless every YAML reader returns the same text without quotes.
fn quote_if_needed(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_safe_unquoted(&text) {
        text
    } else {
        in_quotes(&text).into()
    }
}

fn is_safe_unquoted(text: &str) -> bool {
    let is_safe = |c: char| c.is_alphanumeric() && !is_hidden(c) || " _-./@:,'()+".contains(c);
    text.starts_with(char::is_alphabetic)
        && text.chars().all(is_safe)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !NOT_TEXT.iter().any(|word| word.eq_ignore_ascii_case(text))
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
            // YAML does not allow U+FFFE and U+FFFF unescaped.
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                write!(out, "\\U{:08x}", u32::from(c))
            }
            c => write!(out, "{c}"),
        };
    }
    out.push('"');
    out
}

/// Returns a number for YAML 1.1, where an exponent requires a decimal point and a sign.
fn yaml_number(token: &str) -> Cow<'_, str> {
    let Some(index) = token.find(['e', 'E']) else {
        return token.into();
    };
    let digits = &token[..index];
    let letter = &token[index..=index];
    let exponent = &token[index + 1..];
    let point = if digits.contains('.') { "" } else { ".0" };
    let has_sign = exponent.starts_with(['+', '-']);
    let sign = if has_sign { "" } else { "+" };
    format!("{digits}{point}{letter}{sign}{exponent}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(is_single: bool, raw: &str) -> String {
        let mut sink = Yaml::new(is_single);
        let mut out = OutputText::new(|text| text.into(), std::io::sink());
        let added = sink.add(&Record::from_json(raw.into()), &mut out);
        assert!(added.and_then(|()| sink.end(&mut out)).is_ok());
        out.clone()
    }

    #[test]
    fn records_are_written_as_yaml_blocks() {
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
        assert_eq!(
            printed(false, raw),
            format!("- {}", indented.concat().trim_start())
        );
        assert_eq!(printed(true, r#"[1,"no"]"#), "- 1\n- \"no\"\n");
        assert_eq!(printed(false, "[1,2]"), "- - 1\n  - 2\n");
    }

    #[test]
    fn ambiguous_scalars_are_quoted() {
        for text in [
            "client-0001",
            "Zoë O'Hara",
            "a@b.example",
            "https://x.example/a",
            "東京",
            "Not null",
            "x,y",
        ] {
            assert_eq!(simple_value(&format!("\"{text}\"")), text);
        }
        let texts = "|no|NO|y|Off|null|~|1e3|0x1f|1_000|12:30:45|.inf|.nan|-1|2026-10-07|2026-10-07T10:30:00.000Z|- a|a: b|a:|a #b|#a\
            |&a|*a|!a|%a|@a|`a|'a'|[a]|{a}|a |a b |? a|---|=|<<|nan|🎉";
        for text in texts.split('|') {
            assert_eq!(simple_value(&format!("\"{text}\"")), format!("\"{text}\""));
        }
        for (token, text) in [
            (
                r#""\"a\\\/\n\r\t\u001b\u0085\u202e\u0000""#,
                r#""\"a\\/\n\r\t\U0000001b\U00000085\U0000202e\U00000000""#,
            ),
            (
                r#""\ufeff\uffff\udb40\udc41""#,
                r#""\U0000feff\U0000ffff\U000e0041""#,
            ),
            (r#""caf\ud83d""#, r#""caf\\ud83d""#),
            ("1e3", "1.0e+3"),
            ("-1E400", "-1.0E+400"),
            ("1.50e-7", "1.50e-7"),
            ("12345678901234567890123.10", "12345678901234567890123.10"),
            ("null", "null"),
        ] {
            assert_eq!(simple_value(token), text);
        }
    }
}
