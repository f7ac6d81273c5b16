//! Shows the effect of restores, and asks for confirmation.

use super::check::{CheckedRestore, Latest};
use super::report::RestoreOutput;
use crate::client::{Consent, created_at};
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::{format_age, format_ago};
use crate::error::Result;
use crate::journal::{DecidedRestore, Runs};
use crate::output;
use crate::resources::{Outcome, STARTED, Scope, is_infection, scanner_word};
use crate::terminal::{Ui, pluralize};
use serde::Serialize;
use serde_json::value::RawValue;

/// A restore before it is sent, as a row of the table.
#[derive(Serialize)]
pub struct DecidedRow<'r> {
    #[serde(flatten)]
    restore: RestoreOutput<'r>,
    /// How long ago the snapshot was taken.
    age: Option<String>,
    scanner: Option<&'r str>,
    /// The last restore of the site, if it was sent in the last 24 hours.
    last_restore: Option<String>,
}

/// Shows restores before they are sent.
pub struct Preview<'p> {
    pub context: &'p Context,
    pub confirmation: &'p Confirmation<'p>,
    pub restores: &'p [DecidedRestore],
    /// Whether the restores are of a plan, and so are shown as a table.
    pub is_plan: bool,
    /// Whether a dry run prints a list, and not the only restore.
    pub prints_list: bool,
    /// The last restore of each site, if it was sent in the last 24 hours.
    pub last_restores: Vec<Option<String>>,
    /// The scanner's word on each snapshot, if the command has read it.
    pub scanners: Vec<Option<String>>,
}

impl Preview<'_> {
    /// Shows the effect, and asks for the id of the only site or the number of sites, unless
    /// `--yes` confirms it.
    ///
    /// # Errors
    /// If it is not confirmed.
    pub async fn confirm(&self) -> Result<Consent> {
        let prompts = self.confirmation.prompts();
        if !self.is_plan
            && let [restore] = self.restores
        {
            if prompts {
                self.show_effect(restore);
            }
            self.note_last_restore(restore);
            let site_id = &restore.site_id;
            let name = restore.site_name();
            let question = Question::typed(format!("Restore {name}"), [name, site_id]);
            return self.confirmation.ask(&[question]).await;
        }
        let ui = &self.context.ui;
        let count = self.restores.len();
        // A log has a line for each restore that is started.
        if prompts || (ui.stderr_terminal && !ui.quiet) {
            let table = output::table_for_stderr(&STARTED, &self.rows(), ui)?;
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
        let format = context.settings.format;
        let has_columns = matches!(format, OutputFormat::Table | OutputFormat::Csv);
        if !self.is_plan
            && let [restore] = self.restores
            && !context.ui.quiet
        {
            self.show_effect(restore);
            self.note_last_restore(restore);
        }
        let ids: Vec<String> = self
            .restores
            .iter()
            .map(|restore| restore.site_id.clone())
            .collect();
        let outputs: Vec<_> = self.restores.iter().map(RestoreOutput::decided).collect();
        match outputs.as_slice() {
            _ if options.is_for_people() => {
                output::print_complete_table(&STARTED, &self.rows(), options)?;
            }
            _ if has_columns => output::print_list(&STARTED, &self.rows(), options)?,
            [restore] if !self.prints_list => output::print_result(restore, &ids, options)?,
            restores => output::print_result(&restores, &ids, options)?,
        }
        context.ui.note("No changes were made.");
        Ok(())
    }

    fn scanner(&self, index: usize) -> Option<&str> {
        self.scanners.get(index)?.as_deref()
    }

    fn rows(&self) -> Vec<DecidedRow<'_>> {
        let mut rows = Vec::new();
        for (index, restore) in self.restores.iter().enumerate() {
            let age = |taken_at| format_age(taken_at).unwrap_or("in the future".into());
            rows.push(DecidedRow {
                restore: RestoreOutput::decided(restore),
                age: restore.taken_at().map(age),
                scanner: self.scanner(index),
                last_restore: self.last_restores.get(index).cloned().flatten(),
            });
        }
        rows
    }

    fn note_last_restore(&self, restore: &DecidedRestore) {
        if let Some(Some(last_restore)) = self.last_restores.first() {
            let site = restore.site_name();
            let note = format!("the last restore of {site}: {last_restore}");
            self.context.ui.note(&note);
        }
    }

    /// Shows which site a restore overwrites, and which changes are lost.
    fn show_effect(&self, restore: &DecidedRestore) {
        let ui = &self.context.ui;
        let site_id = &restore.site_id;
        let url = restore
            .url
            .as_ref()
            .map(|url| format!(" ({url})"))
            .unwrap_or_default();
        let target = &self.confirmation.target;
        ui.warn(&format!(
            "this overwrites the live site {site_id}{url} {target}"
        ));
        let scope = describe_scope(&restore.scope);
        let snapshot = describe_snapshot(ui, restore);
        ui.detail(&format!("restores {scope} from snapshot {snapshot}"));
        match restore.taken_at().and_then(format_age) {
            Some(age) => ui.detail(&format!("changes of the last {age} to {scope} are lost")),
            None => ui.detail(&format!(
                "the age of the snapshot is unknown: all newer changes to {scope} are lost"
            )),
        }
        if let Some(word) = self.scanner(0) {
            let line = format!("the scanner calls the snapshot {word}");
            if is_infection(word) {
                ui.warn(&line);
            } else {
                ui.detail(&line);
            }
        }
    }
}

/// Describes the last restore of each site that was sent in the last 24 hours, for the decision to
/// restore it again.
pub fn last_restores(ui: &Ui, runs: &Runs, restores: &[DecidedRestore]) -> Vec<Option<String>> {
    let mut texts = Vec::new();
    for restore in restores {
        let last = runs
            .entries_of_site(&restore.site_id)
            .rev()
            .find(|entry| entry.outcome.was_accepted() || entry.outcome == Outcome::Unknown)
            .filter(|entry| entry.run.is_recent());
        texts.push(last.map(|entry| {
            let time = ui.format_time(entry.started_at());
            format!("{} {time}", entry.outcome.name())
        }));
    }
    texts
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

/// Describes what a restore overwrites, such as `all files and table wp_posts`.
fn describe_scope(json: &RawValue) -> String {
    let Some(scope) = Scope::parse_exactly(json.get()) else {
        return format!("the scope {}", json.get());
    };
    let mut parts = Vec::new();
    for (is_included, everything, singular, names) in [
        (scope.include_files, "all files", "path", &scope.paths),
        (
            scope.include_database,
            "all database tables",
            "table",
            &scope.tables,
        ),
    ] {
        match names.as_slice() {
            _ if !is_included => {}
            [] => parts.push(everything.to_string()),
            [name] => parts.push(format!("{singular} {name}")),
            names => parts.push(format!("{singular}s {}", names.join(", "))),
        }
    }
    let parts = parts.join(" and ");
    match scope.subsite_ids.as_slice() {
        [] => parts,
        [id] => format!("{parts} of subsite {id}"),
        ids => format!("{parts} of subsites {}", ids.join(", ")),
    }
}
