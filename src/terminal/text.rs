//! Small pieces of text: numbers with nouns, sizes, text for searching, and arguments of the
//! commands in hints.

use indicatif::DecimalBytes;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

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

/// Returns a text for searching: in lower case, without accents.
pub fn fold_for_search(text: &str) -> String {
    text.nfd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns ids as arguments of a command that can be pasted as is, after `--` if an id begins with
/// a dash.
pub fn shell_arguments(ids: &[&str]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| shell_quoted(id)).collect();
    let arguments = quoted.join(" ");
    if ids.iter().any(|id| id.starts_with('-')) {
        format!("-- {arguments}")
    } else {
        arguments
    }
}

/// Returns ids and options of a command that can be pasted as is.
pub fn shell_arguments_with(ids: &[&str], options: &str) -> String {
    let arguments = shell_arguments(ids);
    if arguments.starts_with("-- ") {
        // All that follows `--` is an id.
        format!("{options} {arguments}")
    } else {
        format!("{arguments} {options}")
    }
}

/// Returns an option with its value, which may begin with a dash.
pub fn shell_option(name: &str, value: &str) -> String {
    let separator = if value.starts_with('-') { "=" } else { " " };
    format!("{name}{separator}{}", shell_quoted(value))
}

/// Quotes a text so that a shell reads it as one word.
pub fn shell_quoted(text: &str) -> String {
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '@' | ',' | '=')
    };
    // zsh replaces a word that starts with `=`.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit() {
        for (size, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (5000, "5.00 kB"),
            (41_333_332, "41.33 MB"),
        ] {
            assert_eq!(format_bytes(size), text);
        }
    }

    #[test]
    fn of_many_items_the_first_are_named() {
        assert_eq!(join_briefly(&["a", "b"]), "a, b");
        assert_eq!(
            join_briefly(&["a"; 12]),
            "a, a, a, a, a, a, a, a, a, a and 2 more"
        );
    }

    #[test]
    fn ids_are_quoted_for_a_shell() {
        for (id, quoted) in [
            ("task-1:a/b", "task-1:a/b"),
            ("a b", "'a b'"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("-x", "-- -x"),
        ] {
            assert_eq!(shell_arguments(&[id]), quoted);
        }
        assert_eq!(shell_arguments(&["a", "-b", "c d"]), "-- a -b 'c d'");
        assert_eq!(shell_arguments_with(&["a", "b"], "--full"), "a b --full");
        assert_eq!(
            shell_arguments_with(&["-a", "b"], "--full"),
            "--full -- -a b"
        );
        assert_eq!(shell_option("--profile", "live"), "--profile live");
        assert_eq!(shell_option("--profile", "my $x"), "--profile 'my $x'");
        assert_eq!(shell_option("--profile", "-x"), "--profile=-x");
    }
}
