//! `sitectl profiles remove`.

use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, edit};
use crate::error::Result;
use crate::terminal::arguments;

const EXAMPLES: &str = "\
Examples:
  sitectl profiles remove test --yes
  sitectl profiles remove live --yes --quiet

This removes the token and all settings of the profile. The service still accepts the token.";

/// Remove a profile and its token
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The profile's name
    name: String,
    /// Skip the confirmation
    #[arg(short, long)]
    yes: bool,
}

pub(super) async fn run(invocation: &Invocation, file: &ConfigFile, args: &Args) -> Result<()> {
    let (ui, name) = (&invocation.ui, &args.name);
    let profile = file.profile(name)?;
    if !args.yes {
        ui.require_person(&format!("Remove profile '{name}'"), "--yes")?;
        ui.confirm(&format!("Remove profile '{name}'?")).await?;
    }
    let was_current = edit::change(&invocation.config_path()?, |config| {
        config.file.profile(name)?;
        config.remove_profile(name);
        let is_current = config.file.current_profile.as_ref() == Some(name);
        if is_current {
            config.set_current(None);
        }
        Ok(is_current)
    })?;
    invocation.clear_ids(name, profile);
    ui.note(&format!("Removed profile '{name}'"));
    if was_current {
        let other = file.profiles.keys().find(|other| *other != name);
        other.iter().for_each(|other| {
            ui.hint(&format!("select another profile: sitectl profiles use {}", arguments(&[other])))
        });
    }
    Ok(())
}
