//! Finds the page for a word. `pages.txt` has one page per kind of error, and one per code of a
//! detail with the kind of the errors that have it.

use crate::error::{EXIT_CODES, Error, Result};
use crate::resources::most_similar;
use serde::Serialize;

const PAGES: &str = include_str!("pages.txt");

/// A kind of error, or the code of a detail.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Topic {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    kind: &'static str,
    exit_code: u8,
    when: &'static str,
    pub page: &'static str,
}

impl Topic {
    /// Returns all topics, kinds first.
    pub fn all() -> impl Iterator<Item = Self> {
        PAGES.split("== ").filter_map(|page| {
            let (head, page) = page.split_once('\n')?;
            let (code, kind) = match head.split_once(' ') {
                Some((code, kind)) => (Some(code), kind),
                None => (None, head),
            };
            let row = EXIT_CODES.iter().find(|row| row.kind == Some(kind))?;
            Some(Self {
                code,
                kind,
                exit_code: row.exit_code,
                when: row.when,
                page: page.trim_end(),
            })
        })
    }

    /// Returns the topic of a kind, an exit code or a detail's code.
    ///
    /// # Errors
    /// `Usage` if the word is none of these.
    pub fn find(word: &str) -> Result<Self> {
        let name = word.trim().to_lowercase().replace(['-', ' '], "_");
        let number: Option<u8> = name.parse().ok();
        let mut names = Vec::new();
        for topic in Self::all() {
            let is_exit_code = topic.code.is_none() && number == Some(topic.exit_code);
            if topic.name() == name || is_exit_code {
                return Ok(topic);
            }
            names.push(topic.name());
        }
        let list = "list the error codes: sitectl explain";
        if number == Some(0) {
            return Err(Error::usage("exit code 0 means success").with_hint(list));
        }
        let hint = match most_similar(&name, &names) {
            Some(similar) => format!("did you mean '{similar}'? {list}"),
            None => list.into(),
        };
        Err(Error::usage(format!("unknown error code '{word}'")).with_hint(hint))
    }

    /// Returns the name of the code or the kind.
    pub fn name(&self) -> &'static str {
        self.code.unwrap_or(self.kind)
    }

    /// Returns the heading of the page.
    pub fn title(&self) -> String {
        let Self {
            kind,
            exit_code,
            when,
            ..
        } = self;
        match self.code {
            Some(code) => format!("{code}: a detail of {kind} (exit {exit_code})"),
            None => format!("{kind} (exit {exit_code}): {when}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_name_and_number() {
        for (word, name) in [
            ("Unknown-Outcome", Some("unknown_outcome")),
            ("12", Some("unknown_outcome")),
            ("130", Some("interrupted")),
            ("already-exists", Some("already_exists")),
            ("0", None),
            ("503", None),
            ("", None),
        ] {
            assert_eq!(
                Topic::find(word).ok().map(|topic| topic.name()),
                name,
                "{word}"
            );
        }
        let kinds = Topic::all().filter(|topic| topic.code.is_none());
        let names = EXIT_CODES.iter().filter_map(|row| row.kind);
        assert!(
            kinds.map(|topic| topic.kind).eq(names),
            "every kind has a page"
        );
        assert_eq!(
            Topic::all().count(),
            PAGES.matches("== ").count(),
            "every code has a kind"
        );
    }
}
