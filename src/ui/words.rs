//! Numbers in words.

/// So many of these, in words: `1 client`, `2 clients`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// So many bytes, in words: `41.33 MB`.
pub fn bytes(number: u64) -> String {
    indicatif::DecimalBytes(number).to_string()
}
