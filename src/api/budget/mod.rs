//! The rate limit (spec, "Limits"), from the headers of each answer: when no request is left, sitectl waits for more
//! rather than provoke a 429.

mod promise;
mod room;
mod seconds;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod window;
#[cfg(test)]
mod window_tests;

pub use seconds::asked_wait;

use reqwest::header::HeaderMap;
use room::{Reason, Room, Sent, Turn};
use std::cell::RefCell;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use window::{Heard, Window};

/// A wait that ends sooner than this after one that was told is the same one.
const SAME: Duration = Duration::from_secs(1);

/// The rate limit as far as it is known, shared by all requests of a process.
#[derive(Default)]
pub struct Budget {
    room: RefCell<Room>,
    window: RefCell<Window>,
    changed: Notify,
}

/// The right to send one request. Dropped without an answer, it gives way to those who wait for one.
pub struct Ticket<'b> {
    budget: &'b Budget,
    sent: Option<Sent>,
    at: Instant,
    /// The newest answer that was there before.
    before: Option<Heard>,
}

impl Budget {
    /// Waits until a request may be sent. `tell` hears of each wait for more room, and how long it will be.
    pub async fn ticket(&self, tell: impl Fn(Duration)) -> Ticket<'_> {
        let mut told: Option<Instant> = None;
        loop {
            // From here on no change is missed.
            let changed = self.changed.notified();
            let now = Instant::now();
            let turn = self.room.borrow().turn(now);
            match turn {
                Turn::Go(reason) => return self.grant(reason, now),
                Turn::Answer => changed.await,
                Turn::Soon(at) => until(at, changed).await,
                Turn::Until(at) => {
                    if told.is_none_or(|told| at > told + SAME) {
                        tell(at - now);
                        told = Some(at);
                    }
                    until(at, changed).await;
                }
            }
        }
    }

    fn grant(&self, reason: Reason, now: Instant) -> Ticket<'_> {
        let sent = Some(self.room.borrow_mut().send(reason, now));
        Ticket { budget: self, sent, at: now, before: self.window.borrow().last() }
    }

    /// Requests allowed in a window, where the service has said so.
    pub fn limit(&self) -> Option<u64> {
        self.room.borrow().limit()
    }

    /// Requests left in this window, where the service has said so.
    pub fn remaining(&self) -> Option<u64> {
        self.room.borrow().left()
    }

    /// How long a window is, as far as answers have proven it; never taken to be shorter than it can be.
    pub fn window(&self) -> Duration {
        self.window.borrow().length()
    }
}

impl Ticket<'_> {
    /// Takes in the answer.
    pub fn answered(mut self, status: u16, headers: &HeaderMap) {
        let Some(sent) = self.sent.take() else { return };
        let (now, said) = (Instant::now(), seconds::said(headers));
        self.budget.room.borrow_mut().answered(&sent, now, status, said);
        // What was refused may not have been counted at all.
        let counted = said.filter(|_| (200..300).contains(&status));
        if let Some(heard) = Heard::new(self.at, now, counted) {
            self.budget.window.borrow_mut().hear(self.before, heard);
        }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(sent) = self.sent.take() {
            self.budget.room.borrow_mut().lost(&sent);
        }
        self.budget.changed.notify_waiters();
    }
}

/// Waits for this moment, or for a change before it.
async fn until(at: Instant, changed: impl Future<Output = ()>) {
    tokio::select! {
        () = tokio::time::sleep_until(at.into()) => {}
        () = changed => {}
    }
}
