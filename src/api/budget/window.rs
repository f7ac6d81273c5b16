//! How long a window of the service is, for who wants a share of it: 60 seconds (spec, "Limits") unless the headers
//! prove something else, as a pure function of what the answers said.
//!
//! An answer that was the only one counted in its window, where those before it had used more, belongs to a window that
//! began after the answer before it was counted, and that ends at the reset. So the window is no longer than from the
//! sending of the one before to that reset. The same holds where a window slides: then nothing else is in it. Where
//! room trickles back bit by bit, a full bucket looks much the same, but what is missing from it comes back in less
//! time than it took to fill: a reset that is nearer than the answer before is no proof.

use super::seconds::Said;
use std::time::{Duration, Instant};

/// What a window may be where it is not proven: the shortest that no reset contradicts. The first is the spec's.
const USUAL: [Duration; 3] = [Duration::from_secs(60), Duration::from_secs(600), Duration::from_secs(3600)];
/// Who has seen so many come back at once has seen a window end.
const RISE: u64 = 2;

/// What one answer said, and when.
#[derive(Debug, Clone, Copy)]
pub struct Heard {
    sent: Instant,
    came: Instant,
    limit: Option<u64>,
    remaining: u64,
    after: Duration,
    unit: Duration,
}

/// The window as far as it is known.
#[derive(Debug, Default)]
pub struct Window {
    last: Option<Heard>,
    /// It is no longer than this.
    most: Option<Duration>,
    /// It is at least as long as this.
    least: Duration,
}

impl Heard {
    /// What an answer said of the reset; none where it said nothing.
    pub fn new(sent: Instant, came: Instant, said: Option<Said>) -> Option<Self> {
        let Said { limit, remaining, reset } = said?;
        reset.map(|reset| Self { sent, came, limit, remaining, after: reset.after, unit: reset.unit })
    }

    /// The longest that the window can be, where this is the first answer of it and `before` is of the one before.
    fn bounds(&self, before: &Self) -> Option<Duration> {
        let gap = self.came - before.sent;
        let limit = self.limit.filter(|_| self.limit == before.limit)?;
        let alone = self.remaining + 1 >= limit;
        let risen = self.remaining >= before.remaining + RISE;
        let promised = self.came + before.unit >= before.sent + before.after;
        let far = self.after >= gap + self.unit;
        (alone && risen && promised && far).then_some(gap + self.after + self.unit)
    }
}

impl Window {
    /// The answer to the newest request so far. Who sends one keeps it until its own answer is there.
    pub fn last(&self) -> Option<Heard> {
        self.last
    }

    /// Takes in an answer; `before` is the last that was there when its request was sent.
    pub fn hear(&mut self, before: Option<Heard>, heard: Heard) {
        self.least = self.least.max(heard.after.saturating_sub(heard.unit));
        let bound = before.and_then(|before| heard.bounds(&before));
        self.most = self.most.into_iter().chain(bound).min();
        if self.last.is_none_or(|last| heard.sent >= last.sent) {
            self.last = Some(heard);
        }
    }

    /// How long it is taken to be: never shorter than it can be.
    pub fn length(&self) -> Duration {
        let [.., longest] = USUAL;
        let usual = USUAL.into_iter().find(|usual| *usual >= self.least).unwrap_or(longest);
        // A bound that a reset contradicts proves only that this is no service of windows.
        self.most.filter(|most| *most >= self.least).map_or(usual, |most| most.min(usual))
    }
}
