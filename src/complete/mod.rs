//! What a shell asks for while a command line is typed. The scripts in `completions/` call the program with a word that
//! is no command, the shell's name and what has been typed; the answer is made from the parser's own tree and from local
//! files. No request is sent, no program is run, and whatever is missing or damaged only makes the answer shorter.

mod candidates;
mod known;
mod line;
mod lists;
mod shell;
mod values;
mod words;

pub use shell::Shell;

use crate::output;
use crate::ui::{is_hidden, visible};
use candidates::{Answer, Candidate};
use clap::{Command, ValueEnum};
use std::process::ExitCode;
use words::Point;

/// The word that the scripts begin with.
const WORD: &str = "__complete";

/// Answers a shell, where it is a shell that asks.
pub fn answer(root: impl FnOnce() -> Command) -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    if words.next().as_deref() != Some(WORD) {
        return None;
    }
    let shell = words.next().and_then(|name| Shell::from_str(&name, false).ok());
    if let Some(shell) = shell {
        // A shell that does not listen needs no answer.
        let _ = output::write(&told(shell, words.collect(), root()));
    }
    Some(ExitCode::SUCCESS)
}

/// What a shell is told that has asked like this.
pub fn told(shell: Shell, asked: Vec<String>, mut root: Command) -> String {
    let typed = shell.typed(asked);
    root.build();
    let answer = match Point::find(&root, &typed.before, &typed.current) {
        Some(point) => values::answer(&point),
        None => Answer::default(),
    };
    shell.tell(&typed, clean(answer))
}

/// What a terminal cannot show as it is cannot be typed either; about it, it is made visible.
fn clean(answer: Answer) -> Answer {
    let Answer::Values(mut candidates) = answer else { return answer };
    candidates.retain(|candidate| !candidate.value.is_empty() && !candidate.value.contains(is_hidden));
    let shown = |candidate: Candidate| Candidate { about: visible(&candidate.about).into_owned(), ..candidate };
    Answer::Values(candidates.into_iter().map(shown).collect())
}
