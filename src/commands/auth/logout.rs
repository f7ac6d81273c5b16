//! `sitectl auth logout`.

use super::refuse_sandbox;
use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, edit};
use crate::error::Result;

const EXAMPLES: &str = "\
Examples:
  sitectl auth logout
  sitectl auth logout --profile live

The service still accepts the token. To remove the complete profile, use sitectl profiles remove.";

/// Remove the token from a profile
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub(super) fn run(invocation: &Invocation, file: &ConfigFile) -> Result<()> {
    refuse_sandbox(invocation)?;
    match invocation.profile(file) {
        None => invocation.ui.note("no profile is selected, so no token was removed"),
        Some(name) => {
            invocation.clear_ids(name, file.profile(name)?);
            edit::change(&invocation.config_path()?, |config| {
                config.file.profile(name)?;
                ["token", "token_command"].iter().for_each(|key| config.set(name, key, None::<&str>));
                Ok(())
            })?;
            invocation.ui.note(&format!("Removed the token from profile '{name}'"));
        }
    }
    if invocation.env.token.is_some() {
        invocation.ui.warn("SITECTL_TOKEN is still set; remove it: unset SITECTL_TOKEN");
    }
    Ok(())
}
