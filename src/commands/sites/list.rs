//! `sitectl sites list`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs, Listed};
use crate::error::Result;
use crate::resources::{Resource, SITES};

const EXAMPLES: &str = "\
Examples:
  sitectl sites list
  sitectl sites list --limit 5 --json
  sitectl sites list -o ids

The service's description does not show where its site list is; sitectl assumes /sites.";

/// Sites as the list flags know them.
#[derive(Debug)]
pub struct Sites;

impl Listed for Sites {
    const RESOURCE: &'static Resource = &SITES;
}

/// List the sites of the account.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs<Sites>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    list::run(context, &args.list, |api| Ok(api.sites())).await
}
