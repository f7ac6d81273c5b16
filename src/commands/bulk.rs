//! Makes many changes: several at a time, each after the changes that it depends on. Stops if the rest would fail too. Each
//! row has an outcome, and the run has one exit code.

use crate::client::Api;
use crate::error::{Detail, Error, Kind, Result};
use crate::signal::{mark_handled, stopped};
use crate::terminal::{Counter, Ui, pluralize};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// After this many consecutive rows without a response, the rest are not sent.
const UNREACHABLE: usize = 10;

/// The outcomes of all rows.
#[derive(Debug, Default)]
pub struct Outcomes<T> {
    /// The result of each row that a job changes.
    pub rows: BTreeMap<usize, Result<T>>,
    /// The failed rows that were not sent.
    pub left: BTreeSet<usize>,
    /// Why they were not sent.
    pub stopped: Option<Error>,
}

/// One request.
#[derive(Debug, Default, Clone)]
pub struct Job {
    /// The rows that it changes; no other job changes them.
    pub rows: Vec<usize>,
    /// The rows that must have an outcome before it is sent.
    pub after: Vec<usize>,
}

/// Runs jobs against one service.
pub struct Bulk<'b> {
    /// Shows the progress.
    pub ui: &'b Ui,
    /// Where the requests go.
    pub api: &'b Api,
    /// The rows in the plural, for the progress bar.
    pub plural: &'static str,
    /// Requests that are sent at the same time.
    pub concurrency: usize,
    /// After so many failures, the rest are not sent.
    pub stop_after_failures: Option<u32>,
}

impl Bulk<'_> {
    /// Runs the jobs. `start` makes the changes of these rows, and returns a result for each.
    pub async fn run<'j, T, F>(
        &self,
        jobs: &'j [Job],
        start: impl Fn(&'j [usize]) -> F,
    ) -> Outcomes<T>
    where
        F: Future<Output = Vec<Result<T>>>,
    {
        if jobs.len() > 1 {
            self.api.begin_bulk();
        }
        let rows: usize = jobs.iter().map(|job| job.rows.len()).sum();
        let counter = self.ui.counter_with_total(self.plural, rows as u64);
        let outcomes = Outcomes {
            rows: BTreeMap::new(),
            left: BTreeSet::new(),
            stopped: None,
        };
        let waiting = jobs.iter().collect();
        let mut run = Run {
            bulk: self,
            jobs,
            outcomes,
            waiting,
            failures: 0,
            unreachable: 0,
        };
        counter.while_waiting(run.all(&counter, start)).await;
        run.outcomes
    }
}

/// Returns the kind of error, and so the exit code, of a run in which these rows failed.
pub fn failure(errors: &[&Error], rows: usize, stopped: Option<&Error>) -> Option<Kind> {
    let first = errors.first()?.kind;
    Some(match () {
        () if stopped.is_some_and(|error| error.kind == Kind::Interrupted) => Kind::Interrupted,
        () if errors.len() == rows && errors.iter().all(|error| error.kind == first) => first,
        () if errors.iter().any(|error| error.is_in_doubt()) => Kind::UnknownOutcome,
        () => Kind::Partial,
    })
}

struct Run<'r, 'j, T> {
    bulk: &'r Bulk<'r>,
    jobs: &'j [Job],
    outcomes: Outcomes<T>,
    /// The jobs that are not started.
    waiting: VecDeque<&'j Job>,
    failures: u32,
    /// Consecutive rows without a response.
    unreachable: usize,
}

impl<'j, T> Run<'_, 'j, T> {
    async fn all<F>(&mut self, counter: &Counter, start: impl Fn(&'j [usize]) -> F)
    where
        F: Future<Output = Vec<Result<T>>>,
    {
        let mut running = FuturesUnordered::new();
        loop {
            while self.outcomes.stopped.is_none()
                && running.len() < self.bulk.concurrency
                && let Some(job) = self.next()
            {
                let work = start(&job.rows);
                running.push(async move { (job, work.await) });
            }
            let ended = tokio::select! {
                biased;
                () = stopped() => break,
                ended = running.next() => ended,
            };
            let Some((job, results)) = ended else {
                return self.leave_rest();
            };
            self.take(job, results, counter);
        }
        // Requests in flight are interrupted too, and return their known results.
        self.outcomes.stopped = Some(Error::new(Kind::Interrupted, "interrupted"));
        while let Some(Some((job, results))) = running.next().now_or_never() {
            self.take(job, results, counter);
        }
        mark_handled();
        self.leave_rest();
    }

    /// Takes the first job that is ready.
    fn next(&mut self) -> Option<&'j Job> {
        let is_ready = |job: &&Job| {
            job.after
                .iter()
                .all(|row| self.outcomes.rows.contains_key(row))
        };
        let place = self.waiting.iter().position(is_ready)?;
        self.waiting.remove(place)
    }

    fn take(&mut self, job: &Job, results: Vec<Result<T>>, counter: &Counter) {
        for (row, result) in job.rows.iter().zip(results) {
            match &result {
                Ok(_) => self.unreachable = 0,
                Err(error) => self.consider(error),
            }
            self.outcomes.rows.insert(*row, result);
        }
        counter.set_done(self.outcomes.rows.len() as u64);
    }

    /// Stops if the error shows that the rest would fail too, or if there were too many.
    fn consider(&mut self, error: &Error) {
        self.failures += 1;
        let unreachable = matches!(error.kind, Kind::Unavailable | Kind::UnknownOutcome);
        self.unreachable = if unreachable { self.unreachable + 1 } else { 0 };
        let gone = || {
            Error::new(
                Kind::Unavailable,
                format!("{UNREACHABLE} consecutive changes failed without a response"),
            )
        };
        let stopped = match self.bulk.stop_after_failures {
            _ if matches!(
                error.kind,
                Kind::Auth | Kind::RateLimited | Kind::Interrupted
            ) =>
            {
                Some(error.without_response())
            }
            Some(most) if self.failures >= most => Some(Error::new(
                Kind::Partial,
                pluralize(most as usize, "failure"),
            )),
            _ => (self.unreachable >= UNREACHABLE).then(gone),
        };
        self.outcomes.stopped = self.outcomes.stopped.take().or(stopped);
    }

    fn leave_rest(&mut self) {
        for row in self.waiting.iter().flat_map(|job| &job.rows) {
            self.outcomes
                .rows
                .insert(*row, Err(not_sent(self.outcomes.stopped.as_ref())));
            self.outcomes.left.insert(*row);
        }
        for row in self.jobs.iter().flat_map(|job| &job.rows) {
            let unknown = || {
                Error::new(
                    Kind::Interrupted,
                    "interrupted before the outcome was known",
                )
                .with_in_flight(true)
            };
            self.outcomes
                .rows
                .entry(*row)
                .or_insert_with(|| Err(unknown()));
        }
    }
}

/// Returns the error of a row that was not sent.
fn not_sent(stopped: Option<&Error>) -> Error {
    let (kind, why) = stopped.map_or((Kind::Error, "another change failed"), |error| {
        (error.kind, &*error.message)
    });
    // The outcome of a row that was not sent is known.
    let kind = if kind == Kind::UnknownOutcome {
        Kind::Unavailable
    } else {
        kind
    };
    let message = format!("not sent, after this: {why}");
    Error::new(kind, &*message).with_details(vec![Detail::new("not_sent", "", message)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_depends_on_how_many_rows_failed() {
        let error = |kind| Error::new(kind, "");
        let kind = |kinds: &[Kind], rows, stopped: Option<Kind>| {
            let errors: Vec<Error> = kinds.iter().map(|kind| error(*kind)).collect();
            failure(
                &errors.iter().collect::<Vec<_>>(),
                rows,
                stopped.map(error).as_ref(),
            )
        };
        use Kind::{Auth, Conflict, Interrupted, Invalid, Partial, UnknownOutcome};
        assert_eq!(kind(&[], 2, None), None);
        assert_eq!(kind(&[Invalid], 2, None), Some(Partial));
        assert_eq!(kind(&[Invalid, Conflict], 2, None), Some(Partial));
        assert_eq!(kind(&[Auth, Auth], 2, Some(Auth)), Some(Auth));
        assert_eq!(
            kind(&[Invalid, UnknownOutcome], 3, None),
            Some(UnknownOutcome)
        );
        assert_eq!(
            kind(&[UnknownOutcome], 3, Some(Interrupted)),
            Some(Interrupted)
        );
    }
}
