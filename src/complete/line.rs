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
    /// Whether the next word holds what the shell would not take as it stands, such as a `$` that nothing quotes, or
    /// that would be so between backquotes, which take backslashes away: what came behind it could become a command.
    pub live: bool,
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
            typed.live |= is_live(typed.quote, c);
            match (typed.quote, c) {
                (None, ' ' | '\t' | '\n') => {
                    typed.before.extend(word.take());
                    typed.live = false;
                }
                (None, '\'' | '"') => {
                    typed.quote = Some(c);
                    word.get_or_insert_default();
                }
                (Some(quote), c) if c == quote => typed.quote = None,
                (None | Some('"'), '\\') => match characters.peek().copied() {
                    Some(next) if typed.quote.is_none() || matches!(next, '"' | '\\' | '$' | '`') => {
                        typed.live |= typed.quote.is_some() || matches!(next, '\\' | '`');
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
    /// None where it cannot be typed so that the program gets just this.
    pub fn completed(&self, value: &str) -> Option<String> {
        let rest = value.strip_prefix(&self.current).filter(|_| !self.live)?;
        // Between these quotes, nothing keeps bash from looking for it in the history.
        if self.quote == Some('"') && rest.contains('!') {
            return None;
        }
        Some(format!("{}{}", self.tail, rest.chars().map(|c| self.escaped(c)).collect::<String>()))
    }

    /// Backquotes around the whole command take a backslash away from what they enclose: what it would have to protect
    /// there is quoted without.
    fn escaped(&self, c: char) -> String {
        let alone = match c {
            '\'' => r"\'".into(),
            '`' => r"$'\140'".into(),
            '$' | '\\' | '"' => format!("'{c}'"),
            c => format!("\\{c}"),
        };
        match self.quote {
            None if !is_plain(c) => alone,
            Some('\'') if matches!(c, '\'' | '`' | '\\') => format!("'{alone}'"),
            Some('"') if matches!(c, '"' | '\\' | '$' | '`') => format!("\"{alone}\""),
            _ => c.into(),
        }
    }
}

/// Whether this character stands for itself, whatever is around it.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | ':' | '=' | '/' | '@' | '+' | '%')
}

/// Whether a shell does something about this character where no backslash comes before it. Blanks end a word, and
/// quotes and the backslash are taken apart here.
fn is_live(quote: Option<char>, c: char) -> bool {
    match quote {
        None => !is_plain(c) && !matches!(c, ' ' | '\t' | '\n' | '\'' | '"' | '\\'),
        Some('"') => matches!(c, '$' | '`' | '!'),
        // Backquotes around the whole command end at any that no backslash comes before.
        Some(_) => c == '`',
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
            ("x a", "a", "a'b$c", r"a\'b'$'c"),
            ("x 'a", "a", "a'b c", r"a'\''b c"),
            ("x \"a", "a", "a\"$b'", r#"a"'"'""'$'"b'"#),
            ("x ", "", "$a`b\\c\"", r#"'$'a$'\140'b'\'c'"'"#),
            ("x \"a", "a", "a`b\\", r#"a"$'\140'"b"'\'""#),
            ("x 'a", "a", "a`b$\\!", r"a'$'\140''b$''\''!"),
            ("x ", "", "a!b", r"a\!b"),
            ("x --filter=email:c", "c", "--filter=email:contains=", "contains="),
            ("x é", "é", "ête", ""),
        ] {
            let typed = Typed { tail: tail.into(), ..Typed::line(line) };
            assert_eq!(typed.completed(value).unwrap_or_default(), whole, "{line}");
        }
    }

    #[test]
    fn nothing_comes_behind_what_a_shell_would_not_take_as_it_stands() {
        let value = "com$(touch x)`touch x`!";
        for (line, is_offered) in [
            ("x com", true),
            ("x 'com", true),
            ("x \"com", false),
            ("x com$", false),
            ("x \"com$", false),
            ("x \"com\\$", false),
            ("x com\\$", true),
            ("x com\\$\\(touch\\ x\\)\\`", false),
            ("x 'com$", true),
            ("x 'com'$", false),
            ("x \"com\"$", false),
            ("x \"com\"\\$", true),
            ("x $com", false),
            ("x $'com", false),
            ("x $y \"$z\" com", true),
            ("x com'$(touch x)`", false),
            ("x com'$(touch x)'", true),
        ] {
            assert_eq!(Typed::line(line).completed(value).is_some(), is_offered, "{line}");
        }
        for (line, value, is_offered) in [
            ("x \"com", "com$(touch x)", true),
            ("x \"com\\$", "com$(touch x)", false),
            ("x \"com\\`", "com`touch x`", false),
            ("x com\\\\", "com\\$(touch x)", false),
            ("x \"com`", "com`touch x`", false),
            ("x com`", "com`touch x`", false),
            ("x \"com!", "com!x", false),
            ("x com!", "com!x", false),
            ("x com\\!", "com!x", true),
            ("x com>", "com>x", false),
            ("x a{b", "a{b,c}", false),
            ("x ~", "~root", false),
        ] {
            assert_eq!(Typed::line(line).completed(value).is_some(), is_offered, "{line}");
        }
    }
}
