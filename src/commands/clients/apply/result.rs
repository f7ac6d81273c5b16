//! The outcome of a plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::Args;
use super::execute::Execution;
use crate::commands::bulk::{BulkFailure, bulk_error, failure_kind};
use crate::commands::clients::columns::field_of_error_param;
use crate::commands::clients::moving::SiteMove;
use crate::commands::clients::plan::{Action, Plan};
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::error::{Detail, Error, Hint, Kind, MAX_HINTS, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::output;
use crate::resources::Record;
use crate::terminal::{join_briefly, pluralize};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The most pairs of clients whose moved sites are shown one by one.
const MAX_MOVES_SHOWN: usize = 20;

/// The failure of a row or a client.
#[derive(Serialize)]
struct FailedChange<'r> {
    key: &'r str,
    /// The id of the client, if it exists.
    id: Option<String>,
    kind: &'static str,
    /// The message, after the position of the row or the key.
    message: String,
    details: Vec<Detail>,
    /// The position of the row, or the key.
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    error: Error,
    #[serde(skip)]
    row: Option<usize>,
    #[serde(skip)]
    state: FailureState,
}

impl FailedChange<'_> {
    fn failure(&self) -> BulkFailure<'_> {
        BulkFailure {
            subject: self.key,
            name: self.name.clone(),
            error: self.error.clone(),
        }
    }
}

/// The outcome of a change with an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FailureState {
    /// The client was not changed.
    Failed,
    /// The client was created or changed, but not in every field.
    Incomplete,
    Unknown,
    /// The run stopped before the change.
    NotSent,
}

/// The outcome of a plan.
#[derive(Serialize)]
pub struct ApplyResult<'r> {
    created: Vec<&'r Record>,
    updated: Vec<&'r Record>,
    unchanged: usize,
    deleted: Vec<&'r str>,
    /// The failures in the order of the file; changes that were not sent come last.
    errors: Vec<FailedChange<'r>>,
    moved: &'r [SiteMove],
    /// The sites that lost their client and have none now.
    without_client: Vec<String>,
    #[serde(skip)]
    context: &'r Context,
    #[serde(skip)]
    document: &'r Document,
    #[serde(skip)]
    plan: &'r Plan,
    #[serde(skip)]
    execution: &'r Execution,
}

impl<'r> ApplyResult<'r> {
    pub fn new(
        context: &'r Context,
        document: &'r Document,
        plan: &'r Plan,
        execution: &'r Execution,
    ) -> Self {
        let mut result = Self {
            created: Vec::new(),
            updated: Vec::new(),
            unchanged: plan.count(Action::Unchanged),
            deleted: Vec::new(),
            errors: Vec::new(),
            moved: &execution.sites.moved,
            without_client: execution.sites.without_client(),
            context,
            document,
            plan,
            execution,
        };
        for (index, client) in &execution.changed {
            match plan.steps[*index].action {
                Action::Create => result.created.push(client),
                _ => result.updated.push(client),
            }
        }
        for (index, outcome) in &execution.outcomes.rows {
            let step = &plan.steps[*index];
            match outcome {
                Ok(()) if step.action == Action::Delete => result.deleted.push(&step.key),
                Ok(()) => {}
                Err(error) => result.add_error(*index, error),
            }
        }
        for skipped in &plan.skipped {
            let state = FailureState::Failed;
            result.add_failure(&skipped.key, None, Some(skipped.row), &skipped.error, state);
        }
        result.errors.sort_by_key(|failed| {
            let row = failed.row.and_then(|row| document.row(row));
            (
                failed.state == FailureState::NotSent,
                row.is_none(),
                row.map(|row| row.position),
            )
        });
        result
    }

    /// Adds the error of a step, with the sites that it leaves without a client.
    fn add_error(&mut self, index: usize, error: &Error) {
        let step = &self.plan.steps[index];
        let changed = self.execution.changed.get(&index);
        let state = if error.has_unknown_outcome() {
            FailureState::Unknown
        } else if changed.is_some() {
            FailureState::Incomplete
        } else if error.kind == Kind::Interrupted
            || self.execution.outcomes.not_sent.contains(&index)
        {
            FailureState::NotSent
        } else {
            FailureState::Failed
        };
        let mut sites = step.gained("site_ids");
        if state == FailureState::Unknown {
            sites.extend(step.given_up("site_ids"));
        }
        let mut details = error.details.clone();
        details.extend(self.execution.sites.notes(&sites));
        let error = error.clone().with_details(details);
        let id = step.id.clone().or_else(|| changed?.id());
        self.add_failure(&step.key, id, step.row, &error, state);
    }

    fn add_failure(
        &mut self,
        key: &'r str,
        id: Option<String>,
        row: Option<usize>,
        error: &Error,
        state: FailureState,
    ) {
        let input_row = row.and_then(|row| self.document.row(row));
        let locate = |param: &str| {
            let field = field_of_error_param(param);
            Some(self.document.locate_value(input_row?, field))
        };
        // The position of the row as a whole.
        let name = locate("").unwrap_or_else(|| key.into());
        let error = error.clone().with_positions(locate);
        self.errors.push(FailedChange {
            key,
            id,
            kind: error.kind.name(),
            message: format!("{name}: {}", error.message),
            details: error.details.clone(),
            name,
            error,
            row,
            state,
        });
    }

    /// Prints the outcome, and writes the rows that failed to their own file. A failure to write
    /// them is a detail of the error of the changes.
    ///
    /// # Errors
    /// The error of [`Self::fail_if_any_failed`], or of the output.
    pub fn finish(&self, args: &Args, failed_rows: Option<&FailedRows>) -> Result<()> {
        let rows: Vec<usize> = self.errors.iter().filter_map(|failed| failed.row).collect();
        let has_rows = !rows.is_empty();
        let written = failed_rows.map_or(Ok(()), |file| file.write(self.document, rows));
        let printed = self.print();
        if self.context.output_options().is_for_people() {
            for line in self.move_lines() {
                self.context.ui.note(&line);
            }
        }
        let count = self.created.len() + self.updated.len() + self.deleted.len();
        let made = (count > 0).then(|| format!("made {}", pluralize(count, "change")));
        let Err(error) = self.fail_if_any_failed("failed") else {
            return finish_change(made, written, printed);
        };
        let error = match &written {
            Ok(()) => error,
            Err(unwritten) => error.append_to_message(&unwritten.message),
        };
        let hint = match failed_rows {
            Some(file) if written.is_ok() && has_rows => {
                self.hint_for_failed_rows(args, &file.path_for_display())
            }
            _ => "run the same command again when the cause is fixed: \
                  clients that match the file stay unchanged"
                .into(),
        };
        let error = match error.kind {
            Kind::Interrupted => error,
            _ => error.add_hint(hint),
        };
        finish_change(made, Err(error), printed)
    }

    /// Returns the command without `--prune`, which would delete the clients of the other rows.
    fn hint_for_failed_rows(&self, args: &Args, path: &str) -> Hint {
        let purpose = "fix the cause and apply the failed rows";
        let mut hint = Hint::command(purpose, "clients apply");
        if args.clear_empty {
            hint = hint.words("--clear-empty");
        }
        let format = match self.document.format {
            InputFormat::Yaml => InputFormat::Json,
            format => format,
        };
        if InputFormat::from_extension(path) != Some(format) {
            hint = hint.option("--input-format", format.name());
        }
        hint.ids(&[path])
    }

    /// Describes the sites that moved, and those that have no client now.
    fn move_lines(&self) -> Vec<String> {
        let mut sites: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for SiteMove { site_id, from, to } in self.moved {
            sites.entry((from, to)).or_default().push(site_id);
        }
        let mut lines = Vec::new();
        if sites.len() > MAX_MOVES_SHOWN {
            let count = pluralize(self.moved.len(), "site");
            lines.push(format!("moved {count} between clients (--json lists them)"));
        } else {
            for ((from, to), sites) in sites {
                let sites = join_briefly(&sites);
                lines.push(format!("moved {sites} from {from} to {to}"));
            }
        }
        if !self.without_client.is_empty() {
            let sites = join_briefly(&self.without_client);
            lines.push(format!("without a client now: {sites}"));
        }
        lines
    }

    fn print(&self) -> Result<()> {
        let output_options = self.context.output_options();
        if output_options.is_for_people() {
            let [failed, incomplete, unknown, not_sent] = self.failure_counts();
            let mut counts = json!({
                "created": self.created.len(),
                "updated": self.updated.len(),
                "unchanged": self.unchanged,
                "deleted": self.deleted.len(),
                "failed": failed,
            });
            for (name, count) in [
                ("incomplete", incomplete),
                ("unknown", unknown),
                ("not_sent", not_sent),
            ] {
                if count > 0 {
                    counts[name] = count.into();
                }
            }
            return output::print_result(&counts, &[], output_options);
        }
        let mut ids = Vec::new();
        for client in self.created.iter().chain(&self.updated) {
            ids.extend(client.id());
        }
        for key in &self.deleted {
            ids.push(key.to_string());
        }
        output::print_result(self, &ids, output_options)
    }

    /// Fails if a change failed. `failed_or_invalid` completes the message.
    ///
    /// # Errors
    /// The kind of [`failure_kind`].
    pub fn fail_if_any_failed(&self, failed_or_invalid: &str) -> Result<()> {
        let stopped_by = self.execution.outcomes.stopped_by.as_ref();
        let errors: Vec<&Error> = self.errors.iter().map(|failed| &failed.error).collect();
        let change_count = self.plan.change_count() + self.plan.skipped.len();
        let Some(mut kind) = failure_kind(&errors, change_count, stopped_by) else {
            return Ok(());
        };
        let failure_counts = self.failure_counts();
        let [_, incomplete, ..] = failure_counts;
        if incomplete > 0 && !matches!(kind, Kind::Interrupted | Kind::UnknownOutcome) {
            kind = Kind::Partial;
        }
        let reason = stopped_by.filter(|_| kind != Kind::Interrupted);
        let reason = reason.map_or(String::new(), |error| format!(": {}", error.message));
        let not_sent = format!("not sent{reason}");
        let outcomes = [
            failed_or_invalid,
            "made, but not completely",
            "with an unknown outcome",
            &not_sent,
        ];
        let counts: Vec<(usize, &str)> = failure_counts.into_iter().zip(outcomes).collect();
        let sent = self.errors.iter();
        let sent = sent.filter(|failed| failed.state != FailureState::NotSent);
        let failures: Vec<BulkFailure<'_>> = sent.map(FailedChange::failure).collect();
        let changes = pluralize(change_count, "change");
        let error = bulk_error(kind, &changes, &counts, &failures);
        // Rows that were not sent are only counted, but the sites that they should get are named.
        let not_sent = self.errors.iter();
        let not_sent = not_sent.filter(|failed| failed.state == FailureState::NotSent);
        let lost_sites = not_sent.flat_map(|failed| {
            let notes = failed.details.iter().filter(|detail| detail.code.is_none());
            notes.map(|note| Detail {
                param: failed.key.into(),
                ..note.clone()
            })
        });
        let details = error
            .details
            .iter()
            .cloned()
            .chain(lost_sites.take(MAX_MOVES_SHOWN))
            .collect();
        let error = error.with_details(details);
        Err(error.with_hints(self.hints(kind)))
    }

    /// Returns the commands that give back the sites which should have a client, and then what the
    /// cause needs.
    fn hints(&self, kind: Kind) -> Vec<Hint> {
        if kind == Kind::Interrupted {
            return vec!["run the same command again to resume".into()];
        }
        let claimed: BTreeSet<String> = self
            .plan
            .steps
            .iter()
            .flat_map(|step| step.gained("site_ids"))
            .collect();
        let stopped_by = self.execution.outcomes.stopped_by.iter();
        let mut hints: Vec<Hint> = stopped_by.flat_map(|error| error.hints.clone()).collect();
        hints.extend(self.execution.sites.hints(&claimed));
        let most = hints.len() + MAX_HINTS;
        let errors = self.errors.iter().map(|failed| &failed.error);
        for hint in errors.flat_map(|error| &error.hints) {
            if hints.len() < most && !hints.contains(hint) {
                hints.push(hint.clone());
            }
        }
        hints
    }

    /// Returns how many changes have each of [`FailureState`].
    fn failure_counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for failed in &self.errors {
            counts[failed.state as usize] += 1;
        }
        counts
    }
}
