//! Makes characters visible that could move the cursor, reorder the line or be invisible, so that
//! no response drives the terminal.

use crate::resources::is_hidden;
use std::borrow::Cow;

/// Returns the text with control characters, bidirectional overrides and invisible format
/// characters written as `\n`, `\u{1b}` or `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    replace_hidden(text, |c, out| out.extend(c.escape_default()))
}

/// Returns the text with hidden characters written as by `visible`, except line breaks and tabs.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    replace_hidden(text, |c, out| match c {
        '\n' | '\t' => out.push(c),
        c => out.extend(c.escape_default()),
    })
}

/// Returns JSON with hidden characters as JSON escapes, which has the same value. Line breaks and
/// tabs stay: in valid JSON they are between tokens.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    replace_hidden(json, |c, out| match c {
        '\n' | '\t' => out.push(c),
        // A carriage return would let the following text overwrite the line.
        '\r' => {}
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    })
}

/// Returns the text with each hidden character as `replace` writes it.
fn replace_hidden(text: &str, replace: impl Fn(char, &mut String)) -> Cow<'_, str> {
    // The check for plain ASCII is faster.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) {
            replace(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_drive_a_terminal_are_escaped() {
        for text in [
            "",
            "Zoë O'Hara",
            "東京 👩\u{200d}👧",
            "می\u{200c}خواهم",
            "a=b;c",
        ] {
            assert!(visible(text) == text, "{text}");
        }
        assert_eq!(visible("a\tb"), "a\\tb");
        assert_eq!(visible("a\x7fb"), "a\\u{7f}b");
        assert_eq!(
            visible("a\x1b[31mb\x07\r\n\tc"),
            "a\\u{1b}[31mb\\u{7}\\r\\n\\tc"
        );
        assert_eq!(
            visible("x\u{202e}y\u{200b}z\u{34f}\u{9b}"),
            "x\\u{202e}y\\u{200b}z\\u{34f}\\u{9b}"
        );
        assert_eq!(
            visible_lines("a\x1b[31m\r\n\tb\u{202e}"),
            "a\\u{1b}[31m\\r\n\tb\\u{202e}"
        );
    }

    #[test]
    fn json_stays_json() {
        assert_eq!(
            visible_json("\"a\u{9b}b\u{202e}\u{e0041}é\""),
            r#""a\u009bb\u202e\udb40\udc41é""#
        );
        assert_eq!(
            visible_json("{\r\n\t\"a\u{7f}\": 1}"),
            "{\n\t\"a\\u007f\": 1}"
        );
        assert_eq!(visible_json("{\"a\": \"é\"}"), "{\"a\": \"é\"}");
    }
}
