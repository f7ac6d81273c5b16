//! The rate limit (spec, "Limits"), from the headers of each answer: when no request is left, sitectl waits for more
//! rather than provoke a 429.

mod flights;
mod moment;
mod promise;
mod room;
mod rounding;
mod seconds;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod window;
#[cfg(test)]
mod window_tests;

pub use seconds::asked_wait;

use crate::ledger::{Ledger, Locked};
use flights::Sender;
use moment::Moment;
use reqwest::header::HeaderMap;
use room::{Room, Sent, Turn};
use seconds::Said;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use window::{Heard, Window};

/// A wait that ends sooner than this after one that was told is the same one.
const SAME: Duration = Duration::from_secs(1);
/// So often who waits for an answer looks whether another process has had it.
const LOOK: Duration = Duration::from_millis(20);
/// So often who waits for room looks whether another process has found some.
const LOOK_FOR_ROOM: Duration = Duration::from_secs(1);

/// The rate limit as far as it is known, shared by all requests of a process, and through a ledger by all processes of
/// this machine that use the same account.
pub struct Budget {
    room: RefCell<Room>,
    ledger: Option<Ledger>,
    /// Whether the others were not asked last time.
    alone: Cell<bool>,
    process: u64,
    patience: Duration,
    ahead: Cell<u64>,
    window: RefCell<Window>,
    /// What the newest answer that said anything of it said.
    said: Cell<Option<Said>>,
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

/// While it lives, many requests are known to come.
pub struct Ahead<'b> {
    budget: &'b Budget,
    /// Those that were known to come before.
    before: u64,
}

impl Budget {
    /// The budget of an account that is known by this ledger; no request takes longer than `patience`.
    pub fn new(ledger: Option<Ledger>, patience: Duration) -> Self {
        Self {
            room: RefCell::default(),
            ledger,
            alone: Cell::default(),
            process: RandomState::new().hash_one(0),
            patience,
            ahead: Cell::default(),
            window: RefCell::default(),
            said: Cell::default(),
            changed: Notify::default(),
        }
    }

    /// Says that so many requests are to come. Who needs many leaves the last few of a window to those who need few.
    pub fn expect(&self, requests: u64) -> Ahead<'_> {
        let before = self.ahead.get();
        self.ahead.set(before.max(requests));
        Ahead { budget: self, before }
    }

    /// Waits until a request may be sent. `tell` hears of each wait for more room, and how long it will be.
    pub async fn ticket(&self, tell: impl Fn(Duration)) -> Ticket<'_> {
        let mut told: Option<Moment> = None;
        loop {
            // From here on no change is missed.
            let changed = self.changed.notified();
            let now = Moment::now();
            let turn = match self.take_turn(now) {
                Ok(sent) => return self.grant(sent),
                Err(turn) => turn,
            };
            if let Turn::Until(at) = turn
                && told.is_none_or(|told| at > told + SAME)
            {
                tell(at - now);
                told = Some(at);
            }
            until(self.look_again_at(turn, now), changed).await;
        }
    }

    /// Sends a request, or says how long that has to wait.
    fn take_turn(&self, now: Moment) -> Result<Sent, Turn> {
        let sender = Sender { process: self.process, ahead: self.ahead.get(), patience: self.patience };
        self.with_room(false, |room| match room.turn(sender, now) {
            Turn::Go(reason) => Ok(room.send(sender, reason, now)),
            turn => Err(turn),
        })
    }

    fn grant(&self, sent: Sent) -> Ticket<'_> {
        self.ahead.set(self.ahead.get().saturating_sub(1));
        Ticket { budget: self, sent: Some(sent), at: Instant::now(), before: self.window.borrow().last() }
    }

    /// When to look again, unless something changes here before. Of what other processes hear, nobody is told.
    fn look_again_at(&self, turn: Turn, now: Moment) -> Option<Moment> {
        let shared = |often: Duration| self.ledger.as_ref().map(|_| now + often);
        match turn {
            Turn::Until(at) => Some(shared(LOOK_FOR_ROOM).map_or(at, |look| look.min(at))),
            Turn::Soon(at) => Some(at),
            Turn::Answer | Turn::Go(_) => shared(LOOK),
        }
    }

    /// Uses the account of room, as it is known to all processes. Where the service has told nothing so far, there is
    /// nothing to share, unless this is about to be `news`: what one answer tells, all have to know.
    fn with_room<T>(&self, news: bool, act: impl FnOnce(&mut Room) -> T) -> T {
        let mut room = self.room.borrow_mut();
        let alone = room.is_silent() && !news;
        let locked = self.ledger.as_ref().filter(|_| !alone).and_then(Ledger::lock);
        // Who went on alone and now hears of a limit knows more than the others.
        let known = locked.as_ref().filter(|_| !self.alone.get()).and_then(Locked::read);
        if let Some(known) = known.filter(|known: &Room| known.is_possible(Moment::now())) {
            *room = known;
        }
        self.alone.set(alone);
        let result = act(&mut room);
        locked.into_iter().for_each(|locked| locked.write(&*room));
        result
    }

    /// Requests allowed in a window, where the service has said so.
    pub fn limit(&self) -> Option<u64> {
        self.room.borrow().limit()
    }

    /// Requests left in this window, where the service has said so.
    pub fn remaining(&self) -> Option<u64> {
        self.room.borrow().left()
    }

    /// What the newest answer that said anything of the limit said of it.
    pub fn said(&self) -> Option<Said> {
        self.said.get()
    }

    /// How long a window is, as far as answers have proven it; never taken to be shorter than it can be.
    pub fn window(&self) -> Duration {
        self.window.borrow().length()
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        self.budget.ahead.set(self.budget.ahead.get().min(self.before));
    }
}

impl Ticket<'_> {
    /// Takes in the answer.
    pub fn answered(mut self, status: u16, headers: &HeaderMap) {
        let Some(sent) = self.sent.take() else { return };
        let (now, said) = (Instant::now(), seconds::said(headers));
        self.budget.said.set(said.or(self.budget.said.get()));
        self.budget.with_room(said.is_some(), |room| room.answered(&sent, Moment::now(), status, said));
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
            self.budget.with_room(false, |room| room.lost(&sent));
        }
        self.budget.changed.notify_waiters();
    }
}

/// Waits for this moment, if any, or for a change before it.
async fn until(at: Option<Moment>, changed: impl Future<Output = ()>) {
    let Some(at) = at else { return changed.await };
    tokio::select! {
        () = tokio::time::sleep_until(at.instant().into()) => {}
        () = changed => {}
    }
}
