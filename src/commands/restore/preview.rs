//! Shows the effect of restores, and asks for confirmation.

use super::requested::{Latest, RestoreDecision, count_reasons};
use super::row::{Row, problem_of};
use crate::client::{Consent, created_at};
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::config::duration::{format_age, format_ago};
use crate::error::{Hint, Result};
use crate::journal::{DecidedRestore, RunDetails};
use crate::output::{self, ResultShape};
use crate::resources::{RESTORES, RestoreScope, is_infection};
use crate::terminal::{Ui, pluralize};
use serde::Serialize;

/// A row of the table.
#[derive(Serialize)]
struct TableRow<'r> {
    #[serde(flatten)]
    restore: DecidedRestore,
    /// How long ago the snapshot was taken.
    age: Option<String>,
    scanner: Option<&'r str>,
    note: Option<String>,
}

/// Shows restores before they are sent.
pub struct Preview<'p> {
    pub context: &'p Context,
    pub confirmation: &'p Confirmation<'p>,
    pub details: &'p RunDetails,
    /// The restores in the order of the command, those that are left out too.
    pub decisions: &'p [RestoreDecision],
    /// How a dry run prints a single restore.
    pub shape: ResultShape,
}

impl Preview<'_> {
    /// Shows the effect, and asks for the address of the only site or the number of sites, unless
    /// `--yes` confirms it.
    ///
    /// # Errors
    /// If it is not confirmed.
    pub async fn confirm(&self) -> Result<Consent> {
        let prompts = self.confirmation.prompts();
        // The effect of a single restore has it, too.
        let shows_gaps = !prompts || self.decisions.len() > 1;
        for decision in self.sendable().filter(|_| shows_gaps) {
            if let Some(gap) = &decision.gap {
                let site = decision.restore.site_name();
                self.context.ui.announce(&format!("{site}: {gap}"));
            }
        }
        if let [decision] = self.decisions {
            self.show_single(decision, prompts);
            let name = decision.restore.site_name();
            let words = [name, &decision.restore.site_id];
            let question = Question::typed(format!("Restore {name}"), words);
            return self.confirmation.ask(&[question]).await;
        }
        let ui = &self.context.ui;
        let total = self.decisions.len();
        let count = self.sendable().count();
        // A log has a line for each restore that is started.
        if prompts || (ui.stderr_terminal && !ui.quiet) {
            let table = output::table_for_stderr(&RESTORES, &self.rows(), ui)?;
            ui.print_line(table.trim_end());
        }
        if prompts {
            let sites = pluralize(count, "live site");
            let target = &self.confirmation.target;
            ui.warn(&format!("this overwrites {sites} {target}"));
            let is_backed_up = |decision: &RestoreDecision| decision.restore.backup_first;
            ui.detail(&if self.sendable().all(is_backed_up) {
                self.describe_undo("RUN")
            } else {
                "changes in these scopes since the snapshots were taken are lost".into()
            });
        }
        let sites = if count < total {
            format!("{count} of {total} sites")
        } else {
            pluralize(count, "site")
        };
        let question = Question::typed(format!("Restore {sites}"), [&*count.to_string()]);
        self.confirmation.ask(&[question]).await
    }

    /// Prints the restores on stdout, for a dry run. CSV is a plan, and has only those that would be
    /// started.
    pub fn print(&self) -> Result<()> {
        let context = self.context;
        let output = context.output();
        if let [decision] = self.decisions {
            self.show_single(decision, !context.ui.quiet);
        }
        if output.is_for_people() {
            output.print_rows(&RESTORES, &self.rows(), ResultShape::List)?;
        } else {
            let is_printed = |decision: &&RestoreDecision| {
                decision.is_sendable() || !output.prints_rows_for_programs()
            };
            let decisions = self.decisions.iter().filter(is_printed);
            let rows: Vec<Row<'_>> = decisions
                .map(|decision| {
                    let error = decision.refusal.as_ref().map(problem_of);
                    Row::decided(self.details, &decision.restore).with_error(error)
                })
                .collect();
            output.print_rows(&RESTORES, &rows, self.shape)?;
        }
        context.ui.note("No changes were made.");
        Ok(())
    }

    /// Describes how the restore of a site, or of a run, can be undone.
    fn describe_undo(&self, name: &str) -> String {
        let purpose = "a backup is made first; undo the restore with";
        let hint = Hint::command(purpose, "restore undo").ids(&[name]);
        hint.text(&self.context.ui.program)
    }

    fn sendable(&self) -> impl Iterator<Item = &RestoreDecision> {
        let decisions = self.decisions.iter();
        decisions.filter(|decision| decision.is_sendable())
    }

    /// Returns the rows of the table, those that are left out last.
    fn rows(&self) -> Vec<TableRow<'_>> {
        let age = |taken_at| format_age(taken_at).unwrap_or("in the future".into());
        let refused = self
            .decisions
            .iter()
            .filter(|decision| !decision.is_sendable());
        let mut rows = Vec::new();
        for decision in self.sendable().chain(refused) {
            let notes = match &decision.refusal {
                Some(error) => vec![format!("left out: {}", error.message)],
                None => {
                    let passed_over = decision
                        .latest
                        .iter()
                        .flat_map(|latest| &latest.passed_over);
                    let counts = count_reasons(passed_over.map(|(_, reason)| reason.clone()));
                    let passed_over = Some(counts).filter(|counts| !counts.is_empty());
                    let passed_over = passed_over.map(|counts| format!("passed over: {counts}"));
                    let gap = decision.gap.clone();
                    let facts = passed_over.into_iter().chain(gap);
                    facts.chain(decision.notes.clone()).collect()
                }
            };
            rows.push(TableRow {
                // The table has no room for the reason.
                restore: DecidedRestore {
                    reason: None,
                    ..decision.restore.clone()
                },
                age: decision.restore.taken_at().map(age),
                scanner: decision.scanner.as_deref(),
                note: Some(notes.join("; ")).filter(|notes| !notes.is_empty()),
            });
        }
        rows
    }

    fn show_single(&self, decision: &RestoreDecision, shows_effect: bool) {
        let ui = &self.context.ui;
        announce_latest(ui, decision);
        if !decision.is_sendable() {
            return;
        }
        if shows_effect {
            self.show_effect(decision);
        }
        let site = decision.restore.site_name();
        for note in &decision.notes {
            ui.note(&format!("{site}: {note}"));
        }
    }

    /// Shows which site a restore overwrites, and which changes are lost.
    fn show_effect(&self, decision: &RestoreDecision) {
        let restore = &decision.restore;
        let ui = &self.context.ui;
        let site = match restore.site_name() {
            name if name == restore.site_id => name.into(),
            name => format!("{name} ({})", restore.site_id),
        };
        let target = &self.confirmation.target;
        ui.warn(&format!("this overwrites the live site {site} {target}"));
        let scope = RestoreScope::parse(restore.scope.get());
        let (text, is_full) = match &scope {
            Ok(scope) => (scope.to_string(), scope.is_full()),
            Err(_) => (restore.scope.get().into(), false),
        };
        let snapshot = describe_snapshot(ui, restore);
        ui.detail(&format!("restores {text} from snapshot {snapshot}"));
        let changes = if is_full {
            "changes".into()
        } else {
            format!("changes in {text}")
        };
        ui.detail(&match restore.taken_at().and_then(format_age) {
            _ if restore.backup_first => self.describe_undo(&restore.site_id),
            Some(age) => format!("{changes} of the last {age} are lost"),
            None => format!("the age of the snapshot is unknown: all newer {changes} are lost"),
        });
        if let Some(gap) = &decision.gap {
            ui.detail(gap);
        }
        if let Some(word) = &decision.scanner {
            let line = format!("the scanner calls the snapshot {word}");
            if is_infection(word) {
                ui.warn(&line);
            } else {
                ui.detail(&line);
            }
        }
    }
}

/// Describes the snapshot that `latest` stands for, and newer ones that were passed over.
fn announce_latest(ui: &Ui, decision: &RestoreDecision) {
    let Some(Latest {
        before,
        passed_over,
    }) = &decision.latest
    else {
        return;
    };
    let before = before
        .map(|before| format!(" before {}", ui.format_time(before)))
        .unwrap_or_default();
    let snapshot = describe_snapshot(ui, &decision.restore);
    let age = decision
        .restore
        .taken_at()
        .map(|taken_at| format!(", {}", format_ago(taken_at)))
        .unwrap_or_default();
    ui.announce(&format!("latest{before} is {snapshot}{age}"));
    let mut names = Vec::new();
    for (snapshot, reason) in passed_over {
        let id = snapshot.id().unwrap_or_default();
        let time = created_at(snapshot)
            .map(|at| format!(", taken {}", ui.format_time(at)))
            .unwrap_or_default();
        names.push(format!("{id}{time} ({reason})"));
    }
    if !names.is_empty() {
        let names = names.join("; ");
        ui.announce(&format!("newer snapshots were passed over: {names}"));
    }
}

/// Describes the snapshot of a restore and when it was taken.
fn describe_snapshot(ui: &Ui, restore: &DecidedRestore) -> String {
    let snapshot_id = restore.snapshot_id.as_deref().unwrap_or("unknown");
    match restore.taken_at() {
        Some(taken_at) => format!("{snapshot_id}, taken {}", ui.format_time(taken_at)),
        None => snapshot_id.into(),
    }
}
