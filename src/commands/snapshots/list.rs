//! `sitectl snapshots list`.

use crate::client::needs_id;
use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs, Listed};
use crate::error::Result;
use crate::resources::{Resource, SNAPSHOTS};

const EXAMPLES: &str = "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --json

Only a snapshot with status 'succeeded' can be restored. The service's description does not show
where its snapshot list is; sitectl assumes /sites/{site_id}/snapshots.";

/// Snapshots as the list flags know them.
#[derive(Debug)]
pub struct Snapshots;

impl Listed for Snapshots {
    const RESOURCE: &'static Resource = &SNAPSHOTS;
}

/// List a site's snapshots.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The site's id
    #[arg(value_name = "SITE_ID")]
    site_id: String,
    #[command(flatten)]
    list: ListArgs<Snapshots>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    needs_id("SITE_ID", &args.site_id)?;
    let listed = list::run(context, &args.list, |api| api.snapshots(&args.site_id)).await;
    let hint = format!("{} sites list shows what there is", context.program());
    listed.map_err(|error| error.about_missing("site", &args.site_id, &hint))
}
