//! Which command a command line meant that could not be parsed: its help says what it takes.

use clap::{Arg, Command};

/// The words that lead to the command, as far as they are commands, such as `sitectl clients list`.
pub fn reached(mut root: Command, words: &[String]) -> String {
    root.build();
    let (mut command, mut path) = (&root, root.get_name().to_string());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            if takes_next_word(command, word) {
                words.next();
            }
            continue;
        }
        let Some(found) = command.find_subcommand(word).filter(|found| found.get_name() != "help") else { break };
        path.push(' ');
        path.push_str(found.get_name());
        command = found;
    }
    path
}

/// Whether the word is an option whose value is the next word.
fn takes_next_word(command: &Command, word: &str) -> bool {
    let takes_value = |arg: &Arg| arg.get_action().takes_values();
    if let Some(name) = word.strip_prefix("--") {
        return command.get_arguments().any(|arg| arg.get_long() == Some(name) && takes_value(arg));
    }
    let with_value =
        |short: char| command.get_arguments().any(|arg| arg.get_short() == Some(short) && takes_value(arg));
    word.chars().skip(1).position(with_value).is_some_and(|place| place + 2 == word.chars().count())
}

#[cfg(test)]
mod tests {
    use super::reached;
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_is_found_among_options_and_values() {
        let cases = [
            ("", "sitectl"),
            ("clients", "sitectl clients"),
            ("clients lst", "sitectl clients"),
            ("clints list", "sitectl"),
            ("--profile clients sites list", "sitectl sites list"),
            ("--profile=clients sites list --nope", "sitectl sites list"),
            ("-qo json clients list", "sitectl clients list"),
            ("-ojson clients list", "sitectl clients list"),
            ("-o clients restore start clients list", "sitectl restore start"),
            ("help clients", "sitectl"),
        ];
        for (line, path) in cases {
            let words: Vec<String> = line.split_whitespace().map(Into::into).collect();
            assert_eq!(reached(Cli::command(), &words), path, "{line}");
        }
    }
}
