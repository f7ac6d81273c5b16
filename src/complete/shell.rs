//! The shells: how each asks, and how it is answered. Its script, which is the other side of this, is in `completions/`.

use super::candidates::{Answer, Candidate};
use super::line::Typed;

/// A shell that there is a script for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    /// The script that a shell reads.
    pub fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("../../completions/sitectl.bash"),
            Self::Elvish => include_str!("../../completions/sitectl.elv"),
            Self::Fish => include_str!("../../completions/sitectl.fish"),
            Self::Powershell => include_str!("../../completions/_sitectl.ps1"),
            Self::Zsh => include_str!("../../completions/_sitectl"),
        }
    }

    /// What has been typed, as the script says it.
    pub(super) fn typed(self, asked: Vec<String>) -> Typed {
        match self {
            Self::Bash => bash(asked),
            // Of the word that is being typed, fish tells the text alone.
            Self::Fish => {
                let typed = Typed::words(asked);
                Typed { current: Typed::line(&format!("_ {}", typed.current)).current, ..typed }
            }
            // Some versions drop an argument that is empty, so each has a letter before it.
            Self::Powershell => Typed::words(asked.iter().map(|word| word.chars().skip(1).collect()).collect()),
            Self::Elvish | Self::Zsh => Typed::words(asked),
        }
    }

    /// The answer: a line that says what kind it is, and a line a candidate.
    pub(super) fn tell(self, typed: &Typed, answer: Answer) -> String {
        let Answer::Values(candidates) = answer else { return "files\n".into() };
        let lines: Vec<String> = match self {
            Self::Bash => bash_lines(typed, &candidates),
            Self::Fish => candidates.iter().map(with_tab).collect(),
            Self::Zsh => candidates.iter().map(|one| format!("{}{}", mark(one), described(one))).collect(),
            Self::Elvish | Self::Powershell => {
                candidates.iter().map(|one| format!("{}{}", mark(one), with_tab(one))).collect()
            }
        };
        let lines = lines.into_iter().map(|line| line + "\n");
        ["values\n".to_string()].into_iter().chain(lines).collect()
    }
}

/// The line up to the cursor, its end that is going to be replaced, why it asks, and how wide the terminal is.
fn bash(asked: Vec<String>) -> Typed {
    let text = |place: usize| asked.get(place).map(String::as_str).unwrap_or_default();
    Typed {
        tail: text(1).into(),
        // The code of `?`: the second of two tabs, which lists and completes nothing.
        listing: text(2) == "63",
        width: text(3).parse().unwrap_or(80),
        ..Typed::line(text(0))
    }
}

/// In a list each has its description; a word of its own has the space that ends it, where no quote is open.
fn bash_lines(typed: &Typed, candidates: &[Candidate]) -> Vec<String> {
    let completed: Vec<(String, &Candidate)> =
        candidates.iter().filter_map(|one| Some((typed.completed(&one.value)?, one))).collect();
    if typed.listing && completed.len() > 1 && completed.iter().any(|(_, one)| !one.about.is_empty()) {
        let longest = completed.iter().map(|(word, _)| word.chars().count()).max().unwrap_or_default();
        let width = typed.width.saturating_sub(2).max(longest);
        let line = |(word, one): &(String, &Candidate)| match one.about.as_str() {
            "" => word.clone(),
            about => format!("{word:longest$}  ({about})").chars().take(width).collect(),
        };
        return completed.iter().map(line).collect();
    }
    let space = |one: &Candidate| if one.ends && typed.quote.is_none() { " " } else { "" };
    completed.iter().map(|(word, one)| format!("{word}{}", space(one))).collect()
}

/// Whether a space may follow.
fn mark(candidate: &Candidate) -> char {
    if candidate.ends { ' ' } else { '+' }
}

fn with_tab(candidate: &Candidate) -> String {
    match candidate.about.as_str() {
        "" => candidate.value.clone(),
        about => format!("{}\t{about}", candidate.value),
    }
}

/// As `_describe` of zsh reads it.
fn described(candidate: &Candidate) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace(':', "\\:");
    match candidate.about.as_str() {
        "" => escape(&candidate.value),
        about => format!("{}:{}", escape(&candidate.value), about.replace('\\', "\\\\")),
    }
}
