//! Masks a token in all forms that JSON, JSON quoted in JSON, and URLs allow: each character plain,
//! as `\uXXXX`, after backslashes or as `%XX`.

use memchr::memchr3;
use std::borrow::Cow;

/// A result of sitectl is JSON, and can quote in a message a value as JSON.
const MAX_DEPTH: u32 = 2;

/// Returns the text with every occurrence of the token replaced.
pub fn mask<'t>(token: &str, text: &'t str, replacement: &str) -> Cow<'t, str> {
    let Some(first) = token.bytes().next() else {
        return Cow::Borrowed(text);
    };
    let mut masked = String::new();
    // `masked` has the text before `copied`, without tokens. No token starts between `copied` and
    // `searched`.
    let mut copied = 0;
    let mut searched = 0;
    while let Some(offset) = memchr3(first, b'\\', b'%', &text.as_bytes()[searched..]) {
        let start = searched + offset;
        let Some(length) = matched_length(token, &text.as_bytes()[start..]) else {
            searched = start + 1;
            continue;
        };
        masked.push_str(&text[copied..start]);
        masked.push_str(replacement);
        copied = start + length;
        searched = copied;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[copied..]);
    Cow::Owned(masked)
}

/// Returns the length of the token at the start of the text; none if the text does not start with
/// the token. A match is ASCII, so the text can be
/// split at its end.
fn matched_length(token: &str, text: &[u8]) -> Option<usize> {
    let at_depth = |depth| {
        let mut length = 0;
        for byte in token.bytes() {
            length += byte_length(byte, text.get(length..)?, depth)?;
        }
        Some(length)
    };
    (0..=MAX_DEPTH).find_map(at_depth)
}

/// Returns the length of one byte of the token at the start of the text, in any of its forms in a
/// text that is a string of JSON in a string of JSON, and so on, `depth` times.
fn byte_length(byte: u8, text: &[u8], depth: u32) -> Option<usize> {
    // Each string of JSON doubles the backslashes of the one in it, and adds one before a quote.
    let doubled = 1 << depth;
    let backslashes = text.iter().take_while(|byte| **byte == b'\\').count();
    if byte == b'\\' && backslashes >= doubled {
        return Some(doubled);
    }
    if let [b'%', rest @ ..] = text
        && has_hex_digits(rest, &format!("{byte:02x}"))
    {
        return Some(3);
    }
    match &text[backslashes..] {
        [b'u', rest @ ..]
            if backslashes == 1.max(doubled / 2)
                && has_hex_digits(rest, &format!("{byte:04x}")) =>
        {
            Some(backslashes + 5)
        }
        [b'"', ..] if byte == b'"' && backslashes == doubled - 1 => Some(doubled),
        // JSON needs no backslash before a slash.
        [b'/', ..] if byte == b'/' && backslashes < doubled => Some(backslashes + 1),
        [first, ..] if *first == byte && byte != b'"' && backslashes == 0 => Some(1),
        _ => None,
    }
}

fn has_hex_digits(text: &[u8], digits: &str) -> bool {
    let start = text.get(..digits.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(digits.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_masked() {
        for text in [
            "a/b\"c",
            r#"a\/b\"c"#,
            r"\u0061\u002f\u0062\u0022\u0063",
            r"\u0061\u002F\u0062\u0022c",
            "%61%2f%62%22%63",
            "a%2Fb%22c",
        ] {
            assert_eq!(
                mask("a/b\"c", &format!("<{text}> {text}"), "***"),
                "<***> ***",
                "{text}"
            );
        }
        assert_eq!(
            mask(r"a\b", r"a\b a\\b a%5cb a\u005cb", "***"),
            "*** *** *** ***"
        );
        assert_eq!(
            mask(r#"a\\"b"#, r#"a\\"b a\\\\\"b a\\\\\\\\\\\"b"#, "***"),
            "*** *** ***"
        );
        assert_eq!(mask("50%x", "50%x 50%25x", "***"), "*** ***");
        for text in [
            "",
            "ab",
            r"\",
            r"\u",
            r"\u006",
            "%",
            "%6",
            "a/b",
            "a/b'c",
            "ä%c3%a4\\u00e4",
        ] {
            assert!(
                matches!(mask("a/b\"c", text, "***"), Cow::Borrowed(same) if same == text),
                "{text}"
            );
        }
    }
}
