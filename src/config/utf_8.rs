//! Decodes the text of a file.

/// The byte order mark, with which some programs begin a file. It is not part of the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the text of a file without a byte order mark.
///
/// # Errors
/// The problem, with the name of the file, if the file is not UTF-8.
pub fn decode_utf_8(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(format!("{name} is UTF-16, not UTF-8"));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        format!("{name}: line {line} is not valid UTF-8")
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}
