//! Parses a command line against the parser's tree, also if the line is incomplete or wrong.
//! Completion uses the result to find candidates. Usage errors use it to find the right help and
//! output format.

use clap::{Arg, Command};

/// A command line, as far as the parser's tree knows its words.
#[derive(Debug)]
pub struct CommandLine<'c> {
    /// The command that the words lead to.
    pub command: &'c Command,
    /// The names of the commands on the way there, without the program's.
    pub path: Vec<&'c str>,
    /// The arguments that are not options.
    pub positionals: Vec<String>,
    /// Whether every command and option in the line exists.
    pub is_known: bool,
    /// The options in the order of the line, with their values. The value of a flag is empty.
    options: Vec<(&'c Arg, String)>,
    /// The last option, if its value is the next word.
    pending_option: Option<&'c Arg>,
    /// Whether a word was `--`, after which no word is an option.
    pub options_ended: bool,
}

impl<'c> CommandLine<'c> {
    /// Parses the words after the program's name. `root` must have been built.
    pub fn parse(root: &'c Command, words: &[String]) -> Self {
        let mut line = Self {
            command: root,
            path: Vec::new(),
            positionals: Vec::new(),
            is_known: true,
            options: Vec::new(),
            pending_option: None,
            options_ended: false,
        };
        for word in words {
            line.add_word(word);
        }
        line
    }

    fn add_word(&mut self, word: &str) {
        let is_option = self.is_option(word);
        match self.pending_option.take() {
            Some(option) if !is_option || option.is_allow_hyphen_values_set() => {
                self.options.push((option, word.into()))
            }
            _ if !is_option => self.add_command_or_positional(word),
            _ if word == "--" => self.options_ended = true,
            _ => self.add_options(word),
        }
    }

    fn add_command_or_positional(&mut self, word: &str) {
        match self.command.find_subcommand(word) {
            Some(command) if self.positionals.is_empty() => {
                self.path.push(command.get_name());
                self.command = command;
            }
            _ => {
                self.is_known &= !self.command.has_subcommands();
                self.positionals.push(word.into());
            }
        }
    }

    fn add_options(&mut self, word: &str) {
        let Some(options) = self.options_in(word) else {
            self.is_known = false;
            return;
        };
        for (option, value) in options {
            match value {
                None if takes_value(option) => self.pending_option = Some(option),
                None => self.options.push((option, String::new())),
                Some(value) => self.options.push((option, value.into())),
            }
        }
    }

    /// Returns the options in a word such as `--name=value`, `-qv` or `-qojson`, of which the last
    /// can have a value. None if an option does not exist.
    fn options_in<'w>(&self, word: &'w str) -> Option<Vec<(&'c Arg, Option<&'w str>)>> {
        let mut known = self.command.get_arguments();
        if let Some(long) = word.strip_prefix("--") {
            let mut parts = long.splitn(2, '=');
            let name = parts.next();
            let value = parts.next();
            let option = known.find(|arg| arg.get_long() == name)?;
            return Some(vec![(option, value)]);
        }
        let mut options = Vec::new();
        for (index, letter) in word.char_indices().skip(1) {
            let mut known = self.command.get_arguments();
            let option = known.find(|arg| arg.get_short() == Some(letter))?;
            let rest = &word[index + letter.len_utf8()..];
            if takes_value(option) && !rest.is_empty() {
                let value = rest.strip_prefix('=').unwrap_or(rest);
                options.push((option, Some(value)));
                break;
            }
            options.push((option, None));
        }
        Some(options)
    }

    /// Whether `word` would be an option if it came next. `-` alone is a value that stands for
    /// stdin.
    fn is_option(&self, word: &str) -> bool {
        !self.options_ended && word.len() > 1 && word.starts_with('-')
    }

    /// Returns the option whose value is at the cursor, and the typed part of the value. None if
    /// the cursor is not at such a value.
    pub fn option_value<'w>(&self, current: &'w str) -> Option<(&'c Arg, &'w str)> {
        if let Some(option) = self.pending_option {
            return Some((option, current));
        }
        if !self.is_option(current) {
            return None;
        }
        match self.options_in(current)?.pop()? {
            (option, Some(value)) if takes_value(option) => Some((option, value)),
            _ => None,
        }
    }

    /// Returns the last value of the option with this clap id, such as `base_url`; an empty text
    /// for a flag.
    pub fn last_value(&self, id: &str) -> Option<&str> {
        for (option, value) in self.options.iter().rev() {
            if option.get_id() == id {
                return Some(value);
            }
        }
        None
    }

    /// Returns the positional argument that the next word belongs to.
    pub fn next_positional(&self) -> Option<&'c Arg> {
        let mut arguments: Vec<&Arg> = self.command.get_positionals().collect();
        arguments.retain(|arg| !arg.is_hide_set());
        if let Some(argument) = arguments.get(self.positionals.len()) {
            return Some(argument);
        }
        let last = arguments.last()?;
        let value_count = last.get_num_args()?;
        if value_count.max_values() > 1 {
            Some(last)
        } else {
            None
        }
    }
}

fn takes_value(option: &Arg) -> bool {
    option
        .get_num_args()
        .is_some_and(|number| number.takes_values())
}
