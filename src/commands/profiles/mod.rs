//! `sitectl profiles`: manages the profiles of the config file.

mod list;
mod remove;
mod r#use;

use crate::commands::context::Context;
use crate::error::Result;
use crate::shell::unset_variable;

pub const EXAMPLES: &str = "\
Examples:
  sitectl profiles list
  sitectl profiles use live

sitectl auth login creates a profile.";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(list::Args),
    #[command(alias = "switch")]
    Use(r#use::Args),
    #[command(visible_alias = "rm")]
    Remove(remove::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(_) => list::run(context),
            Self::Use(args) => r#use::run(context, args),
            Self::Remove(args) => remove::run(context, args).await,
        }
    }
}

/// Warns of the variables that decide instead of this profile.
pub fn warn_of_variables(context: &Context, name: &str) {
    let env = &context.env;
    for (variable, decides) in [
        ("SITECTL_SANDBOX", env.sandbox.as_deref() == Some("1")),
        (
            "SITECTL_PROFILE",
            env.profile.as_ref().is_some_and(|other| other != name),
        ),
        ("SITECTL_BASE_URL", env.base_url.is_some()),
        ("SITECTL_TOKEN", env.token.is_some()),
    ] {
        if decides {
            let unset = unset_variable(variable);
            context.ui.warn(&format!(
                "{variable} decides instead of profile '{name}'; remove it: {unset}"
            ));
        }
    }
}
