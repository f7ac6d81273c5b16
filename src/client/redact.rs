//! Masks secrets in reports and errors, and limits their length.

use crate::config::Secret;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, PROXY_AUTHORIZATION, SET_COOKIE};

/// The most characters of a body in a report.
const BODY: usize = 64 << 10;
/// The most characters of an error.
const WORDS: usize = 2000;

/// Headers that contain credentials.
const KEYS: [HeaderName; 5] =
    [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE, SET_COOKIE, HeaderName::from_static("x-api-key")];

/// Returns the masked headers and body, each on a line that begins with `mark`.
pub fn lines(mark: &str, headers: &HeaderMap, body: Option<&[u8]>, token: &Secret) -> Vec<String> {
    let value = |(name, value): (&HeaderName, &reqwest::header::HeaderValue)| match KEYS.contains(name) {
        true => format!("{mark}{name}: ***"),
        false => format!("{mark}{name}: {}", text(value.as_bytes(), token)),
    };
    headers.iter().map(value).chain(body.map(|body| format!("{mark}{}", text(body, token)))).collect()
}

/// Returns the beginning of a body.
fn text(body: &[u8], token: &Secret) -> String {
    beginning(&String::from_utf8_lossy(body), BODY, token)
}

/// Returns a masked and shortened text of an error.
pub fn words(text: &str, token: &Secret) -> String {
    beginning(text, WORDS, token)
}

/// Returns the first characters of a text. It is masked before it is cut, because masking does not find a part of the token.
fn beginning(text: &str, most: usize, token: &Secret) -> String {
    let masked = token.mask(text);
    match masked.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &masked[..end]),
        None => masked.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use reqwest::header::HeaderValue;

    #[test]
    fn a_body_is_masked_before_it_is_cut() -> Result<()> {
        let token = Secret::new("s3cret-token", "a test")?;
        let shown = text(format!("{}s3cret-token{}", "ä".repeat(BODY - 6), "y".repeat(1000)).as_bytes(), &token);
        assert!(shown.ends_with("ä***yyy…"), "{}", &shown[shown.len() - 40..]);
        assert_eq!(text(b"\xff\x00", &token), "\u{fffd}\0");
        Ok(())
    }

    #[test]
    fn credentials_in_headers_are_masked() -> Result<()> {
        let map = KEYS.map(|name| (name, HeaderValue::from_static("opens")));
        let shown = lines("", &HeaderMap::from_iter(map), None, &Secret::new("s3cret", "a test")?);
        assert!(shown.len() == KEYS.len() && shown.iter().all(|line| line.ends_with(": ***")), "{shown:?}");
        Ok(())
    }
}
