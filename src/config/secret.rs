//! A token in a type that cannot be printed.

use super::mask::mask;
use crate::config::digest::sha256;
use crate::error::{Error, Kind, Result};
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;

/// Replaces a token that would be shown.
const MASK: &str = "***";
/// Shortest token that is masked: shorter ones are words such as `test`.
const MIN_LENGTH: usize = 6;

/// An API token (spec, "Authentication"). It has no `Display`, and its `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a token as it was pasted or piped: surrounding white space is not part of it.
    ///
    /// # Errors
    /// `Auth` if it is empty or holds a character that cannot travel in an HTTP header.
    pub fn new(text: &str, origin: &str) -> Result<Self> {
        let token = text.trim();
        let refuse = |why, hint| Err(Error::new(Kind::Auth, format!("the token in {origin} {why}")).hint(hint));
        if token.is_empty() {
            return refuse("is empty", "look where it should have come from: a file or a variable may be empty");
        }
        if !token.chars().all(|c| c.is_ascii_graphic()) {
            let why = "holds a space, a control character or a letter that no token can have";
            return refuse(why, "copy it again, without quotes, line breaks or the word Bearer");
        }
        Ok(Self(token.to_string()))
    }

    /// The token itself, for the one header that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What its account on this service is called in files: nobody can tell the token from it.
    pub fn account(&self, base_url: &str) -> String {
        sha256(&format!("{base_url} {}", self.0)).chars().take(16).collect()
    }

    /// Whether this text tells the token, however it is written there.
    pub fn is_in(&self, text: &str) -> bool {
        matches!(self.mask(text), Cow::Owned(_))
    }

    /// The text with every occurrence of the token masked, however it is written there.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.len() < MIN_LENGTH { Cow::Borrowed(text) } else { mask(&self.0, text, MASK) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text, "the config file").map_err(|error| serde::de::Error::custom(&error.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_no_header_can_carry() {
        assert_eq!(Secret::new(" abc\r\n", "a test").map(|s| s.expose().to_string()).ok(), Some("abc".into()));
        for text in ["", " \n", "a b", "a\u{1b}b", "a\nb", "tökén"] {
            let error = Secret::new(text, "a test").err().map(|e| (e.kind, e.message.clone()));
            let (kind, message) = error.unwrap_or_else(|| unreachable!("{text:?} was taken"));
            assert_eq!(kind, Kind::Auth);
            assert!(text.trim().is_empty() || !message.contains(text.trim()), "{message}");
        }
    }

    #[test]
    fn is_never_shown() -> Result<()> {
        let secret = Secret::new("abc123", "a test")?;
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(secret.mask("Bearer abc123!"), "Bearer ***!");
        assert_eq!(Secret::new("ab/bcd", "a test")?.mask(r#"ab\/bcd ab/bcd"#), "*** ***");
        assert_eq!(Secret::new("test", "a test")?.mask("this is a test"), "this is a test", "a word is no secret");
        Ok(())
    }
}
