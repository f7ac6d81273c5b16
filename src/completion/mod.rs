//! Shell completion. The scripts in `completions/` call the program with a hidden word, the shell's
//! name and the typed text. The reply comes from the parser's tree and local files. Completion
//! sends no request and runs no program.

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

Completion can offer ids that sitectl has read before. It sends no requests.";

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
const HIDDEN_WORD: &str = "__complete";

/// Replies to a completion script; none if the program was not called by one.
pub fn reply_to_script(root: impl FnOnce() -> Command) -> Option<ExitCode> {
    let mut args = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    if args.next().as_deref() != Some(HIDDEN_WORD) {
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

/// Returns the reply to the arguments of a completion script.
pub fn reply(shell: Shell, args: Vec<String>, mut root: Command) -> String {
    root.build();
    let typed = shell.parse_arguments(args).unwrap_or_default();
    let line = CommandLine::parse(&root, &typed.words);
    let candidates = candidates::find_candidates(&line, &typed.current);
    shell.format_reply(&typed, candidates)
}
