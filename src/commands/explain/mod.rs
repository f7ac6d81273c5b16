//! `sitectl explain [WORD]...`. It needs neither a config file nor a service, because either can be the problem.

mod topic;

use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, Environment, Flags, Format, Settings};
use crate::error::{Error, Result};
use crate::output::{self, Shape};
use crate::terminal::painted;
use serde::Serialize;
use topic::{Topic, Word};

const EXAMPLES: &str = "\
Examples:
  sitectl explain
  sitectl explain unknown_outcome
  sitectl explain 12 already-exists
  sitectl explain incomplete --jq .page

Without an argument, it lists all exit codes. It needs no config file and no network.";

/// Explain an error or exit code
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Kind of error, exit code, detail code or HTTP status
    #[arg(value_name = "KIND|CODE", value_parser = Word, hide_possible_values = true)]
    words: Vec<String>,
}

/// One row of the table of exit codes.
#[derive(Serialize)]
struct Row {
    exit_code: u8,
    kind: &'static str,
    when: &'static str,
}

/// Prints the requested pages, or the table of exit codes.
///
/// # Errors
/// `Usage` for an unknown word; a failed write to stdout.
pub fn run(args: &Args, invocation: &Invocation) -> Result<()> {
    let topics: Vec<Topic> = match &args.words[..] {
        [] => Topic::all().filter(|topic| topic.code.is_none()).collect(),
        words => words.iter().map(|word| Topic::find(word)).collect::<Result<_>>()?,
    };
    let settings = settings(invocation)?;
    let shape = Shape::new(&settings, &invocation.ui)?;
    let ids: Vec<String> = topics.iter().map(|topic| topic.name().to_string()).collect();
    let is_text = settings.format == Format::Table && settings.fields.is_empty();
    match &topics[..] {
        topics if is_text && args.words.is_empty() => {
            output::result(&topics.iter().map(row).collect::<Vec<_>>(), &ids, &shape)?;
            invocation
                .ui
                .note("show a page: sitectl explain NAME; codes of details such as already_exists have pages too");
            Ok(())
        }
        topics if is_text => {
            let pages: Vec<String> = topics.iter().map(|topic| page(topic, invocation.ui.stdout_color())).collect();
            output::write(&pages.join("\n"))
        }
        [topic] => output::result(topic, &ids, &shape),
        topics => output::result(&topics, &ids, &shape),
    }
}

fn row(topic: &Topic) -> Row {
    Row { exit_code: topic.kind.exit_code(), kind: topic.kind.name(), when: topic.kind.meaning() }
}

/// Returns the page as text; headings are bold in color.
fn page(topic: &Topic, color: bool) -> String {
    let heading = |line: &str| painted(color && !line.is_empty() && !line.starts_with(' '), line, "1");
    let lines = topic.page.lines().map(|line| heading(line) + "\n");
    format!("{}\n\n{}", heading(&topic.title()), lines.collect::<String>())
}

/// Decides the output format. An invalid SITECTL_OUTPUT is ignored.
fn settings(invocation: &Invocation) -> Result<Settings> {
    let flags = Flags { profile: None, base_url: None, ..invocation.flags.clone() };
    let decide = |output: Option<String>| {
        let env = Environment { output, ..Environment::default() };
        Settings::resolve(&flags, &env, &ConfigFile::default())
    };
    decide(invocation.env.output.clone()).or_else(|_: Error| decide(None))
}
