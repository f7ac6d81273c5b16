//! How much room the service has for requests, and when there will be more: what it said and what was sent since, as
//! a pure function of time. What is `left` is never more than there surely is, whatever order the answers come in: a
//! request counts from when it is sent, and an answer is taken at its word only as far as the requests that were on
//! their way beside it leave that true.
//!
//! An answer's reset is a promise that room comes back which was not there when its request was counted, be it that a
//! window ends, or in one that slides that the first request expires or the last. A promise that has surely come true
//! is worth one request, sent alone: its answer says how many more there are.
//!
//! Three refusals cannot be ruled out: whoever else uses the account takes what sitectl counts on; a request whose answer
//! is lost may have taken what the next one asks about; and a service that rounds to the nearest second can look like
//! one that rounds up, until it has refused one.

use super::flights::{Flights, Sender};
use super::moment::Moment;
use super::promise::{GRACE, Promise, Promises, Word};
use super::rounding::Rounding;
use super::seconds::{MOST, Said};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Clocks of one machine differ by no more than this.
const SKEW: Duration = Duration::from_secs(1);
/// Answers from moments so far apart tell rounding up from rounding down.
const APART: Duration = Duration::from_millis(300);
/// So long after the others an answer is surely that far from them.
const LATER: Duration = Duration::from_millis(500);

/// One request in so many of a limit is kept for those who need few.
const KEPT_ONE_IN: u64 = 40;
/// No more are kept than these.
const MOST_KEPT: u64 = 5;
/// So long before room comes back they are kept no more.
const RELEASED: Duration = Duration::from_secs(5);

/// Whether a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Now.
    Go(Reason),
    /// Not before this moment, when room comes back.
    Until(Moment),
    /// Not before this moment, which is soon.
    Soon(Moment),
    /// Not before an answer has come.
    Answer,
}

/// Why a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// There is room for it, or nothing is known of a limit.
    Room,
    /// There is room for it, and it finds out whether seconds are rounded up.
    Test,
    /// Room must have come back: it finds out how much.
    Ask,
}

/// A request on its way.
#[derive(Debug)]
pub struct Sent {
    process: u64,
    at: Moment,
    reason: Reason,
    /// The requests on their way beside it.
    beside: u64,
    /// Which one it is.
    number: u64,
}

/// The room as far as it is known, by all processes that use the account.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Room {
    limit: Option<u64>,
    /// Requests that may be sent; those on their way have been counted.
    left: Option<u64>,
    /// What came back before is in `left`.
    since: Option<Moment>,
    promises: Promises,
    rounding: Rounding,
    sent: u64,
    flights: Flights,
    /// Requests that may still reach the service, though nobody waits for their answers.
    lost: u64,
    /// What was said since the last request was sent.
    last: Option<Word>,
    /// Whether any request has come back.
    begun: bool,
}

impl Room {
    /// Requests allowed in a window, where the service has said so.
    pub fn limit(&self) -> Option<u64> {
        self.limit.filter(|limit| *limit > 0)
    }

    /// Requests left, where the service has said so.
    pub fn left(&self) -> Option<u64> {
        self.left
    }

    /// Whether the service has answered and told nothing of a limit: then there is nothing to share.
    pub fn is_silent(&self) -> bool {
        self.begun && self.left.is_none() && self.limit.is_none()
    }

    /// Whether all of this can be so: another process may have written it by another clock, or anything else.
    pub fn is_possible(&self, now: Moment) -> bool {
        let counts = [Some(self.sent), Some(self.lost), self.limit, self.left];
        counts.into_iter().flatten().all(|count| count <= MOST)
            && self.since.is_none_or(|since| since <= now + SKEW)
            && self.flights.are_possible(now + SKEW)
            && self.promises.are_possible(now + SKEW)
            && self.last.and_then(|last| last.promise).is_none_or(|promise| promise.is_possible(now + SKEW))
    }

    /// Whether a request may be sent now.
    pub fn turn(&self, sender: Sender, now: Moment) -> Turn {
        match self.left {
            // The first answer says how many there are.
            None if !self.begun && self.flights.awaited(sender, false, now) => Turn::Answer,
            None => Turn::Go(Reason::Room),
            Some(0) if self.flights.awaited(sender, true, now) => Turn::Answer,
            Some(0) => match self.comes_back() {
                Some(at) if now < at => Turn::Until(at),
                _ => Turn::Go(Reason::Ask),
            },
            Some(left) => self.turn_of(left, sender, now),
        }
    }

    /// The same where some are left.
    fn turn_of(&self, left: u64, sender: Sender, now: Moment) -> Turn {
        match self.kept_until(left, sender) {
            Some(at) if now < at => Turn::Until(at),
            _ if left == 2 && self.rounding.is_worth_a_test(self.limit) => self.look_again(now),
            _ if left == 1 && self.rounding.is_worth_a_test(self.limit) => self.test(sender, now),
            _ => Turn::Go(Reason::Room),
        }
    }

    /// Until when the last few are kept for those who need no more than that, such as a person who looks something up
    /// while a long job is at work. Shortly before there will be more, nothing is kept.
    fn kept_until(&self, left: u64, sender: Sender) -> Option<Moment> {
        let kept = (self.limit? / KEPT_ONE_IN).min(MOST_KEPT);
        let ends = self.promises.first(|promise| promise.early.min(promise.late))?;
        (left <= kept && sender.ahead > left).then(|| ends - RELEASED)
    }

    /// Takes note of a request that is sent now, as its turn is.
    pub fn send(&mut self, sender: Sender, reason: Reason, now: Moment) -> Sent {
        self.lost += self.flights.give_up(now);
        match reason {
            Reason::Ask => {
                self.has_come_back(now);
                self.lost = 0;
            }
            Reason::Test => self.rounding.may_be_down(),
            Reason::Room => {}
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.last = None;
        self.sent += 1;
        let sent = Sent { process: sender.process, at: now, reason, beside: self.flights.count(), number: self.sent };
        self.flights.begin(sender, self.sent, now, reason != Reason::Room);
        sent
    }

    /// Takes note of an answer.
    pub fn answered(&mut self, sent: &Sent, now: Moment, status: u16, said: Option<Said>) {
        let uncounted = sent.beside + self.sent.saturating_sub(sent.number) + self.lost;
        self.end(sent);
        if status == 429 {
            self.rounding.may_be_down();
        }
        match said {
            Some(said) => self.hear(sent, now, uncounted, said),
            // Who tells of the limit only by refusals has been waited for: a window's worth may be sent.
            None if sent.reason == Reason::Ask && status < 400 => {
                self.left = self.limit().map(|limit| limit.saturating_sub(uncounted + 1));
            }
            // When it was counted, nobody knows.
            None if self.left.is_some() => self.lost += 1,
            None => {}
        }
    }

    /// Takes note of a request that nobody waits for any more.
    pub fn lost(&mut self, sent: &Sent) {
        self.lost += u64::from(self.end(sent));
    }

    /// Says whether it was still waited for.
    fn end(&mut self, sent: &Sent) -> bool {
        self.begun = true;
        self.flights.end(sent.process, sent.number)
    }

    /// `uncounted`: how many others the service may not have seen when it counted this one.
    fn hear(&mut self, sent: &Sent, now: Moment, uncounted: u64, said: Said) {
        self.limit = said.limit.or(self.limit);
        self.learn(sent, now, uncounted == 0, said);
        // Of two answers the one to the older request may be older news.
        if self.since.is_none_or(|since| sent.at >= since) {
            self.left = self.left.map(|left| left.min(said.remaining));
        }
        let promise = said.reset.map(|reset| Promise::new(sent.at, now, reset.after, reset.unit));
        let word = Word { left: said.remaining, promise };
        let last = self.last.map_or(word, |last| last.or(word));
        self.last = Some(last);
        let surely = self.surely(sent, uncounted, word, last);
        if self.left.is_none_or(|left| surely.left > left) {
            self.left = Some(surely.left);
            self.has_come_back(now);
            surely.promise.into_iter().for_each(|promise| self.promises.add(promise));
        } else {
            let since = self.since;
            let promise = promise.filter(|promise| since.is_none_or(|since| promise.earliest >= since));
            promise.into_iter().for_each(|promise| self.promises.add(promise));
        }
    }

    /// How many are surely left by this answer's `word` or by those since the `last` request was sent. With none on
    /// their way, the request that was counted last is among the latter.
    fn surely(&self, sent: &Sent, uncounted: u64, word: Word, last: Word) -> Word {
        // A test that did not show what it was for is no proof that room came back: that will be asked in its time.
        if sent.reason == Reason::Test && !self.rounding.goes_up() {
            return Word { left: 0, ..word };
        }
        let (word, last) = (word.less(uncounted), last.less(self.lost));
        if self.flights.count() == 0 && last.left > word.left { last } else { word }
    }

    /// Learns from an answer how seconds are rounded. A test decides: where it does not show that they are rounded up,
    /// they are taken to be rounded down.
    fn learn(&mut self, sent: &Sent, now: Moment, alone: bool, said: Said) {
        let Some(reset) = said.reset else { return };
        self.rounding.hear(reset);
        if sent.reason == Reason::Test && alone && self.shows_rounding_up(now, said.remaining) {
            self.rounding.is_up();
        }
    }

    /// Whether a window that has just been found open was to be closed until later, if seconds are rounded down. Only
    /// where all room came back at once do all answers speak of the same moment.
    fn shows_rounding_up(&self, now: Moment, remaining: u64) -> bool {
        let last = self.promises.last(|promise| promise.early);
        self.limit.is_some_and(|limit| remaining + 1 == limit) && last.is_some_and(|last| now < last)
    }

    /// The last but one of a window waits a little, so that the answers are from different parts of a second.
    fn look_again(&self, now: Moment) -> Turn {
        let (first, last) = (self.promises.first(|promise| promise.late), self.promises.last(|promise| promise.early));
        let (Some(first), Some(last)) = (first, last) else { return Turn::Go(Reason::Room) };
        let at = self.promises.last(|promise| promise.came).map_or(now, |came| first.min(came + LATER));
        if last > first + APART || now >= at { Turn::Go(Reason::Room) } else { Turn::Soon(at) }
    }

    /// The last of a window is sent when the next one begins, if seconds are rounded up. If they are not, it counts in
    /// the old window, and all that is lost is the doubt.
    fn test(&self, sender: Sender, now: Moment) -> Turn {
        match self.promises.first(|promise| promise.late + GRACE) {
            _ if self.flights.awaited(sender, true, now) => Turn::Answer,
            Some(at) if now < at => Turn::Until(at),
            Some(_) => Turn::Go(Reason::Test),
            None => Turn::Go(Reason::Room),
        }
    }

    /// When the first of the promises has surely come true.
    fn comes_back(&self) -> Option<Moment> {
        let rounds_up = self.rounding.goes_up();
        let surely = |promise: &Promise| if rounds_up { promise.late + GRACE } else { promise.latest };
        self.promises.first(surely)
    }

    /// What has come back until now has been counted, and promises of it are kept.
    fn has_come_back(&mut self, now: Moment) {
        self.since = Some(now);
        self.promises.settle(now);
    }
}
