//! Starts one restore: its intent is on disk before the request is sent, and what is known of it right after.

use super::LATEST;
use super::guard;
use super::watch::Target;
use crate::client::Consent;
use crate::client::{Api, Scope, Task};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Intent, Journal, Outcome, Run};
use crate::resources::Record;
use crate::resources::query::nearest;
use crate::terminal::arguments;
use jiff::Timestamp;

/// What is restored, and from what.
#[derive(Debug)]
pub struct Order {
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that it is overwritten with, never `latest`.
    pub snapshot_id: String,
    /// What of it.
    pub scope: Scope,
}

/// How restores are started.
pub struct Launcher<'l> {
    /// This invocation.
    pub context: &'l Context,
    /// The service.
    pub api: &'l Api,
    /// Where each is written down.
    pub journal: &'l Journal,
    /// Why.
    pub reason: Option<&'l str>,
    /// Whether also where the last restore of the site may still be at work.
    pub force: bool,
    /// The run of a plan that they are part of.
    pub run: Option<Run>,
}

/// A restore that the service has accepted.
#[derive(Debug)]
pub struct Launched {
    /// The journal's name for it.
    pub restore: String,
    /// Its task.
    pub task: Task,
}

impl Launched {
    /// Says on stderr that it was started.
    pub fn announce(&self, context: &Context, order: &Order) {
        let Order { site_id, snapshot_id, .. } = order;
        match &self.task.id {
            Some(id) => context.ui.note(&format!("restoring {site_id} from {snapshot_id}: task {id}")),
            None => context.ui.warn(&format!(
                "the service accepted the restore of {site_id} from {snapshot_id}, but named no task to watch it by"
            )),
        }
    }

    /// What there is to watch of it.
    pub fn target(&self, order: &Order) -> Target {
        let (task_id, site_id) = (self.task.id.clone(), Some(order.site_id.clone()));
        Target { task_id, site_id, restore: Some(self.restore.clone()), ..Target::default() }
    }
}

impl Launcher<'_> {
    /// Starts it. It is sent once, and again only where it was surely not processed.
    ///
    /// # Errors
    /// `Conflict` where a restore of the site may still be at work; `UnknownOutcome` where the answer was lost; else as
    /// the service refuses.
    pub async fn launch(&self, consent: &Consent, order: &Order) -> Result<Launched> {
        let path = self.api.restore_path(&order.site_id, &order.snapshot_id)?;
        let intent = self.intent(order)?;
        let restore = self.journal.begin(intent, |entries| self.permit(entries, order))?;
        match self.api.start_restore(consent, &path, &order.scope).await {
            Ok(task) => {
                self.note(self.journal.accepted(&restore, task.id.clone()));
                Ok(Launched { restore, task })
            }
            Err(error) => {
                let unknown = error.kind == Kind::UnknownOutcome || error.in_flight;
                self.note(self.journal.ended(&restore, if unknown { Outcome::Unknown } else { Outcome::Refused }));
                Err(match unknown {
                    true => in_doubt(error, order),
                    false => self.without_snapshot(order, refused(self.api.program(), error, order)).await,
                })
            }
        }
    }

    /// Of a site or snapshot that is not there, which: where the site has snapshots and this is none of them, that is said.
    /// A plan has looked before.
    async fn without_snapshot(&self, order: &Order, error: Error) -> Error {
        if error.kind != Kind::NotFound || self.run.is_some() {
            return error;
        }
        let Ok(snapshots) = self.api.all_snapshots(&order.site_id).await else { return error };
        let ids: Vec<String> = snapshots.iter().filter_map(Record::id).collect();
        if ids.contains(&order.snapshot_id) {
            return error;
        }
        let known: Vec<&str> = ids.iter().map(String::as_str).chain([LATEST]).collect();
        let meant = nearest(&order.snapshot_id, &known).map(|near| format!("did you mean '{near}'? "));
        let list = format!("{} snapshots list {}", self.api.program(), arguments(&[&order.site_id]));
        Error::new(Kind::NotFound, format!("{} has no snapshot '{}'", order.site_id, order.snapshot_id))
            .hint(format!("{}{list} shows what there is", meant.unwrap_or_default()))
    }

    /// Decides under the journal's lock, so that of two processes only one starts the restore.
    fn permit(&self, entries: &[Entry], order: &Order) -> Result<()> {
        if self.force {
            return Ok(());
        }
        let (program, service) = (self.context.program(), self.context.service()?);
        if let Some(run) = &self.run {
            guard::permit_row(&program, entries, &service, run, &order.site_id)?;
        }
        guard::permit(&program, entries, &service, &order.site_id)
    }

    fn intent(&self, order: &Order) -> Result<Intent> {
        let (user, ci_url) = self.context.who();
        let tells = |text: &str| self.api.tells_token(text);
        if self.reason.is_some_and(tells) || tells(order.scope.raw().get()) {
            return Err(Error::new(
                Kind::Invalid,
                "the reason or the scope holds the token, which the journal would keep",
            )
            .hint("nothing was started; leave it out"));
        }
        Ok(Intent {
            started_at: Timestamp::now(),
            user,
            ci_url: ci_url.filter(|address| !tells(address)),
            profile: self.context.settings.profile.clone(),
            base_url: self.context.service_name()?,
            site_id: order.site_id.clone(),
            snapshot_id: order.snapshot_id.clone(),
            scope: order.scope.raw().to_owned(),
            reason: self.reason.map(Into::into),
            run: self.run.clone(),
        })
    }

    /// Once it is sent, a journal that cannot be written must not hide what happened: it is only warned about.
    fn note(&self, written: Result<()>) {
        if let Err(error) = written {
            self.context.ui.warn(&error.message);
        }
    }
}

fn in_doubt(error: Error, order: &Order) -> Error {
    error
        .context(format!(
            "it is not known whether the restore of {} from {} was started",
            order.site_id, order.snapshot_id
        ))
        .hint("it was not sent again; look at the site and the service before you start another one with --force (sitectl explain unknown_outcome says more)")
}

/// `program` begins a command line for a hint.
fn refused(program: &str, error: Error, order: &Order) -> Error {
    let Order { site_id, snapshot_id, .. } = order;
    match error.kind {
        Kind::NotFound => error.about_missing(
            "such site or snapshot:",
            &format!("{site_id}, {snapshot_id}"),
            &format!("{program} sites list and {program} snapshots list {} show what there is", arguments(&[site_id])),
        ),
        Kind::Conflict => error.or_hint(|| {
            format!("try again when it is done; {program} restore watch waits for restores that were started here")
        }),
        Kind::Invalid if error.details.iter().any(|detail| detail.param.contains("snapshot")) => {
            error.or_hint(|| format!("{program} snapshots list {} shows which have succeeded", arguments(&[site_id])))
        }
        Kind::Invalid => error.or_hint(|| "nothing was started; mend what is named above and run it again".into()),
        _ => error,
    }
}
