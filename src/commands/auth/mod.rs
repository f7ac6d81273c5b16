//! `sitectl auth`: who sitectl is to a service.

mod login;
mod logout;
mod report;
mod status;
mod wanted;

use crate::commands::context::Context;
use crate::commands::invocation::Given;
use crate::config::{ConfigFile, is_sandboxed};
use crate::error::{Error, Result};

/// What the help of the noun shows.
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
    pub(super) async fn run(&self, given: &Given, file: &ConfigFile, context: &Context) -> Result<()> {
        match self {
            Self::Login(args) => login::run(given, file, context, args).await,
            Self::Status(args) => status::run(given, file, args).await,
            Self::Logout(args) => logout::run(given, file, args),
        }
    }
}

/// Refuses what is about tokens where the sandbox is meant, which `has` none to speak of.
fn not_sandboxed(given: &Given, has: &str, to: &str) -> Result<()> {
    match is_sandboxed(&given.flags, &given.env)? {
        false => Ok(()),
        true => Err(Error::usage(format!("the sandbox {has}"))
            .hint(format!("leave --sandbox and SITECTL_SANDBOX away to {to} a service"))),
    }
}
