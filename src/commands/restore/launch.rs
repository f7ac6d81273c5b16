//! Starts one restore. Its intent is on disk before the request is sent, and its task id right after.

use super::args::Args;
use super::guard;
use crate::client::{Api, Consent, Task};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Intent, Journal, Outcome, Run};
use crate::resources::Record;
use crate::terminal::{arguments, option};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The site, snapshot and scope of a restore.
#[derive(Debug)]
pub struct Order {
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that it is overwritten with, never `latest` when it is sent.
    pub snapshot_id: String,
    /// For `latest`, the time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The scope as it is sent.
    pub scope: Box<RawValue>,
}

/// How restores are started.
pub struct Launcher<'l> {
    /// The context of the command.
    pub context: &'l Context,
    /// The service.
    pub api: &'l Api,
    /// The journal.
    pub journal: &'l Journal,
    /// The command line.
    pub args: &'l Args,
    /// The run of a plan that they belong to.
    pub run: Option<Run>,
}

/// A restore that the service has accepted.
#[derive(Debug)]
pub struct Accepted {
    /// Its id in the journal.
    pub restore: String,
    /// Its task, if the service returned one.
    pub task_id: Option<String>,
    /// The task as the service sent it.
    pub task: Option<Record>,
    /// Whether an earlier run of the plan has started it.
    pub is_earlier: bool,
    /// How it ended, if that is known.
    pub ended: Option<Outcome>,
}

impl Launcher<'_> {
    /// Returns the command that runs the plan.
    pub fn plan_command(&self) -> String {
        self.command(self.args.plan.file.as_deref().unwrap_or_default())
    }

    /// Returns the command that runs the plan in another file.
    pub fn command(&self, file: &str) -> String {
        format!("{} restore start {}{}", self.context.program(), option("--plan", file), self.args.defaults())
    }

    /// Starts the restore, and warns if it cannot be watched. The request is retried only if it was surely not processed.
    ///
    /// # Errors
    /// `Conflict` if a restore of the site may still be running; `UnknownOutcome` if the response was lost; else as the
    /// service refuses.
    pub async fn launch(&self, consent: &Consent, order: &Order) -> Result<Accepted> {
        let path = self.api.restore_path(&order.site_id, &order.snapshot_id)?;
        let intent = self.intent(order)?;
        let restore = self.journal.begin(intent, |entries| self.permit(entries, order))?;
        match self.api.start_restore(consent, &path, &order.scope).await {
            Ok(task) => {
                self.warn(self.journal.accepted(&restore, task.id.clone()));
                if task.id.is_none() {
                    let Order { site_id, snapshot_id, .. } = order;
                    self.context.ui.warn(&format!(
                        "the service accepted the restore of {site_id} from {snapshot_id}, but returned no task id"
                    ));
                }
                let Task { id: task_id, record, .. } = task;
                Ok(Accepted { restore, task_id, task: Some(record), is_earlier: false, ended: None })
            }
            Err(error) if error.kind == Kind::UnknownOutcome || error.in_flight => {
                self.warn(self.journal.ended(&restore, Outcome::Unknown));
                let Order { site_id, snapshot_id, .. } = order;
                let doubt = format!("the outcome of the restore of {site_id} from {snapshot_id} is unknown");
                Err(error
                    .context(doubt)
                    .hint("check the site before you start another restore: sitectl explain unknown_outcome"))
            }
            Err(error) => {
                self.warn(self.journal.ended(&restore, Outcome::Refused));
                Err(self.refused(error, order))
            }
        }
    }

    /// Decides under the journal's lock, so that of two processes only one starts the restore.
    fn permit(&self, entries: &[Entry], order: &Order) -> Result<()> {
        if self.args.force {
            return Ok(());
        }
        let (program, service) = (self.context.program(), self.context.service()?);
        if let Some(run) = &self.run {
            guard::permit_row(&program, entries, &service, run, &order.site_id)?;
        }
        guard::permit(&program, entries, &service, &order.site_id)
    }

    fn intent(&self, order: &Order) -> Result<Intent> {
        let (user, ci_url) = (self.context.env.user.clone(), self.context.env.ci_url.clone());
        let tells = |text: &str| self.api.contains_token(text);
        if self.args.reason.as_deref().is_some_and(tells) || tells(order.scope.get()) {
            let what = "the reason or the scope contains the API token, which the journal would keep";
            return Err(Error::new(Kind::Invalid, what).hint("No changes were made. Remove the token."));
        }
        Ok(Intent {
            started_at: Timestamp::now(),
            user,
            ci_url: ci_url.filter(|address| !tells(address)),
            profile: self.context.settings.profile.clone(),
            base_url: self.context.service_name()?,
            site_id: order.site_id.clone(),
            snapshot_id: order.snapshot_id.clone(),
            scope: order.scope.clone(),
            reason: self.args.reason.clone(),
            run: self.run.clone(),
        })
    }

    /// Only warns, because a journal that cannot be written must not hide the result of a request.
    fn warn(&self, written: Result<()>) {
        if let Err(error) = written {
            self.context.ui.warn(&error.message);
        }
    }

    fn refused(&self, error: Error, order: &Order) -> Error {
        let (program, site_id) = (self.context.program(), arguments(&[&order.site_id]));
        let list = || format!("list the snapshots: {program} snapshots list {site_id}");
        match error.kind {
            Kind::NotFound => {
                let id = format!("{}' with the snapshot '{}", order.site_id, order.snapshot_id);
                error.not_found("site", &id).hint(list())
            }
            Kind::Conflict => {
                error.or_hint(|| format!("wait for the restores that were started here: {program} restore watch"))
            }
            // In a plan, other rows may have been started.
            Kind::Invalid if self.run.is_none() => {
                error.or_hint(|| "No changes were made. Fix the values above and retry.".into())
            }
            _ => error,
        }
    }
}
