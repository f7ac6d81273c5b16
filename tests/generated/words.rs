//! What is set in bold or italic in a line of plain words.

use regex::Regex;
use roff::{Inline, bold, italic, roman};

/// Words of help: what stands in backquotes is bold, as are flags and variables.
pub fn marked(words: &str) -> Vec<Inline> {
    styled(words, r"`(?P<bold>[^`]+)`|(?P<flag>(?:^|[ (])(?:-[A-Z]|--?[a-z][a-z-]*)\b|\bSITECTL_[A-Z_]+\b)")
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
        // What comes before a flag tells that it is one, and belongs to the words.
        let before =
            found.name("flag").map_or(0, |flag| flag.len() - flag.as_str().trim_start_matches([' ', '(']).len());
        let start = whole.start() + before;
        inlines.push(roman(&text[end..start]));
        inlines.push(match (found.name("bold"), found.name("italic")) {
            (Some(words), _) => bold(words.as_str()),
            (_, Some(words)) => italic(words.as_str()),
            _ => bold(&text[start..whole.end()]),
        });
        end = whole.end();
    }
    inlines.push(roman(&text[end..]));
    inlines.retain(|inline| !matches!(inline, Inline::Roman(text) if text.is_empty()));
    inlines
}

#[test]
fn what_is_typed_is_told_from_what_stands_for_it() {
    let way = vec![
        roman("["),
        italic("OPTIONS"),
        roman("] "),
        italic("SNAPSHOT_ID"),
        roman("|"),
        bold("latest"),
        roman(" "),
        bold("--plan"),
        roman(" "),
        italic("FILE"),
        roman("..."),
    ];
    assert_eq!(usage("[OPTIONS] <SNAPSHOT_ID|latest> --plan <FILE>..."), way);
    let words =
        vec![roman("with "), bold("-q"), roman(", "), bold("restore watch"), roman(" (or "), bold("--no-input")];
    assert_eq!(marked("with -q, `restore watch` (or --no-input"), words);
    assert_eq!(marked("-f and -F"), vec![bold("-f"), roman(" and "), bold("-F")]);
    assert_eq!(marked("well-known SITECTL_TOKEN"), vec![roman("well-known "), bold("SITECTL_TOKEN")]);
}
