//! Shell completion. The scripts in `completions/` call the program with a hidden word, the shell's name and what is
//! typed; the reply comes from the parser's tree and local files. Completion sends no request and runs no program.

mod candidates;
mod command_line;
mod local;
mod shell;

pub use command_line::CommandLine;
pub use shell::Shell;

use crate::error::Result;
use crate::output;
use clap::{Command, ValueEnum};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sitectl completions bash > sitectl.bash
  sitectl completions zsh > _sitectl
  sitectl completions fish > sitectl.fish

Save the script to this file, or add this line to the file:
  bash        ~/.local/share/bash-completion/completions/sitectl
  zsh         _sitectl, in a directory of $fpath
  fish        ~/.config/fish/completions/sitectl.fish
  powershell  $PROFILE: sitectl completions powershell | Out-String | iex
  elvish      rc.elv: eval (sitectl completions elvish | slurp)

Completion offers the ids that sitectl has listed or shown. It sends no requests.";

/// Print a shell completion script
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Shell to complete in
    #[arg(
        value_name = "bash|elvish|fish|powershell|zsh",
        hide_possible_values = true
    )]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(args: &Args) -> Result<()> {
    output::write_stdout(args.shell.script())
}

/// The first argument of a call from a completion script.
const WORD: &str = "__complete";

/// Replies to a completion script; none if the program was not called by one.
pub fn respond(root: impl FnOnce() -> Command) -> Option<ExitCode> {
    let mut args = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    if args.next().as_deref() != Some(WORD) {
        return None;
    }
    if let Some(shell) = args
        .next()
        .and_then(|name| Shell::from_str(&name, false).ok())
    {
        // A shell that stopped reading needs no reply.
        let _ = output::write_stdout(&reply(shell, args.collect(), root()));
    }
    Some(ExitCode::SUCCESS)
}

/// Returns the output for the arguments of a completion script.
pub fn reply(shell: Shell, args: Vec<String>, mut root: Command) -> String {
    root.build();
    let typed = shell.typed(args).unwrap_or_default();
    let line = CommandLine::read(&root, &typed.words);
    let reply = candidates::reply(&line, &typed.current);
    shell.format(&typed, reply)
}
