//! Finds a token however JSON and URLs write it: each of its characters as it is, as `\uXXXX`, after backslashes or as
//! `%XX`; escapes can be escaped again.

use memchr::memchr3;
use std::borrow::Cow;

/// Longest run of backslashes in an escape, which bounds the search.
const MAX_BACKSLASHES: usize = 16;

/// Returns the text with every occurrence of the token replaced.
pub fn mask<'t>(token: &str, text: &'t str, by: &str) -> Cow<'t, str> {
    let Some(first) = token.bytes().next() else { return Cow::Borrowed(text) };
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

/// Returns the length of the token at the beginning of the text, if it is there. All that matches is ASCII, so both ends
/// are between characters.
fn length(token: &str, text: &[u8]) -> Option<usize> {
    token.bytes().try_fold(0, |end, byte| Some(end + one(byte, &text[end..])?))
}

/// Returns the length of this byte of the token in one of its forms.
fn one(byte: u8, text: &[u8]) -> Option<usize> {
    let slashes = text.iter().take(MAX_BACKSLASHES).take_while(|byte| **byte == b'\\').count();
    let rest = &text[slashes..];
    match rest.first() {
        Some(b'u') if slashes > 0 && hex(rest, 1, 4) == Some(byte.into()) => Some(slashes + 5),
        _ if slashes > 0 && byte == b'\\' => Some(slashes),
        Some(found) if slashes > 0 => (*found == byte && matches!(byte, b'/' | b'"')).then_some(slashes + 1),
        Some(b'%') => percent(byte, rest).or((byte == b'%').then_some(1)),
        found => (found == Some(&byte)).then_some(1),
    }
}

/// Returns the length of `%XX`, also with its `%` escaped as `%25`.
fn percent(byte: u8, text: &[u8]) -> Option<usize> {
    let mut end = 1;
    while text[end..].starts_with(b"25")
        && hex(text, end + 2, 2).is_some()
        && (byte != b'%' || text[end + 2..].starts_with(b"25"))
    {
        end += 2;
    }
    (hex(text, end, 2) == Some(byte.into())).then_some(end + 2)
}

/// Reads this many hexadecimal digits.
fn hex(text: &[u8], at: usize, digits: usize) -> Option<u32> {
    let digits = text.get(at..at + digits)?;
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(token: &str, text: &str) -> String {
        mask(token, text, "***").into_owned()
    }

    #[test]
    fn every_form_is_found() {
        for text in [
            "a/b\"c",
            r#"a\/b\"c"#,
            r"\u0061\u002f\u0062\u0022\u0063",
            r"\u0061\u002F\u0062\u0022c",
            "%61%2f%62%22%63",
            "a%2Fb%22c",
            "a%252Fb%2522c",
            r#"a\\\/b\\\"c"#,
            r"a\\u002fb\\u0022c",
        ] {
            assert_eq!(masked("a/b\"c", &format!("<{text}> {text}")), "<***> ***", "{text}");
        }
        assert_eq!(masked(r"a\b", r"a\b a\\b a%5cb a\u005cb a\\\\b"), "*** *** *** *** ***");
        assert_eq!(masked("50%x", "50%x 50%25x 50%2525x"), "*** *** ***");
    }

    #[test]
    fn what_is_not_the_token_stays() {
        for text in
            ["", "ab", r"\", r"\u", r"\u006", "%", "%6", "a/b", "a/b'c", "ä%c3%a4\\u00e4", r"\\\\\\\\\\\\\\\\\\\\"]
        {
            assert!(matches!(mask("a/b\"c", text, "***"), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn large_texts_take_no_time_to_speak_of() {
        for piece in ["\\", "%25", "%", "s3cre", "\\u0073"] {
            let text = piece.repeat(1 << 18);
            assert_eq!(masked("s3cret-token", &text), text);
        }
    }
}
