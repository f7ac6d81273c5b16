//! `sitectl managed-accounts show`.

use crate::commands::context::Context;
use crate::error::Result;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  sitectl managed-accounts show account-0001
  sitectl managed-accounts show account-0001 --json";

/// Show one managed account, all its fields.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The managed account's id
    #[arg(value_name = "MANAGED_ACCOUNT_ID")]
    id: String,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let account = context.api()?.managed_account(&args.id).await?;
    output::record(&account, context.shape())
}
