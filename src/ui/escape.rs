//! Hidden characters in CSV cells, written so that they are seen and can be read back exactly.

use super::{is_hidden, is_plain, joins_emoji};
use std::borrow::Cow;
use std::fmt::Write;

/// The same text with each hidden character as `\u{HEX}`. Line ends and tabs stay, since quotes hold them; where the
/// text itself has such an escape, its backslash is written as `\u{5c}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if is_plain(text) && !text.contains('\\') {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut before = None;
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let stays = match c {
            '\n' | '\t' => true,
            '\r' => rest.starts_with("\r\n"),
            '\\' => escaped_char(rest).is_none(),
            c => !is_hidden(c) || joins_emoji(before, rest),
        };
        before = Some(c);
        if stays {
            escaped.push(c);
        } else {
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
        }
    }
    escaped.into()
}

/// The text that [`escape`] was given.
pub fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (c, length) = escaped_char(rest).unwrap_or((first, first.len_utf8()));
        plain.push(c);
        rest = &rest[length..];
    }
    plain
}

/// The character that an escape at the start of this text stands for, and the escape's length.
fn escaped_char(text: &str) -> Option<(char, usize)> {
    let (hex, _) = text.strip_prefix("\\u{")?.split_once('}')?;
    let digits = !hex.is_empty() && hex.len() <= 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    let c = digits.then(|| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32))??;
    (is_hidden(c) || c == '\\').then_some((c, hex.len() + "\\u{}".len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_hidden_is_seen() {
        assert_eq!(escape("a\x1b[31m\u{202e}\u{200b}\u{feff}"), r"a\u{1b}[31m\u{202e}\u{200b}\u{feff}");
        assert_eq!(escape("one\r\ntwo\n\tthree\rfour"), "one\r\ntwo\n\tthree\\u{d}four");
        assert_eq!(escape("👩‍👧 a\u{200d}b"), "👩‍👧 a\\u{200d}b");
        assert_eq!(escape(r"C:\users \u{e9} \u{zz}"), r"C:\users \u{e9} \u{zz}");
        assert_eq!(escape(r"\u{1B}\u{5c}\u{00001b}"), r"\u{5c}u{1B}\u{5c}u{5c}\u{5c}u{00001b}");
    }

    proptest! {
        #[test]
        fn it_can_be_undone(text in "(\\\\|u|\\{|\\}|5c|1b|202E|\r|\n|\t|\u{1b}|\u{202e}|é|.|\\PC)*") {
            let escaped = escape(&text);
            prop_assert_eq!(unescape(&escaped), text.as_str());
            let kept = escaped.replace("\r\n", "");
            let stays = |c| matches!(c, '\n' | '\t' | '\u{200d}');
            prop_assert!(!kept.chars().any(|c| is_hidden(c) && !stays(c)));
        }

        #[test]
        fn any_text_can_be_undone(text in any::<String>()) {
            prop_assert_eq!(unescape(&escape(&text)), text);
        }
    }
}
