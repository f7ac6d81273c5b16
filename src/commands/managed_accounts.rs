//! `sitectl managed-accounts`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::config::NameOf;
use crate::error::Result;
use crate::resources::{MANAGED_ACCOUNTS, ManagedAccounts};

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl managed-accounts list --status pending
  sitectl managed-accounts show account-0001";

const SHOW_EXAMPLES: &str = "\
Examples:
  sitectl managed-accounts show account-0001
  sitectl managed-accounts show account-0001 --json";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(Box<ListArgs<ManagedAccounts>>),
    /// Show a managed account
    #[command(visible_alias = "get", after_help = SHOW_EXAMPLES)]
    Show {
        /// Id of the managed account
        #[arg(value_name = "MANAGED_ACCOUNT_ID")]
        id: NameOf<ManagedAccounts>,
    },
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
            Self::Show { id } => {
                let response = context.api().await?.managed_account(id).await;
                let noun = MANAGED_ACCOUNTS.command_name();
                let account = response.map_err(|error| error.hint_list_if_not_found(&noun))?;
                let output = context.output();
                output.check_fields(&MANAGED_ACCOUNTS, std::slice::from_ref(&account))?;
                output.print_record(&account)
            }
        }
    }
}
