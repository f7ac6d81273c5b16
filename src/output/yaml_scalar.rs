//! Single values in YAML. A string is quoted unless every reader, old or new, takes it for the same text.

use crate::resources::unquoted;
use crate::terminal::is_hidden;
use std::borrow::Cow;
use std::fmt::Write;

/// What YAML 1.1 readers take for something else than text, in any case.
const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];

/// A JSON token that is neither list nor object, as YAML.
pub fn plain_or_quoted(token: &str) -> Cow<'_, str> {
    match unquoted(token) {
        text if token.starts_with('"') && is_plain(&text) => text,
        _ => quoted(token),
    }
}

/// The same, with strings always in quotes.
pub fn quoted(token: &str) -> Cow<'_, str> {
    match token.as_bytes().first() {
        Some(b'"') => in_quotes(&unquoted(token)).into(),
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
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    }
}

/// To YAML 1.1 a number with an exponent needs a point before it, and a sign in it.
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

    #[test]
    fn text_that_no_reader_mistakes_is_plain() {
        for text in
            ["client-0001", "Zoë O'Hara", "a@b.example", "https://x.example/a", "東京", "yes please", "Not null", "x,y"]
        {
            assert_eq!(plain_or_quoted(&format!("\"{text}\"")), text);
        }
    }

    #[test]
    fn everything_else_is_quoted() {
        let texts = "|no|NO|y|Off|null|~|1e3|0x1f|1_000|12:30:45|.inf|.nan|-1|2026-10-07|2026-10-07T10:30:00.000Z|- a|a: b|a:|a #b|#a\
            |&a|*a|!a|%a|@a|`a|'a'|[a]|{a}|a |a b |? a|---|=|<<|nan|🎉";
        for text in texts.split('|') {
            assert_eq!(plain_or_quoted(&format!("\"{text}\"")), format!("\"{text}\""));
        }
    }

    #[test]
    fn hidden_characters_are_escaped() {
        let token = r#""\"a\\\/\n\r\t\u001b\u0085\u202e\ufeff\uffff\udb40\udc41\u0000""#;
        assert_eq!(quoted(token), r#""\"a\\/\n\r\t\x1b\x85\u202e\ufeff\uffff\U000e0041\x00""#);
        assert_eq!(plain_or_quoted(r#""caf\ud83d""#), r#""caf\\ud83d""#);
    }

    #[test]
    fn numbers_stay_numbers() {
        for (token, text) in [
            ("1e3", "1.0e+3"),
            ("-1E400", "-1.0E+400"),
            ("1.50e-7", "1.50e-7"),
            ("-0", "-0"),
            ("12345678901234567890123.10", "12345678901234567890123.10"),
            ("null", "null"),
            ("true", "true"),
        ] {
            assert_eq!(plain_or_quoted(token), text);
        }
    }
}
