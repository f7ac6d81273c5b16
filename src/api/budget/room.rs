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

use super::promise::{GRACE, Promise, Word};
use super::seconds::Said;
use std::time::{Duration, Instant};

/// How a service writes down times unless it shows otherwise.
const SECOND: Duration = Duration::from_secs(1);
/// In a window of this length a second is no loss, and a request that is held back might cost a whole window.
const LONG: Duration = Duration::from_secs(40);
/// A request in so few is too many to hold back.
const FEW: u64 = 4;
/// Answers from moments so far apart tell rounding up from rounding down.
const APART: Duration = Duration::from_millis(300);
/// So long after the others an answer is surely that far from them.
const LATER: Duration = Duration::from_millis(500);

/// Whether a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Now.
    Go(Reason),
    /// Not before this moment, when room comes back.
    Until(Instant),
    /// Not before this moment, which is soon.
    Soon(Instant),
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
    at: Instant,
    reason: Reason,
    /// The requests on their way beside it.
    beside: u64,
    /// Which one it is.
    number: u64,
}

/// How the service rounds whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// Nothing has shown it.
    #[default]
    Unknown,
    /// The moment that it names is never too early.
    Up,
    /// It may be a second too early.
    Down,
}

/// The room as far as it is known.
#[derive(Debug, Default)]
pub struct Room {
    limit: Option<u64>,
    /// Requests that may be sent; those on their way have been counted.
    left: Option<u64>,
    /// What came back before is in `left`.
    since: Option<Instant>,
    promises: Vec<Promise>,
    rounding: Rounding,
    /// What the last time was written in.
    unit: Duration,
    /// The longest time that was named.
    longest: Duration,
    sent: u64,
    on_their_way: u64,
    /// Requests that may still reach the service, though nobody waits for their answers.
    lost: u64,
    /// What was said since the last request was sent.
    last: Option<Word>,
    /// Whether the others wait for the answer to one.
    asking: bool,
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

    /// Whether a request may be sent now.
    pub fn turn(&self, now: Instant) -> Turn {
        match self.left {
            // The first answer says how many there are.
            None if !self.begun && self.on_their_way > 0 => Turn::Answer,
            None => Turn::Go(Reason::Room),
            Some(2) if self.is_learning() => self.look_again(now),
            Some(1) if self.is_learning() => self.test(now),
            Some(0) if self.asking => Turn::Answer,
            Some(0) => match self.comes_back() {
                Some(at) if now < at => Turn::Until(at),
                _ => Turn::Go(Reason::Ask),
            },
            Some(_) => Turn::Go(Reason::Room),
        }
    }

    /// Takes note of a request that is sent now, as its turn is.
    pub fn send(&mut self, reason: Reason, now: Instant) -> Sent {
        match reason {
            Reason::Ask => {
                self.has_come_back(now);
                self.lost = 0;
            }
            Reason::Test => self.rounding = Rounding::Down,
            Reason::Room => {}
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.last = None;
        self.asking |= reason != Reason::Room;
        self.sent += 1;
        self.on_their_way += 1;
        Sent { at: now, reason, beside: self.on_their_way - 1, number: self.sent }
    }

    /// Takes note of an answer.
    pub fn answered(&mut self, sent: &Sent, now: Instant, status: u16, said: Option<Said>) {
        let uncounted = sent.beside + self.sent - sent.number + self.lost;
        self.end(sent);
        if status == 429 {
            self.rounding = Rounding::Down;
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
        self.lost += 1;
        self.end(sent);
    }

    fn end(&mut self, sent: &Sent) {
        self.begun = true;
        self.on_their_way -= 1;
        self.asking &= sent.reason == Reason::Room;
    }

    /// `uncounted`: how many others the service may not have seen when it counted this one.
    fn hear(&mut self, sent: &Sent, now: Instant, uncounted: u64, said: Said) {
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
            self.promises.extend(surely.promise);
        } else {
            let since = self.since;
            self.promises.extend(promise.filter(|promise| since.is_none_or(|since| promise.earliest >= since)));
        }
    }

    /// How many are surely left by this answer's `word` or by those since the `last` request was sent. With none on
    /// their way, the request that was counted last is among the latter.
    fn surely(&self, sent: &Sent, uncounted: u64, word: Word, last: Word) -> Word {
        // A test that did not show what it was for is no proof that room came back: that will be asked in its time.
        if sent.reason == Reason::Test && self.rounding != Rounding::Up {
            return Word { left: 0, ..word };
        }
        let (word, last) = (word.less(uncounted), last.less(self.lost));
        if self.on_their_way == 0 && last.left > word.left { last } else { word }
    }

    /// Learns from an answer how seconds are rounded. A test decides: where it does not show that they are rounded up,
    /// they are taken to be rounded down, as also where none are left of a second that is not over.
    fn learn(&mut self, sent: &Sent, now: Instant, alone: bool, said: Said) {
        let Some(reset) = said.reset else { return };
        self.unit = reset.unit;
        self.longest = self.longest.max(reset.after);
        if reset.after.is_zero() && reset.unit == SECOND {
            self.rounding = Rounding::Down;
        } else if sent.reason == Reason::Test && alone && self.shows_rounding_up(now, said.remaining) {
            self.rounding = Rounding::Up;
        }
    }

    /// Whether a window that has just been found open was to be closed until later, if seconds are rounded down. Only
    /// where all room came back at once do all answers speak of the same moment.
    fn shows_rounding_up(&self, now: Instant, remaining: u64) -> bool {
        let last = self.promises.iter().map(|promise| promise.early).max();
        self.limit.is_some_and(|limit| remaining + 1 == limit) && last.is_some_and(|last| now < last)
    }

    /// Whether it is worth a request to find out how seconds are rounded.
    fn is_learning(&self) -> bool {
        self.rounding == Rounding::Unknown
            && self.unit == SECOND
            && self.longest < LONG
            && self.limit.is_some_and(|limit| limit >= FEW)
    }

    /// The last but one of a window waits a little, so that the answers are from different parts of a second.
    fn look_again(&self, now: Instant) -> Turn {
        let moments = |of: fn(&Promise) -> Instant| self.promises.iter().map(of);
        let (Some(first), Some(last)) = (moments(|p| p.late).min(), moments(|p| p.early).max()) else {
            return Turn::Go(Reason::Room);
        };
        let at = moments(|p| p.came).max().map_or(now, |came| first.min(came + LATER));
        if last > first + APART || now >= at { Turn::Go(Reason::Room) } else { Turn::Soon(at) }
    }

    /// The last of a window is sent when the next one begins, if seconds are rounded up. If they are not, it counts in
    /// the old window, and all that is lost is the doubt.
    fn test(&self, now: Instant) -> Turn {
        match self.promises.iter().map(|promise| promise.late + GRACE).min() {
            _ if self.asking => Turn::Answer,
            Some(at) if now < at => Turn::Until(at),
            Some(_) => Turn::Go(Reason::Test),
            None => Turn::Go(Reason::Room),
        }
    }

    /// When the first of the promises has surely come true.
    fn comes_back(&self) -> Option<Instant> {
        let rounds_up = self.rounding == Rounding::Up;
        let surely = |promise: &Promise| if rounds_up { promise.late + GRACE } else { promise.latest };
        self.promises.iter().map(surely).min()
    }

    /// What has come back until now has been counted, and promises of it are kept.
    fn has_come_back(&mut self, now: Instant) {
        self.since = Some(now);
        self.promises.retain(|promise| promise.earliest >= now);
    }
}
