//! A list query: parameters that were checked against the resource before anything is sent.

pub mod filter;
mod moment;
pub mod sort;
pub mod wire;

pub use moment::{Edge, TIMES, Zone};

/// A name and a value in the query of a URL, before percent-encoding.
pub type Parameter = (String, String);

/// Which records, in which order.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The parameters except those of the page.
    pub parameters: Vec<Parameter>,
    /// The text that `--search` looks for, if sitectl filters the list itself.
    pub search: Option<String>,
}

/// A page, and its number of rows; without a number, the service decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// From 1.
    pub number: u64,
    /// Rows.
    pub per_page: Option<u32>,
}

impl PageRequest {
    /// Returns the parameters of this page of a list.
    pub fn of(self, query: &Query) -> Vec<Parameter> {
        let number = (wire::PAGE.to_string(), self.number.to_string());
        let rows = self
            .per_page
            .map(|rows| (wire::PER_PAGE.to_string(), rows.to_string()));
        [number]
            .into_iter()
            .chain(rows)
            .chain(query.parameters.iter().cloned())
            .collect()
    }
}

/// Returns the allowed words, after the most similar one if one is similar.
pub fn did_you_mean(word: &str, allowed: &[&str]) -> String {
    let list = format!("use one of: {}", allowed.join(", "));
    nearest(word, allowed).map_or(list.clone(), |candidate| {
        format!("did you mean '{candidate}'? {list}")
    })
}

/// Returns the word that was probably meant by a misspelled or incomplete word.
pub fn nearest<'a>(typed: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let letters = typed.chars().count();
    let most = match letters {
        0..3 => 0,
        3..5 => 1,
        _ => 2,
    };
    let distance = |word: &str| {
        let begin: String = word.chars().take(letters).collect();
        let of_begin = strsim::damerau_levenshtein(&typed, &begin) + 1;
        of_begin.min(strsim::damerau_levenshtein(&typed, word))
    };
    let near = allowed
        .iter()
        .map(|word| (distance(word), *word))
        .filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn names_the_nearest() {
        assert_eq!(
            did_you_mean("emial", &["email", "role"]),
            "did you mean 'email'? use one of: email, role"
        );
        assert_eq!(
            did_you_mean("frist", &["first_name"]),
            "did you mean 'first_name'? use one of: first_name"
        );
        assert_eq!(
            did_you_mean("rol", &["email", "role"]),
            "did you mean 'role'? use one of: email, role"
        );
        assert_eq!(
            did_you_mean("zzz", &["email", "role"]),
            "use one of: email, role"
        );
    }
}
