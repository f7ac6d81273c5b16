//! Hides the passwords in JSON text.

use crate::error::{Error, Result};
use crate::resources::split_first_value;
use memchr::memchr2_iter;
use std::borrow::Cow;
use std::ops::Range;

/// The value that is printed instead of a password.
const HIDDEN: &str = r#""***""#;

/// Returns the text with `***` as the value of each member whose name ends in `password`. Null and
/// all other text stay unchanged. The text can be a part of JSON, or have other text around it.
pub fn hide_passwords(json: &str) -> Cow<'_, str> {
    let mut hidden = String::new();
    let mut copied = 0;
    for value in password_values(json) {
        if &json[value.clone()] != "null" {
            hidden.push_str(&json[copied..value.start]);
            hidden.push_str(HIDDEN);
            copied = value.end;
        }
    }
    if copied == 0 {
        return json.into();
    }
    hidden.push_str(&json[copied..]);
    hidden.into()
}

/// Refuses JSON with a hidden password, because sending it would replace the password.
///
/// # Errors
/// `Usage` if a password is `***`.
pub fn refuse_hidden_passwords(json: &str) -> Result<()> {
    if password_values(json).all(|value| &json[value] != HIDDEN) {
        return Ok(());
    }
    Err(
        Error::usage("a password is '***', which stands for a hidden password").with_hint(
            "print records with their passwords: sitectl sites list --json --show-secrets",
        ),
    )
}

/// Returns the position of the value of each password. Values inside another one are not returned.
fn password_values(json: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    // The letter w is rare in JSON, so that the search is fast in records without passwords.
    memchr2_iter(b'w', b'W', json.as_bytes()).filter_map(move |w| {
        if w < end {
            return None;
        }
        let value = password_value(json, w)?;
        end = value.end;
        Some(value)
    })
}

/// Returns the position of a member's value if the member's name ends in `password` with this `w`.
/// A value that is not complete extends to the end of the text.
fn password_value(json: &str, w: usize) -> Option<Range<usize>> {
    let name_end = w + "word".len();
    let word = json.get(name_end.checked_sub("password".len())?..name_end)?;
    if !word.eq_ignore_ascii_case("password") {
        return None;
    }
    let after_name = json[name_end..].strip_prefix('"')?.trim_start();
    let rest = after_name.strip_prefix(':')?.trim_start();
    let start = json.len() - rest.len();
    let length = split_first_value(rest).map_or(rest.len(), |(value, _)| value.len());
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passwords_are_hidden() {
        for (json, hidden) in [
            (
                r#"{"id":1.10, "http_auth" : {"username":"u","password" : "p\"}q" },"x":[]}"#,
                r#"{"id":1.10, "http_auth" : {"username":"u","password" : "***" },"x":[]}"#,
            ),
            (
                r#"[{"PassWord":7},{"caf\u00e9_PASSWORD":{"a":{"password":[1]}}},{"password":"***"}]"#,
                r#"[{"PassWord":"***"},{"caf\u00e9_PASSWORD":"***"},{"password":"***"}]"#,
            ),
            // A part of a body, or a message that quotes JSON.
            (r#"{"password":"secr"#, r#"{"password":"***""#),
            (
                r#"> no: {"db_password":"p"} w"#,
                r#"> no: {"db_password":"***"} w"#,
            ),
        ] {
            assert_eq!(hide_passwords(json), hidden);
        }
        for json in [
            r#"{"password":null,"passwords":"a","password_at":"b","note":"password"}"#,
            r#"{"note":"the \"password\": \"x\"","list":["password"],"é":"w"}"#,
            "word",
            "",
        ] {
            assert!(matches!(hide_passwords(json), Cow::Borrowed(same) if same == json));
        }
    }
}
