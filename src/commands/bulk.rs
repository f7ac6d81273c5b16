//! Makes many changes: several at a time, each after those that it depends on, until it is clear that the rest would fail
//! too. Every row ends with an outcome, and all of them together with one exit code.

use crate::client::Api;
use crate::error::{Error, Kind, Result};
use crate::signal::{handled, stopped};
use crate::terminal::{Counter, Ui, count};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::VecDeque;

/// After so many rows in a row that did not get through, the rest are not sent.
const UNREACHABLE: usize = 10;

/// What became of a row.
#[derive(Debug)]
pub enum Outcome<T> {
    /// The change was made.
    Done(T),
    /// It failed, or its outcome is unknown.
    Failed(Error),
    /// It was not sent.
    NotSent(Error),
}

/// What became of all rows.
#[derive(Debug)]
pub struct Outcomes<T> {
    /// One per row; none for a row that no job changes.
    pub rows: Vec<Option<Outcome<T>>>,
    /// Why the rest was not sent.
    pub stopped: Option<Error>,
}

/// One request: the rows that it changes, and the jobs that come before it.
#[derive(Debug, Default, Clone)]
pub struct Job {
    /// The numbers of its rows.
    pub rows: Vec<usize>,
    /// The numbers of the jobs that it waits for.
    pub after: Vec<usize>,
}

/// How the changes are made.
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
    /// Makes the changes of `rows` rows. `start` makes those of one job, and returns a result for each of its rows; it may
    /// look at the outcomes so far. Jobs of rows that have failed are skipped.
    pub async fn run<T, F>(
        &self,
        jobs: &[Job],
        rows: usize,
        start: impl Fn(usize, &[Option<Outcome<T>>]) -> F,
    ) -> Outcomes<T>
    where
        F: Future<Output = Vec<Result<T>>>,
    {
        if jobs.len() > 1 {
            self.api.begin_bulk();
        }
        let mut run = Run::new(self, jobs, rows);
        let counter = self.ui.tally(self.plural, run.pending.iter().filter(|jobs| **jobs > 0).count() as u64);
        counter.while_waiting(run.all(&counter, start)).await;
        run.outcomes
    }
}

impl<T> Outcomes<T> {
    /// Returns the error of a row that was not sent.
    pub fn not_sent(&self) -> Error {
        let (kind, why) = match &self.stopped {
            // What was not sent is in no doubt.
            Some(error) if error.kind == Kind::UnknownOutcome => (Kind::Unavailable, error.message.as_str()),
            Some(error) => (error.kind, error.message.as_str()),
            None => (Kind::Error, "another change failed"),
        };
        Error::new(kind, format!("not sent, after this: {why}"))
    }
}

/// Returns the kind of error, and so the exit code, of a run in which these rows failed.
pub fn failure(errors: &[&Error], rows: usize, stopped: Option<&Error>) -> Option<Kind> {
    let first = errors.first()?.kind;
    Some(match () {
        () if stopped.is_some_and(|error| error.kind == Kind::Interrupted) => Kind::Interrupted,
        () if errors.len() == rows && errors.iter().all(|error| error.kind == first) => first,
        () if errors.iter().any(|error| error.kind == Kind::UnknownOutcome || error.in_flight) => Kind::UnknownOutcome,
        () => Kind::Partial,
    })
}

struct Run<'r, T> {
    bulk: &'r Bulk<'r>,
    jobs: &'r [Job],
    outcomes: Outcomes<T>,
    /// The jobs that can be started.
    ready: VecDeque<usize>,
    /// For each job the number of jobs that it still waits for, and the jobs that wait for it.
    waits: Vec<usize>,
    followers: Vec<Vec<usize>>,
    /// For each row the number of jobs that have not ended.
    pending: Vec<usize>,
    finished: u64,
    failures: u32,
    /// Rows that did not get through since the last one that did.
    misses: usize,
}

impl<'r, T> Run<'r, T> {
    fn new(bulk: &'r Bulk<'r>, jobs: &'r [Job], rows: usize) -> Self {
        let waits: Vec<usize> = jobs.iter().map(|job| job.after.len()).collect();
        let (mut followers, mut pending) = (vec![Vec::new(); jobs.len()], vec![0; rows]);
        for (number, job) in jobs.iter().enumerate() {
            job.after.iter().for_each(|before| followers[*before].push(number));
            job.rows.iter().for_each(|row| pending[*row] += 1);
        }
        let ready = (0..jobs.len()).filter(|job| waits[*job] == 0).collect();
        let outcomes = Outcomes { rows: (0..rows).map(|_| None).collect(), stopped: None };
        Self { bulk, jobs, outcomes, ready, waits, followers, pending, finished: 0, failures: 0, misses: 0 }
    }

    async fn all<F>(&mut self, counter: &Counter, start: impl Fn(usize, &[Option<Outcome<T>>]) -> F)
    where
        F: Future<Output = Vec<Result<T>>>,
    {
        let mut running = FuturesUnordered::new();
        loop {
            while self.outcomes.stopped.is_none()
                && running.len() < self.bulk.concurrency
                && let Some(job) = self.ready.pop_front()
            {
                if self.has_failed(job) {
                    self.finish(job, counter);
                    continue;
                }
                let work = start(job, &self.outcomes.rows);
                for row in &self.jobs[job].rows {
                    let unknown = Error::new(Kind::Interrupted, "interrupted before the outcome was known");
                    self.outcomes.rows[*row] = Some(Outcome::Failed(unknown.in_flight(true)));
                }
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
            self.take(job, results);
            self.finish(job, counter);
        }
        // Requests that are on their way are interrupted too, and return what is known of them.
        self.outcomes.stopped = Some(Error::new(Kind::Interrupted, "interrupted"));
        while let Some(Some((job, results))) = running.next().now_or_never() {
            self.take(job, results);
            self.finish(job, counter);
        }
        handled();
        self.leave_rest();
    }

    fn has_failed(&self, job: usize) -> bool {
        self.jobs[job].rows.iter().any(|row| matches!(self.outcomes.rows[*row], Some(Outcome::Failed(_))))
    }

    fn take(&mut self, job: usize, results: Vec<Result<T>>) {
        for (row, result) in self.jobs[job].rows.iter().zip(results) {
            self.outcomes.rows[*row] = Some(match result {
                Ok(done) => {
                    self.misses = 0;
                    Outcome::Done(done)
                }
                Err(error) => {
                    self.consider(&error);
                    Outcome::Failed(error)
                }
            });
        }
    }

    /// Stops if the error shows that the rest would fail too, or if there were too many.
    fn consider(&mut self, error: &Error) {
        self.failures += 1;
        let missed = matches!(error.kind, Kind::Unavailable | Kind::UnknownOutcome);
        self.misses = if missed { self.misses + 1 } else { 0 };
        let gone = || Error::new(Kind::Unavailable, format!("{UNREACHABLE} changes in a row did not get through"));
        let stopped = match self.bulk.stop_after_failures {
            _ if matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted) => Some(error.brief()),
            Some(most) if self.failures >= most => Some(Error::new(Kind::Partial, count(most as usize, "failure"))),
            _ => (self.misses >= UNREACHABLE).then(gone),
        };
        self.outcomes.stopped = self.outcomes.stopped.take().or(stopped);
    }

    fn finish(&mut self, job: usize, counter: &Counter) {
        for row in &self.jobs[job].rows {
            self.pending[*row] -= 1;
            self.finished += u64::from(self.pending[*row] == 0);
        }
        counter.reached(self.finished);
        for follower in &self.followers[job] {
            self.waits[*follower] -= 1;
            self.ready.extend((self.waits[*follower] == 0).then_some(*follower));
        }
    }

    fn leave_rest(&mut self) {
        for row in self.jobs.iter().flat_map(|job| &job.rows) {
            if self.outcomes.rows[*row].is_none() {
                self.outcomes.rows[*row] = Some(Outcome::NotSent(self.outcomes.not_sent()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_says_how_much_failed() {
        let error = |kind| Error::new(kind, "");
        let kind = |kinds: &[Kind], rows, stopped: Option<Kind>| {
            let errors: Vec<Error> = kinds.iter().map(|kind| error(*kind)).collect();
            failure(&errors.iter().collect::<Vec<_>>(), rows, stopped.map(error).as_ref())
        };
        use Kind::{Auth, Conflict, Interrupted, Invalid, Partial, UnknownOutcome};
        assert_eq!(kind(&[], 2, None), None);
        assert_eq!(kind(&[Invalid], 2, None), Some(Partial));
        assert_eq!(kind(&[Invalid, Conflict], 2, None), Some(Partial));
        assert_eq!(kind(&[Auth, Auth], 2, Some(Auth)), Some(Auth));
        assert_eq!(kind(&[Invalid, UnknownOutcome], 3, None), Some(UnknownOutcome));
        assert_eq!(kind(&[UnknownOutcome], 3, Some(Interrupted)), Some(Interrupted));
    }
}
