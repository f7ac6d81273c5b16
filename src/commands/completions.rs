//! `sitectl completions SHELL`.

use crate::error::Result;
use crate::output;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  sitectl completions bash > sitectl.bash
  sitectl completions zsh > _sitectl
  sitectl completions fish > sitectl.fish";

/// Print the completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script for what `root` parses.
///
/// # Errors
/// Where stdout takes no more.
pub fn run(args: &Args, mut root: clap::Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut root, "sitectl", &mut script);
    output::write(&String::from_utf8_lossy(&script))
}
