//! `sitectl restore start`: overwrites a live site, so every step is written down before the next is taken.

use super::choose;
use super::guard;
use super::scope::ScopeArgs;
use super::watch::{FollowArgs, Target, conclude, follow};
use crate::api::{Api, Scope, Task};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Intent, Journal, Outcome};
use crate::output;
use crate::resource::Record;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full --watch --yes
  sitectl restore start site-0004 snap-0004-2 --database --table wp_posts --yes
  sitectl restore start site-0005 latest --path wp-content/uploads --reason hacked --yes

With --watch, the exit code is 0 when it succeeded, 10 when it failed, 11 when the time was
up, 12 when the outcome is unknown.";

/// Restore a site from a snapshot. This overwrites the live site.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The site's id
    #[arg(value_name = "SITE_ID")]
    site_id: String,
    /// The snapshot's id, or latest: the newest that has succeeded
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    snapshot_id: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Watch it until it ends; the exit code tells how
    #[arg(long)]
    watch: bool,
    /// Why; kept in the journal
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Start it even where the last restore of the site is not known to have ended
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten, next_help_heading = "With --watch")]
    follow: FollowArgs,
}

/// What is restored, and from what.
struct What<'w> {
    site_id: &'w str,
    snapshot_id: &'w str,
    scope: &'w Scope,
    /// Whether the scope was written by hand, so that no single flag can be blamed.
    by_hand: bool,
}

/// What is printed of a restore that was started.
#[derive(Serialize)]
struct Started<'s> {
    site_id: &'s str,
    snapshot_id: &'s str,
    task_id: Option<&'s str>,
    scope: &'s RawValue,
    task: &'s Record,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let scope = args.scope.scope()?;
    if !args.yes && !context.ui.may_prompt() {
        context.ui.confirm(&format!("Overwrite the live site {}?", args.site_id), "--yes")?;
    }
    let (api, journal, service) = (context.api()?, context.journal()?, context.service_name()?);
    if !args.force {
        guard::refresh(&api, &journal, &service, &args.site_id).await?;
        guard::permit(&context.program(), &journal.entries()?, &service, &args.site_id)?;
    }
    let snapshot = choose::snapshot(context, &api, &args.site_id, &args.snapshot_id, !args.yes).await?;
    if !args.yes {
        choose::confirm(context, &service, &args.site_id, &snapshot, &args.scope)?;
    }
    let restore = journal.begin(intent(context, args, &snapshot.id, &scope)?, |entries| match args.force {
        true => Ok(()),
        false => guard::permit(&context.program(), entries, &service, &args.site_id),
    })?;
    let what =
        What { site_id: &args.site_id, snapshot_id: &snapshot.id, scope: &scope, by_hand: args.scope.is_by_hand() };
    let task = send(context, &api, &journal, &restore, &what).await?;
    announce(context, args, &snapshot.id, &scope, &task)?;
    match task.id {
        Some(task_id) if args.watch => {
            let target = Target { task_id: Some(task_id), site_id: Some(args.site_id.clone()), restore: Some(restore) };
            let followed = follow(context, &api, &journal, &args.follow, vec![target]).await?;
            conclude(context, &args.follow, &followed)
        }
        None if args.watch => Err(Error::new(
            Kind::UnknownOutcome,
            "the restore was accepted, but without a task there is nothing to watch",
        )),
        _ => Ok(()),
    }
}

fn intent(context: &Context, args: &Args, snapshot_id: &str, scope: &Scope) -> Result<Intent> {
    let (user, ci_url) = context.who();
    Ok(Intent {
        started_at: Timestamp::now(),
        user,
        ci_url,
        profile: context.settings.profile.clone(),
        base_url: context.service_name()?,
        site_id: args.site_id.clone(),
        snapshot_id: snapshot_id.into(),
        scope: scope.raw().to_owned(),
        reason: args.reason.clone(),
    })
}

/// Sends it once, and writes down what is known of it then. From here on a journal that cannot be written must not hide
/// what happened: it is only warned about.
async fn send(context: &Context, api: &Api, journal: &Journal, restore: &str, what: &What<'_>) -> Result<Task> {
    let note = |written: Result<()>| {
        if let Err(error) = written {
            context.ui.warn(&error.message);
        }
    };
    match api.start_restore(what.site_id, what.snapshot_id, what.scope).await {
        Ok(task) => {
            note(journal.accepted(restore, task.id.clone()));
            Ok(task)
        }
        Err(error) => {
            let unknown = error.kind == Kind::UnknownOutcome || error.in_flight;
            note(journal.ended(restore, if unknown { Outcome::Unknown } else { Outcome::Refused }));
            Err(if unknown { in_doubt(error, what) } else { refused(error, what) })
        }
    }
}

fn in_doubt(error: Error, what: &What<'_>) -> Error {
    error
        .context(format!(
            "it is not known whether the restore of {} from {} was started",
            what.site_id, what.snapshot_id
        ))
        .hint("it was not sent again; look at the site and the service before you start another one with --force")
}

fn refused(error: Error, what: &What<'_>) -> Error {
    let (site_id, snapshot_id) = (what.site_id, what.snapshot_id);
    match error.kind {
        Kind::NotFound => error.about_missing(
            "such site or snapshot:",
            &format!("{site_id}, {snapshot_id}"),
            &format!("sitectl sites list and sitectl snapshots list {site_id} show what there is"),
        ),
        Kind::Conflict => error
            .or_hint(|| "a restore of this site is running; sitectl restore watch waits for those started here".into()),
        Kind::Invalid => error
            .or_hint(|| format!("sitectl snapshots list {site_id} shows which snapshots have succeeded"))
            .name_flags(|param| if what.by_hand { Some("--scope-json".into()) } else { flag_of(param) }),
        _ => error,
    }
}

fn flag_of(param: &str) -> Option<String> {
    let flag = match param.rsplit('.').next()? {
        "paths" => "--path",
        "tables" => "--table",
        "subsite_ids" => "--subsite",
        "include_files" => "--files",
        "include_database" => "--database",
        "snapshot_id" => "SNAPSHOT_ID",
        _ => return None,
    };
    Some(flag.into())
}

/// Says what was started; with `--watch` only the end goes to stdout.
fn announce(context: &Context, args: &Args, snapshot_id: &str, scope: &Scope, task: &Task) -> Result<()> {
    match &task.id {
        Some(id) => context.ui.note(&format!("restoring {} from {snapshot_id}: task {id}", args.site_id)),
        None => context.ui.warn("the service accepted the restore, but named no task to watch it by"),
    }
    if args.watch {
        return Ok(());
    }
    let started = Started {
        site_id: &args.site_id,
        snapshot_id,
        task_id: task.id.as_deref(),
        scope: scope.raw(),
        task: &task.record,
    };
    let printed = output::result(&started, task.id.as_slice(), context.shape());
    printed.map_err(|error| error.or_hint(|| "the restore was started all the same".into()))?;
    if let Some(id) = &task.id {
        context.ui.hint(&format!("{} restore watch {id}", context.program()));
    }
    Ok(())
}
