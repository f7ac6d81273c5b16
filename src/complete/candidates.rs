//! What can be typed next.

/// All that can be typed next.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// One of these.
    Values(Vec<Candidate>),
    /// A file, which the shell knows best how to complete.
    Files,
}

impl Default for Answer {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}

/// A word that can be typed in place of the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The whole word.
    pub value: String,
    /// What it is, in a few words; may be empty.
    pub about: String,
    /// Whether nothing can follow in the same word.
    pub ends: bool,
}

impl Candidate {
    /// A whole word.
    pub fn new(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self { value: value.into(), about: about.into(), ends: true }
    }

    /// A word that goes on.
    pub fn open(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self { ends: false, ..Self::new(value, about) }
    }

    /// The same behind this text.
    #[must_use]
    pub fn behind(self, before: &str) -> Self {
        Self { value: format!("{before}{}", self.value), ..self }
    }
}

/// One of several words with commas between: those that begin as the last one does, and are not there yet. One that is
/// there in full ends the list, unless a comma follows.
pub fn one_of_many<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<Candidate> {
    let (before, last) = typed.rfind(',').map_or(("", typed), |comma| typed.split_at(comma + 1));
    let fresh = names.filter(|name| name.starts_with(last) && !before.split(',').any(|known| known == *name));
    fresh.map(|name| Candidate { ends: name == last, ..Candidate::open(format!("{before}{name}"), "") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_word_by_word() {
        let names = ["id", "email", "email_sent"];
        for (typed, found) in [
            ("", &["id+", "email+", "email_sent+"][..]),
            ("i", &["id+"]),
            ("email", &["email", "email_sent+"]),
            ("id,", &["id,email+", "id,email_sent+"]),
            ("x,id,e", &["x,id,email+", "x,id,email_sent+"]),
            ("x", &[]),
        ] {
            let told = one_of_many(typed, names.into_iter());
            let told: Vec<String> =
                told.into_iter().map(|one| format!("{}{}", one.value, if one.ends { "" } else { "+" })).collect();
            assert_eq!(told, found, "{typed}");
        }
    }
}
