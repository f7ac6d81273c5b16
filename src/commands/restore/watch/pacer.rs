//! When the next poll may be sent: all tasks together take at most half of the rate, so that others can work beside
//! them. Pure: who calls it says what time it is.
//!
//! A poll reaches the service at some moment between its start and its end. Of those that reach it within one window,
//! take the one that was started last: when it was, each of the others was still on its way, or had ended no longer
//! than a window ago, and both were counted. So there are never more than half in any window, wherever it begins, and
//! however long an answer takes. The beat between two starts spreads them over it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The limit where the service has not said its own (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;
/// What a window may last longer at the service than here, as a share of it: clocks differ.
const MARGIN: u32 = 100;
/// No window is longer, so nothing that ended before is asked about.
const LONGEST: Duration = Duration::from_secs(3 * 3600);

/// What of the rate is for polling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    polls: usize,
    window: Duration,
}

impl Share {
    /// Half of a limit of so many requests in such a window. Half of one request is one in two windows.
    pub fn half_of(limit: Option<u64>, window: Duration) -> Self {
        let half = limit.unwrap_or(ASSUMED_LIMIT) / 2;
        let window = window + window / MARGIN;
        match usize::try_from(half) {
            Ok(0) => Self { polls: 1, window: window * 2 },
            Ok(polls) => Self { polls, window },
            Err(_) => Self { polls: usize::MAX, window },
        }
    }

    /// The time between two starts where they are spread evenly.
    fn beat(self) -> Duration {
        self.window / u32::try_from(self.polls).unwrap_or(u32::MAX)
    }
}

/// The polls that count.
#[derive(Debug, Default)]
pub struct Pacer {
    started: Option<Instant>,
    in_flight: usize,
    /// When the others ended, oldest first.
    ended: VecDeque<Instant>,
}

impl Pacer {
    /// How many are on their way.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// When the next one may be started, now or later; none where one has to end before that.
    pub fn free_at(&self, share: Share, now: Instant) -> Option<Instant> {
        let room = share.polls.checked_sub(self.in_flight + 1)?;
        // With as many as there is room for after it, the newest but those must have left the window.
        let leaves = self.ended.iter().rev().nth(room).map(|ended| *ended + share.window);
        let beat = self.started.map(|started| started + share.beat());
        [leaves, beat, Some(now)].into_iter().max()?
    }

    /// One is started now.
    pub fn start(&mut self, now: Instant) {
        self.started = Some(now);
        self.in_flight += 1;
    }

    /// One has ended now.
    pub fn end(&mut self, now: Instant) {
        self.in_flight -= 1;
        self.ended.push_back(now);
        while self.ended.front().is_some_and(|ended| *ended + LONGEST < now) {
            self.ended.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Polls as fast as it may be, so many: when each reached the service, and when the last one was started.
    fn play(share: Share, most: usize, polls: usize, ways: &[(u64, u64)]) -> (Vec<Instant>, Duration) {
        let begin = Instant::now();
        let (mut now, mut pacer) = (begin, Pacer::default());
        let (mut open, mut reached): (Vec<Instant>, Vec<Instant>) = (Vec::new(), Vec::new());
        while reached.len() < polls {
            let free = pacer.free_at(share, now).filter(|_| pacer.in_flight() < most);
            let next = open.iter().copied().min();
            now = [free, next].into_iter().flatten().min().unwrap_or(now);
            if next == Some(now) {
                open.retain(|end| *end > now);
                (open.len()..pacer.in_flight()).for_each(|_| pacer.end(now));
                continue;
            }
            let (there, back) = ways[reached.len() % ways.len()];
            pacer.start(now);
            reached.push(now + Duration::from_millis(there));
            open.push(now + Duration::from_millis(there + back));
        }
        reached.sort();
        (reached, now - begin)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_window_holds_more_than_half_and_no_time_is_wasted(
            limit in prop_oneof![1..20_u64, 20..400_u64], millis in 500..90_000_u64, most in 1..10_usize,
            slowest in prop_oneof![1..20_u64, 20..5000_u64],
            ways in proptest::collection::vec((0..1000_u64, 0..1000_u64), 1..20),
        ) {
            let window = Duration::from_millis(millis);
            let ways: Vec<_> = ways.iter().map(|(there, back)| (there * slowest / 1000, back * slowest / 1000)).collect();
            let share = Share::half_of(Some(limit), window);
            let polls = share.polls * 3 + 10;
            let (reached, took) = play(share, most, polls, &ways);
            let half = (limit / 2).max(1) as usize;
            let apart = if limit == 1 { window * 2 } else { window };
            for (first, last) in reached.iter().zip(&reached[half..]) {
                prop_assert!(*last - *first >= apart, "{half} and one more in {:?}", *last - *first);
            }
            let slowest = Duration::from_millis(ways.iter().map(|(there, back)| there + back).max().unwrap_or(0));
            let round = (share.window + slowest + share.beat()).max(slowest * share.polls.div_ceil(most) as u32);
            let allowed = round * (polls.div_ceil(share.polls)) as u32;
            prop_assert!(took <= allowed, "{took:?}, at most {allowed:?}");
        }
    }

    #[test]
    fn half_of_a_limit_is_rounded_down_and_of_one_is_one_in_two_windows() {
        let half = |limit| Share::half_of(limit, SECOND * 100);
        assert_eq!(half(None), Share { polls: 100, window: SECOND * 101 });
        assert_eq!(half(Some(5)), Share { polls: 2, window: SECOND * 101 });
        assert_eq!(half(Some(1)), Share { polls: 1, window: SECOND * 202 });
        assert!(half(Some(u64::MAX)).beat() < SECOND);
    }

    #[test]
    fn the_first_goes_at_once_and_the_others_are_spread() {
        let (share, now) = (Share::half_of(Some(20), SECOND * 100), Instant::now());
        let mut pacer = Pacer::default();
        assert_eq!(pacer.free_at(share, now), Some(now));
        pacer.start(now);
        assert_eq!(pacer.free_at(share, now), Some(now + SECOND * 101 / 10));
    }

    #[test]
    fn who_is_on_the_way_is_counted() {
        let (share, now) = (Share::half_of(Some(4), SECOND * 100), Instant::now());
        let mut pacer = Pacer::default();
        pacer.start(now);
        pacer.start(now + SECOND * 60);
        assert_eq!(pacer.free_at(share, now + SECOND * 500), None);
        pacer.end(now + SECOND * 500);
        assert_eq!(pacer.free_at(share, now + SECOND * 501), Some(now + SECOND * 601));
    }
}
