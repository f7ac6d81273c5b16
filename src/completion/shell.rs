//! Talks to the shells. The other side is the shell's script in `completions/`.

use super::local::Candidate;

/// A shell with a completion script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// A command line up to the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Typed {
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

    /// Reads the arguments of the shell's script.
    pub fn typed(self, mut args: Vec<String>) -> Option<Typed> {
        match self {
            // Bash splits words at `:`, `=` and `@`, so its script passes the line.
            Self::Bash => return Typed::split(args.first()?),
            // The word at the cursor comes as it is typed, the others without quotes.
            Self::Fish => {
                let typed = Typed::split(&args.pop()?)?;
                args.push(typed.current);
            }
            // Some versions drop empty arguments, so each begins with a letter.
            Self::Powershell => args
                .iter_mut()
                .for_each(|word| *word = word.chars().skip(1).collect()),
            Self::Elvish | Self::Zsh => {}
        }
        Typed::new(args, false)
    }

    /// Writes the reply: a line with its kind, then one line per candidate.
    pub fn format(self, typed: &Typed, reply: Option<Vec<Candidate>>) -> String {
        let Some(candidates) = reply else {
            return "files\n".into();
        };
        let lines = candidates.iter().map(|one| match self {
            Self::Bash => rest(typed, one),
            _ => format!(
                "{}{}\t{}\n",
                if one.is_complete { ' ' } else { '+' },
                one.value,
                one.about
            ),
        });
        ["values\n".into()].into_iter().chain(lines).collect()
    }
}

/// Returns the text that bash appends to the word at the cursor. Bash itself closes an open quote.
fn rest(typed: &Typed, candidate: &Candidate) -> String {
    let rest = candidate
        .value
        .strip_prefix(&typed.current)
        .unwrap_or_default();
    format!(
        "{rest}{}\n",
        if candidate.is_complete && !typed.is_quoted {
            " "
        } else {
            ""
        }
    )
}

impl Typed {
    fn new(mut words: Vec<String>, is_quoted: bool) -> Option<Self> {
        let current = words.pop()?;
        words.drain(..words.len().min(1));
        Some(Self {
            words,
            current,
            is_quoted,
        })
    }

    /// Splits a line that can end inside a word or quote.
    fn split(line: &str) -> Option<Self> {
        // Keeps the last word if it is empty.
        const END: char = '\u{1}';
        let closed = |quote| Some((quote, shlex::split(&format!("{line}{END}{quote}"))?));
        let (quote, mut words): (&str, _) = ["", "'", "\""].into_iter().find_map(closed)?;
        words.last_mut()?.pop().filter(|end| *end == END)?;
        Self::new(words, !quote.is_empty())
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
            let typed = Typed::split(line).unwrap_or_default();
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
        assert_eq!(Typed::split("x #comm"), None);
    }
}
