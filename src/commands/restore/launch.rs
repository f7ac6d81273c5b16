//! Starts one restore. Its intent is on disk before the request is sent, and its task id right
//! after.

use super::args::Args;
use super::row::RestoreRow;
use super::watch::SentRestore;
use crate::client::{Api, Consent};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Intent, Journal, Outcome, PlanRun, unfinished_restores};
use crate::terminal::{shell_arguments, shell_option};
use jiff::Timestamp;

/// Starts the restores of one invocation.
pub struct Launcher<'l> {
    pub context: &'l Context,
    pub api: &'l Api,
    pub journal: Journal,
    pub args: &'l Args,
    /// The run of the plan that the restores belong to; none without `--plan`.
    pub run: Option<PlanRun>,
}

impl Launcher<'_> {
    /// Returns the command that runs the plan.
    pub fn plan_command(&self) -> String {
        self.command_for_file(self.args.plan.as_deref().unwrap_or_default())
    }

    /// Returns the command that runs the plan in another file.
    pub fn command_for_file(&self, file: &str) -> String {
        let program = self.context.program();
        let plan = shell_option("--plan", file);
        let options = self.args.restore_options();
        format!("{program} restore start {plan}{options}")
    }

    /// Starts the restore, and warns if it cannot be watched. The request is retried only if it was
    /// surely not processed.
    ///
    /// # Errors
    /// `Conflict` if a restore of the site may still be running; `UnknownOutcome` if the response
    /// was lost; else as the service refuses.
    pub async fn launch(&self, consent: &Consent, row: &RestoreRow) -> Result<SentRestore> {
        let site_id = &row.site_id;
        let path = self.api.restore_path(site_id, &row.snapshot_id)?;
        let intent = self.intent(row)?;
        let restore_id = self.journal.record_intent(intent, |entries| {
            self.refuse_concurrent_run(entries, site_id)?;
            self.refuse_unfinished(entries, site_id)
        })?;
        let restore = format!("the restore of {site_id} from {}", row.snapshot_id);
        match self.api.start_restore(consent, &path, &row.scope).await {
            Ok(task) => {
                self.warn_if_failed(self.journal.record_acceptance(&restore_id, task.id.clone()));
                if task.id.is_none() {
                    let warning =
                        format!("the service accepted {restore}, but returned no task id");
                    self.context.ui.warn(&warning);
                }
                Ok(SentRestore {
                    task_id: task.id,
                    site_id: Some(site_id.clone()),
                    restore_id: Some(restore_id),
                    task: Some(task.record),
                    ..SentRestore::default()
                })
            }
            Err(error) if error.has_unknown_outcome() => {
                self.warn_if_failed(self.journal.record_outcome(&restore_id, Outcome::Unknown));
                Err(error
                    .context(format!("the outcome of {restore} is unknown"))
                    .with_hint(
                        "check the site before you start another restore: \
                         sitectl explain unknown_outcome",
                    ))
            }
            Err(error) => {
                self.warn_if_failed(self.journal.record_outcome(&restore_id, Outcome::Refused));
                Err(self.with_refusal_hint(error, row))
            }
        }
    }

    /// Refuses a site with a restore that may still be running, unless `--force` is set. `launch`
    /// repeats this check under the journal's lock, so that only one of two processes starts.
    ///
    /// # Errors
    /// `Conflict` with the command that watches the restore.
    pub fn refuse_unfinished(&self, entries: &[Entry], site_id: &str) -> Result<()> {
        if self.args.force {
            return Ok(());
        }
        for entry in unfinished_restores(entries).into_iter().rev() {
            if entry.intent.site_id == site_id {
                return Err(self.conflict_error(entry));
            }
        }
        Ok(())
    }

    /// Refuses a row of a plan if another process runs the same plan, or has sent the row in the
    /// same run, unless `--force` is set. A restore without a plan is never refused.
    fn refuse_concurrent_run(&self, entries: &[Entry], site_id: &str) -> Result<()> {
        let Some(run) = self.run.as_ref().filter(|_| !self.args.force) else {
            return Ok(());
        };
        let is_other_run = run
            .last_unfinished(entries)
            .is_some_and(|last| last != *run);
        let was_sent = run
            .last_restore(entries, site_id)
            .is_some_and(|entry| !entry.was_refused());
        if !is_other_run && !was_sent {
            return Ok(());
        }
        let program = self.context.program();
        let error = Error::new(Kind::Conflict, "another process is running the same plan");
        Err(error.with_hint(format!("watch its restores: {program} restore watch")))
    }

    /// Returns the error of a site with a restore that may still be running.
    pub fn conflict_error(&self, unfinished: &Entry) -> Error {
        let program = self.context.program();
        let site_id = &unfinished.intent.site_id;
        let started_at = unfinished.intent.started_at;
        let (message, hint) = match &unfinished.task_id {
            Some(task_id) => (
                format!(
                    "the restore of {site_id} started {started_at:.0} as task {task_id} \
                     is still running or unknown"
                ),
                format!(
                    "watch the restore: {program} restore watch {}",
                    shell_arguments(&[task_id])
                ),
            ),
            None => (
                format!("the outcome of the restore of {site_id} sent {started_at:.0} is unknown"),
                format!(
                    "check the site before you use --force: {program} restore history {}",
                    shell_option("--site", site_id)
                ),
            ),
        };
        Error::new(Kind::Conflict, message).with_hint(hint)
    }

    /// Returns the journal entry to write before the request.
    ///
    /// # Errors
    /// `Invalid` if it would contain the API token.
    fn intent(&self, row: &RestoreRow) -> Result<Intent> {
        let reason = self.args.reason.clone();
        let contains_token = |text: &str| self.api.contains_token(text);
        if reason.as_deref().is_some_and(contains_token) || contains_token(row.scope.get()) {
            let message =
                "the reason or the scope contains the API token, which the journal would keep";
            return Err(Error::new(Kind::Invalid, message)
                .with_hint("No changes were made. Remove the token."));
        }
        let env = &self.context.env;
        Ok(Intent {
            started_at: Timestamp::now(),
            user: env.user.clone(),
            ci_url: env.ci_url.clone().filter(|url| !contains_token(url)),
            profile: self.context.settings.profile.clone(),
            base_url: self.context.base_url_for_display()?,
            site_id: row.site_id.clone(),
            snapshot_id: row.snapshot_id.clone(),
            scope: row.scope.clone(),
            reason,
            run: self.run.clone(),
        })
    }

    /// Warns if the journal could not be written. That is not an error, which would hide the result
    /// of the request.
    fn warn_if_failed(&self, written: Result<()>) {
        if let Err(error) = written {
            self.context.ui.warn(&error.message);
        }
    }

    fn with_refusal_hint(&self, error: Error, row: &RestoreRow) -> Error {
        let program = self.context.program();
        let hint = match error.kind {
            Kind::NotFound => {
                let site = shell_arguments(&[&row.site_id]);
                format!("list the snapshots: {program} snapshots list {site}")
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
