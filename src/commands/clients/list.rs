//! `sitectl clients list`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs, Listed};
use crate::error::Result;
use crate::resources::{CLIENTS, Resource};

const EXAMPLES: &str = "\
Examples:
  sitectl clients list --search smith --sort last_name
  sitectl clients list --created-since 2026-01-01 --json
  sitectl clients list --filter email:contains=example.com -o ids
  sitectl clients list --fields id,email,note -o csv
  sitectl clients list --jq '.[] | select(.site_ids == []) | .email'";

/// Clients as the list flags know them.
#[derive(Debug)]
pub struct Clients;

impl Listed for Clients {
    const RESOURCE: &'static Resource = &CLIENTS;
}

/// List clients: all of them, newest first, or those that match.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs<Clients>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    list::run(context, &args.list, |api| Ok(api.clients())).await
}
