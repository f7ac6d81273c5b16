//! A list query: parameters that were checked against the resource before anything is sent.

pub mod filter;
mod moment;
pub mod sort;
pub mod wire;

pub use moment::{Edge, Zone};

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
        let rows = self.per_page.map(|rows| (wire::PER_PAGE.to_string(), rows.to_string()));
        [number].into_iter().chain(rows).chain(query.parameters.iter().cloned()).collect()
    }
}

/// Returns the allowed words, after the most similar one if one is similar.
pub fn did_you_mean(word: &str, allowed: &[&str]) -> String {
    let list = format!("use one of: {}", allowed.join(", "));
    nearest(word, allowed).map_or(list.clone(), |candidate| format!("did you mean '{candidate}'? {list}"))
}

/// Returns the most similar word, if one is similar.
pub fn nearest<'a>(word: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    // A part of a name, such as 'name', is similar however much is missing.
    let part = |candidate: &str| if word.len() > 2 && candidate.contains(&word) { 0.8 } else { 0.0 };
    let alike =
        allowed.iter().map(|candidate| (strsim::jaro_winkler(&word, candidate).max(part(candidate)), *candidate));
    let near = alike.filter(|(likeness, _)| *likeness > 0.75).max_by(|a, b| a.0.total_cmp(&b.0));
    near.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn names_the_nearest() {
        assert_eq!(did_you_mean("emial", &["email", "role"]), "did you mean 'email'? use one of: email, role");
        assert_eq!(
            did_you_mean("nam", &["email", "last_name"]),
            "did you mean 'last_name'? use one of: email, last_name"
        );
        assert_eq!(did_you_mean("zzz", &["email", "role"]), "use one of: email, role");
    }
}
