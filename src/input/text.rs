//! Reads a file as UTF-8. For another encoding, the hint says how to save the file.

use crate::config::decode_utf_8;
use crate::error::{Error, Kind, Result};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The hint for a file with problems.
pub const FIX_FILE_HINT: &str = "fix the file and retry";

const SAVE_AS_UTF_8: &str = "save the file as UTF-8 (in Excel: CSV UTF-8)";

/// Returns the text of a file, or of stdin for `-`, without a byte order mark, and the name of the
/// file.
///
/// # Errors
/// `Usage` if the file cannot be read, `Invalid` if it is not UTF-8.
pub fn read_text(path: &str) -> Result<(String, &str)> {
    if path.is_empty() {
        return Err(Error::usage("the name of the file is empty")
            .with_hint("check that the variables in the command line are set"));
    }
    let mut name = path;
    let mut bytes = Vec::new();
    let result = if path == "-" {
        name = "stdin";
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    if let Err(error) = result {
        return Err(Error::file("read", Path::new(name), &error)
            .with_kind(Kind::Usage)
            .with_hint("pass a file that can be read, or - for stdin"));
    }
    Ok((decode(name, bytes)?, name))
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    // `PK` begins a zip archive, which `.xlsx` and `.ods` files are.
    if bytes.starts_with(b"PK\x03\x04") {
        let message = format!("{name} is a workbook or another archive, not text");
        return Err(Error::new(Kind::Invalid, message).with_hint("save it as CSV UTF-8"));
    }
    decode_utf_8(name, bytes)
        .map_err(|problem| Error::new(Kind::Invalid, problem).with_hint(SAVE_AS_UTF_8))
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
                error.hint_texts("").join("; ")
            ),
        }
    }

    #[test]
    fn text_of_another_encoding_is_refused_with_advice() {
        assert_eq!(decoded("\u{feff}Zoë\r\n\0".as_bytes()), "Zoë\r\n\0");
        assert_eq!(
            decoded(b"note\r\nZo\xeb,\n"),
            "Invalid a.csv: line 2 is not valid UTF-8; save the file as UTF-8 (in Excel: CSV UTF-8)"
        );
        let utf_16 = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        for bytes in [utf_16("\u{feff}a"), b"\xfe\xff\0a".to_vec()] {
            assert!(
                decoded(&bytes)
                    .starts_with("Invalid a.csv is UTF-16, not UTF-8; save the file as UTF-8"),
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
