//! Reads a command line against the parser's tree, also if the line is incomplete or wrong. Completion needs to know
//! what can come next; the error of a failed parse, which command's help applies and how to print.

use clap::{Arg, Command};

/// A command line as far as the parser's tree knows its words.
#[derive(Debug)]
pub struct CommandLine<'c> {
    /// The command that the words lead to.
    pub command: &'c Command,
    /// The names of the commands on the way there, without the program's.
    pub path: Vec<&'c str>,
    /// The arguments that are not options.
    pub positionals: Vec<String>,
    /// Whether every command and option exists.
    pub is_known: bool,
    /// The options with their values; a flag's is empty.
    options: Vec<(&'c Arg, String)>,
    /// The option whose value is the next word.
    pending: Option<&'c Arg>,
    /// Whether `--` came, after which no word is an option.
    pub escaped: bool,
}

impl<'c> CommandLine<'c> {
    /// Reads the words after the program's name. `root` must have been built.
    pub fn read(root: &'c Command, words: &[String]) -> Self {
        let (path, positionals, options) = (Vec::new(), Vec::new(), Vec::new());
        let (is_known, pending, escaped) = (true, None, false);
        let mut line = Self {
            command: root,
            path,
            positionals,
            is_known,
            options,
            pending,
            escaped,
        };
        words.iter().for_each(|word| line.take(word));
        line
    }

    fn take(&mut self, word: &str) {
        let is_option = self.is_option(word);
        match self.pending.take() {
            Some(option) if !is_option || option.is_allow_hyphen_values_set() => {
                self.options.push((option, word.into()))
            }
            _ if !is_option => self.take_word(word),
            _ if word == "--" => self.escaped = true,
            _ => self.take_options(word),
        }
    }

    fn take_word(&mut self, word: &str) {
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

    fn take_options(&mut self, word: &str) {
        let options = self.options_in(word);
        self.is_known &= options.is_some();
        for (option, value) in options.unwrap_or_default() {
            match value {
                None if takes_value(option) => self.pending = Some(option),
                value => self
                    .options
                    .push((option, value.unwrap_or_default().into())),
            }
        }
    }

    /// Returns the options in a word such as `--name=value`, `-qv` or `-qojson`, of which the last can have a value. None
    /// if an option does not exist.
    fn options_in<'w>(&self, word: &'w str) -> Option<Vec<(&'c Arg, Option<&'w str>)>> {
        let find =
            |matches: &dyn Fn(&Arg) -> bool| self.command.get_arguments().find(|arg| matches(arg));
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long
                .split_once('=')
                .map_or((long, None), |(name, value)| (name, Some(value)));
            return Some(vec![(find(&|arg| arg.get_long() == Some(name))?, value)]);
        }
        let mut options = Vec::new();
        for (place, letter) in word.char_indices().skip(1) {
            let option = find(&|arg| arg.get_short() == Some(letter))?;
            let rest = &word[place + letter.len_utf8()..];
            if takes_value(option) && !rest.is_empty() {
                options.push((option, Some(rest.strip_prefix('=').unwrap_or(rest))));
                break;
            }
            options.push((option, None));
        }
        Some(options)
    }

    /// Whether a word that comes next is read as an option; `-` alone stands for stdin.
    pub fn is_option(&self, word: &str) -> bool {
        !self.escaped && word.len() > 1 && word.starts_with('-')
    }

    /// Returns the option that the word at the cursor gives a value to, and the value so far.
    pub fn value_at<'w>(&self, current: &'w str) -> Option<(&'c Arg, &'w str)> {
        if let Some(option) = self.pending {
            return Some((option, current));
        }
        let (option, value) = self
            .is_option(current)
            .then(|| self.options_in(current))
            .flatten()?
            .pop()?;
        value
            .filter(|_| takes_value(option))
            .map(|value| (option, value))
    }

    /// Returns the last value of the option with this id.
    pub fn value(&self, id: &str) -> Option<&str> {
        self.options
            .iter()
            .rev()
            .find(|(arg, _)| arg.get_id() == id)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the positional argument that the next word belongs to.
    pub fn next_positional(&self) -> Option<&'c Arg> {
        let shown: Vec<&Arg> = self
            .command
            .get_positionals()
            .filter(|arg| !arg.is_hide_set())
            .collect();
        let repeats = |arg: &&Arg| {
            arg.get_num_args()
                .is_some_and(|number| number.max_values() > 1)
        };
        shown
            .get(self.positionals.len())
            .or(shown.last().filter(|arg| repeats(arg)))
            .copied()
    }
}

fn takes_value(option: &Arg) -> bool {
    option
        .get_num_args()
        .is_some_and(|number| number.takes_values())
}
