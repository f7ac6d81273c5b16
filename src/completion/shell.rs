//! Talks to the shells' scripts in `completions/`.

use super::local::Candidate;

/// A shell with a completion script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    #[value(alias = "pwsh")]
    Powershell,
    Zsh,
}

/// A typed command line up to the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TypedLine {
    /// The complete words, without the program's name.
    pub words: Vec<String>,
    /// The typed part of the next word.
    pub current: String,
    /// Whether a quote is open.
    is_quoted: bool,
}

impl Shell {
    /// Returns the script that the shell loads.
    pub fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("../../completions/sitectl.bash"),
            Self::Elvish => include_str!("../../completions/sitectl.elv"),
            Self::Fish => include_str!("../../completions/sitectl.fish"),
            Self::Powershell => include_str!("../../completions/_sitectl.ps1"),
            Self::Zsh => include_str!("../../completions/_sitectl"),
        }
    }

    /// Parses the arguments of the shell's script, which are the words up to the cursor, beginning
    /// with the program's name. None if they are missing or cannot be split.
    pub fn parse_arguments(self, mut args: Vec<String>) -> Option<TypedLine> {
        match self {
            // Bash splits words at `:`, `=` and `@`, so its script passes the line.
            Self::Bash => return TypedLine::split(args.first()?),
            // The word at the cursor is passed as typed, the others without quotes.
            Self::Fish => {
                let typed = TypedLine::split(&args.pop()?)?;
                args.push(typed.current);
            }
            // Some versions drop empty arguments, so each begins with a letter.
            Self::Powershell => {
                for word in &mut args {
                    *word = word.chars().skip(1).collect();
                }
            }
            Self::Elvish | Self::Zsh => {}
        }
        TypedLine::new(args, false)
    }

    /// Formats the reply: the line `values`, and one line per candidate. Without candidates (none),
    /// the line `files` makes the shell complete files. For bash, a line is the text to append; for
    /// other shells, it begins with a space if the candidate is complete, and with `+` if it
    /// continues.
    pub fn format_reply(self, typed: &TypedLine, candidates: Option<Vec<Candidate>>) -> String {
        let Some(candidates) = candidates else {
            return "files\n".into();
        };
        let mut reply = String::from("values\n");
        for candidate in &candidates {
            reply += &match self {
                Self::Bash => text_to_append(typed, candidate),
                _ => {
                    let mark = if candidate.is_complete { ' ' } else { '+' };
                    format!("{mark}{}\t{}", candidate.value, candidate.description)
                }
            };
            reply.push('\n');
        }
        reply
    }
}

/// Returns the text that bash appends to the word at the cursor. Bash itself closes an open quote.
fn text_to_append(typed: &TypedLine, candidate: &Candidate) -> String {
    let rest = candidate.value.strip_prefix(&typed.current);
    let ends_word = candidate.is_complete && !typed.is_quoted;
    let space = if ends_word { " " } else { "" };
    format!("{}{space}", rest.unwrap_or_default())
}

impl TypedLine {
    /// Removes the program's name from the words, and takes the last word as the one at the cursor.
    fn new(mut words: Vec<String>, is_quoted: bool) -> Option<Self> {
        let current = words.pop()?;
        if !words.is_empty() {
            words.remove(0);
        }
        Some(Self {
            words,
            current,
            is_quoted,
        })
    }

    /// Splits a line that can end inside a word or a quote. None if a shell could not split it.
    fn split(line: &str) -> Option<Self> {
        // Marks the end, so that an empty last word is a word.
        const END: char = '\u{1}';
        for quote in ["", "'", "\""] {
            if let Some(mut words) = shlex::split(&format!("{line}{END}{quote}")) {
                words.last_mut()?.pop().filter(|end| *end == END)?;
                return Self::new(words, !quote.is_empty());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_like_a_shell_does() {
        for (line, words, current, is_quoted) in [
            ("sitectl", &[][..], "sitectl", false),
            ("sitectl ", &[], "", false),
            (
                "sitectl  a 'b c' \"d \\\" $e\" f\\ g h",
                &["a", "b c", "d \" $e", "f g"],
                "h",
                false,
            ),
            ("x --filter='email:con", &[], "--filter=email:con", true),
            ("x 'a b'\\''c", &[], "a b'c", true),
            ("x \"it's", &[], "it's", true),
            ("x '", &[], "", true),
            ("x '' ", &[""], "", false),
        ] {
            let typed = TypedLine::split(line).unwrap_or_default();
            assert_eq!(
                (
                    typed.words.as_slice(),
                    typed.current.as_str(),
                    typed.is_quoted
                ),
                (
                    &words.iter().map(ToString::to_string).collect::<Vec<_>>()[..],
                    current,
                    is_quoted
                ),
                "{line}"
            );
        }
        assert_eq!(TypedLine::split("x #comm"), None);
    }
}
