//! `sitectl managed-accounts list`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs, Listed};
use crate::error::Result;
use crate::resources::{MANAGED_ACCOUNTS, Resource};

const EXAMPLES: &str = "\
Examples:
  sitectl managed-accounts list
  sitectl managed-accounts list --status pending
  sitectl managed-accounts list --role administrator,co_owner \\
    --sort status,desc --json";

/// Managed accounts as the list flags know them.
#[derive(Debug)]
pub struct ManagedAccounts;

impl Listed for ManagedAccounts {
    const RESOURCE: &'static Resource = &MANAGED_ACCOUNTS;
}

/// List managed accounts and invitations: all of them, newest first, or those that match.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs<ManagedAccounts>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    list::run(context, &args.list, |api| Ok(api.managed_accounts())).await
}
