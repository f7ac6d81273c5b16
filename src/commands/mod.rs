//! The commands: a room a noun, a file a verb. Doc comments are the help.

mod clients;
mod completions;
mod managed_accounts;
mod restore;
mod sandbox;
mod sites;
mod snapshots;
mod tasks;

use crate::context::Context;
use crate::error::Result;

/// The nouns.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List, show and change the clients whose sites are managed
    #[command(subcommand)]
    Clients(clients::Command),
    /// List and show the accounts of others that this account may use
    #[command(subcommand)]
    ManagedAccounts(managed_accounts::Command),
    /// Start restores of sites and watch them to their end
    #[command(subcommand)]
    Restore(restore::Command),
    /// Show background tasks
    #[command(subcommand)]
    Tasks(tasks::Command),
    /// List the sites of the account
    #[command(subcommand)]
    Sites(sites::Command),
    /// List the snapshots of a site
    #[command(subcommand)]
    Snapshots(snapshots::Command),
    /// Practise on a local service that keeps the rules of the real one
    #[command(subcommand)]
    Sandbox(sandbox::Command),
    /// Print the completion script for a shell
    Completions(completions::Args),
}

impl Command {
    /// Runs it.
    ///
    /// # Errors
    /// Whatever the command ran into.
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Clients(command) => command.run(context).await,
            Self::ManagedAccounts(command) => command.run(context).await,
            Self::Restore(command) => command.run(context).await,
            Self::Tasks(command) => command.run(context).await,
            Self::Sites(command) => command.run(context).await,
            Self::Snapshots(command) => command.run(context).await,
            Self::Sandbox(command) => command.run(context),
            Self::Completions(args) => completions::run(args),
        }
    }
}
