//! Reports a run: prints its restores or watches them, writes those that failed, and returns the
//! error with the exit code of the run.

use super::args::plan_column;
use super::send::{RunCommand, outcome_of_error};
use super::watch::{WatchTarget, print_unwatched, report_outcomes, watch_restores};
use crate::commands::bulk::{Outcomes, failure_kind};
use crate::commands::finish_change;
use crate::config::OutputFormat;
use crate::error::{Detail, Error, Kind, Result};
use crate::journal::{DecidedRestore, Entry, Restore, Run};
use crate::output;
use crate::resources::{Outcome, Record, STARTED, ServiceTime};
use crate::shell::shell_arguments;
use crate::terminal::{errors, pluralize};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The outcomes that are errors, in words. Restores with the first three were not started.
const FAILURES: [(Outcome, &str); 5] = [
    (Outcome::NotSent, "not sent"),
    (Outcome::Superseded, "superseded"),
    (Outcome::Rejected, "rejected"),
    (Outcome::Unknown, "with an unknown outcome"),
    (Outcome::Failed, "failed"),
];

/// One restore on stdout: its task, or its error. Of two nested options, the outer one leaves out
/// the field, and the inner one prints null.
#[derive(Serialize)]
pub struct RestoreOutput<'r> {
    pub run: Option<&'r str>,
    pub site_id: &'r str,
    pub url: Option<&'r str>,
    pub snapshot_id: &'r str,
    pub taken_at: Option<&'r ServiceTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<Option<&'r str>>,
    pub scope: &'r RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Option<&'r Record>>,
    /// Whether an earlier command has sent the restore.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<serde_json::Value>,
    /// Only in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl<'r> RestoreOutput<'r> {
    /// A restore that was not sent.
    pub fn decided(restore: &'r DecidedRestore) -> Self {
        Self {
            run: None,
            site_id: &restore.site_id,
            url: restore.url.as_deref(),
            snapshot_id: &restore.snapshot_id,
            taken_at: restore.taken_at.as_ref(),
            task_id: Some(None),
            scope: &restore.scope,
            task: Some(None),
            resumed: false,
            error: None,
            outcome: None,
        }
    }
}

/// One restore of the report.
struct ReportedRestore {
    index: usize,
    restore: Restore,
    outcome: Outcome,
    /// The task, if this command has received it.
    task: Option<Record>,
    /// Whether another command has sent it.
    is_resumed: bool,
    error: Option<Error>,
}

/// The result of a run, after a command has sent what was left of it.
pub struct RunReport<'r> {
    command: &'r RunCommand<'r>,
    run: Run,
    restores: Vec<ReportedRestore>,
    /// The restores that were not sent because of an error of another.
    not_sent: BTreeSet<usize>,
    stopped_by: Option<Error>,
}

impl<'r> RunReport<'r> {
    /// Combines the results of this command with what the journal knows of the run.
    pub fn new(command: &'r RunCommand<'r>, mut sent: Outcomes<Record>) -> Result<Self> {
        let run = command.run()?;
        let runs = command.journal.runs();
        let conflicts = command.conflicts(&runs);
        let mut restores = Vec::new();
        for entry in runs.entries_of_run(&run) {
            let (task, error, is_resumed) = match sent.rows.remove(&entry.index) {
                Some(Ok(task)) => (Some(task), None, false),
                // Another process has sent it.
                Some(Err(error))
                    if outcome_of_error(&error) == Outcome::NotSent
                        && entry.outcome.was_accepted() =>
                {
                    (None, None, true)
                }
                Some(Err(error)) => (None, Some(error), false),
                None => {
                    let was_sent = entry.restore.sent_at().is_some();
                    (None, conflicts.recorded_error(&entry), was_sent)
                }
            };
            if is_resumed && entry.outcome == Outcome::Running && entry.restore.task_id().is_none()
            {
                command.context.ui.warn(&format!(
                    "the restore of {}, which another command has sent, has no response yet",
                    entry.site_id()
                ));
            }
            restores.push(ReportedRestore {
                index: entry.index,
                restore: entry.restore.clone(),
                outcome: entry.outcome,
                task,
                is_resumed,
                error,
            });
        }
        drop(runs);
        Ok(Self {
            command,
            run,
            restores,
            not_sent: sent.not_sent,
            stopped_by: sent.stopped_by,
        })
    }

    /// Watches the restores if `--watch` is set, otherwise prints them. After Ctrl-C, restores are
    /// printed in the same form, but not watched.
    ///
    /// # Errors
    /// The error of the run.
    pub async fn finish(mut self) -> Result<()> {
        let is_interrupted = self
            .stopped_by
            .as_ref()
            .is_some_and(|error| error.kind == Kind::Interrupted);
        let result = if self.command.args.watches() && !is_interrupted {
            self.watch().await
        } else {
            self.print()
        };
        let RunCommand {
            context, journal, ..
        } = self.command;
        if let Err(error) = journal.write_rest().await {
            context.ui.warn(&error.message);
        }
        result
    }

    /// Prints the restores, and writes those that failed. A single restore that failed has only its
    /// error.
    ///
    /// # Errors
    /// The error of the run.
    fn print(&self) -> Result<()> {
        let result = self.require_success();
        if !self.command.prints_list && result.is_err() {
            return result;
        }
        let printed = if self.command.args.watches() {
            print_unwatched(self.command.context, self.targets())
        } else {
            self.print_restores()
        };
        let is_printed = printed.is_ok();
        let is_started = self.restores.iter().any(|restore| restore.error.is_none());
        let started = is_started.then(|| "restores were started".into());
        finish_change(started, result, printed)?;
        if is_printed {
            self.hint_watch();
        }
        Ok(())
    }

    /// Watches the restores, prints how they ended, and writes those that were rejected or failed.
    ///
    /// # Errors
    /// The outcome of the watched restores; if all of them succeeded, the error of the others.
    async fn watch(&mut self) -> Result<()> {
        let RunCommand {
            context,
            api,
            journal,
            args,
            ..
        } = *self.command;
        let targets = self.targets();
        // The error of a single restore says why its response was lost.
        let is_lost = !self.command.prints_list
            && targets.iter().all(|target| target.task_id.is_none())
            && self.restores.iter().all(|restore| restore.error.is_some());
        if is_lost || targets.is_empty() {
            return self.print();
        }
        // Watching may take hours.
        for restore in &mut self.restores {
            if restore.is_resumed && restore.outcome.may_have_started() {
                restore.error = None;
            }
        }
        let warned = self.warn_of_errors();
        let without_warned = |error: Error| {
            let mut details = error.details.clone();
            details.retain(|detail| !warned.contains(detail));
            error.with_details(details)
        };
        let mut watched = watch_restores(context, api, journal, &args.polling, targets)
            .await
            .map_err(|error| match error.kind {
                // Stdout or the journal failed.
                Kind::Error => error.context("restores were started, but watching ended"),
                _ => error,
            })?;
        // Another process may have been waiting for the response of a restore that was not started.
        watched.tasks.retain(|task| task.outcome.may_have_started());
        self.update_from_journal();
        let Err(error) = report_outcomes(context, &args.polling, &watched) else {
            return self.require_success().map_err(without_warned);
        };
        let mut details = error.details.clone();
        details.extend(self.problems());
        let error = without_warned(error.with_details(details));
        // Only the details were shown before watching.
        let not_started = self.failure_summary(&FAILURES[..3]);
        let error = if not_started.is_empty() {
            error
        } else {
            error.append_to_message(&not_started)
        };
        if error.kind == Kind::UnknownOutcome {
            return Err(self.with_resume_hint(error));
        }
        let mut hints = Vec::new();
        if self.count(Outcome::NotSent) > 0 {
            hints.push(format!("resume the run: {}", self.command.resume_command()));
        }
        if self.command.prints_list && error.kind == Kind::RestoreFailed {
            hints.push(self.repeat_hint());
        }
        if hints.is_empty() {
            return Err(error);
        }
        Err(error.with_hint(hints.join("; then ")))
    }

    /// Takes over what the journal says after watching, which reports the outcomes of restores that
    /// may have been started. Only unknown ones need an explanation.
    fn update_from_journal(&mut self) {
        let runs = self.command.journal.runs();
        let conflicts = self.command.conflicts(&runs);
        for restore in &mut self.restores {
            let id = self.run.restore_id(restore.index);
            let Some(entry) = runs.entry(&id) else {
                continue;
            };
            restore.outcome = entry.outcome;
            if restore.outcome == Outcome::Unknown {
                let decided = &restore.restore.decided;
                restore.error.get_or_insert_with(|| {
                    let error = conflicts.unfinished_error(&entry, decided);
                    error.with_kind(Kind::UnknownOutcome)
                });
            } else if restore.outcome.may_have_started() {
                restore.error = None;
            } else if restore.is_resumed {
                restore.error = conflicts.recorded_error(&entry);
            }
        }
    }

    /// Returns the restores to watch: without those that were surely not started, or are superseded.
    fn targets(&self) -> Vec<WatchTarget> {
        let restores = self.restores.iter();
        restores
            .filter(|restore| restore.outcome.may_have_started())
            .map(|restore| WatchTarget {
                resumed: restore.is_resumed,
                is_announced: !restore.is_resumed,
                ..WatchTarget::new(&Entry {
                    run: &self.run,
                    index: restore.index,
                    restore: &restore.restore,
                    outcome: restore.outcome,
                })
            })
            .collect()
    }

    /// Shows on stderr which restores were not started, and returns the details that the error of
    /// the run need not repeat. An error in JSON has all details.
    fn warn_of_errors(&self) -> Vec<Detail> {
        let context = self.command.context;
        let Err(error) = self.require_success() else {
            return Vec::new();
        };
        context.ui.warn(&error.message);
        errors::print_details(&context.ui, &error);
        if context.settings.format.is_json() {
            Vec::new()
        } else {
            error.details.clone()
        }
    }

    fn hint_watch(&self) {
        let mut task_ids = Vec::new();
        for restore in &self.restores {
            if restore.outcome == Outcome::Running {
                task_ids.extend(restore.restore.task_id());
            }
        }
        let context = self.command.context;
        let program = context.program();
        let hint = match task_ids.as_slice() {
            [] => return,
            [task_id] => {
                let argument = shell_arguments(&[task_id]);
                format!("watch the restore: {program} restore watch {argument}")
            }
            _ => format!("watch the restores: {program} restore watch"),
        };
        context.ui.hint(&hint);
    }

    fn print_restores(&self) -> Result<()> {
        let context = self.command.context;
        let options = context.output_options();
        let is_list = self.command.prints_list;
        let is_table = match context.settings.format {
            OutputFormat::Csv => true,
            format => is_list && format == OutputFormat::Table,
        };
        let mut outputs = Vec::new();
        let mut ids = Vec::new();
        for restore in &self.restores {
            let mut output = self.output_of(restore);
            output.outcome = Some(restore.outcome).filter(|_| is_table || options.fields.is_some());
            outputs.push(output);
            if restore.error.is_none() {
                ids.extend(restore.restore.task_id().map(String::from));
            }
        }
        match outputs.as_slice() {
            outputs if is_table => output::print_list(&STARTED, &outputs, options),
            [output] if !is_list => output::print_result(output, &ids, options),
            outputs => output::print_result(&outputs, &ids, options),
        }
    }

    fn output_of<'s>(&'s self, restore: &'s ReportedRestore) -> RestoreOutput<'s> {
        let has_error = restore.error.is_some();
        RestoreOutput {
            run: Some(&self.run.id),
            task_id: (!has_error).then_some(restore.restore.task_id()),
            task: (!has_error).then_some(restore.task.as_ref()),
            resumed: restore.is_resumed,
            error: restore.error.as_ref().map(|error| error.as_json()),
            ..RestoreOutput::decided(&restore.restore.decided)
        }
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.restores
            .iter()
            .filter(|restore| restore.outcome == outcome)
            .count()
    }

    /// Returns the problems of all restores.
    fn problems(&self) -> Vec<Detail> {
        let mut problems = Vec::new();
        let mut skipped = 0;
        for restore in &self.restores {
            let Some(error) = &restore.error else {
                continue;
            };
            if self.not_sent.contains(&restore.index) {
                skipped += 1;
                continue;
            }
            let site_id = &restore.restore.decided.site_id;
            if error.details.is_empty() {
                let message = if error.message.contains(site_id) {
                    error.message.clone()
                } else {
                    format!("{site_id}: {}", error.message)
                };
                problems.push(Detail::new(error.kind.name(), "", message));
            }
            for detail in &error.details {
                let message = format!("{site_id}: {}", detail.message);
                problems.push(Detail {
                    flag: plan_column(&detail.param).map(String::from),
                    ..Detail::new(&detail.code, &detail.param, message)
                });
            }
        }
        if skipped > 0 {
            let mut message = format!("{} not sent", pluralize(skipped, "restore"));
            if let Some(stopped_by) = &self.stopped_by {
                message += &format!(": {}", stopped_by.message);
            }
            problems.push(Detail::new("", "", message));
        }
        problems
    }

    /// Returns the error of the run if a restore has one.
    fn require_success(&self) -> Result<()> {
        let errors: Vec<&Error> = self
            .restores
            .iter()
            .filter_map(|restore| restore.error.as_ref())
            .collect();
        let stopped_by = self.stopped_by.as_ref();
        let kind = failure_kind(&errors, self.restores.len(), stopped_by);
        let (Some(kind), Some(first)) = (kind, errors.first()) else {
            return Ok(());
        };
        let kind = match (kind, stopped_by) {
            // The run is too old to continue without a person.
            (Kind::Partial, Some(error)) if error.kind == Kind::Conflict => Kind::Conflict,
            _ => kind,
        };
        if self.restores.len() == 1 {
            let error = (*first).clone();
            let error = error.with_flags(|param| plan_column(param).map(String::from));
            return Err(self.with_resume_hint(error));
        }
        let error = Error::new(kind, self.failure_summary(&FAILURES)).with_details(self.problems());
        if kind == Kind::Interrupted {
            let error = error.context("interrupted");
            return Err(self.with_resume_hint(error));
        }
        let error = match &first.hint {
            Some(hint) if errors.iter().all(|error| error.hint.as_ref() == Some(hint)) => {
                error.with_hint(hint.clone())
            }
            _ if kind == Kind::UnknownOutcome => {
                let in_doubt = errors.iter().find(|error| error.has_unknown_outcome());
                match in_doubt.and_then(|error| error.hint.as_ref()) {
                    Some(hint) => error.with_hint(hint.clone()),
                    None => error,
                }
            }
            _ => error,
        };
        Err(self.with_resume_hint(error))
    }

    /// Adds to an error how the run goes on.
    fn with_resume_hint(&self, error: Error) -> Error {
        let is_running = self.count(Outcome::Running) > 0;
        let is_left = self.count(Outcome::NotSent) > 0;
        let is_interrupted = error.kind == Kind::Interrupted;
        let blocked = self.restores.iter().find_map(|restore| {
            let error = restore.error.as_ref()?;
            let is_blocked = restore.outcome == Outcome::NotSent && error.kind == Kind::Conflict;
            error.hint.as_ref().filter(|_| is_blocked)
        });
        let next = if let Some(hint) = blocked {
            Some(hint.clone())
        } else if is_left {
            Some(format!("resume the run: {}", self.command.resume_command()))
        } else if is_running && is_interrupted {
            let program = self.command.context.program();
            Some(format!("watch the restores: {program} restore watch"))
        } else {
            None
        };
        let error = if is_running && is_interrupted {
            error.append_to_message("the started restores continue on the server")
        } else {
            error
        };
        match (next, &error.hint) {
            (None, _) => error,
            // The hint of a conflict may be this one already.
            (Some(next), Some(hint)) if hint.contains(&self.run.id) || *hint == next => error,
            (Some(next), Some(hint)) => {
                let hint = format!("{hint}; then {next}");
                error.with_hint(hint)
            }
            (Some(next), None) => error.with_hint(next),
        }
    }

    /// Returns the command that restores again what failed.
    fn repeat_hint(&self) -> String {
        let program = self.command.context.program();
        let run = &self.run.id;
        format!(
            "to restore again what failed, run: {program} restore history --run {run} \
             --outcome failed -o csv | {program} restore start --plan -"
        )
    }

    /// Returns how many restores have which of these errors.
    fn failure_summary(&self, failures: &[(Outcome, &str)]) -> String {
        let total = pluralize(self.restores.len(), "restore");
        let mut parts = Vec::new();
        for (outcome, text) in failures {
            let with_error = self
                .restores
                .iter()
                .filter(|restore| restore.outcome == *outcome && restore.error.is_some());
            let count = with_error.count();
            if count > 0 {
                parts.push(format!("{count} of {total} {text}"));
            }
        }
        parts.join(", ")
    }
}
