//! `sitectl profiles use`.

use crate::commands::invocation::Invocation;
use crate::config::{BaseUrl, ConfigFile, edit};
use crate::error::Result;

const EXAMPLES: &str = "\
Examples:
  sitectl profiles use live
  sitectl profiles use test -q

To use another profile for one command, use --profile NAME. For one shell, set SITECTL_PROFILE.";

/// Select the current profile
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The profile's name
    name: String,
}

pub(super) fn run(invocation: &Invocation, file: &ConfigFile, args: &Args) -> Result<()> {
    let name = &args.name;
    let url = file.profile(name)?.base_url.as_deref().and_then(BaseUrl::shown);
    edit::change(&invocation.config_path()?, |config| {
        config.file.profile(name)?;
        config.set_current(Some(name));
        Ok(())
    })?;
    let address = url.map_or(String::new(), |url| format!(" ({url})"));
    invocation.ui.note(&format!("Switched to profile '{name}'{address}"));
    if let Some(other) = invocation.env.profile.as_ref().filter(|other| *other != name) {
        invocation.ui.warn(&format!("SITECTL_PROFILE is set and selects the profile '{other}'"));
    }
    Ok(())
}
