//! Changes to clients: sends each one, looks the client up if the response is lost, and checks which values the service
//! kept. The commands for one client and for many make their changes here.

mod create;
mod delete;
mod difference;
mod kept;
mod update;

pub use create::create;
pub use delete::{Deletion, Fate, delete};
pub use difference::{Change, differences, same};
pub use update::{question, update};

use crate::client::Api;
use crate::client::Consent;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use crate::signal::stopped;
use crate::terminal::{Ui, arguments};

/// What changes are made with.
#[derive(Clone, Copy)]
pub struct Means<'m> {
    /// The person.
    pub ui: &'m Ui,
    /// The service.
    pub api: &'m Api,
    /// That they may be made.
    pub consent: &'m Consent,
}

/// A client after a change.
pub struct Changed {
    /// As the service has it.
    pub client: Record,
    /// Whether the service kept every value that was sent.
    pub kept: Result<()>,
}

/// Returns the command that shows a client, by its id or email.
fn show(api: &Api, client: &str) -> String {
    format!("{} clients show {}", api.program(), arguments(&[client]))
}

/// Replaces the error of a lost response by what `look_up` finds, unless the user interrupts. `safe` is the hint of an
/// outcome that stays unknown.
async fn resolve<T>(answer: Result<T>, look_up: impl AsyncFnOnce(Error) -> Result<T>, safe: &str) -> Result<T> {
    let what = "interrupted before it was known what became of the change, which was sent";
    let resolved = match answer {
        Err(lost) if lost.kind == Kind::UnknownOutcome => tokio::select! {
            biased;
            found = look_up(lost) => found,
            () = stopped() => Err(Error::new(Kind::Interrupted, what).in_flight(true)),
        },
        answer => answer,
    };
    resolved.map_err(|error| match error.kind == Kind::UnknownOutcome || error.in_flight {
        true => error.hint(safe),
        false => error,
    })
}
