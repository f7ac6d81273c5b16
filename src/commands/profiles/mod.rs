//! `sitectl profiles`: the services that the config file knows.

mod list;
mod remove;
mod r#use;

use crate::commands::context::Context;
use crate::commands::invocation::Given;
use crate::config::ConfigFile;
use crate::error::Result;
use crate::resources::query::nearest;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl profiles list
  sitectl profiles use live

sitectl auth login makes a profile.";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    List(list::Args),
    Use(r#use::Args),
    Remove(remove::Args),
}

impl Command {
    pub(super) async fn run(&self, given: &Given, file: &ConfigFile, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(file, context, args),
            Self::Use(args) => r#use::run(given, file, args),
            Self::Remove(args) => remove::run(given, file, args).await,
        }
    }
}

/// Finds that there is a profile of this name.
fn known(file: &ConfigFile, name: &str) -> Result<()> {
    let names: Vec<&str> = file.profiles.keys().map(String::as_str).collect();
    file.profile(name).map(drop).map_err(|error| match (nearest(name, &names), error.hint.clone()) {
        (Some(near), Some(there_are)) => error.hint(format!("did you mean '{near}'? {there_are}")),
        _ => error,
    })
}
