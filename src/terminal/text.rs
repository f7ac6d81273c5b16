//! Small pieces of text: numbers with nouns, sizes, and text for searching.

use console::measure_text_width;
use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use indicatif::DecimalBytes;

/// Returns a number and its noun, such as `1 client`, `2 clients`.
pub fn pluralize(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// Joins items with commas; of many, the first ones and the number of the others.
pub fn join_briefly(items: &[impl AsRef<str>]) -> String {
    const MAX_ITEMS: usize = 10;
    let shown: Vec<&str> = items.iter().take(MAX_ITEMS).map(AsRef::as_ref).collect();
    let text = shown.join(", ");
    match items.len() - shown.len() {
        0 => text,
        hidden => format!("{text} and {hidden} more"),
    }
}

/// Returns a size with its unit, such as `41.33 MB`.
pub fn format_bytes(number: u64) -> String {
    DecimalBytes(number).to_string()
}

/// Breaks a line between words into lines of at most this width. Their indent is that of the first.
pub fn wrap(line: &str, width: usize) -> String {
    let words = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - words.len());
    let mut wrapped = indent.clone();
    let mut column = indent.len();
    for (index, word) in words.split(' ').enumerate() {
        let word_width = measure_text_width(word);
        if index > 0 && column + 1 + word_width > width {
            wrapped += &format!("\n{indent}");
            column = indent.len();
        } else if index > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped += word;
        column += word_width;
    }
    wrapped
}

/// Returns a text for searching: in lower case, without accents.
pub fn fold_for_search(text: &str) -> String {
    let classes = CanonicalCombiningClassMapBorrowed::new();
    DecomposingNormalizerBorrowed::new_nfd()
        .normalize_iter(text.chars())
        .filter(|c| classes.get_u8(*c) == 0)
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("  one two three", 9), "  one two\n  three");
        assert_eq!(wrap("longer-than-that x", 9), "longer-than-that\nx");
    }

    #[test]
    fn of_many_items_the_first_are_named() {
        assert_eq!(
            join_briefly(&["a"; 12]),
            "a, a, a, a, a, a, a, a, a, a and 2 more"
        );
    }
}
