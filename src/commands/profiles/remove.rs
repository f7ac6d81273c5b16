//! `sitectl profiles remove`.

use crate::commands::context::Context;
use crate::config::edit::edit_config;
use crate::config::{NameOf, Profile};
use crate::error::Result;

const EXAMPLES: &str = "\
Examples:
  sitectl profiles remove test
  sitectl profiles remove live --quiet

This removes the token and all settings of the profile. sitectl does not revoke the token.";

/// Remove a profile and its token
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The profile's name
    name: NameOf<Profile>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let ui = &context.ui;
    let name = &*args.name;
    context.file.profile(name)?;
    if !context.flags.yes {
        ui.require_person(&format!("Remove profile '{name}'"), "--yes")?;
        ui.confirm(&format!("Remove profile '{name}'?")).await?;
    }
    edit_config(&context.env.config_file()?, |config| {
        // Fails if the profile does not exist (anymore).
        config.file.profile(name)?;
        config.remove_profile(name);
        if config.file.current_profile.as_deref() == Some(name) {
            config.set_current(None);
        }
        Ok(())
    })?;
    context.clear_ids();
    ui.note(&format!("Removed profile '{name}'"));
    Ok(())
}
