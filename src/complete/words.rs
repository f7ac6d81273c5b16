//! Where in the parser's tree a command line stands: which command it is of, what it was given, and what the word that
//! is being typed could be.

use clap::{Arg, ArgAction, Command};

/// An option of a word, and its value where it is in the same word, with what comes before it there.
type Found<'c> = (&'c Arg, Option<(String, String)>);

/// A command line that is being typed.
#[derive(Debug)]
pub struct Point<'c> {
    /// The names of the commands, without the program's.
    pub path: Vec<&'c str>,
    /// The last of these commands.
    pub command: &'c Command,
    /// The options that were given; those without a value have an empty one.
    pub given: Vec<(&'c Arg, String)>,
    /// The words that are no options.
    pub words: Vec<String>,
    /// What the word that is being typed could be.
    pub place: Place<'c>,
}

/// What a word could be.
#[derive(Debug)]
pub enum Place<'c> {
    /// The value of an option. What comes before it in the same word is not part of it.
    Value {
        /// The option.
        option: &'c Arg,
        /// Such as `--output=`.
        before: String,
        /// The value so far.
        typed: String,
    },
    /// The name of an option.
    Option(String),
    /// A command, or what a command works on.
    Word {
        /// The word so far.
        typed: String,
        /// Whether options may stand here.
        options: bool,
    },
}

impl<'c> Point<'c> {
    /// Where the words, of which the first is the program, and what is typed of the next lead. None where no parser
    /// would get so far.
    pub fn find(root: &'c Command, words: &[String], typed: &str) -> Option<Self> {
        let place = Place::Word { typed: String::new(), options: true };
        let mut point = Self { path: Vec::new(), command: root, given: Vec::new(), words: Vec::new(), place };
        // The option that the next word is the value of.
        let mut waiting = None;
        let mut escaped = false;
        for word in words.iter().skip(1) {
            match waiting.take() {
                Some(option) => point.given.push((option, word.clone())),
                None if escaped => point.words.push(word.clone()),
                None if word == "--" => escaped = true,
                None => waiting = point.take(word)?,
            }
        }
        point.place = match waiting {
            Some(option) => Place::Value { option, before: String::new(), typed: typed.into() },
            None if escaped => Place::Word { typed: typed.into(), options: false },
            None => point.place_of(typed)?,
        };
        Some(point)
    }

    /// Takes in a word. Says of which option the next one is the value.
    fn take(&mut self, word: &str) -> Option<Option<&'c Arg>> {
        if word.len() > 1 && word.starts_with('-') {
            return self.take_option(word);
        }
        match self.command.find_subcommand(word) {
            Some(command) if self.words.is_empty() => {
                self.path.push(command.get_name());
                self.command = command;
            }
            _ if self.command.has_subcommands() => return None,
            _ => self.words.push(word.into()),
        }
        Some(None)
    }

    fn take_option(&mut self, word: &str) -> Option<Option<&'c Arg>> {
        let found = if word.starts_with("--") { vec![self.long(word)?] } else { self.short(word)? };
        for (option, value) in found {
            match value {
                None if takes_value(option) => return Some(Some(option)),
                value => self.given.push((option, value.map(|(_, value)| value).unwrap_or_default())),
            }
        }
        Some(None)
    }

    fn place_of(&self, typed: &str) -> Option<Place<'c>> {
        let found = match typed {
            _ if typed.starts_with("--") => typed.contains('=').then(|| self.long(typed)).flatten(),
            _ if typed.len() > 1 && typed.starts_with('-') => self.short(typed)?.pop(),
            _ => return Some(Place::Word { typed: typed.into(), options: typed.is_empty() || typed == "-" }),
        };
        match found {
            Some((option, Some((before, typed)))) if takes_value(option) => {
                Some(Place::Value { option, before, typed })
            }
            Some((option, None)) if takes_value(option) => {
                Some(Place::Value { option, before: typed.into(), typed: String::new() })
            }
            Some(_) => None,
            None if typed.contains('=') => None,
            None => Some(Place::Option(typed.into())),
        }
    }

    /// The option of a word such as `--name` or `--name=value`.
    fn long(&self, word: &str) -> Option<Found<'c>> {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let name = name.strip_prefix("--")?;
        let known = |arg: &&Arg| arg.get_long_and_visible_aliases().is_some_and(|names| names.contains(&name));
        let option = self.command.get_arguments().find(known)?;
        Some((option, value.map(|value| (format!("--{name}="), value.into()))))
    }

    /// The options of a word such as `-qv`, `-ojson` or `-o=json`: the last may have a value.
    fn short(&self, word: &str) -> Option<Vec<Found<'c>>> {
        let mut found = Vec::new();
        for (place, letter) in word.char_indices().skip(1) {
            let option = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter))?;
            let rest = &word[place + letter.len_utf8()..];
            if takes_value(option) && !rest.is_empty() {
                let value = rest.strip_prefix('=').unwrap_or(rest);
                let before = word.strip_suffix(value).unwrap_or(word);
                found.push((option, Some((before.into(), value.into()))));
                return Some(found);
            }
            found.push((option, None));
        }
        Some(found)
    }

    /// The last value that was given to the option of this name.
    pub fn value(&self, id: &str) -> Option<&str> {
        self.given.iter().rev().find(|(arg, _)| arg.get_id() == id).map(|(_, value)| value.as_str())
    }

    /// Whether an option could be given once more.
    pub fn may_come(&self, option: &Arg) -> bool {
        let again = matches!(option.get_action(), ArgAction::Append | ArgAction::Count);
        again || !self.given.iter().any(|(given, _)| given.get_id() == option.get_id())
    }

    /// The argument that the next word that is no option would be.
    pub fn positional(&self) -> Option<&'c Arg> {
        let mut positionals = self.command.get_positionals().filter(|arg| !arg.is_hide_set());
        let last = self.command.get_positionals().last().filter(|arg| !arg.is_hide_set() && takes_many(arg));
        positionals.nth(self.words.len()).or(last)
    }
}

fn takes_value(option: &Arg) -> bool {
    option.get_num_args().is_some_and(|number| number.takes_values())
}

fn takes_many(positional: &Arg) -> bool {
    positional.get_num_args().is_some_and(|number| number.max_values() > 1)
}
