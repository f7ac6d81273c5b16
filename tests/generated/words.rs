//! What is set in bold or italic in a line of plain words.

use regex::Regex;
use roff::{Inline, bold, italic, roman};

/// Words of help: what stands in backquotes is bold, as are flags and variables.
pub fn marked(words: &str) -> Vec<Inline> {
    styled(words, r"`(?P<bold>[^`]+)`|(?P<flag>(?:^|\s|\()--?[a-z][a-z-]*\b|\bSITECTL_[A-Z_]+\b)")
}

/// A way to call a command, as usage lines have it: what is typed as it is is bold, and what stands for a value italic.
pub fn usage(line: &str) -> Vec<Inline> {
    let line = Regex::new("<([^<>]+)>").unwrap().replace_all(line, "$1");
    styled(&line, r"(?P<italic>\b[A-Z][A-Z_]*\b)|(?P<bold>[^\s\[\]|.<]+)")
}

/// A sentence, whether or not it was written with a full stop.
pub fn sentence(words: &str) -> String {
    let words = words.trim();
    let ended = words.is_empty() || words.ends_with(['.', '!', '?', '…']);
    format!("{words}{}", if ended { "" } else { "." })
}

/// The words with their first letter as a sentence has it.
pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The same words, never at the end of one line and the beginning of the next.
pub fn unbroken(inline: Inline) -> Inline {
    let joined = |words: String| words.replace(' ', "\u{a0}");
    match inline {
        Inline::Roman(words) => roman(joined(words)),
        Inline::Bold(words) => bold(joined(words)),
        Inline::Italic(words) => italic(joined(words)),
        Inline::LineBreak => Inline::LineBreak,
    }
}

fn styled(text: &str, pattern: &str) -> Vec<Inline> {
    let pattern = Regex::new(pattern).unwrap();
    let mut inlines = Vec::new();
    let mut end = 0;
    for found in pattern.captures_iter(text) {
        let whole = found.get(0).unwrap();
        inlines.push(roman(&text[end..whole.start()]));
        match (found.name("bold"), found.name("italic"), found.name("flag")) {
            (Some(words), _, _) => inlines.push(bold(words.as_str())),
            (_, Some(words), _) => inlines.push(italic(words.as_str())),
            (_, _, Some(words)) => {
                let flag = words.as_str().trim_start_matches([' ', '(']);
                inlines.extend([roman(&words.as_str()[..words.len() - flag.len()]), bold(flag)]);
            }
            _ => inlines.push(roman(whole.as_str())),
        }
        end = whole.end();
    }
    inlines.push(roman(&text[end..]));
    inlines.retain(|inline| !matches!(inline, Inline::Roman(text) if text.is_empty()));
    inlines
}
