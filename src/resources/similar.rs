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

/// Returns the word that was probably meant by a misspelled one, at an edit distance of at most two,
/// and less for short words; None if no allowed word is similar.
pub fn most_similar<'a>(typed: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let most = match typed.chars().count() {
        0..3 => 0,
        3..5 => 1,
        _ => 2,
    };
    let distance = |word: &&&str| strsim::damerau_levenshtein(&typed, word);
    let nearest = allowed.iter().min_by_key(distance)?;
    (distance(&nearest) <= most).then_some(nearest)
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
