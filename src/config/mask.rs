//! Finds a token however JSON, URLs and headers may write it: each of its characters may stand as it is, as `\uXXXX`,
//! after a backslash, or as `%XX`, in any mix; escapes may be escaped again.

use memchr::memchr3;
use std::borrow::Cow;
use std::ops::Range;

/// Backslashes before a character that are read as its escape: four times escaped has fifteen, and a bound keeps the
/// search linear.
const BACKSLASHES: usize = 16;

/// The text with every occurrence of the token replaced.
pub fn mask<'t>(token: &str, text: &'t str, by: &str) -> Cow<'t, str> {
    let mut search = Search::new(token, text);
    let mut masked = String::new();
    let mut from = 0;
    while let Some(found) = search.next_from(from) {
        masked.push_str(&text[from..found.start]);
        masked.push_str(by);
        from = found.end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[from..]);
    Cow::Owned(masked)
}

/// A search for the token. A character may be read in several ways (`\\` is two backslashes or one), so it follows all of
/// them at once: `ends` are the places where those may go on.
struct Search<'s> {
    token: &'s [u8],
    text: &'s [u8],
    ends: Vec<usize>,
    next: Vec<usize>,
}

impl<'s> Search<'s> {
    fn new(token: &'s str, text: &'s str) -> Self {
        Self { token: token.as_bytes(), text: text.as_bytes(), ends: Vec::new(), next: Vec::new() }
    }

    /// The first occurrence at or after this place. All that is matched is ASCII, so its ends are between characters.
    fn next_from(&mut self, mut from: usize) -> Option<Range<usize>> {
        let first = *self.token.first()?;
        loop {
            let start = from + memchr3(first, b'\\', b'%', self.text.get(from..)?)?;
            if let Some(end) = self.match_at(start) {
                return Some(start..end);
            }
            from = start + 1;
        }
    }

    /// Where the longest way of reading the token at this place ends.
    fn match_at(&mut self, start: usize) -> Option<usize> {
        self.ends.clear();
        self.ends.push(start);
        for &byte in self.token {
            self.next.clear();
            for &at in &self.ends {
                forms(byte, self.text, at, &mut self.next);
            }
            self.next.sort_unstable();
            self.next.dedup();
            std::mem::swap(&mut self.ends, &mut self.next);
            if self.ends.is_empty() {
                return None;
            }
        }
        self.ends.last().copied()
    }
}

/// Adds where this byte ends, in each form that it may have at this place.
fn forms(byte: u8, text: &[u8], at: usize, ends: &mut Vec<usize>) {
    let rest = &text[at..];
    if rest.first() == Some(&byte) {
        ends.push(at + 1);
    }
    match rest.first() {
        Some(b'%') => percent(byte, text, at + 1, ends),
        Some(b'\\') => escaped(byte, text, at, ends),
        _ => {}
    }
}

/// After a `%`: two digits, or the same with that `%` escaped as `%25`, and so on.
fn percent(byte: u8, text: &[u8], mut at: usize, ends: &mut Vec<usize>) {
    loop {
        if hex(text, at, 2) == Some(u32::from(byte)) {
            ends.push(at + 2);
        }
        if !text[at..].starts_with(b"25") {
            return;
        }
        at += 2;
    }
}

/// Backslashes, and what they escape.
fn escaped(byte: u8, text: &[u8], at: usize, ends: &mut Vec<usize>) {
    let slashes = text[at..].iter().take(BACKSLASHES).take_while(|byte| **byte == b'\\').count();
    let end = at + slashes;
    match byte {
        b'\\' => ends.extend([2, 4, 8].iter().filter(|count| **count <= slashes).map(|count| at + count)),
        b'/' | b'"' if text.get(end) == Some(&byte) => ends.push(end + 1),
        _ => {}
    }
    if text.get(end) == Some(&b'u') && hex(text, end + 1, 4) == Some(u32::from(byte)) {
        ends.push(end + 5);
    }
}

/// The number that this many hexadecimal digits are.
fn hex(text: &[u8], at: usize, digits: usize) -> Option<u32> {
    let digits = text.get(at..at + digits)?;
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

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

    /// One character in one of its forms.
    fn form(c: char, which: u8) -> String {
        let code = u32::from(c);
        match which {
            0 => format!("\\u{code:04x}"),
            1 => format!("\\u{code:04X}"),
            2 => format!("%{code:02x}"),
            3 => format!("%{code:02X}"),
            4 if matches!(c, '/' | '"' | '\\') => format!("\\{c}"),
            5 => format!("%25{code:02x}"),
            _ => c.to_string(),
        }
    }

    proptest! {
        #[test]
        fn any_mix_of_forms_is_masked(token in "[!-)+-~]{4,40}", forms in vec(0..8u8, 40), around in "\\PC{0,20}") {
            let written: String = token.chars().zip(&forms).map(|(c, which)| form(c, *which)).collect();
            let shown = masked(&token, &format!("{around}{written}{around}"));
            prop_assert!(shown.contains("***") && !shown.contains(&written) && !shown.contains(&token), "{shown}");
        }

        #[test]
        fn nothing_else_is_masked(token in "[a-zA-Z0-9/\"\\\\%_-]{1,40}", forms in vec(0..8u8, 40), around in "[^ -~]{0,20}") {
            let written: String = token.chars().zip(&forms).map(|(c, which)| form(c, *which)).collect();
            prop_assert_eq!(masked(&token, &format!("{around}{written}{around}")), format!("{around}***{around}"));
            prop_assert_eq!(masked(&token, &around), around);
        }
    }
}
