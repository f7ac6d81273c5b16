//! `sitectl profiles use`.

use super::warn_of_variables;
use crate::commands::context::Context;
use crate::config::{BaseUrl, NameOf, Profile, edit::edit_config};
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
    name: NameOf<Profile>,
}

pub fn run(context: &Context, args: &Args) -> Result<()> {
    let name = &*args.name;
    edit_config(&context.env.config_file()?, |config| {
        // Fails if the profile does not exist (anymore).
        config.file.profile(name)?;
        config.set_current(Some(name));
        Ok(())
    })?;
    let base_url = context.file.profile(name)?.base_url.as_deref();
    let base_url = base_url.and_then(BaseUrl::parse_for_display);
    let suffix = base_url.map_or(String::new(), |url| format!(" ({url})"));
    context
        .ui
        .note(&format!("Switched to profile '{name}'{suffix}"));
    warn_of_variables(context, name);
    Ok(())
}
