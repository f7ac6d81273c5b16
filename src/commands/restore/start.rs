//! `sitectl restore start`: overwrites a live site, so each step is in the journal before the next one.

use super::args::Args;
use super::choose;
use super::guard;
use super::launch::{Launcher, Order};
use super::plan;
use super::started::Started;
use super::watch::{conclude, follow};
use crate::commands::context::Context;
use crate::error::{Error, Result};
use crate::output;
use crate::resources::Scope;
use crate::terminal::arguments;

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    match &args.plan.file {
        Some(file) => plan::run(context, args, file).await,
        None => restore(context, args).await,
    }
}

async fn restore(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let scope = args.scope.json()?;
    let (site, snapshot) = (args.site_id.as_deref(), args.snapshot_id.as_deref());
    if (site.is_none() || snapshot.is_none()) && !context.ui.may_prompt() {
        let program = context.program();
        return Err(Error::usage("SITE_ID and SNAPSHOT_ID are required without a terminal to choose them on")
            .hint(format!("see: {program} sites list; and: {program} snapshots list SITE_ID")));
    }
    asking.require_person(&format!("Overwrite the live site {}", site.unwrap_or_default()))?;
    let (api, journal, service) = (context.api()?, context.journal()?, context.service()?);
    let site = choose::site(context, &api, site).await?;
    if !args.force {
        guard::refresh(&api, &journal, &service, &[&site.id]).await?;
        guard::permit(&context.program(), &journal.entries()?, &service, &site.id)?;
    }
    let snapshot = choose::snapshot(context, &api, &site.id, snapshot, asking.asks()).await?;
    let consent = choose::confirm(context, &api, &asking, &site, &snapshot, &Scope::describe(&scope)).await?;
    let order = Order { site_id: site.id, snapshot_id: snapshot.id, scope };
    let reason = args.reason.as_deref();
    let launcher = Launcher { context, api: &api, journal: &journal, reason, force: args.force, run: None };
    let launched = launcher.launch(&consent, &order).await;
    let launched = launched.map_err(|error| error.name_flags(|param| args.scope.flag_of(param)))?;
    launched.announce(context, &order);
    if args.watch {
        let followed = follow(context, &api, &journal, &args.follow, vec![launched.target(&order)]).await?;
        return conclude(context, &args.follow, &followed);
    }
    output::result(&Started::now(&order, &launched), launched.task.id.as_slice(), context.shape())
        .map_err(|error| error.hint_first("the restore was started all the same"))?;
    if let Some(id) = &launched.task.id {
        context.ui.hint(&format!("{} restore watch {}", context.program(), arguments(&[id])));
    }
    Ok(())
}
