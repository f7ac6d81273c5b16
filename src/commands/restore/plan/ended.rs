//! A row of a plan that has been gone through: what became of it, and what is said of that.

use super::Step;
use super::execute::Outcome;
use super::rows::COLUMNS;
use crate::commands::restore::started::Started;
use crate::commands::restore::watch::Target;
use crate::error::{Detail, Error, Kind};
use crate::input::Document;

/// A row, and what became of it.
#[derive(Debug)]
pub struct Ended<'s> {
    /// The row.
    pub step: &'s Step,
    /// What became of it.
    pub outcome: Outcome,
}

impl<'s> Ended<'s> {
    /// Each problem that the service named is told with its place.
    pub fn new(document: &Document, step: &'s Step, outcome: Outcome) -> Self {
        let outcome = match outcome {
            Outcome::Failed(error) => Outcome::Failed(locate(document, step, error)),
            outcome => outcome,
        };
        Self { step, outcome }
    }

    /// Why it was not started, as far as is known, or not well.
    pub fn error(&self) -> Option<&Error> {
        match &self.outcome {
            Outcome::Started(_) | Outcome::Skipped(_, None) => None,
            Outcome::Skipped(_, Some(error)) | Outcome::Failed(error) | Outcome::NotTried(error) => Some(error),
        }
    }

    /// The journal's name for its restore.
    pub fn restore(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Started(launched) => Some(&launched.restore),
            Outcome::Skipped(entry, _) => Some(&entry.restore),
            Outcome::Failed(_) | Outcome::NotTried(_) => None,
        }
    }

    /// What there is to watch of it.
    pub fn target(&self) -> Option<Target> {
        let site_id = Some(self.step.order.site_id.clone());
        match &self.outcome {
            Outcome::Started(launched) => Some(launched.target(&self.step.order)),
            Outcome::Skipped(entry, _) => Some(Target::of(entry)),
            Outcome::Failed(error) if is_in_doubt(error) => {
                Some(Target { task_id: None, site_id, restore: None, ended: None })
            }
            Outcome::Failed(_) | Outcome::NotTried(_) => None,
        }
    }

    /// What is printed of it.
    pub fn started(&self) -> Started<'_> {
        let order = &self.step.order;
        match &self.outcome {
            Outcome::Started(launched) => Started::now(order, launched),
            Outcome::Skipped(entry, None) => Started::before(order, entry.task_id.as_deref()),
            Outcome::Skipped(_, Some(error)) | Outcome::Failed(error) | Outcome::NotTried(error) => {
                Started::failed(order, error)
            }
        }
    }

    /// The same in a word or two.
    pub fn word(&self) -> &'static str {
        match &self.outcome {
            Outcome::Started(_) => "started",
            Outcome::Skipped(_, None) => "started before",
            Outcome::Skipped(_, Some(_)) => "failed before",
            Outcome::Failed(error) if is_in_doubt(error) => "unknown",
            Outcome::Failed(_) => "failed",
            Outcome::NotTried(_) => "not started",
        }
    }

    /// Its problems, each at its place in the file: the details of its error or, where that has none, the error itself.
    pub fn problems(&self, document: &Document) -> Vec<Detail> {
        let Some(error) = self.error() else { return Vec::new() };
        if !error.details.is_empty() {
            return error.details.clone();
        }
        let place = Some(document.locate(document.rows[self.step.row].position, None));
        vec![Detail { place, ..Detail::new(error.kind.name(), "", &*error.message) }]
    }
}

/// Whether it may have been started all the same.
pub fn is_in_doubt(error: &Error) -> bool {
    error.kind == Kind::UnknownOutcome || error.in_flight
}

/// The error with the place of each of its details.
fn locate(document: &Document, step: &Step, error: Error) -> Error {
    let row = &document.rows[step.row];
    let at = |detail: &Detail| document.detail(row, column_of(&detail.param), &detail.code, &*detail.message);
    let details = error.details.iter().map(at).collect();
    error.details(details)
}

/// The column that a problem is about, also where the service calls it `restore.scope.paths[0]`.
fn column_of(param: &str) -> &str {
    let known = |word: &&str| COLUMNS.kind(word).is_some();
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.find(|word| known(word) || word.starts_with("include_")) {
        Some("include_files") => "files",
        Some("include_database") => "database",
        Some(word) => word,
        None => param,
    }
}
