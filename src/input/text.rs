//! Reads a file as UTF-8. For another encoding, the hint says how to save the file.

use crate::error::{Error, Kind, Result};
use std::io::Read;

/// The hint for a file that cannot be read.
pub const READABLE: &str = "pass a file that can be read, or - for stdin";

/// The byte order mark, with which spreadsheets begin a file. It is not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the text of a file, or of stdin for `-`, without a byte order mark, and its name.
///
/// # Errors
/// `Usage` if it cannot be read, `Invalid` if it is not UTF-8.
pub fn read_text(path: &str) -> Result<(String, &str)> {
    let (text, name) = read(path).map_err(|error| error.with_fallback_hint(|| READABLE.into()))?;
    Ok((
        text.strip_prefix(BYTE_ORDER_MARK)
            .map(str::to_string)
            .unwrap_or(text),
        name,
    ))
}

/// Does the same with the byte order mark.
///
/// # Errors
/// As [`read_text`].
pub fn read(path: &str) -> Result<(String, &str)> {
    let mut bytes = Vec::new();
    let (read, name) = match path {
        "-" => (
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
            "stdin",
        ),
        path => (std::fs::read(path).map(|read| bytes = read), path),
    };
    read.map_err(|error| Error::usage(format!("could not read {name}: {error}")))?;
    Ok((decode(name, bytes)?, name))
}

/// Decodes UTF-8.
fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    let refused = |what: &str, advice: &str| {
        Err(Error::new(Kind::Invalid, format!("{name} {what}"))
            .with_hint(format!("save it as {advice}")))
    };
    if bytes.starts_with(b"PK\x03\x04") {
        return refused("is a workbook or another archive, not text", "CSV UTF-8");
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return refused(
            "is UTF-16, not UTF-8",
            "UTF-8; a spreadsheet calls it CSV UTF-8",
        );
    }
    String::from_utf8(bytes).or_else(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        refused(
            &format!("is not UTF-8 in line {line}"),
            "UTF-8; a spreadsheet calls it CSV UTF-8",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> String {
        match decode("a.csv", bytes.to_vec()) {
            Ok(text) => text,
            Err(error) => format!(
                "{:?} {}; {}",
                error.kind,
                error.message,
                error.hint.as_deref().unwrap_or_default()
            ),
        }
    }

    #[test]
    fn text_of_another_encoding_is_refused_with_advice() {
        assert_eq!(decoded("\u{feff}Zoë\r\n\0".as_bytes()), "\u{feff}Zoë\r\n\0");
        assert_eq!(
            decoded(b"note\r\nZo\xeb,\n"),
            "Invalid a.csv is not UTF-8 in line 2; save it as UTF-8; a spreadsheet calls it CSV UTF-8"
        );
        let utf_16 = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        for bytes in [utf_16("\u{feff}a"), b"\xfe\xff\0a".to_vec()] {
            assert!(
                decoded(&bytes).starts_with("Invalid a.csv is UTF-16, not UTF-8; save it as UTF-8"),
                "{bytes:?}"
            );
        }
        assert!(
            decoded(b"PK\x03\x04\x14")
                .starts_with("Invalid a.csv is a workbook or another archive")
        );
        assert!(read_text("no/such/file").is_err_and(|error| error.kind == Kind::Usage));
    }
}
