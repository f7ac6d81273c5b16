//! `sitectl explain [WORD]`. It needs neither a config file nor a service, because either can be
//! the problem.

mod topic;
mod tree;

pub use topic::Topic;

use crate::config::{self, Environment, Flags, NameOf, OutputFormat, Profile};
use crate::error::{EXIT_CODES, Result};
use crate::output::{self, ResultShape};
use crate::resources::EXIT_CODE_TABLE;
use crate::terminal::Ui;
use clap::Command;

const EXAMPLES: &str = "\
Examples:
  sitectl explain
  sitectl explain unknown_outcome
  sitectl explain 12
  sitectl explain incomplete --jq .page

Without an argument, it lists all exit codes; with --json also the commands, with their options and
fields. It needs no config file and no network.";

/// Explain an error or exit code
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Kind of error or exit code
    #[arg(value_name = "KIND|EXIT CODE")]
    word: Option<NameOf<Topic>>,
}

/// Prints the page for a word, the table of exit codes or, for programs, all that exists. `root`
/// creates the parser.
///
/// # Errors
/// `Usage` for an unknown word; a failed write to stdout.
pub fn run(
    args: &Args,
    root: fn() -> Command,
    flags: &Flags,
    env: &Environment,
    ui: &Ui,
) -> Result<()> {
    let topic = args.word.as_deref().map(Topic::find).transpose()?;
    let output = output::resolve(flags, valid_output_format(flags, env)?, ui)?;
    let Some(topic) = topic else {
        if output.is_structured() {
            return output.print_result(&tree::describe_all(&root()), &[]);
        }
        output.print_rows(&EXIT_CODE_TABLE, &EXIT_CODES, ResultShape::List)?;
        ui.note("show a page: sitectl explain 12");
        return Ok(());
    };
    if output.is_for_people() {
        output::write_stdout(&format!("{}\n\n{}\n", topic.title(), topic.page))
    } else {
        output.print_result(&topic, &[topic.name().into()])
    }
}

/// Decides the output format without the profile. An invalid `SITECTL_OUTPUT` is ignored.
fn valid_output_format(flags: &Flags, env: &Environment) -> Result<OutputFormat> {
    let profile = Profile::default();
    config::output_format(flags, env, &profile)
        .or_else(|_| config::output_format(flags, &Environment::default(), &profile))
}
