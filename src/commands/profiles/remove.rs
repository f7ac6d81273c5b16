//! `sitectl profiles remove`.

use super::known;
use crate::commands::invocation::Given;
use crate::config::ConfigFile;
use crate::config::edit::{self, Edit};
use crate::error::Result;
use crate::terminal::NOBODY;

const EXAMPLES: &str = "\
Examples:
  sitectl profiles remove test --yes
  sitectl profiles remove live --yes --quiet

The token in it is forgotten too; the service goes on accepting it from whoever has it.";

/// Take a profile out of the config file, with its token and all its settings
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The profile's name
    name: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

pub(super) async fn run(given: &Given, file: &ConfigFile, args: &Args) -> Result<()> {
    let name = &args.name;
    known(file, name)?;
    if !args.yes {
        given.ui.require_person(&format!("Remove profile '{name}'"), NOBODY, "--yes")?;
        given.ui.confirm(&format!("Remove profile '{name}'?")).await?;
    }
    let was_current = edit::change(&given.config_path()?, |file| {
        known(file, name)?;
        let is_current = file.current_profile.as_ref() == Some(name);
        let mut edits = vec![Edit::Remove(name.clone())];
        edits.extend(is_current.then_some(Edit::Current(None)));
        Ok((edits, is_current))
    })?;
    given.clear_ids(name, file.profile(name)?);
    given.ui.note(&format!("profile '{name}' is removed"));
    if was_current {
        given.ui.hint("it was the current one; sitectl profiles use NAME chooses another");
    }
    Ok(())
}
