//! JSON that is passed on as it is, once it is known to be JSON.

use super::json::explain;
use super::place::{Cursor, locate};
use super::text::read_text;
use crate::error::{Detail, Error, Kind, Result};
use serde_json::value::RawValue;

/// The text of a file, or of stdin for `-`, that holds one JSON value.
///
/// # Errors
/// `Usage` where it cannot be read; `Invalid`, with the place, where it is not JSON.
pub fn read_json(path: &str) -> Result<String> {
    let (text, name) = read_text(path)?;
    check(name, &text)?;
    Ok(text)
}

fn check(name: &str, text: &str) -> Result<()> {
    let Err(error) = serde_json::from_str::<&RawValue>(text) else { return Ok(()) };
    let (offset, message) = explain(&error, text);
    let place = locate(name, Cursor::new(text).at(offset), None);
    let detail = Detail { place: Some(place), ..Detail::new("invalid_syntax", "", message) };
    Err(Error::new(Kind::Invalid, format!("{name}: it is not JSON"))
        .details(vec![detail])
        .hint("nothing was sent; mend it and run it again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let error = check("body.json", text).err();
        error.map_or_else(String::new, |error| {
            let detail = &error.details[0];
            format!("{} {}", detail.place.as_deref().unwrap_or_default(), detail.message)
        })
    }

    #[test]
    fn what_is_not_json_is_told_with_its_place() {
        for (text, said) in [
            ("{\"é\": 1,}", "body.json line 1, column 9 trailing comma"),
            ("[1,\n 2", "body.json line 2, column 3 the file ends while parsing a list"),
            ("", "body.json line 1, column 1 the file ends while parsing a value"),
            ("{} {}", "body.json line 1, column 4 trailing characters"),
        ] {
            assert_eq!(problem(text), said, "{text}");
        }
        let deep = format!("{}1e400{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in ["null", " {\"a\": 1, \"a\": 123456789012345678901234567890}\n", &deep] {
            assert_eq!(problem(text), "");
        }
    }
}
