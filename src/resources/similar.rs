//! Suggests an allowed word for a misspelled one.

/// Returns a hint with the allowed words. It first suggests the most similar one, if one is
/// similar and not the only one.
pub fn allowed_hint(word: &str, allowed: &[&str]) -> String {
    if let [only] = allowed {
        return format!("use {only}");
    }
    let list = format!("use one of: {}", allowed.join(", "));
    match most_similar(word, allowed) {
        Some(similar) => format!("did you mean '{similar}'? {list}"),
        None => list,
    }
}

/// Returns the word that was probably meant by a misspelled or incomplete word; None if no allowed
/// word is similar.
pub fn most_similar<'a>(typed: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    // A distance of this or more means another word.
    let mut limit = match length {
        0..3 => 1,
        3..5 => 2,
        _ => 3,
    };
    let mut most_similar = None;
    for word in allowed {
        let prefix: String = word.chars().take(length).collect();
        // A prefix counts one more, so that a complete word is preferred.
        let to_prefix = strsim::damerau_levenshtein(&typed, &prefix) + 1;
        let to_word = strsim::damerau_levenshtein(&typed, word);
        let distance = to_word.min(to_prefix);
        if distance < limit {
            limit = distance;
            most_similar = Some(*word);
        }
    }
    most_similar
}

#[cfg(test)]
mod tests {
    use super::allowed_hint;

    #[test]
    fn names_the_most_similar_word() {
        assert_eq!(
            allowed_hint("emial", &["email", "role"]),
            "did you mean 'email'? use one of: email, role"
        );
        assert_eq!(allowed_hint("frist", &["first_name"]), "use first_name");
        assert_eq!(
            allowed_hint("rol", &["email", "role"]),
            "did you mean 'role'? use one of: email, role"
        );
        assert_eq!(
            allowed_hint("zzz", &["email", "role"]),
            "use one of: email, role"
        );
    }
}
