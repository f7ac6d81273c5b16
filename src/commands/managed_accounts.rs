//! `sitectl managed-accounts`.

use crate::commands::context::Context;
use crate::commands::list;
use crate::error::Result;
use crate::output;
use crate::resources::MANAGED_ACCOUNTS;

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
    List(list::Args),
    /// Show a managed account
    #[command(visible_alias = "get", after_help = SHOW_EXAMPLES)]
    Show {
        /// Id of the managed account
        #[arg(value_name = "MANAGED_ACCOUNT_ID")]
        id: String,
    },
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, &MANAGED_ACCOUNTS, args).await,
            Self::Show { id } => {
                let account = context.api().await?.managed_account(id).await;
                let account =
                    account.map_err(|error| context.hint_list(error, "managed-accounts"))?;
                context
                    .output_options()
                    .check_fields(&MANAGED_ACCOUNTS, std::slice::from_ref(&account))?;
                output::print_record(&account, context.output_options())
            }
        }
    }
}
