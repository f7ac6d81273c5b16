//! The text of a file, whoever wrote it: what is not UTF-8 is told from what cannot be read at all.

use crate::error::{Error, Kind, Result};
use std::io::Read;

/// The byte order mark, with which spreadsheets begin a file. It is no part of its text.
pub const MARK: char = '\u{feff}';

/// What can be read.
pub const READABLE: &str = "name a file that can be read, or - for stdin";

/// The text of a file, or of stdin for `-`, without a byte order mark, and what to call it.
///
/// # Errors
/// `Usage` where it cannot be read, `Invalid` where it is not UTF-8.
pub fn read_text(path: &str) -> Result<(String, &str)> {
    let (mut text, name) = read(path)?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    Ok((text, name))
}

/// The same with the byte order mark.
///
/// # Errors
/// As [`read_text`].
pub fn read(path: &str) -> Result<(String, &str)> {
    let mut bytes = Vec::new();
    let (read, name) = match path {
        "-" => (std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()), "stdin"),
        path => (std::fs::read(path).map(|read| bytes = read), path),
    };
    let unreadable = |error| Error::usage(format!("could not read {name}: {error}"));
    read.map_err(|error| unreadable(error).hint(READABLE))?;
    Ok((decode(name, bytes)?, name))
}

/// What bytes say, where they are UTF-8.
fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    let refused = |what: &str, advice: &str| {
        Err(Error::new(Kind::Invalid, format!("{name} {what}")).hint(format!("save it as {advice}")))
    };
    if bytes.starts_with(b"PK\x03\x04") {
        return refused("is a workbook or another archive, not text", "CSV UTF-8");
    }
    if is_utf_16(&bytes) {
        return refused("is UTF-16, not UTF-8", "UTF-8; a spreadsheet calls it CSV UTF-8");
    }
    String::from_utf8(bytes).or_else(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let place = super::place::Cursor::new(&before).line(at);
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        let what = format!("is not UTF-8: line {} has the byte 0x{byte:02X} (byte {} of the file)", place.line, at + 1);
        refused(&what, "UTF-8; a spreadsheet calls it CSV UTF-8")
    })
}

/// With a mark of its own, or told by its zeros: of Latin text, every second byte is one.
fn is_utf_16(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || (zeros > 1 && zeros * 3 >= start.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> String {
        match decode("a.csv", bytes.to_vec()) {
            Ok(text) => text,
            Err(error) => format!("{:?} {}; {}", error.kind, error.message, error.hint.as_deref().unwrap_or_default()),
        }
    }

    #[test]
    fn text_is_taken_as_it_is() {
        assert_eq!(decoded("\u{feff}Zoë\r\n\0".as_bytes()), "\u{feff}Zoë\r\n\0");
        assert_eq!(decoded(b""), "");
    }

    #[test]
    fn anything_else_says_what_it_is_and_what_to_do() {
        assert_eq!(
            decoded(b"note\r\nZo\xeb,\n"),
            "Invalid a.csv is not UTF-8: line 2 has the byte 0xEB (byte 9 of the file); save it as UTF-8; a spreadsheet \
             calls it CSV UTF-8"
        );
        let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for bytes in [utf_16("\u{feff}a"), utf_16("email,note"), b"\xfe\xff\0a".to_vec()] {
            assert!(decoded(&bytes).starts_with("Invalid a.csv is UTF-16, not UTF-8; save it as UTF-8"), "{bytes:?}");
        }
        assert_eq!(
            decoded(b"PK\x03\x04\x14"),
            "Invalid a.csv is a workbook or another archive, not text; save it as CSV UTF-8"
        );
    }

    #[test]
    fn what_cannot_be_read_is_a_mistake_of_usage() {
        for path in ["/", "no/such/file"] {
            assert!(read_text(path).is_err_and(|error| error.kind == Kind::Usage));
        }
    }
}
