//! Finds the page for a word. `pages.txt` has one page per kind of error, and one per code of a detail with the kind of
//! the errors that have it.

use crate::client::kind_of;
use crate::error::{Error, Kind, Result};
use crate::resources::query::nearest;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use serde::Serialize;
use std::ffi::OsStr;

const PAGES: &str = include_str!("pages.txt");

/// A kind of error, or the code of a detail.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Topic {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    #[serde(serialize_with = "name_of")]
    pub kind: Kind,
    exit_code: u8,
    when: &'static str,
    pub page: &'static str,
}

fn name_of<S: serde::Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl Topic {
    /// Returns all topics, kinds first.
    pub fn all() -> impl Iterator<Item = Self> {
        PAGES.split("== ").filter_map(|page| {
            let (head, page) = page.split_once('\n')?;
            let (code, kind) = head.split_once(' ').map_or((None, head), |(code, kind)| (Some(code), kind));
            let kind = Kind::ALL.into_iter().find(|known| known.name() == kind)?;
            Some(Self { code, kind, exit_code: kind.exit_code(), when: kind.meaning(), page: page.trim_end() })
        })
    }

    /// Returns the topic of a kind, an exit code, a detail's code or an HTTP status.
    ///
    /// # Errors
    /// `Usage` if the word is none of these.
    pub fn find(word: &str) -> Result<Self> {
        let name = word.trim().to_lowercase().replace(['-', ' '], "_");
        let number: Option<u16> = name.parse().ok();
        let kind = || {
            let by_exit_code = Kind::ALL.into_iter().find(|kind| number == Some(kind.exit_code().into()));
            by_exit_code.or_else(|| number.and_then(kind_of))
        };
        let topics: Vec<Self> = Self::all().collect();
        let named = topics.iter().find(|topic| topic.name() == name);
        let found = named.or_else(|| kind().and_then(|kind| topics.iter().find(|topic| topic.kind == kind)));
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = topics.iter().map(Self::name).collect();
            let similar = nearest(&name, &names).map(|similar| format!("did you mean '{similar}'? "));
            Error::usage(format!("unknown error code '{word}'"))
                .hint(format!("{}list the error codes: sitectl explain", similar.unwrap_or_default()))
        })
    }

    /// Returns the name of the code or the kind.
    pub fn name(&self) -> &'static str {
        self.code.unwrap_or(self.kind.name())
    }

    /// Returns the heading of the page.
    pub fn title(&self) -> String {
        let (kind, exit_code) = (self.kind.name(), self.exit_code);
        match self.code {
            Some(code) => format!("{code}: a detail of {kind} (exit {exit_code})"),
            None => format!("{kind} (exit {exit_code}): {}", self.when),
        }
    }
}

/// Accepts any word, because `Topic::find` has a better error than the parser. Completion offers the names.
#[derive(Debug, Clone)]
pub struct Word;

impl TypedValueParser for Word {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Topic::all().map(|topic| PossibleValue::new(topic.name()).help(topic.title()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_kinds_and_codes() {
        let cases = [
            ("Unknown-Outcome", "unknown_outcome"),
            ("12", "unknown_outcome"),
            ("130", "interrupted"),
            ("already-exists", "already_exists"),
            ("404", "not_found"),
            ("503", "unavailable"),
        ];
        for (word, name) in cases {
            assert_eq!(Topic::find(word).ok().map(|topic| topic.name()), Some(name), "{word}");
        }
        for word in ["0", "14", "200", "nonsense", "", "-"] {
            assert!(Topic::find(word).is_err(), "{word}");
        }
    }

    #[test]
    fn every_kind_has_a_page_and_every_code_a_kind() {
        let sections = ["What happened", "What it means", "Usual causes", "What to do", "In a script"];
        let kinds: Vec<Topic> = Topic::all().filter(|topic| topic.code.is_none()).collect();
        assert!(kinds.iter().map(|topic| topic.kind).eq(Kind::ALL));
        for topic in kinds {
            let heads = topic.page.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
            assert_eq!(heads.collect::<Vec<_>>(), sections, "{}", topic.name());
        }
        assert_eq!(Topic::all().count(), PAGES.matches("== ").count());
    }
}
