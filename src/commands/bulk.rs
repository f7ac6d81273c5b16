//! Makes many changes: several at a time, in phases of which each begins after the one before.
//! Stops if the rest would fail too. Each row has an outcome, and the run has one exit code. A
//! `usize` identifies a row: it is the row's index in the command's list of rows.

use crate::client::Api;
use crate::commands::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::signal::{mark_signal_handled, wait_for_signal};
use crate::terminal::{Counter, pluralize};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, Stream, StreamExt};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// The outcomes of all rows.
#[derive(Debug)]
pub struct Outcomes<T> {
    /// The result of each row that belongs to a job.
    pub rows: BTreeMap<usize, Result<T>>,
    /// The failed rows that were not sent.
    pub not_sent: BTreeSet<usize>,
    /// Why the run stopped early: an error that the other rows would have had too, too many
    /// failures, or an interruption. None if all jobs ran.
    pub stopped_by: Option<Error>,
}

impl<T> Default for Outcomes<T> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            not_sent: BTreeSet::new(),
            stopped_by: None,
        }
    }
}

/// The rows that one request changes.
pub type Job = Vec<usize>;

/// Runs jobs against one service.
pub struct Bulk<'b> {
    pub context: &'b Context,
    pub api: &'b Api,
    /// The rows in the plural, for the progress bar.
    pub plural: &'static str,
    /// The number of requests that are sent at the same time.
    pub concurrency: usize,
    /// After this many failed rows, the rest are not sent. None: failures do not stop the run.
    pub stop_after_failures: Option<u32>,
    /// After this many consecutive jobs without a valid response to their change, the rest are not
    /// sent.
    pub max_unanswered: usize,
}

impl Bulk<'_> {
    /// Runs the jobs of each phase. A row can be in one job of each phase; after an error, it is
    /// not sent again. `send` gets the index of the phase and the rows of a job, sends the request,
    /// and returns a result for each row.
    pub async fn run<'j, T>(
        &self,
        phases: &'j [Vec<Job>],
        send: impl AsyncFn(usize, &'j [usize]) -> Vec<Result<T>>,
    ) -> Outcomes<T> {
        if phases.iter().map(Vec::len).sum::<usize>() > 1 {
            self.api.begin_bulk();
        }
        let rows: HashSet<&usize> = phases.iter().flatten().flatten().collect();
        let counter = self
            .context
            .ui
            .counter_with_total(self.plural, rows.len() as u64);
        let mut run = BulkRun {
            bulk: self,
            outcomes: Outcomes::default(),
            waiting: VecDeque::new(),
            running: HashSet::new(),
            failures: 0,
            unanswered: 0,
        };
        let work = async {
            for (phase, jobs) in phases.iter().enumerate() {
                run.run_phase(phase, jobs, &counter, &send).await;
            }
        };
        counter.while_waiting(work).await;
        run.outcomes
    }
}

/// Returns the kind of error, and so the exit code, of a run of `rows` rows, from the errors of its
/// failed rows. None if no row failed.
pub fn failure_kind(errors: &[&Error], rows: usize, stopped_by: Option<&Error>) -> Option<Kind> {
    let first_kind = errors.first()?.kind;
    if stopped_by.is_some_and(|error| error.kind == Kind::Interrupted) {
        Some(Kind::Interrupted)
    } else if errors.len() == rows && errors.iter().all(|error| error.kind == first_kind) {
        Some(first_kind)
    } else if errors.iter().any(|error| error.kind == Kind::RestoreFailed) {
        Some(Kind::RestoreFailed)
    } else if errors.iter().any(|error| error.has_unknown_outcome()) {
        Some(Kind::UnknownOutcome)
    } else {
        Some(Kind::Partial)
    }
}

struct BulkRun<'r, 'j, T> {
    bulk: &'r Bulk<'r>,
    outcomes: Outcomes<T>,
    /// The jobs of the phase that have not been started.
    waiting: VecDeque<&'j Job>,
    /// The rows whose requests were started and have no result.
    running: HashSet<usize>,
    /// The number of failed rows.
    failures: u32,
    /// The number of consecutive requests without a valid response.
    unanswered: usize,
}

impl<'j, T> BulkRun<'_, 'j, T> {
    /// Runs the jobs of a phase until all have results, a failure stops the run, or a signal
    /// arrives. Then every row of the phase has an outcome.
    async fn run_phase(
        &mut self,
        phase: usize,
        jobs: &'j [Job],
        counter: &Counter,
        send: &impl AsyncFn(usize, &'j [usize]) -> Vec<Result<T>>,
    ) {
        let has_failed = |row: &usize| matches!(self.outcomes.rows.get(row), Some(Err(_)));
        self.waiting = jobs
            .iter()
            .filter(|job| !job.iter().any(has_failed))
            .collect();
        let mut running = FuturesUnordered::new();
        loop {
            while self.outcomes.stopped_by.is_none()
                && running.len() < self.bulk.concurrency
                && let Some(job) = self.waiting.pop_front()
            {
                self.running.extend(job);
                let results = send(phase, job);
                running.push(async move { (job, results.await) });
            }
            let finished = tokio::select! {
                biased;
                () = wait_for_signal() => break,
                finished = running.next() => finished,
            };
            let Some((job, results)) = finished else {
                return self.fail_rows_without_outcome();
            };
            self.record(job, results, counter);
        }
        self.record_interrupted(&mut running, counter).await;
        self.fail_rows_without_outcome();
    }

    /// Records the results after a signal. The signal also wakes the running jobs, which end when
    /// they have a response, or soon. The command then prints the outcomes as usual.
    async fn record_interrupted(
        &mut self,
        running: &mut (impl Stream<Item = (&'j Job, Vec<Result<T>>)> + Unpin),
        counter: &Counter,
    ) {
        self.outcomes.stopped_by = Some(Error::new(Kind::Interrupted, "interrupted"));
        while let Some(Some((job, results))) = running.next().now_or_never() {
            self.record(job, results, counter);
        }
        // Now the running jobs have noticed the signal. Another one ends the process.
        mark_signal_handled();
        while let Some((job, results)) = running.next().await {
            self.record(job, results, counter);
        }
    }

    fn record(&mut self, job: &Job, results: Vec<Result<T>>, counter: &Counter) {
        let context = self.bulk.context;
        let mut is_unanswered = false;
        for (row, result) in job.iter().zip(results) {
            let result = result.map_err(|error| context.hint_rejected_token(error));
            if let Err(error) = &result {
                is_unanswered |= matches!(error.kind, Kind::Unavailable | Kind::UnknownOutcome);
                self.failures += 1;
            }
            self.running.remove(row);
            self.outcomes.rows.insert(*row, result);
        }
        self.unanswered = if is_unanswered {
            self.unanswered + 1
        } else {
            0
        };
        if self.outcomes.stopped_by.is_none() {
            let mut errors = job
                .iter()
                .filter_map(|row| self.outcomes.rows[row].as_ref().err());
            self.outcomes.stopped_by = errors.find_map(|error| self.reason_to_stop(error));
        }
        counter.set_done(self.outcomes.rows.len() as u64);
    }

    /// Returns the error that stops the run: if the rest would fail as this row did, or if there
    /// were too many failures.
    fn reason_to_stop(&self, error: &Error) -> Option<Error> {
        let rows = &self.outcomes.rows;
        let fails_others = match error.kind {
            // It can be about the row, unless all rows get an error.
            Kind::Auth if error.status == Some(403) => {
                rows.len() >= self.bulk.max_unanswered && rows.values().all(Result::is_err)
            }
            kind => matches!(kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted),
        };
        if fails_others {
            return Some(error.clone_without_details());
        }
        if let Some(limit) = self.bulk.stop_after_failures
            && self.failures >= limit
        {
            let failures = pluralize(limit as usize, "failure");
            return Some(Error::new(Kind::Partial, failures));
        }
        let max_unanswered = self.bulk.max_unanswered;
        if self.unanswered < max_unanswered {
            return None;
        }
        let message = format!("{max_unanswered} consecutive requests have no valid response");
        Some(Error::new(Kind::Unavailable, message))
    }

    /// Adds an error for each row that was not sent, and for each row whose request was interrupted.
    fn fail_rows_without_outcome(&mut self) {
        for row in self.waiting.drain(..).flatten() {
            let error = not_sent(self.outcomes.stopped_by.as_ref());
            self.outcomes.rows.insert(*row, Err(error));
            self.outcomes.not_sent.insert(*row);
        }
        for row in self.running.drain() {
            let message = "interrupted before the outcome was known";
            let error = Error::new(Kind::Interrupted, message).with_possibly_processed(true);
            self.outcomes.rows.insert(row, Err(error));
        }
    }
}

/// Returns the error of a row that was not sent.
fn not_sent(stopped_by: Option<&Error>) -> Error {
    let (kind, reason) = match stopped_by {
        // Not `UnknownOutcome`, because the outcome of a row that was not sent is known.
        Some(error) if error.kind == Kind::UnknownOutcome => (Kind::Unavailable, &*error.message),
        Some(error) => (error.kind, &*error.message),
        None => (Kind::Error, "interrupted"),
    };
    let message = format!("not sent: {reason}");
    Error::new(kind, &*message).with_details(vec![Detail::new("not_sent", "", message)])
}

/// A part of a bulk command that was not done.
pub struct BulkFailure<'f> {
    /// The id, site or email that it is about.
    pub subject: &'f str,
    /// The subject for people.
    pub name: String,
    pub error: Error,
}

impl BulkFailure<'_> {
    /// Returns the details of the error about the subject. An error without a problem in its details
    /// becomes one.
    pub fn details(&self) -> Vec<Detail> {
        let about = |detail: Detail| Detail {
            param: self.subject.into(),
            flag: Some(self.name.clone()),
            ..detail
        };
        let mut details = Vec::new();
        let error = &self.error;
        if error.details.iter().all(|detail| detail.code.is_none()) {
            details.push(about(Detail::new(error.kind.name(), "", &*error.message)));
        }
        for detail in &error.details {
            let field = &detail.param;
            let is_field = !field.is_empty() && field != self.subject;
            let place = is_field.then(|| format!("{}, {field}", self.name));
            details.push(about(Detail {
                position: detail.position.clone().or(place),
                ..detail.clone()
            }));
        }
        details
    }
}

/// Returns the error of a bulk command. `counts` has how many of `total` have each outcome.
pub fn bulk_error(
    kind: Kind,
    total: &str,
    counts: &[(usize, &str)],
    failures: &[BulkFailure<'_>],
) -> Error {
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, outcome)| format!("{count} of {total} {outcome}"))
        .collect();
    let details = failures.iter().flat_map(BulkFailure::details).collect();
    let error = Error::new(kind, parts.join(", ")).with_details(details);
    if kind == Kind::Interrupted {
        error.context("interrupted")
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_depends_on_how_many_rows_failed() {
        use Kind::{Auth, Conflict, Interrupted, Invalid, Partial, RestoreFailed, UnknownOutcome};
        let kind = |kinds: &[Kind], stopped_by: Option<Kind>| {
            let error = |kind: &Kind| Error::new(*kind, "");
            let errors: Vec<Error> = kinds.iter().map(error).collect();
            let stopped_by = stopped_by.as_ref().map(error);
            failure_kind(&errors.iter().collect::<Vec<_>>(), 2, stopped_by.as_ref())
        };
        for (kinds, stopped_by, expected) in [
            (&[][..], None, None),
            (&[Invalid], None, Some(Partial)),
            (&[Invalid, Conflict], None, Some(Partial)),
            (&[Auth, Auth], Some(Auth), Some(Auth)),
            (&[UnknownOutcome, RestoreFailed], None, Some(RestoreFailed)),
            (&[Invalid, UnknownOutcome], None, Some(UnknownOutcome)),
            (&[UnknownOutcome], Some(Interrupted), Some(Interrupted)),
        ] {
            assert_eq!(kind(kinds, stopped_by), expected, "{kinds:?}");
        }
    }
}
