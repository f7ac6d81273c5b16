//! `sitectl profiles use`.

use super::known;
use crate::commands::invocation::Given;
use crate::config::edit::{self, Edit};
use crate::config::{BaseUrl, ConfigFile};
use crate::error::Result;

const EXAMPLES: &str = "\
Examples:
  sitectl profiles use live
  sitectl profiles use test -q

--profile NAME uses another one for a single command, and SITECTL_PROFILE for a whole shell.";

/// Make a profile the current one: it is used where none is named
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The profile's name
    name: String,
}

pub(super) fn run(given: &Given, file: &ConfigFile, args: &Args) -> Result<()> {
    let name = &args.name;
    known(file, name)?;
    let url = edit::change(&given.config_path()?, |file| {
        known(file, name)?;
        let url = file.profiles.get(name).and_then(|profile| profile.base_url.as_deref()).map(BaseUrl::in_words);
        Ok((vec![Edit::Current(Some(name.clone()))], url))
    })?;
    let address = url.map_or(String::new(), |url| format!(": {url}"));
    given.ui.note(&format!("the current profile is '{name}'{address}"));
    if let Some(other) = given.env.profile.as_ref().filter(|other| *other != name) {
        given.ui.warn(&format!("SITECTL_PROFILE is set, and goes before it: it names the profile '{other}'"));
    }
    Ok(())
}
