//! Shows the effect of restores, and asks for confirmation.

use super::check::{CheckedRestore, Latest};
use super::row::Row;
use crate::client::{Consent, created_at};
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::config::duration::{format_age, format_ago};
use crate::error::Result;
use crate::journal::{DecidedRestore, RunDetails};
use crate::output;
use crate::resources::{RESTORES, Scope, is_infection, scanner_word};
use crate::terminal::{Ui, pluralize};
use serde::Serialize;

/// A restore as it will be confirmed.
pub struct Planned {
    pub restore: DecidedRestore,
    /// The scanner's word on the snapshot, if the command has read it.
    pub scanner: Option<String>,
    /// The facts that `--force` overrides, or that the site was restored in the last 24 hours.
    pub notes: Vec<String>,
}

/// A row of the table.
#[derive(Serialize)]
struct PlannedRow<'r> {
    #[serde(flatten)]
    restore: &'r DecidedRestore,
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
    pub restores: &'p [Planned],
    /// Whether the restores are of a plan, and so are shown as a table.
    pub is_plan: bool,
    /// Whether a dry run prints the only restore, and not a list.
    pub is_single: bool,
}

impl Preview<'_> {
    /// Shows the effect, and asks for the address of the only site or the number of sites, unless
    /// `--yes` confirms it.
    ///
    /// # Errors
    /// If it is not confirmed.
    pub async fn confirm(&self) -> Result<Consent> {
        let prompts = self.confirmation.prompts();
        if !self.is_plan
            && let [planned] = self.restores
        {
            self.show_single(planned, prompts);
            let site_id = &planned.restore.site_id;
            let name = planned.restore.site_name();
            let question = Question::typed(format!("Restore {name}"), [name, site_id]);
            return self.confirmation.ask(&[question]).await;
        }
        let ui = &self.context.ui;
        let count = self.restores.len();
        // A log has a line for each restore that is started.
        if prompts || (ui.stderr_terminal && !ui.quiet) {
            let table = output::table_for_stderr(&RESTORES, &self.rows(), ui)?;
            ui.print_line(table.trim_end());
        }
        if prompts {
            let sites = pluralize(count, "live site");
            let target = &self.confirmation.target;
            ui.warn(&format!("this overwrites {sites} {target}"));
            ui.detail("changes in these scopes since the snapshots were taken are lost");
        }
        let sites = pluralize(count, "site");
        let question = Question::typed(format!("Restore {sites}"), [&*count.to_string()]);
        self.confirmation.ask(&[question]).await
    }

    /// Prints the restores on stdout, for a dry run.
    pub fn print(&self) -> Result<()> {
        let context = self.context;
        let options = context.output_options();
        if !self.is_plan
            && let [planned] = self.restores
        {
            self.show_single(planned, !context.ui.quiet);
        }
        if options.is_for_people() {
            output::print_list(&RESTORES, &self.rows(), options)?;
        } else {
            let restores = self.restores.iter().map(|planned| &planned.restore);
            let rows = restores.map(|restore| Row::decided(self.details, restore));
            let rows: Vec<Row<'_>> = rows.collect();
            output::print_rows(&RESTORES, &rows, &[], self.is_single, options)?;
        }
        context.ui.note("No changes were made.");
        Ok(())
    }

    fn rows(&self) -> Vec<PlannedRow<'_>> {
        let age = |taken_at| format_age(taken_at).unwrap_or("in the future".into());
        let mut rows = Vec::new();
        for planned in self.restores {
            rows.push(PlannedRow {
                restore: &planned.restore,
                age: planned.restore.taken_at().map(age),
                scanner: planned.scanner.as_deref(),
                note: Some(planned.notes.join("; ")).filter(|notes| !notes.is_empty()),
            });
        }
        rows
    }

    fn show_single(&self, planned: &Planned, shows_effect: bool) {
        if shows_effect {
            self.show_effect(planned);
        }
        let site = planned.restore.site_name();
        for note in &planned.notes {
            self.context.ui.note(&format!("{site}: {note}"));
        }
    }

    /// Shows which site a restore overwrites, and which changes are lost.
    fn show_effect(&self, planned: &Planned) {
        let restore = &planned.restore;
        let ui = &self.context.ui;
        let site = match restore.site_name() {
            name if name == restore.site_id => name.into(),
            name => format!("{name} ({})", restore.site_id),
        };
        let target = &self.confirmation.target;
        ui.warn(&format!("this overwrites the live site {site} {target}"));
        let scope = Scope::describe(&restore.scope);
        let snapshot = describe_snapshot(ui, restore);
        ui.detail(&format!("restores {scope} from snapshot {snapshot}"));
        match restore.taken_at().and_then(format_age) {
            Some(age) => ui.detail(&format!("changes of the last {age} are lost")),
            None => ui.detail("the age of the snapshot is unknown: all newer changes are lost"),
        }
        if let Some(word) = &planned.scanner {
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
pub fn announce_latest(ui: &Ui, checked: &CheckedRestore) {
    let Some(Latest { before, .. }) = &checked.latest else {
        return;
    };
    let before = before
        .map(|before| format!(" before {}", ui.format_time(before)))
        .unwrap_or_default();
    let snapshot = describe_snapshot(ui, &checked.restore);
    let age = checked
        .restore
        .taken_at()
        .map(|taken_at| format!(", {}", format_ago(taken_at)))
        .unwrap_or_default();
    ui.announce(&format!("latest{before} is {snapshot}{age}"));
    announce_passed_over(ui, checked);
}

/// Names the newer snapshots of the site that are not used, each with the reason.
pub fn announce_passed_over(ui: &Ui, checked: &CheckedRestore) {
    let passed_over = checked.latest.iter().flat_map(|latest| &latest.passed_over);
    let mut names = Vec::new();
    for snapshot in passed_over {
        let id = snapshot.id().unwrap_or_default();
        let time = created_at(snapshot)
            .map(|at| format!(", taken {}", ui.format_time(at)))
            .unwrap_or_default();
        let word = scanner_word(snapshot).or_else(|| snapshot.text("status"));
        let reason = word.unwrap_or_else(|| "no status".into());
        names.push(format!("{id}{time} ({reason})"));
    }
    if !names.is_empty() {
        let site = checked.restore.site_name();
        let names = names.join("; ");
        ui.announce(&format!(
            "newer snapshots of {site} were passed over: {names}"
        ));
    }
}

/// Describes the snapshot of a restore and when it was taken.
fn describe_snapshot(ui: &Ui, restore: &DecidedRestore) -> String {
    let snapshot_id = &restore.snapshot_id;
    match restore.taken_at() {
        Some(taken_at) => format!("{snapshot_id}, taken {}", ui.format_time(taken_at)),
        None => snapshot_id.clone(),
    }
}
