//! `sitectl auth`: who sitectl is to a service.

mod login;
mod logout;
mod report;
mod status;
mod wanted;

use crate::config::ConfigFile;
use crate::context::Context;
use crate::error::Result;
use crate::given::Given;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 --with-token < token.txt
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
