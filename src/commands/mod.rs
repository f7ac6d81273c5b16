//! The commands: a room a noun, a file a verb. Doc comments are the help.

mod api;
mod auth;
mod bulk;
mod clients;
pub mod consent;
pub mod context;
pub mod explain;
pub mod invocation;
mod list;
mod managed_accounts;
mod profiles;
mod restore;
mod sandbox;
mod sites;
mod tasks;
mod token_command;

use crate::commands::context::Context;
use crate::commands::invocation::Invocation;
use crate::config::ConfigFile;
use crate::error::{Error, Kind, Result};
use crate::resources::{CLIENTS, MANAGED_ACCOUNTS, SITES, SNAPSHOTS};
use crate::signal::{is_cleaning_up, stopped};
use crate::terminal::interrupted;

/// The nouns that run with resolved settings.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List, show and change the clients whose sites are managed
    #[command(subcommand, after_help = clients::EXAMPLES)]
    #[command(mut_subcommand("list", |list| list::declare(list, &CLIENTS)))]
    Clients(clients::Command),
    /// List and show the accounts of others that this account may use
    #[command(subcommand, after_help = managed_accounts::EXAMPLES)]
    #[command(mut_subcommand("list", |list| list::declare(list, &MANAGED_ACCOUNTS)))]
    ManagedAccounts(managed_accounts::Command),
    /// Start restores of sites and watch them to their end
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
    /// Practise on a local service that keeps the rules of the real one
    #[command(subcommand, after_help = sandbox::EXAMPLES)]
    Sandbox(sandbox::Command),
}

impl Command {
    /// Runs it.
    ///
    /// # Errors
    /// Whatever the command ran into.
    pub fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Clients(command) => online(command.run(context), broken_off),
            Self::ManagedAccounts(command) => online(command.run(context), broken_off),
            Self::Restore(command) => online(command.run(context), broken_off),
            Self::Tasks(command) => online(command.run(context), broken_off),
            Self::Sites(list::Command::List(args)) => online(list::run(context, &SITES, args), broken_off),
            Self::Snapshots(list::Command::List(args)) => online(list::run(context, &SNAPSHOTS, args), broken_off),
            Self::Api(args) => online(api::run(context, args), broken_off),
            Self::Sandbox(command) => command.run(context),
        }
    }
}

/// The nouns that see to the settings themselves: a setting that is wrong does not keep them from mending it.
#[derive(Debug, clap::Subcommand)]
pub enum Setup {
    /// Save the address and token of a service, and see whether they are accepted
    #[command(subcommand, after_help = auth::EXAMPLES)]
    Auth(auth::Command),
    /// List, choose and remove the profiles of the config file
    #[command(subcommand, after_help = profiles::EXAMPLES)]
    Profiles(profiles::Command),
}

impl Setup {
    /// Runs it; `context` is only for printing.
    ///
    /// # Errors
    /// Whatever the command ran into.
    pub fn run(&self, invocation: &Invocation, file: &ConfigFile, context: &Context) -> Result<()> {
        let work = async {
            // A question may come first: from here on Ctrl-C is heard, and does not end the process in the middle of it.
            tokio::task::yield_now().await;
            match self {
                Self::Auth(command) => command.run(invocation, file, context).await,
                Self::Profiles(command) => command.run(invocation, file, context).await,
            }
        };
        online(work, interrupted)
    }
}

fn broken_off() -> Error {
    Error::new(Kind::Interrupted, "interrupted").hint("what was printed may not be everything")
}

/// Drives a command that talks to the service, to its end or to Ctrl-C. A command that has more to say about being
/// interrupted is asked before `broken_off`.
fn online(command: impl Future<Output = Result<()>>, broken_off: fn() -> Error) -> Result<()> {
    // Beside it, names are looked up, large answers read and pages printed: more than two threads would only wake each
    // other.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(2).build();
    let runtime = runtime.map_err(|error| Error::new(Kind::Error, format!("could not start: {error}")))?;
    let result = runtime.block_on(async {
        let mut command = std::pin::pin!(command);
        loop {
            tokio::select! {
                biased;
                result = &mut command => break result,
                () = stopped() => if !is_cleaning_up() { break Err(broken_off()) },
            }
        }
    });
    // Who was interrupted does not wait for a name, nor for a reader of stdout.
    runtime.shutdown_background();
    result
}
