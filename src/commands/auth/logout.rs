//! `sitectl auth logout`.

use super::refuse_sandbox;
use crate::commands::context::Context;
use crate::config::edit::edit_config;
use crate::error::Result;
use crate::shell::unset_variable;

const EXAMPLES: &str = "\
Examples:
  sitectl auth logout
  sitectl auth logout --profile live

sitectl does not revoke the token. To remove the complete profile, use sitectl profiles remove.";

/// Remove the token or the token command from a profile
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub fn run(context: &Context) -> Result<()> {
    refuse_sandbox(context)?;
    let ui = &context.ui;
    match context.profile() {
        None => ui.note("no profile is selected, so no token was removed"),
        Some(name) => {
            let mut had_token = false;
            edit_config(&context.env.config_file()?, |config| {
                // Fails if the profile does not exist (anymore).
                let profile = config.file.profile(name)?;
                had_token = profile.token.is_some() || profile.token_command.is_some();
                config.set(name, "token", None::<&str>);
                config.set(name, "token_command", None::<&str>);
                Ok(())
            })?;
            context.clear_ids();
            if had_token {
                ui.note(&format!("Removed the token from profile '{name}'"));
            } else {
                ui.note(&format!("profile '{name}' has no token"));
            }
        }
    }
    if context.env.token.is_some() {
        let unset = unset_variable("SITECTL_TOKEN");
        ui.warn(&format!("SITECTL_TOKEN is still set; remove it: {unset}"));
    }
    Ok(())
}
