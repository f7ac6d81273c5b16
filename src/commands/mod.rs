//! The commands: one directory per noun, one file per verb. Doc comments are the help.

mod api;
mod auth;
mod bulk;
mod choose;
mod clients;
pub mod consent;
pub mod context;
#[cfg(feature = "sandbox")]
mod embedded_sandbox;
pub mod explain;
mod find_clients;
mod find_sites;
mod hints;
mod id_cache;
pub mod list;
mod managed_accounts;
mod profiles;
mod restore;
#[cfg(feature = "sandbox")]
mod sandbox;
mod sites;
mod snapshots;
mod tasks;
mod token_command;

use crate::client::ChangeLog;
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::signal;
use crate::terminal::{errors, interrupted_before_changes};

/// The nouns.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Manage clients
    #[command(subcommand, after_help = clients::EXAMPLES)]
    Clients(clients::Command),
    /// Show accounts that others share with this account
    #[command(subcommand, after_help = managed_accounts::EXAMPLES)]
    ManagedAccounts(managed_accounts::Command),
    /// Manage restores
    #[command(subcommand, after_help = restore::EXAMPLES)]
    Restore(restore::Command),
    /// Manage background tasks
    #[command(subcommand, after_help = tasks::EXAMPLES)]
    Tasks(tasks::Command),
    /// Show the sites of the account
    #[command(subcommand, after_help = sites::EXAMPLES)]
    Sites(sites::Command),
    /// Show the snapshots of sites
    #[command(subcommand, after_help = snapshots::EXAMPLES)]
    Snapshots(snapshots::Command),
    Api(api::Args),
    /// Run a local mock service
    #[cfg(feature = "sandbox")]
    #[command(subcommand, after_help = sandbox::EXAMPLES)]
    Sandbox(sandbox::Command),
    /// Manage authentication
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

    /// Runs the command until it ends or a signal arrives. An error of the service gets a hint
    /// about the settings, except from a command that edits them.
    ///
    /// # Errors
    /// The error of the command, or `Interrupted`.
    pub fn run(&self, context: &Context) -> Result<()> {
        let result = run_until_stopped(context, self.dispatch(context));
        if self.edits_config() {
            return result;
        }
        result.map_err(|error| context.hint_wrong_setting(error))
    }

    async fn dispatch(&self, context: &Context) -> Result<()> {
        match self {
            Self::Clients(command) => command.run(context).await,
            Self::ManagedAccounts(command) => command.run(context).await,
            Self::Restore(command) => command.run(context).await,
            Self::Tasks(command) => command.run(context).await,
            Self::Sites(command) => command.run(context).await,
            Self::Snapshots(command) => command.run(context).await,
            Self::Api(args) => api::run(context, args).await,
            #[cfg(feature = "sandbox")]
            Self::Sandbox(command) => command.run(context).await,
            Self::Auth(command) => command.run(context).await,
            Self::Profiles(command) => command.run(context).await,
        }
    }
}

/// Runs the future of a command on a new runtime. Returns `Interrupted` if a signal stops it.
fn run_until_stopped(context: &Context, command: impl Future<Output = Result<()>>) -> Result<()> {
    // Two threads are enough to look up names, parse large responses and print pages.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2)
        // Filters of --jq are recursive.
        .thread_stack_size(64 << 20)
        .build()
        .map_err(|error| Error::new(Kind::Error, format!("could not start: {error}")))?;
    let ui = context.ui.clone();
    let json = context.settings.format.is_json();
    let changes = context.changes.clone();
    let end_process = move || errors::exit_now(&ui, json, &stopped_error(&changes));
    let result = runtime.block_on(signal::until_stopped(command, end_process));
    // An interrupted command does not wait for name lookups or for the reader of stdout.
    runtime.shutdown_background();
    result.unwrap_or_else(|| Err(stopped_error(&context.changes)))
}

/// Returns the result of a command that made changes: the `outcome` of all of them. If the result
/// could not be printed, the message also says `change`, which was made; None if none was. The kind
/// of a failed output must not make a script send the change again.
fn finish_change(change: Option<String>, outcome: Result<()>, printed: Result<()>) -> Result<()> {
    let Err(error) = printed else {
        return outcome;
    };
    let Some(change) = change.filter(|_| error.kind != Kind::OutputClosed) else {
        return outcome.and(Err(error));
    };
    let unprinted = format!("{change}, but the result could not be printed");
    match outcome {
        Ok(()) => Err(error.context(unprinted).with_kind(Kind::Error)),
        Err(failed) => Err(failed.append_to_message(&format!("{unprinted}: {}", error.message))),
    }
}

/// Returns the error of an interrupted command. It says that no changes were made only if the
/// service surely made none.
fn stopped_error(changes: &ChangeLog) -> Error {
    if changes.is_empty() {
        interrupted_before_changes()
    } else {
        let message = "interrupted after a change was sent; the output may be incomplete";
        Error::new(Kind::Interrupted, message)
    }
}

/// The largest number where nothing else limits it.
const MANY: u32 = 1_000_000_000;

/// Returns a parser of whole numbers from 1 to `max`, whose error shows them.
fn up_to<T: TryFrom<u32>>(max: u32) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().unwrap_or(0);
        let number = (1..=max)
            .contains(&number)
            .then(|| T::try_from(number).ok());
        number
            .flatten()
            .ok_or_else(|| format!("expected a whole number from 1 to {max}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_command_denies_no_change() {
        let changes = ChangeLog::default();
        let message = |changes| stopped_error(changes).message.clone();
        assert_eq!(message(&changes), "interrupted; no changes were made");
        changes.add();
        assert!(message(&changes).starts_with("interrupted after a change was sent"));
    }
}
