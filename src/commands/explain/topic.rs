//! Finds the page for a word. `pages.txt` has one page per kind of error.

use crate::error::{EXIT_CODES, Error, ExitCode, Result};
use crate::resources::most_similar;
use serde::Serialize;

const PAGES: &str = include_str!("pages.txt");

/// A kind of error with its page.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Topic {
    #[serde(flatten)]
    row: ExitCode,
    pub page: &'static str,
}

impl Topic {
    /// Returns all topics in the order of the exit codes.
    pub fn all() -> impl Iterator<Item = Self> {
        PAGES.split("== ").filter_map(|page| {
            let (kind, page) = page.split_once('\n')?;
            let row = *EXIT_CODES.iter().find(|row| row.kind == Some(kind))?;
            let page = page.trim_end();
            Some(Self { row, page })
        })
    }

    /// Returns the topic of a kind or an exit code.
    ///
    /// # Errors
    /// `Usage` if the word is neither.
    pub fn find(word: &str) -> Result<Self> {
        let name = word.trim().to_lowercase().replace(['-', ' '], "_");
        let number: Option<u8> = name.parse().ok();
        let mut names = Vec::new();
        for topic in Self::all() {
            if topic.name() == name || number == Some(topic.row.exit_code) {
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

    /// Returns the name of the kind.
    pub fn name(&self) -> &'static str {
        self.row.kind.unwrap_or_default()
    }

    /// Returns the heading of the page.
    pub fn title(&self) -> String {
        let ExitCode {
            exit_code, when, ..
        } = self.row;
        format!("{} (exit {exit_code}): {when}", self.name())
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
            ("already_exists", None),
            ("0", None),
            ("503", None),
            ("", None),
        ] {
            let topic = Topic::find(word).ok();
            assert_eq!(topic.map(|topic| topic.name()), name, "{word}");
        }
        let kinds = EXIT_CODES.iter().filter_map(|row| row.kind);
        let names = Topic::all().map(|topic| topic.name());
        assert!(names.eq(kinds), "every kind has a page");
    }
}
