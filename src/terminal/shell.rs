//! Words of a shell, for commands that a hint shows.

/// Ids as arguments of a command that can be typed as it is shown: it is the service that chose them.
pub fn arguments(ids: &[&str]) -> String {
    let dashes = if ids.iter().any(|id| id.starts_with('-')) { "-- " } else { "" };
    format!("{dashes}{}", ids.iter().map(|id| quoted(id)).collect::<Vec<_>>().join(" "))
}

/// An option with its value: one that begins with a dash would be taken for another option.
pub fn option(name: &str, value: &str) -> String {
    let between = if value.starts_with('-') { "=" } else { " " };
    format!("{name}{between}{}", quoted(value))
}

/// A text as a shell takes it for one word.
pub fn quoted(text: &str) -> String {
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
        assert_eq!(option("--profile", "live"), "--profile live");
        assert_eq!(option("--profile", "my $x"), "--profile 'my $x'");
        assert_eq!(option("--profile", "-x"), "--profile=-x");
    }
}
