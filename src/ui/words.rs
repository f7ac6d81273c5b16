//! Numbers in words.

/// So many of these, in words: `1 client`, `2 clients`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// So many bytes, in words: `41.33 MB`.
pub fn bytes(number: u64) -> String {
    let (mut amount, mut unit) = (number as f64, None);
    for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        if amount < 1000.0 {
            break;
        }
        (amount, unit) = (amount / 1000.0, Some(larger));
    }
    unit.map_or_else(|| format!("{number} B"), |unit| format!("{amount:.2} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_unit_that_fits() {
        let cases = [(0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (41_333_332, "41.33 MB"), (u64::MAX, "18.45 EB")];
        for (number, words) in cases {
            assert_eq!(bytes(number), words);
        }
    }
}

/// Ids as arguments of a command that can be typed as it is shown: it is the service that chose them.
pub fn arguments(ids: &[&str]) -> String {
    let dashes = if ids.iter().any(|id| id.starts_with('-')) { "-- " } else { "" };
    format!("{dashes}{}", ids.iter().map(|id| quoted(id)).collect::<Vec<_>>().join(" "))
}

/// A text as a shell takes it for one word.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '@');
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_word_of_a_shell() {
        for (id, word) in [
            ("task-1:a/b", "task-1:a/b"),
            ("a b", "'a b'"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("-x", "-- -x"),
        ] {
            assert_eq!(arguments(&[id]), word);
        }
        assert_eq!(arguments(&["a", "-b", "c d"]), "-- a -b 'c d'");
    }
}
