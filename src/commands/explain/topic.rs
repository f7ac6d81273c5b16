//! What a word that was typed stands for.

use super::page;
use crate::api::kind_of;
use crate::error::{Error, Kind, Result};
use crate::exit::exit_code;
use crate::query::nearest;
use serde::Serialize;

/// Something that can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    kind: Kind,
    /// The code of a detail, and what there is to say about it; else it is the kind that is meant.
    code: Option<(&'static str, &'static str)>,
}

/// What is printed of it.
#[derive(Serialize)]
pub struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    kind: &'static str,
    exit_code: u8,
    when: &'static str,
    page: &'static str,
}

/// What the table of all kinds shows of it.
#[derive(Serialize)]
pub struct Line {
    exit_code: u8,
    kind: &'static str,
    when: &'static str,
}

impl Topic {
    /// All kinds.
    pub fn kinds() -> Vec<Self> {
        Kind::ALL.iter().map(|kind| Self { kind: *kind, code: None }).collect()
    }

    /// All codes of details that are no kinds too.
    fn codes() -> Vec<Self> {
        let kind_of = |name: &str| Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Invalid);
        page::codes().map(|(code, kind, text)| Self { kind: kind_of(kind), code: Some((code, text)) }).collect()
    }

    /// What the word stands for: a kind, an exit code, a detail's code or an HTTP status.
    ///
    /// # Errors
    /// `Usage` with what there is.
    pub fn find(word: &str) -> Result<Self> {
        let name = word.trim().to_lowercase().replace(['-', ' '], "_");
        let known: Vec<Self> = Self::kinds().into_iter().chain(Self::codes()).collect();
        let number = name.parse().ok();
        let coded = |topic: &&Self| topic.code.is_none() && number == Some(u16::from(exit_code(topic.kind)));
        let named = known.iter().find(|topic| topic.name() == name).or_else(|| known.iter().find(coded));
        let of_status = || number.and_then(kind_of).map(|kind| Self { kind, code: None });
        named.copied().or_else(of_status).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(Self::name).collect();
            let what = match number {
                Some(0) => "'0' is no error: it means that the command has done what it was asked to".into(),
                _ => format!("'{word}' is no kind of error, no exit code of one and no code of a detail"),
            };
            let meant = nearest(&name, &names).map(|near| format!("did you mean '{near}'? "));
            Error::usage(what).hint(format!("{}sitectl explain lists the kinds", meant.unwrap_or_default()))
        })
    }

    /// Its name: the kind's, or the code's.
    pub fn name(&self) -> &'static str {
        self.code.map_or(self.kind.name(), |(code, _)| code)
    }

    /// What it is, in a line.
    pub fn title(&self) -> String {
        let (kind, exit) = (self.kind.name(), exit_code(self.kind));
        match self.code {
            Some((code, _)) => format!("{code}: a detail of {kind} (exit {exit})"),
            None => format!("{kind} (exit {exit}): {}", self.kind.when()),
        }
    }

    /// Its text.
    pub fn text(&self) -> &'static str {
        self.code.map_or(page::of_kind(self.kind), |(_, text)| text)
    }

    /// It as a record.
    pub fn entry(&self) -> Entry {
        let Self { kind, code } = self;
        let code = code.map(|(code, _)| code);
        Entry { code, kind: kind.name(), exit_code: exit_code(*kind), when: kind.when(), page: self.text() }
    }

    /// It as a line of the table.
    pub fn line(&self) -> Line {
        Line { exit_code: exit_code(self.kind), kind: self.kind.name(), when: self.kind.when() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_kinds_and_codes() {
        let cases = [
            ("unknown_outcome", "unknown_outcome"),
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
        let sections = ["What happened", "What it means", "Usual causes", "What to do", "In a script", "Example"];
        for topic in Topic::kinds() {
            let heads: Vec<&str> =
                topic.text().lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
            assert_eq!(heads, sections, "{}", topic.name());
        }
        for (code, kind, text) in page::codes() {
            assert!(Kind::ALL.iter().any(|known| known.name() == kind), "{code} has the kind {kind}");
            assert!(text.starts_with("  ") && !text.ends_with(char::is_whitespace), "{code}");
            assert_eq!(Topic::find(code).ok().map(|topic| topic.name()), Some(code));
        }
    }
}
