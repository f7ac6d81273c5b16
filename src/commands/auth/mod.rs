//! `sitectl auth`: manages the token of a profile.

mod login;
mod logout;
mod status;

use crate::commands::context::Context;
use crate::config::{Target, omit_sandbox};
use crate::error::{Error, Result};

pub const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 \\
    --with-token < token.txt
  sitectl auth status";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Login(login::Args),
    #[command(alias = "whoami")]
    Status(status::Args),
    Logout(logout::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Login(args) => login::run(context, args).await,
            Self::Status(_) => status::run(context).await,
            Self::Logout(_) => logout::run(context),
        }
    }
}

/// Returns an error for the sandbox, which has no saved token.
fn refuse_sandbox(context: &Context) -> Result<()> {
    if matches!(context.settings.target, Target::Service { .. }) {
        return Ok(());
    }
    Err(Error::usage("the sandbox does not need a login").with_hint(omit_sandbox()))
}
