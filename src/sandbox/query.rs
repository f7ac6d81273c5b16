//! The query string as name and value pairs. Nothing is guessed: what cannot be decoded is a problem.

use super::answer::Problems;

/// Splits and decodes a query string (`+` is a space). Pairs that are not valid percent-encoded UTF-8 become problems.
pub(super) fn pairs(raw: &str, problems: &mut Problems) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (decode(name), decode(value)) {
            (Some(name), Some(value)) => pairs.push((name, value)),
            _ => problems.add("invalid_value", name, "Must be percent-encoded UTF-8"),
        }
    }
    pairs
}

fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let (digits, tail) = rest.split_at_checked(2)?;
                bytes.push(hex(digits[0])? << 4 | hex(digits[1])?);
                rest = tail;
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
