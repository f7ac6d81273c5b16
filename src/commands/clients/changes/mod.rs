//! Changes to clients, each to its end: where an answer is lost, the service is asked what became of it. The commands
//! for one client and for many make their changes here.

mod create;
mod delete;
mod difference;
mod kept;
mod shown;
mod update;

pub use create::create;
pub use delete::{Deletion, Fate, delete};
pub use difference::{Change, differences};
pub use update::{Updated, question, update};

use crate::api::Api;
use crate::consent::Consent;
use crate::error::{Error, Kind, Result};
use crate::ui::{Ui, arguments, stopped};
use std::time::Duration;

/// How long a service that broke off gets to finish what it may have begun, before it is believed to have done nothing.
const SETTLING: Duration = Duration::from_millis(1500);

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

/// The command that shows a client, by its id or email.
fn show(api: &Api, client: &str) -> String {
    format!("{} clients show {}", api.program(), arguments(&[client]))
}

/// Finds out what became of a change, unless the person has no time for that.
async fn unless_interrupted<T>(find_out: impl Future<Output = Result<T>>) -> Result<T> {
    let what = "interrupted before it was known what became of the change, which was sent";
    tokio::select! {
        biased;
        found = find_out => found,
        () = stopped() => Err(Error::new(Kind::Interrupted, what).in_flight(true)),
    }
}

/// Looks what became of a change whose answer was lost; where that is nothing, a second time.
async fn look<T>(look: impl AsyncFn() -> Result<T>, nothing: impl Fn(&T) -> bool) -> Result<T> {
    let found = look().await;
    if !found.as_ref().is_ok_and(nothing) {
        return found;
    }
    tokio::time::sleep(SETTLING).await;
    look().await
}
