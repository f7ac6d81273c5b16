//! `sitectl auth logout`: takes the token out of a profile.

use super::not_sandboxed;
use crate::commands::invocation::Given;
use crate::config::ConfigFile;
use crate::config::edit::{self, Edit};
use crate::error::Result;

const EXAMPLES: &str = "\
Examples:
  sitectl auth logout
  sitectl auth logout --profile live

The token is forgotten here; the service goes on accepting it from whoever has it.
sitectl profiles remove takes the whole profile away.";

/// Take the token, or the command that prints it, out of a profile; the rest stays
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub(super) fn run(given: &Given, file: &ConfigFile, _: &Args) -> Result<()> {
    not_sandboxed(given, "has no token to forget", "log out of")?;
    let Some(name) = given.profile(file) else {
        given.ui.note("no profile is chosen, so there is no token to forget");
        return still_set(given);
    };
    given.clear_ids(name, file.profile(name)?);
    let had_one = edit::change(&given.config_path()?, |file| {
        let profile = file.profile(name)?;
        let has_one = profile.token.is_some() || profile.token_command.is_some();
        Ok((vec![Edit::without(name, "token"), Edit::without(name, "token_command")], has_one))
    })?;
    given.ui.note(&match had_one {
        true => format!("the token of profile '{name}' is forgotten; the rest of the profile stays"),
        false => format!("profile '{name}' has no token to forget"),
    });
    still_set(given)
}

fn still_set(given: &Given) -> Result<()> {
    if given.env.token.is_some() {
        given.ui.warn("SITECTL_TOKEN is still set, and will be used");
    }
    Ok(())
}
