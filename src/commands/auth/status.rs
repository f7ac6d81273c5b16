//! `sitectl auth status`: what would be used, why, and whether the service takes it.

use super::report::Report;
use crate::commands::invocation::Given;
use crate::config::ConfigFile;
use crate::error::{Error, Kind, Result};

const EXAMPLES: &str = "\
Examples:
  sitectl auth status
  sitectl auth status --profile live --json
  sitectl auth status --offline \\
    --jq '.settings[] | \"\\(.name): \\(.source)\"'

It asks the service for one client, to see whether the token is accepted and what is left of the
rate limit. What is known is printed also where something is missing; then the exit code tells:
  2  there is no address, or the profile's token is for another host
  3  no token, or not accepted      8  the service was not reached";

/// Show which service and token are in use, where each setting is from, and whether they are accepted
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Do not ask the service
    #[arg(long)]
    offline: bool,
}

pub(super) async fn run(given: &Given, file: &ConfigFile, args: &Args) -> Result<()> {
    let context = given.context(file)?;
    let mut report = Report::new(given, file, &context);
    let answer = match args.offline {
        true => Ok(()),
        false => match context.api() {
            Ok(api) => report.ask(&api).await,
            Err(error) => Err(error),
        },
    };
    report.print(context.shape(), context.settings.format, !context.settings.fields.is_empty())?;
    answer.map_err(with_hint)
}

/// A token that is not accepted, or none at all, can be had by a login.
fn with_hint(error: Error) -> Error {
    match (error.kind, &error.hint) {
        (Kind::Auth, Some(hint)) if !hint.contains("auth login") => {
            let hint = format!("{hint}; sitectl auth login saves another token");
            error.hint(hint)
        }
        _ => error,
    }
}
