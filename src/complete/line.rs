//! A command line as text: what its words are, also where the last one is not complete, and how to go on typing it.

/// A command line up to the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The words that are complete; the first is the program.
    pub before: Vec<String>,
    /// What is typed of the next.
    pub current: String,
    /// The quote that is open at the end.
    pub quote: Option<char>,
    /// The end of the line as the shell is going to replace it.
    pub tail: String,
    /// Whether the shell only lists what there is.
    pub listing: bool,
    /// How wide it lists.
    pub width: usize,
}

impl Typed {
    /// Words that the shell has taken apart itself; the last is the one that is being typed.
    pub fn words(mut words: Vec<String>) -> Self {
        let current = words.pop().unwrap_or_default();
        Self { before: words, current, ..Self::default() }
    }

    /// A line that is taken apart here, by the rules that all shells share.
    pub fn line(text: &str) -> Self {
        let mut typed = Self::default();
        let mut word: Option<String> = None;
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            match (typed.quote, c) {
                (None, ' ' | '\t' | '\n') => typed.before.extend(word.take()),
                (None, '\'' | '"') => {
                    typed.quote = Some(c);
                    word.get_or_insert_default();
                }
                (Some(quote), c) if c == quote => typed.quote = None,
                (None | Some('"'), '\\') => match characters.peek().copied() {
                    Some(next) if typed.quote.is_none() || matches!(next, '"' | '\\' | '$' | '`') => {
                        word.get_or_insert_default().push(next);
                        characters.next();
                    }
                    Some(_) => word.get_or_insert_default().push('\\'),
                    None => {}
                },
                (_, c) => word.get_or_insert_default().push(c),
            }
        }
        typed.current = word.unwrap_or_default();
        typed
    }

    /// The word as it would stand in the line: what is typed of it stays as it is, and the rest is quoted as that is.
    pub fn completed(&self, value: &str) -> Option<String> {
        let rest = value.strip_prefix(&self.current)?;
        Some(format!("{}{}", self.tail, rest.chars().map(|c| self.escaped(c)).collect::<String>()))
    }

    fn escaped(&self, c: char) -> String {
        let is_plain = c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | ':' | '=' | '/' | '@' | '+' | '%');
        match self.quote {
            None if !is_plain => format!("\\{c}"),
            Some('\'') if c == '\'' => r"'\''".into(),
            Some('"') if matches!(c, '"' | '\\' | '$' | '`') => format!("\\{c}"),
            _ => c.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_its_words() {
        for (line, before, current, quote) in [
            ("sitectl", &[][..], "sitectl", None),
            ("sitectl ", &["sitectl"], "", None),
            ("sitectl  a 'b c' \"d \\\" $e\" f\\ g h", &["sitectl", "a", "b c", "d \" $e", "f g"], "h", None),
            ("x --filter='email:con", &["x"], "--filter=email:con", Some('\'')),
            ("x 'a b'\\''c", &["x"], "a b'c", Some('\'')),
            ("x \"a\\b", &["x"], "a\\b", Some('"')),
            ("x '", &["x"], "", Some('\'')),
            ("x a\\", &["x"], "a", None),
            ("x '' ", &["x", ""], "", None),
        ] {
            let typed = Typed::line(line);
            assert_eq!(
                (&typed.before[..], typed.current.as_str(), typed.quote),
                (&before.iter().map(ToString::to_string).collect::<Vec<_>>()[..], current, quote),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_typed_stays_and_the_rest_is_quoted() {
        for (line, tail, value, whole) in [
            ("x ", "", "a b", r"a\ b"),
            ("x a", "a", "a'b$c", r"a\'b\$c"),
            ("x 'a", "a", "a'b c", r"a'\''b c"),
            ("x \"a", "a", "a\"$b'", "a\\\"\\$b'"),
            ("x --filter=email:c", "c", "--filter=email:contains=", "contains="),
            ("x é", "é", "ête", ""),
        ] {
            let typed = Typed { tail: tail.into(), ..Typed::line(line) };
            assert_eq!(typed.completed(value).unwrap_or_default(), whole, "{line}");
        }
    }
}
