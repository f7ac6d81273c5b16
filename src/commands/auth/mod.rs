//! `sitectl auth`: manages the token of a profile.

mod login;
mod logout;
mod status;

use crate::commands::context::Context;
use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, is_sandboxed};
use crate::error::{Error, Result};

/// Examples in the help of the noun.
pub const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 \\
    --with-token < token.txt
  sitectl auth status";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Login(login::Args),
    Status(status::Args),
    Logout(logout::Args),
}

impl Command {
    pub(super) async fn run(&self, invocation: &Invocation, file: &ConfigFile, context: &Context) -> Result<()> {
        match self {
            Self::Login(args) => login::run(invocation, file, context, args).await,
            Self::Status(args) => status::run(invocation, file, args).await,
            Self::Logout(_) => logout::run(invocation, file),
        }
    }
}

/// Returns an error for the sandbox, which has no saved token.
fn refuse_sandbox(invocation: &Invocation) -> Result<()> {
    match is_sandboxed(&invocation.flags, &invocation.env) {
        false => Ok(()),
        true => Err(Error::usage("the sandbox does not need a login")
            .hint("omit --sandbox and unset the variable: unset SITECTL_SANDBOX")),
    }
}
