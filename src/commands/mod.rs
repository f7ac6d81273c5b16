//! The commands: one directory per noun, one file per verb. Doc comments are the help.

mod api;
mod auth;
mod bulk;
mod clients;
pub mod consent;
pub mod context;
pub mod explain;
mod hints;
mod id_cache;
mod list;
mod managed_accounts;
mod profiles;
mod restore;
mod sandbox;
mod sites;
mod tasks;
mod token_command;

use crate::client::change_was_sent;
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::{CLIENTS, MANAGED_ACCOUNTS, SITES, SNAPSHOTS};
use crate::signal;
use crate::terminal::{errors, interrupted_before_changes};

/// The nouns.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Manage clients
    #[command(subcommand, after_help = clients::EXAMPLES)]
    #[command(mut_subcommand("list", |list| list::declare(list, &CLIENTS)))]
    Clients(clients::Command),
    /// List accounts that this account can manage
    #[command(subcommand, after_help = managed_accounts::EXAMPLES)]
    #[command(mut_subcommand("list", |list| list::declare(list, &MANAGED_ACCOUNTS)))]
    ManagedAccounts(managed_accounts::Command),
    /// Restore sites from snapshots
    #[command(subcommand, after_help = restore::EXAMPLES)]
    Restore(restore::Command),
    /// Show background tasks
    #[command(subcommand, after_help = tasks::EXAMPLES)]
    Tasks(tasks::Command),
    /// List the sites of the account
    #[command(subcommand, after_help = SITES.examples)]
    #[command(mut_subcommand("list", |list| list::declare(list, &SITES)))]
    Sites(list::Command),
    /// List the snapshots of a site
    #[command(subcommand, after_help = SNAPSHOTS.examples)]
    #[command(mut_subcommand("list", |list| list::declare(list, &SNAPSHOTS)))]
    Snapshots(list::Command),
    Api(api::Args),
    /// Run a local mock service
    #[command(subcommand, after_help = sandbox::EXAMPLES)]
    Sandbox(sandbox::Command),
    /// Log in to a service, or show the login
    #[command(subcommand, after_help = auth::EXAMPLES)]
    Auth(auth::Command),
    /// Manage profiles
    #[command(subcommand, after_help = profiles::EXAMPLES)]
    Profiles(profiles::Command),
}

impl Command {
    /// Whether the command can correct the config file, and runs even if a profile is invalid.
    pub fn edits_config(&self) -> bool {
        use auth::Command::{Login, Logout};
        matches!(self, Self::Profiles(_) | Self::Auth(Login(_) | Logout(_)))
    }

    /// Runs the command.
    ///
    /// # Errors
    /// As the command.
    pub fn run(&self, context: &Context) -> Result<()> {
        let result = match self {
            Self::Clients(command) => online(context, command.run(context)),
            Self::ManagedAccounts(command) => online(context, command.run(context)),
            Self::Restore(command) => online(context, command.run(context)),
            Self::Tasks(command) => online(context, command.run(context)),
            Self::Sites(list::Command::List(args)) => {
                online(context, list::run(context, &SITES, args))
            }
            Self::Snapshots(list::Command::List(args)) => {
                online(context, list::run(context, &SNAPSHOTS, args))
            }
            Self::Api(args) => online(context, api::run(context, args)),
            Self::Sandbox(command) => online(context, command.run(context)),
            Self::Auth(command) => online(context, command.run(context)),
            Self::Profiles(command) => online(context, command.run(context)),
        };
        match self.edits_config() {
            true => result,
            false => result.map_err(|error| context.hint_setting(error)),
        }
    }
}

/// Runs a command until it ends or Ctrl-C.
fn online(context: &Context, command: impl Future<Output = Result<()>>) -> Result<()> {
    // Two threads are enough to look up names, parse large responses and print pages.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2)
        .build();
    let runtime =
        runtime.map_err(|error| Error::new(Kind::Error, format!("could not start: {error}")))?;
    let (ui, json) = (context.ui.clone(), context.settings.format.is_json());
    let end = move || errors::exit_now(&ui, json, &stopped());
    let result = runtime.block_on(signal::until_stopped(command, end));
    // An interrupted command does not wait for name lookups or for the reader of stdout.
    runtime.shutdown_background();
    result.unwrap_or_else(|| Err(stopped()))
}

/// Returns the error of an interrupted command.
fn stopped() -> Error {
    match change_was_sent() {
        true => Error::new(
            Kind::Interrupted,
            "interrupted; the output may be incomplete",
        ),
        false => interrupted_before_changes(),
    }
}
