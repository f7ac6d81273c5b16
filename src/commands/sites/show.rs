//! `sitectl sites show`.

use crate::commands::choose::require_prompt;
use crate::commands::context::Context;
use crate::commands::find_sites::{AccountSites, choose_site};
use crate::config::NameOf;
use crate::error::Result;
use crate::output;
use crate::resources::{SITES, Sites};

const EXAMPLES: &str = "\
Examples:
  sitectl sites show site-0005
  sitectl sites show site-0005.example.com --json";

/// Show a site.
#[derive(Debug, clap::Args)]
#[command(visible_alias = "get", after_help = EXAMPLES)]
pub struct Args {
    /// Id, URL or host name of the site; omit for a menu
    #[arg(value_name = "SITE")]
    site: Option<NameOf<Sites>>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    if args.site.is_none() {
        require_prompt(context, &SITES)?;
    }
    let api = context.api().await?;
    let (sites, id) = match &args.site {
        Some(site) => {
            let sites = AccountSites::read_for(context, &api, &[site]).await?;
            (sites, site.to_string())
        }
        None => {
            let sites = AccountSites::read(context, &api).await?;
            let id = choose_site(context, &sites).await?;
            (sites, id)
        }
    };
    output::print_record(sites.find(&id)?, context.output_options())
}
