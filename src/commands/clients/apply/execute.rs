//! Makes the changes of a plan, several at a time, each when what it waits for is done.

use super::order::{Task, followers, without};
use super::plan::{Action, Plan, Step};
use crate::commands::clients::changes::{self, Changed, Deletion, Fate, Means};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::Record;
use crate::signal::stopped;
use crate::terminal::Counter;
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// So many failures to reach the service, one after the other, and the rest is not tried.
const GONE: usize = 10;

/// What became of a client that was to change.
#[derive(Debug)]
pub enum Outcome {
    /// There is a client that was not there.
    Created(Record),
    /// The client is as wanted.
    Updated(Record),
    /// The client is gone.
    Deleted,
    /// It was tried, and failed.
    Failed(Error),
    /// It was not tried.
    NotSent,
}

/// What became of a plan.
#[derive(Default)]
pub struct Outcomes {
    /// Of each step, in its order; none where nothing was to change.
    pub of_steps: Vec<Option<Outcome>>,
    /// What ended it before its end.
    pub stopped: Option<Error>,
    /// What the service said when it took no more clients: those that were still to be created were not tried.
    pub full: Option<Vec<Detail>>,
    /// The sites that steps have released ahead of their own change, and not been given back.
    pub released: HashMap<usize, BTreeSet<String>>,
}

impl Outcomes {
    /// Nothing has been tried yet.
    pub fn before(plan: &Plan) -> Self {
        let of_steps = plan.steps.iter().map(|step| (step.action != Action::Unchanged).then_some(Outcome::NotSent));
        Self { of_steps: of_steps.collect(), ..Self::default() }
    }
}

/// What changes are made with.
pub struct Work<'w> {
    /// The person, the service, and the consent.
    pub means: Means<'w>,
    /// What is to be done.
    pub plan: &'w Plan,
    /// Requests that are on their way at a time.
    pub in_flight: usize,
    /// Who is told how far it has come.
    pub counter: &'w Counter,
}

/// Deletes what is to go, then does the tasks.
pub async fn execute(work: Work<'_>, tasks: &[Task]) -> Outcomes {
    let outcomes = Outcomes::before(work.plan);
    let mut run = Run { work, outcomes, misses: 0, finished: 0 };
    run.work.means.api.begin_bulk();
    run.delete().await;
    run.change(tasks).await;
    run.outcomes
}

struct Run<'w> {
    work: Work<'w>,
    outcomes: Outcomes,
    /// Failures to reach the service since it was last reached.
    misses: usize,
    finished: u64,
}

/// A task with its number, and what became of it; nothing where it was not tried.
type Done = (usize, Option<Result<Record>>);

impl<'w> Run<'w> {
    async fn delete(&mut self) {
        let plan = self.work.plan;
        let going = plan.steps.iter().enumerate().filter(|(_, step)| step.action == Action::Delete);
        let (named, unnamed): (Vec<_>, Vec<_>) = going.partition(|(_, step)| step.id.is_some());
        let ids: Vec<String> = named.iter().filter_map(|(_, step)| step.id.clone()).collect();
        let Deletion { fates, stopped } = changes::delete(self.work.means, &ids).await;
        for ((number, _), fate) in named.into_iter().zip(fates) {
            let outcome = match (fate, &stopped) {
                // Of one that is missing someone else was faster.
                (Fate::Gone | Fate::Missing(_), _) => Outcome::Deleted,
                (Fate::Refused(error), _) => {
                    Outcome::Failed(Error::new(Kind::Invalid, format!("{} ({})", error.message, error.code)))
                }
                (Fate::Failed, Some(stopped)) => Outcome::Failed(stopped.brief()),
                (Fate::Failed | Fate::NotSent, _) => continue,
            };
            self.finish(number, outcome);
        }
        for (number, _) in unnamed {
            let error = Error::new(Kind::Unavailable, "the service sent no id for this client");
            self.finish(number, Outcome::Failed(error));
        }
        self.outcomes.stopped = stopped;
    }

    async fn change(&mut self, tasks: &'w [Task]) {
        let mut queue = Queue::new(tasks);
        let mut running = FuturesUnordered::new();
        loop {
            while self.outcomes.stopped.is_none()
                && running.len() < self.work.in_flight
                && let Some(number) = queue.ready.pop_front()
            {
                running.push(self.start(number, &tasks[number]));
            }
            let done = tokio::select! {
                biased;
                () = stopped() => break,
                done = running.next() => done,
            };
            let Some((number, result)) = done else { return };
            self.take(&tasks[number], result);
            queue.done(number);
        }
        // Nobody knows how long the rest will take. It has heard of the interruption too, and may say where it is.
        self.outcomes.stopped = Some(Error::new(Kind::Interrupted, "interrupted"));
        while let Some(Some((number, result))) = running.next().now_or_never() {
            self.take(&tasks[number], result);
        }
    }

    /// The task, under way. Until it is done, nobody knows what became of it.
    fn start(&mut self, number: usize, task: &'w Task) -> impl Future<Output = Done> + use<'w> {
        let Work { means, plan, .. } = self.work;
        let refused = self.refused_claim(task);
        let (step, outcome) = (&plan.steps[task.step], &mut self.outcomes.of_steps[task.step]);
        // Where the sites could not be released, or there is no room for another client, it is not tried.
        let hopeless = self.outcomes.full.is_some() && step.action == Action::Create;
        let skipped = hopeless || matches!(outcome, Some(Outcome::Failed(_)));
        if !skipped {
            let unknown = Error::new(Kind::Interrupted, "interrupted before it was known what became of it");
            *outcome = Some(Outcome::Failed(unknown.in_flight(true)));
        }
        if refused.is_some() {
            self.outcomes.released.remove(&task.step);
        }
        async move {
            let made = match refused {
                _ if skipped => return (number, None),
                Some(refused) => give_back(means, step, refused).await,
                None => make(means, step, &task.fields).await,
            };
            (number, Some(made))
        }
    }

    /// The sites that this task's client released for changes that were refused. The client takes part in their
    /// circles, so its own change cannot succeed either.
    fn refused_claim(&self, task: &Task) -> Option<Claim> {
        let released = self.outcomes.released.get(&task.step)?;
        let steps = self.work.plan.steps.iter().zip(&self.outcomes.of_steps);
        let failed = steps.filter_map(|(step, outcome)| match outcome {
            Some(Outcome::Failed(error)) if surely_not_made(error) => Some((step.taken("site_ids"), error.kind)),
            _ => None,
        });
        let claims: Vec<_> = failed.filter(|(taken, _)| !taken.is_disjoint(released)).collect();
        let kind = claims.first()?.1;
        let sites: BTreeSet<String> = claims.iter().flat_map(|(taken, _)| taken & released).collect();
        Some(Claim { kind, gone: released - &sites, sites })
    }

    fn take(&mut self, task: &Task, result: Option<Result<Record>>) {
        let created = self.work.plan.steps[task.step].action == Action::Create;
        match result {
            None => {}
            Some(Ok(_)) if !task.releases.is_empty() => {
                self.outcomes.of_steps[task.step] = Some(Outcome::NotSent);
                self.outcomes.released.insert(task.step, task.releases.clone());
            }
            Some(Ok(client)) if created => self.finish(task.step, Outcome::Created(client)),
            Some(Ok(client)) => self.finish(task.step, Outcome::Updated(client)),
            Some(Err(error)) => {
                self.learn(&error);
                self.finish(task.step, Outcome::Failed(error));
            }
        }
    }

    /// Where a failure shows that others will fail too, they are not tried.
    fn learn(&mut self, error: &Error) {
        if error.details.iter().any(|detail| detail.code == "max_quota") {
            self.outcomes.full = Some(error.details.clone());
        }
        let missed = matches!(error.kind, Kind::Unavailable | Kind::UnknownOutcome);
        self.misses = if missed { self.misses + 1 } else { 0 };
        let hopeless = matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted);
        let gone = || Error::new(Kind::Unavailable, format!("{GONE} changes in a row did not get through"));
        let stopped = if self.misses >= GONE { Some(gone()) } else { hopeless.then(|| error.brief()) };
        self.outcomes.stopped = self.outcomes.stopped.take().or(stopped);
    }

    fn finish(&mut self, step: usize, outcome: Outcome) {
        if !matches!(outcome, Outcome::Failed(_)) {
            self.misses = 0;
        }
        self.outcomes.of_steps[step] = Some(outcome);
        self.finished += 1;
        self.work.counter.reached(self.finished);
    }
}

/// Sites that a change which was refused should have taken.
struct Claim {
    kind: Kind,
    sites: BTreeSet<String>,
    /// The other sites that the client has released.
    gone: BTreeSet<String>,
}

/// Whether the service surely did not make a change that failed.
fn surely_not_made(error: &Error) -> bool {
    !error.in_flight && !matches!(error.kind, Kind::UnknownOutcome | Kind::Interrupted | Kind::Error)
}

async fn make(means: Means<'_>, step: &Step, fields: &Map<String, Value>) -> Result<Record> {
    let Changed { client, kept } = match &step.id {
        None => changes::create(means, fields).await?,
        Some(id) => changes::update(means, id, fields).await?,
    };
    kept.map(|()| client)
}

/// Gives released sites back, and returns why the client's own change was not made.
async fn give_back(means: Means<'_>, step: &Step, claim: Claim) -> Result<Record> {
    let Claim { kind, sites, gone } = claim;
    let given_back = make(means, step, &without(step, &gone)).await;
    let sites = sites.into_iter().collect::<Vec<_>>().join(", ");
    Err(match given_back {
        Ok(_) => Error::new(
            kind,
            format!("not sent, because the change that takes {sites} was refused; {sites} was given back"),
        ),
        Err(error) => error.context(format!("{sites} was released and could not be given back")),
    })
}

/// The tasks that can be started, in the order of the file as far as that goes.
struct Queue {
    ready: VecDeque<usize>,
    /// How many others each task still waits for.
    waits: Vec<usize>,
    followers: Vec<Vec<usize>>,
}

impl Queue {
    fn new(tasks: &[Task]) -> Self {
        let waits: Vec<usize> = tasks.iter().map(|task| task.after.len()).collect();
        let ready = (0..tasks.len()).filter(|task| waits[*task] == 0).collect();
        Self { ready, waits, followers: followers(tasks) }
    }

    fn done(&mut self, task: usize) {
        for follower in &self.followers[task] {
            self.waits[*follower] -= 1;
            self.ready.extend((self.waits[*follower] == 0).then_some(*follower));
        }
    }
}
