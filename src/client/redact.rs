//! Masks secrets in reports and errors, and limits their length.

use crate::config::Secret;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, PROXY_AUTHORIZATION, SET_COOKIE};

/// The most bytes of a body in a report.
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

/// Returns the beginning of a body. It is masked before it is cut, because masking does not find a part of the token.
pub fn text(body: &[u8], token: &Secret) -> String {
    let whole = String::from_utf8_lossy(body);
    let masked = token.mask(&whole);
    // A character has at most four bytes.
    let end = (0..4).map(|less| BODY - less).find(|end| masked.is_char_boundary(*end)).unwrap_or(masked.len());
    match masked.len() - end {
        0 => masked.into_owned(),
        more => format!("{}… ({more} bytes more)", &masked[..end]),
    }
}

/// Returns a masked and shortened text of an error.
pub fn words(text: &str, token: &Secret) -> String {
    let masked = token.mask(text);
    match masked.char_indices().nth(WORDS) {
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
        let shown = text(format!("{}s3cret-token{}", "ä".repeat(BODY / 2 - 3), "y".repeat(1000)).as_bytes(), &token);
        assert!(shown.ends_with("ä***yyy… (997 bytes more)"), "{}", &shown[shown.len() - 40..]);
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
