//! The outcome of a plan: on stdout, and in the exit code.

use super::execute::Execution;
use crate::commands::bulk::{BulkFailure, bulk_error, failure_kind};
use crate::commands::clients::columns::field_of_error_param;
use crate::commands::clients::plan::{Action, Plan};
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::error::{Detail, Error, Hint, Kind, MAX_HINTS, Result};
use crate::input::Document;
use crate::resources::Record;
use crate::terminal::pluralize;
use serde::{Serialize, Serializer};
use serde_json::json;

/// The failure of a row or a client.
struct FailedChange<'r> {
    key: &'r str,
    /// The id of the client, if it exists.
    id: Option<String>,
    /// The position of the row, or the key.
    name: String,
    error: Error,
    /// Whether the error names sites that were released for the row.
    names_sites: bool,
    state: FailureState,
}

impl Serialize for FailedChange<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let failure = json!({
            "key": self.key,
            "id": self.id,
            "kind": self.error.kind.name(),
            "message": format!("{}: {}", self.name, self.error.message),
            "details": self.error.details,
        });
        failure.serialize(serializer)
    }
}

/// The outcome of a change with an error.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    #[serde(skip)]
    context: &'r Context,
    #[serde(skip)]
    change_count: usize,
    #[serde(skip)]
    stopped_by: Option<&'r Error>,
}

impl<'r> ApplyResult<'r> {
    pub fn new(
        context: &'r Context,
        document: &Document,
        plan: &'r Plan,
        execution: &'r Execution,
    ) -> Self {
        let mut result = Self {
            created: Vec::new(),
            updated: Vec::new(),
            unchanged: plan.count(Action::Unchanged),
            deleted: Vec::new(),
            errors: Vec::new(),
            context,
            change_count: plan.change_count(),
            stopped_by: execution.outcomes.stopped_by.as_ref(),
        };
        for (index, client) in &execution.changed {
            match plan.steps[*index].action {
                Action::Create => result.created.push(client),
                _ => result.updated.push(client),
            }
        }
        for (index, outcome) in &execution.outcomes.rows {
            let step = &plan.steps[*index];
            let error = match outcome {
                Ok(()) if step.action == Action::Delete => {
                    result.deleted.push(&step.key);
                    continue;
                }
                Ok(()) => continue,
                Err(error) => error,
            };
            let changed = execution.changed.get(index);
            let state = if error.has_unknown_outcome() {
                FailureState::Unknown
            } else if changed.is_some() {
                FailureState::Incomplete
            } else if error.kind == Kind::Interrupted || execution.outcomes.not_sent.contains(index)
            {
                FailureState::NotSent
            } else {
                FailureState::Failed
            };
            let locate = |param: &str| {
                let row = &document.rows[step.row?];
                Some(document.locate_value(row, field_of_error_param(param)))
            };
            let sites = execution.released_sites(plan, *index);
            let names_sites = !sites.is_empty();
            let sites = sites.into_iter().map(Detail::note);
            let details = error.details.iter().cloned().chain(sites);
            result.errors.push(FailedChange {
                key: &step.key,
                id: step.id.clone().or_else(|| changed?.id()),
                // An empty field is the whole row.
                name: locate("").unwrap_or_else(|| step.key.clone()),
                error: error
                    .clone()
                    .with_details(details.collect())
                    .with_positions(locate),
                names_sites,
                state,
            });
        }
        let is_not_sent = |failed: &FailedChange<'_>| failed.state == FailureState::NotSent;
        result.errors.sort_by_key(is_not_sent);
        result
    }

    /// Prints the outcome.
    ///
    /// # Errors
    /// The kind of [`failure_kind`] if a change failed; else that of the output.
    pub fn finish(&self) -> Result<()> {
        let printed = self.print();
        let count = self.created.len() + self.updated.len() + self.deleted.len();
        let made = (count > 0).then(|| format!("made {}", pluralize(count, "change")));
        finish_change(made, self.error().map_or(Ok(()), Err), printed)
    }

    fn print(&self) -> Result<()> {
        let output = self.context.output();
        if output.is_for_people() {
            let mut counts = json!({
                "created": self.created.len(),
                "updated": self.updated.len(),
                "unchanged": self.unchanged,
                "deleted": self.deleted.len(),
                "failed": self.count(FailureState::Failed),
            });
            for (name, state) in [
                ("incomplete", FailureState::Incomplete),
                ("unknown", FailureState::Unknown),
                ("not_sent", FailureState::NotSent),
            ] {
                let count = self.count(state);
                if count > 0 {
                    counts[name] = count.into();
                }
            }
            return output.print_result(&counts, &[]);
        }
        let mut ids = Vec::new();
        for client in self.created.iter().chain(&self.updated) {
            ids.extend(client.id());
        }
        for key in &self.deleted {
            ids.push(key.to_string());
        }
        output.print_result(self, &ids)
    }

    /// Returns the error of all changes that failed; None if none did.
    fn error(&self) -> Option<Error> {
        let errors: Vec<&Error> = self.errors.iter().map(|failed| &failed.error).collect();
        let mut kind = failure_kind(&errors, self.change_count, self.stopped_by)?;
        if self.count(FailureState::Incomplete) > 0
            && !matches!(kind, Kind::Interrupted | Kind::UnknownOutcome)
        {
            kind = Kind::Partial;
        }
        let reason = self.stopped_by.filter(|_| kind != Kind::Interrupted);
        let reason = reason.map_or(String::new(), |error| format!(": {}", error.message));
        let counts = [
            (FailureState::Failed, "failed"),
            (FailureState::Incomplete, "made, but not completely"),
            (FailureState::Unknown, "with an unknown outcome"),
            (FailureState::NotSent, &format!("not sent{reason}")),
        ];
        let counts = counts.map(|(state, outcome)| (self.count(state), outcome));
        let mut failures = Vec::new();
        // Rows that were not sent are only counted, but the sites that were released for them are
        // named.
        let mut notes = Vec::new();
        for failed in &self.errors {
            if failed.state == FailureState::NotSent {
                let details = failed.error.details.iter();
                let sites = details.filter(|detail| detail.code.is_none());
                notes.extend(sites.map(|note| Detail {
                    param: failed.key.into(),
                    ..note.clone()
                }));
            } else {
                failures.push(BulkFailure {
                    subject: failed.key,
                    name: failed.name.clone(),
                    error: failed.error.clone(),
                });
            }
        }
        let changes = pluralize(self.change_count, "change");
        let error = bulk_error(kind, &changes, &counts, &failures);
        let details = [&error.details[..], &notes].concat();
        Some(error.with_details(details).with_hints(self.hints(kind)))
    }

    fn hints(&self, kind: Kind) -> Vec<Hint> {
        let mut hints: Vec<Hint> = Vec::new();
        if kind == Kind::Interrupted {
            hints.push("run the same command again to resume".into());
        } else {
            hints.extend(self.stopped_by.iter().flat_map(|error| error.hints.clone()));
            let most = hints.len() + MAX_HINTS;
            let errors = self.errors.iter().map(|failed| &failed.error);
            for hint in errors.flat_map(|error| &error.hints) {
                if hints.len() < most && !hints.contains(hint) {
                    hints.push(hint.clone());
                }
            }
            let text = "run the same command again when the cause is fixed: \
                        clients that match the file stay unchanged";
            hints.push(text.into());
        }
        if self.errors.iter().any(|failed| failed.names_sites) {
            let purpose = "list the sites without a client";
            hints.push(Hint::command(purpose, "sites list --unassigned"));
        }
        hints
    }

    fn count(&self, state: FailureState) -> usize {
        let errors = self.errors.iter();
        errors.filter(|failed| failed.state == state).count()
    }
}
