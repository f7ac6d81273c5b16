//! `sitectl explain [WORD]...`: what an error means, at more length than its message. It reads no config file and asks no
//! service, since it is wanted where something is wrong.

mod page;
mod print;
mod topic;
mod word;

use crate::config::{ConfigFile, Environment, Flags, Format, Settings};
use crate::error::{Error, Result};
use crate::given::Given;
use crate::output::{self, Shape};
use print::Layout;
use topic::Topic;
use word::Word;

const EXAMPLES: &str = "\
Examples:
  sitectl explain
  sitectl explain unknown_outcome
  sitectl explain 12 already-exists
  sitectl explain incomplete --jq .page

Without a word, it lists all kinds of errors. It needs no config file and no network.";

/// What follows the table.
const MORE: &str = "sitectl explain NAME shows a page; codes of details such as already_exists have one too";

/// Explain an error by its kind, its exit code or the code of one of its details
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A kind such as unknown_outcome, an exit code such as 12, a detail's code such as already_exists, an HTTP status
    #[arg(value_name = "KIND|CODE", value_parser = Word, hide_possible_values = true)]
    words: Vec<String>,
}

/// Prints the pages that are asked for, or the table of all kinds.
///
/// # Errors
/// `Usage` for a word that names none; where stdout takes no more.
pub fn run(args: &Args, given: &Given) -> Result<()> {
    let found = args.words.iter().map(|word| Topic::find(word)).collect::<Result<Vec<_>>>();
    let topics = if args.words.is_empty() { Topic::kinds() } else { found? };
    let settings = settings(given)?;
    let shape = Shape::new(&settings, &given.ui)?;
    let ids: Vec<String> = topics.iter().map(|topic| topic.name().to_string()).collect();
    let is_text = settings.format == Format::Table && settings.fields.is_empty();
    match &topics[..] {
        _ if is_text && args.words.is_empty() => {
            output::result(&topics.iter().map(Topic::line).collect::<Vec<_>>(), &ids, &shape)?;
            given.ui.note(MORE);
            Ok(())
        }
        topics if is_text => output::write(&Layout::new(&given.ui).pages(topics)),
        [topic] => output::result(&topic.entry(), &ids, &shape),
        topics => output::result(&topics.iter().map(Topic::entry).collect::<Vec<_>>(), &ids, &shape),
    }
}

/// How to print, by what was typed and the one variable that says so: a variable that is wrong is in nobody's way here.
fn settings(given: &Given) -> Result<Settings> {
    let flags = Flags { profile: None, base_url: None, ..given.flags.clone() };
    let decide = |output: Option<String>| {
        let env = Environment { output, ..Environment::default() };
        Settings::resolve(&flags, &env, &ConfigFile::default())
    };
    decide(given.env.output.clone()).or_else(|_: Error| decide(None))
}
