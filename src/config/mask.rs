//! Masks a token in all forms that JSON and URLs allow: each character plain, as `\uXXXX`, after a backslash or as `%XX`.

use memchr::memchr3;
use std::borrow::Cow;

/// Returns the text with every occurrence of the token replaced.
pub fn mask<'t>(token: &str, text: &'t str, by: &str) -> Cow<'t, str> {
    let Some(first) = token.bytes().next() else {
        return Cow::Borrowed(text);
    };
    let (mut masked, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(offset) = memchr3(first, b'\\', b'%', &text.as_bytes()[from..]) {
        let start = from + offset;
        match length(token, &text.as_bytes()[start..]) {
            Some(length) => {
                masked.push_str(&text[copied..start]);
                masked.push_str(by);
                (copied, from) = (start + length, start + length);
            }
            None => from = start + 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[copied..]);
    Cow::Owned(masked)
}

/// Returns the length of the token at the start of the text, if it matches. A match is ASCII, so it ends between
/// characters.
fn length(token: &str, text: &[u8]) -> Option<usize> {
    token
        .bytes()
        .try_fold(0, |end, byte| Some(end + one(byte, &text[end..])?))
}

/// Returns the length of one byte of the token at the start of the text, in any of its forms.
fn one(byte: u8, text: &[u8]) -> Option<usize> {
    let escapes = [format!("\\u{byte:04x}"), format!("%{byte:02x}")];
    let is_here = |escape: &&String| {
        text.get(..escape.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(escape.as_bytes()))
    };
    match (escapes.iter().find(is_here), text) {
        (Some(escape), _) => Some(escape.len()),
        (None, [b'\\', next, ..]) if *next == byte && matches!(byte, b'/' | b'"' | b'\\') => {
            Some(2)
        }
        (None, [first, ..]) => (*first == byte).then_some(1),
        (None, []) => None,
    }
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
