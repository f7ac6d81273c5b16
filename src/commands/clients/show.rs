//! `sitectl clients show`.

use super::lookup;
use crate::commands::context::Context;
use crate::error::Result;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  sitectl clients show client-0001
  sitectl clients show client-0001 --json

An email in place of the id finds the client with exactly that email.";

/// Show one client, all its fields.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The client's id or email
    #[arg(value_name = "CLIENT_ID|EMAIL")]
    client: String,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let api = context.api()?;
    let client = lookup::find(&api, &args.client).await?;
    output::record(&client, context.shape())
}
