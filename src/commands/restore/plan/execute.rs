//! Starts the restores of a plan, several at a time, in the order of the file.

use super::row::{Row, State};
use crate::client::Consent;
use crate::commands::bulk::{Bulk, Job, Outcome, Outcomes};
use crate::commands::restore::launch::{Launcher, Order};
use crate::error::Error;

/// Starts the restores of the rows that wait. Returns what ended it early.
pub async fn execute(
    launcher: &Launcher<'_>,
    consent: &Consent,
    rows: &mut [Row],
    concurrency: usize,
    stop_after_failures: Option<u32>,
) -> Option<Error> {
    let waiting = rows.iter_mut().filter(|row| row.is_waiting());
    let (orders, states): (Vec<&Order>, Vec<&mut State>) = waiting.map(|row| (&row.order, &mut row.state)).unzip();
    let jobs: Vec<Job> = (0..orders.len()).map(|row| Job { rows: vec![row], after: Vec::new() }).collect();
    let (ui, api) = (&launcher.context.ui, launcher.api);
    let bulk = Bulk { ui, api, plural: "restores started", concurrency, stop_after_failures };
    let start = |row: usize| {
        let order = orders[row];
        async move { vec![launcher.launch(consent, order).await] }
    };
    let Outcomes { rows: outcomes, stopped } = bulk.run(&jobs, start).await;
    for (state, outcome) in states.into_iter().zip(outcomes.into_values()) {
        *state = match outcome {
            Outcome::Done(launched) => State::Started(launched),
            Outcome::Failed(error) => State::Failed(error),
            Outcome::NotSent(error) => State::NotTried(error),
        };
    }
    stopped
}
