//! Masks the token and other secrets in what the observer and errors show of an exchange, and bounds its length.

use crate::config::Secret;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, LOCATION, PROXY_AUTHORIZATION, SET_COOKIE};

/// So much of a body is told.
const BODY: usize = 64 << 10;
/// So many characters of a sentence.
const WORDS: usize = 2000;
/// So much of an address that the service made up.
const ADDRESS: usize = 200;

/// Headers that let in whoever holds them.
const KEYS: [HeaderName; 5] =
    [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE, SET_COOKIE, HeaderName::from_static("x-api-key")];

/// Returns the headers and the body, as far as they may be shown, each on a line that begins with `mark`.
pub fn lines(mark: &str, headers: &HeaderMap, body: Option<&[u8]>, token: &Secret) -> Vec<String> {
    let value = |(name, value): (&HeaderName, &reqwest::header::HeaderValue)| match KEYS.contains(name) {
        true => format!("{mark}{name}: ***"),
        false => format!("{mark}{name}: {}", text(value.as_bytes(), token)),
    };
    headers.iter().map(value).chain(body.map(|body| format!("{mark}{}", text(body, token)))).collect()
}

/// The beginning of a body, and how much more there is. It is masked before it is cut: a part of the token is not found.
pub fn text(body: &[u8], token: &Secret) -> String {
    let whole = String::from_utf8_lossy(body);
    let masked = token.mask(&whole);
    // A character has four bytes at most.
    let end = (0..4).map(|less| BODY - less).find(|end| masked.is_char_boundary(*end)).unwrap_or(masked.len());
    match masked.len() - end {
        0 => masked.into_owned(),
        more => format!("{}… ({more} bytes more)", &masked[..end]),
    }
}

/// Where a redirect points: neither query nor fragment, which may hold anything. It is masked as it came, and again as it
/// is read, since reading an address can put together what stood apart.
pub fn redirected(headers: &HeaderMap, from: &str, token: &Secret) -> Option<String> {
    let location = String::from_utf8_lossy(headers.get(LOCATION)?.as_bytes()).into_owned();
    let target = Url::parse(from).ok()?.join(&token.mask(&location)).ok()?;
    let target = format!("{}{}", target.origin().ascii_serialization(), target.path());
    Some(beginning(&token.mask(&target), ADDRESS))
}

/// The words of an error, which are meant to be read.
pub fn words(text: &str, token: &Secret) -> String {
    beginning(&token.mask(text), WORDS)
}

/// So many characters of a text that is masked already.
fn beginning(masked: &str, most: usize) -> String {
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

    fn pointing(location: &str) -> Result<Option<String>> {
        let headers = HeaderValue::from_str(location).map(|location| HeaderMap::from_iter([(LOCATION, location)]));
        let token = Secret::new("s3cret/token", "a test")?;
        Ok(headers.ok().and_then(|headers| redirected(&headers, "https://a.example/api/v6/clients", &token)))
    }

    #[test]
    fn a_redirect_is_named_without_what_may_be_secret() -> Result<()> {
        let cases = [
            ("/login?token=s3cret/token#x", "https://a.example/login"),
            ("https://u:p@b.example:8443/x", "https://b.example:8443/x"),
            ("//b.example", "https://b.example/"),
            ("/s3cret%2Ftoken/x", "https://a.example/***/x"),
            ("/s3\tcret/token", "https://a.example/***"),
            ("/a/../s3cret\\token", "https://a.example/***"),
        ];
        for (location, told) in cases {
            assert_eq!(pointing(location)?.as_deref(), Some(told), "{location}");
        }
        assert_eq!(pointing("https://[")?, None);
        // The cut falls into the token.
        let long = pointing(&format!("/{}s3cret/token{}", "x".repeat(176), "y".repeat(100)))?.unwrap_or_default();
        assert!(long.ends_with("x***yyy…"), "{long}");
        Ok(())
    }

    #[test]
    fn a_body_is_masked_before_it_is_cut() -> Result<()> {
        let token = Secret::new("s3cret-token", "a test")?;
        let told = text(format!("{}s3cret-token{}", "ä".repeat(BODY / 2 - 3), "y".repeat(1000)).as_bytes(), &token);
        assert!(told.ends_with("ä***yyy… (997 bytes more)"), "{}", &told[told.len() - 40..]);
        assert_eq!(text(b"\xff\x00", &token), "\u{fffd}\0");
        Ok(())
    }

    #[test]
    fn keys_in_headers_are_not_told() -> Result<()> {
        let map = KEYS.map(|name| (name, HeaderValue::from_static("opens")));
        let shown = lines("", &HeaderMap::from_iter(map), None, &Secret::new("s3cret", "a test")?);
        assert!(shown.len() == KEYS.len() && shown.iter().all(|line| line.ends_with(": ***")), "{shown:?}");
        Ok(())
    }
}
