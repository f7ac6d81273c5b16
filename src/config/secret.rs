//! An API token that cannot be printed by mistake.

use crate::error::{Error, Kind, Result};
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;

/// Replaces the token in output.
const MASK: &str = "***";
/// The minimum length of a masked token. Shorter tokens may be words such as `test`.
const MIN_LENGTH: usize = 6;

/// An API token (spec, "Authentication"), without `Display` and with a masked `Debug`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Secret(String);

impl Secret {
    /// Checks a token, and removes surrounding white space.
    ///
    /// # Errors
    /// `Auth` if it is empty or contains a character that is not allowed in an HTTP header.
    pub fn new(text: &str, source: &str) -> Result<Self> {
        let token = text.trim();
        let (problem, hint) = if token.is_empty() {
            (
                "is empty",
                "check the file or variable that should contain it",
            )
        } else if token.starts_with('\u{feff}') {
            (
                "begins with a byte order mark",
                "save the file as UTF-8 without a byte order mark",
            )
        } else if !token.chars().all(|c| c.is_ascii_graphic()) {
            (
                "contains a character that is not allowed in an HTTP header",
                "copy the token again, without quotes, line breaks or the word Bearer",
            )
        } else if token.starts_with(['"', '\'']) || has_name(token) {
            (
                "is in quotes, or begins with a name and '='",
                "set only the value, without quotes",
            )
        } else {
            return Ok(Self(token.to_string()));
        };
        let message = format!("the token in {source} {problem}");
        Err(Error::new(Kind::Auth, message).with_hint(hint))
    }

    /// Returns the token itself, for the request header and the config file.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the text contains the token.
    pub fn is_in(&self, text: &str) -> bool {
        matches!(self.mask(text), Cow::Owned(_))
    }

    /// Masks the token where it appears as it is.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.len() < MIN_LENGTH || !text.contains(&self.0) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.replace(&self.0, MASK))
        }
    }
}

/// Whether a text has the form `NAME=value`.
fn has_name(text: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    text.split_once('=')
        .is_some_and(|(name, value)| is_name(name) && !value.is_empty())
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl TryFrom<String> for Secret {
    type Error = Error;

    /// Checks a token of the config file.
    fn try_from(text: String) -> Result<Self> {
        Self::new(&text, "the config file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_fits_into_a_header() {
        assert_eq!(
            Secret::new(" abc\r\n", "a test")
                .map(|s| s.expose().to_string())
                .ok(),
            Some("abc".into())
        );
        for text in [
            "",
            " \n",
            "a b",
            "a\u{1b}b",
            "a\nb",
            "tökén",
            "'abc'",
            "SITECTL_TOKEN=abc",
        ] {
            let error = Secret::new(text, "a test")
                .err()
                .map(|e| (e.kind, e.message.clone()));
            let (kind, message) = error.unwrap_or_else(|| unreachable!("{text:?} was accepted"));
            assert_eq!(kind, Kind::Auth);
            assert!(
                text.trim().is_empty() || !message.contains(text.trim()),
                "{message}"
            );
        }
    }

    #[test]
    fn a_token_is_never_shown() -> Result<()> {
        let secret = Secret::new("abc123", "a test")?;
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(secret.mask("Bearer abc123!"), "Bearer ***!");
        assert_eq!(
            Secret::new("test", "a test")?.mask("this is a test"),
            "this is a test",
            "a short token is not masked"
        );
        Ok(())
    }
}
