//! `sitectl restore start`: overwrites a live site, so every step is written down before the next is taken.

use super::choose;
use super::guard;
use super::launch::{Launched, Launcher, Order};
use super::plan::{self, PlanArgs};
use super::scope::ScopeArgs;
use super::started::Started;
use super::watch::{FollowArgs, conclude, follow};
use crate::commands::consent::ConfirmArgs;
use crate::commands::context::Context;
use crate::error::Result;
use crate::output;
use crate::terminal::arguments;

const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full --watch --yes
  sitectl restore start site-0004 snap-0004-2 --table wp_posts --yes
  sitectl restore start site-0005 latest --path wp-content/uploads \\
    --reason hacked --yes
  sitectl restore start https://site-0006.example.com latest \\
    --files --yes
  printf '%s\\n' site_id,snapshot_id,files \\
    site-0007,latest,yes site-0008,latest,yes > plan.csv
  sitectl restore start --plan plan.csv --watch --yes \\
    --failed-to failed.csv

In CI, name the profile that is meant: nothing is started where another one is in use, and a
protected one need not be typed.
  sitectl --profile live restore start site-0001 latest --full --watch \\
    --yes --confirm live
  sitectl --profile live restore start --plan plan.csv --resume \\
    --json --yes --confirm live

With --watch, the exit code is 0 when it succeeded, 10 when it failed, 11 when the time was up, 12
when the outcome is unknown.

A plan has one row per site. Its columns: site_id, snapshot_id, files, database (yes or no), paths,
tables, subsite_ids (in CSV separated by semicolons). paths implies files, tables implies database.
sitectl checks all rows before it starts a restore.

A run of a plan is identified by the plan's text, and is finished when every row has started and
ended. If the last run is unfinished, --resume sends only the rows that were not accepted, and
--force starts all rows again. A plan without an unfinished run starts all rows, with or without
--resume.

As JSON a plan is an array: a row that an earlier run has started has \"resumed\", and a row that was
not started has an \"error\" instead of its task. With --watch the array has only the restores that
were watched: the rows that were not started are in the details of the error.";

/// Restore a site from a snapshot. This overwrites the live site.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("timeout", |arg| arg.requires("watch")), mut_arg("interval", |arg| arg.requires("watch")))]
pub struct Args {
    /// The site's id or its URL; without it, on a terminal and with a scope, a list to choose from
    #[arg(value_name = "SITE_ID|URL")]
    site_id: Option<String>,
    /// The snapshot's id, or latest: the newest that has succeeded; without it, on a terminal and with a scope, a list to
    /// choose from
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    snapshot_id: Option<String>,
    /// Do not ask; a protected profile still asks for its name
    #[arg(short, long)]
    pub yes: bool,
    #[command(flatten)]
    pub confirm: ConfirmArgs,
    /// Watch it until it ends; the exit code tells how
    #[arg(long)]
    pub watch: bool,
    /// Why; kept in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Start it even if the last restore of the site is still running or unknown, or the last run of the plan is unfinished
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(flatten, next_help_heading = "With --watch")]
    pub follow: FollowArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    match &args.plan.file {
        Some(file) => plan::run(context, args, file).await,
        None => one(context, args).await,
    }
}

async fn one(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let wanted = args.scope.wanted()?;
    let (site, snapshot) = (args.site_id.as_deref(), args.snapshot_id.as_deref());
    choose::require(context, site, snapshot)?;
    asking.require_person(&format!("Overwrite the live site {}", site.unwrap_or_default()))?;
    let (api, journal, service) = (context.api()?, context.journal()?, context.service()?);
    let site = match site {
        Some(text) => choose::site(context, &api, text).await?,
        None => choose::site_from_list(context, &api).await?,
    };
    if !args.force {
        guard::refresh(&api, &journal, &service, &[&site.id]).await?;
        guard::permit(&context.program(), &journal.entries()?, &service, &site.id)?;
    }
    let choice = match snapshot {
        Some(text) => choose::snapshot(context, &api, &site.id, text, asking.asks()).await?,
        None => choose::snapshot_from_list(context, &api, &site.id).await?,
    };
    let consent = choose::confirm(context, &api, &asking, &site, &choice, &wanted.describe()).await?;
    let order = Order { site_id: site.id, snapshot_id: choice.id, scope: wanted.scope()? };
    let reason = args.reason.as_deref();
    let launcher = Launcher { context, api: &api, journal: &journal, reason, force: args.force, run: None };
    let launched = launcher.launch(&consent, &order).await;
    let launched = launched.map_err(|error| error.name_flags(|param| wanted.flag_of(param)))?;
    launched.announce(context, &order);
    if !args.watch {
        return print(context, &order, &launched);
    }
    let followed = follow(context, &api, &journal, &args.follow, vec![launched.target(&order)]).await?;
    conclude(context, &args.follow, &followed)
}

fn print(context: &Context, order: &Order, launched: &Launched) -> Result<()> {
    let printed = output::result(&Started::now(order, launched), launched.task.id.as_slice(), context.shape());
    printed.map_err(|error| error.hint_first("the restore was started all the same"))?;
    if let Some(id) = &launched.task.id {
        context.ui.hint(&format!("{} restore watch {}", context.program(), arguments(&[id])));
    }
    Ok(())
}
