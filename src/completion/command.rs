//! `sitectl completions SHELL`.

use crate::completion::Shell;
use crate::error::Result;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  sitectl completions bash > sitectl.bash
  sitectl completions zsh > _sitectl
  sitectl completions fish > sitectl.fish

Where a shell finds its script by itself, or which file takes a line that loads it:
  bash        ~/.local/share/bash-completion/completions/sitectl
  zsh         _sitectl, in a directory that $fpath names
  fish        ~/.config/fish/completions/sitectl.fish
  powershell  $PROFILE: sitectl completions powershell | Out-String | iex
  elvish      rc.elv: eval (sitectl completions elvish | slurp)

Ids are completed as they were last listed or shown; nothing is asked of the service meanwhile.";

/// Print the completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_name = "bash|elvish|fish|powershell|zsh", hide_possible_values = true)]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// Where stdout takes no more.
pub fn run(args: &Args) -> Result<()> {
    output::write(args.shell.script())
}
