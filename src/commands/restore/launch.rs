//! Starts one restore. Its intent is on disk before the request is sent, and its task id right after.

use super::args::Args;
use super::row::Row;
use super::watch::Target;
use crate::client::{Api, Consent};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Intent, Journal, Outcome, Run, unfinished};
use crate::terminal::{shell_arguments, shell_option};
use jiff::Timestamp;

/// How restores are started.
pub struct Launcher<'l> {
    /// The context of the command.
    pub context: &'l Context,
    /// The service.
    pub api: &'l Api,
    /// The journal.
    pub journal: Journal,
    /// The command line.
    pub args: &'l Args,
    /// The run of a plan that they belong to.
    pub run: Option<Run>,
}

impl Launcher<'_> {
    /// Returns the command that runs the plan.
    pub fn plan_command(&self) -> String {
        self.command(self.args.plan.as_deref().unwrap_or_default())
    }

    /// Returns the command that runs the plan in another file.
    pub fn command(&self, file: &str) -> String {
        format!(
            "{} restore start {}{}",
            self.context.program(),
            shell_option("--plan", file),
            self.args.defaults()
        )
    }

    /// Starts the restore, and warns if it cannot be watched. The request is retried only if it was surely not processed.
    ///
    /// # Errors
    /// `Conflict` if a restore of the site may still be running; `UnknownOutcome` if the response was lost; else as the
    /// service refuses.
    pub async fn launch(&self, consent: &Consent, row: &Row) -> Result<Target> {
        let Row {
            site_id,
            snapshot_id,
            scope,
            ..
        } = row;
        let path = self.api.restore_path(site_id, snapshot_id)?;
        let intent = self.intent(row)?;
        let restore = self.journal.begin(intent, |entries| {
            self.permit_run(entries, site_id)?;
            self.permit(entries, site_id)
        })?;
        let what = format!("the restore of {site_id} from {snapshot_id}");
        match self.api.start_restore(consent, &path, scope).await {
            Ok(task) => {
                self.warn(self.journal.accepted(&restore, task.id.clone()));
                if task.id.is_none() {
                    self.context.ui.warn(&format!(
                        "the service accepted {what}, but returned no task id"
                    ));
                }
                let (site_id, restore) = (Some(site_id.clone()), Some(restore));
                Ok(Target {
                    task_id: task.id,
                    site_id,
                    restore,
                    task: Some(task.record),
                    ..Target::default()
                })
            }
            Err(error) if error.is_in_doubt() => {
                self.warn(self.journal.ended(&restore, Outcome::Unknown));
                Err(error
                    .context(format!("the outcome of {what} is unknown"))
                    .with_hint("check the site before you start another restore: sitectl explain unknown_outcome"))
            }
            Err(error) => {
                self.warn(self.journal.ended(&restore, Outcome::Refused));
                Err(self.refused(error, row))
            }
        }
    }

    /// Refuses if a restore of the site may still be running. Under the journal's lock, only one of two processes starts it.
    ///
    /// # Errors
    /// `Conflict` with the command that watches the restore.
    pub fn permit(&self, entries: &[Entry], site_id: &str) -> Result<()> {
        let open = unfinished(entries)
            .into_iter()
            .rev()
            .find(|entry| entry.intent.site_id == site_id);
        open.filter(|_| !self.args.force)
            .map_or(Ok(()), |open| Err(self.conflict(open)))
    }

    /// Refuses a row of a plan if another process runs the same plan, or has sent the row in the same run.
    fn permit_run(&self, entries: &[Entry], site_id: &str) -> Result<()> {
        let Some(run) = self.run.as_ref().filter(|_| !self.args.force) else {
            return Ok(());
        };
        let is_other = run.unfinished(entries).is_some_and(|last| last != *run);
        let was_sent = run
            .restore(entries, site_id)
            .is_some_and(|entry| !entry.was_refused());
        if !is_other && !was_sent {
            return Ok(());
        }
        Err(
            Error::new(Kind::Conflict, "another process is running the same plan").with_hint(
                format!(
                    "watch its restores: {} restore watch",
                    self.context.program()
                ),
            ),
        )
    }

    /// Describes a restore that may still be running.
    pub fn conflict(&self, open: &Entry) -> Error {
        let (program, site_id) = (self.context.program(), &open.intent.site_id);
        let since = format!("{:.0}", open.intent.started_at);
        let (message, hint) = match &open.task_id {
            Some(task_id) => (
                format!(
                    "the restore of {site_id} started {since} as task {task_id} is still running or unknown"
                ),
                format!(
                    "watch the restore: {program} restore watch {}",
                    shell_arguments(&[task_id])
                ),
            ),
            None => (
                format!("the outcome of the restore of {site_id} sent {since} is unknown"),
                format!(
                    "check the site before you use --force: {program} restore history {}",
                    shell_option("--site", site_id)
                ),
            ),
        };
        Error::new(Kind::Conflict, message).with_hint(hint)
    }

    fn intent(&self, row: &Row) -> Result<Intent> {
        let (user, ci_url) = (
            self.context.env.user.clone(),
            self.context.env.ci_url.clone(),
        );
        let reason = self.args.reason.clone();
        let tells = |text: &str| self.api.contains_token(text);
        if reason.as_deref().is_some_and(tells) || tells(row.scope.get()) {
            let what =
                "the reason or the scope contains the API token, which the journal would keep";
            return Err(Error::new(Kind::Invalid, what)
                .with_hint("No changes were made. Remove the token."));
        }
        Ok(Intent {
            started_at: Timestamp::now(),
            user,
            ci_url: ci_url.filter(|address| !tells(address)),
            profile: self.context.settings.profile.clone(),
            base_url: self.context.base_url_for_display()?,
            site_id: row.site_id.clone(),
            snapshot_id: row.snapshot_id.clone(),
            scope: row.scope.clone(),
            reason,
            run: self.run.clone(),
        })
    }

    /// Only warns, because a journal that cannot be written must not hide the result of a request.
    fn warn(&self, written: Result<()>) {
        if let Err(error) = written {
            self.context.ui.warn(&error.message);
        }
    }

    fn refused(&self, error: Error, row: &Row) -> Error {
        let program = self.context.program();
        let hint = match error.kind {
            Kind::NotFound => {
                format!(
                    "list the snapshots: {program} snapshots list {}",
                    shell_arguments(&[&row.site_id])
                )
            }
            Kind::Conflict => {
                format!("wait for the restores that were started here: {program} restore watch")
            }
            // In a plan, other rows may have been started.
            Kind::Invalid if self.run.is_none() => {
                "No changes were made. Fix the values above and retry.".into()
            }
            _ => return error,
        };
        error.with_fallback_hint(|| hint)
    }
}
