//! What is learned of the window's length from services that count in every way, in simulated time: never too little.

use super::seconds::{Reset, Said};
use super::window::{Heard, Window};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
/// Rounding of decimals.
const HAIR: f64 = 1e-6;

/// How a service counts, and what it says of the reset.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Counting {
    /// In windows, each of which begins with a request.
    FromFirst,
    /// In windows that the clock begins.
    Aligned,
    /// In the time before each request; it names when the first of those expires.
    SlidingFirst,
    /// The same; it names when the last of them expires.
    SlidingLast,
    /// Room trickles back; it names when all of it is there.
    BucketFull,
    /// The same; it names when the next one is there.
    BucketNext,
}

/// How it writes seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Written {
    Up,
    Down,
    Exact,
}

/// A service and the requests that reach it, some of them somebody else's.
#[derive(Debug, Clone)]
struct Play {
    counting: Counting,
    written: Written,
    limit: u64,
    window: f64,
    /// Seconds since the one before, to the service and back, and whose it is.
    requests: Vec<(f64, f64, f64, bool)>,
}

/// Times are in seconds from the beginning.
struct Service<'p> {
    play: &'p Play,
    counted: VecDeque<f64>,
    begun: f64,
    tokens: f64,
    now: f64,
}

enum Event {
    Sent,
    Counted,
    Came,
}

impl Service<'_> {
    /// Counts a request, where there is room, and says what is left.
    fn take(&mut self, now: f64) -> Option<(u64, f64)> {
        self.pass(now);
        let Play { counting, limit, window, .. } = *self.play;
        if matches!(counting, Counting::BucketFull | Counting::BucketNext) {
            if self.tokens < 1.0 {
                return None;
            }
            self.tokens -= 1.0;
            let missing = match counting {
                Counting::BucketFull => limit as f64 - self.tokens,
                _ => 1.0 - self.tokens.fract(),
            };
            return Some((self.tokens as u64, missing * window / limit as f64));
        }
        if self.counted.len() as u64 == limit {
            return None;
        }
        self.counted.push_back(now);
        let from = match counting {
            Counting::SlidingFirst => self.counted.front(),
            Counting::SlidingLast => self.counted.back(),
            _ => Some(&self.begun),
        };
        Some((limit - self.counted.len() as u64, from.copied().unwrap_or(now) + window - now))
    }

    fn pass(&mut self, now: f64) {
        let Play { counting, limit, window, .. } = *self.play;
        self.tokens = (self.tokens + (now - self.now) * limit as f64 / window).min(limit as f64);
        self.now = now;
        match counting {
            Counting::SlidingFirst | Counting::SlidingLast => self.counted.retain(|at| at + window > now),
            _ if self.begun + window > now => {}
            Counting::Aligned => {
                self.begun += ((now - self.begun) / window).floor() * window;
                self.counted.clear();
            }
            _ => {
                self.begun = now;
                self.counted.clear();
            }
        }
    }

    fn said(&self, remaining: u64, reset: f64) -> Said {
        let (after, unit) = match self.play.written {
            Written::Up => (reset.ceil(), SECOND),
            Written::Down => (reset.floor(), SECOND),
            Written::Exact => ((reset * 100.0).round() / 100.0, SECOND / 100),
        };
        let reset = Some(Reset { after: Duration::from_secs_f64(after), unit });
        Said { limit: Some(self.play.limit), remaining, reset }
    }
}

impl Play {
    /// What is known of the window at the end.
    fn learned(&self) -> Duration {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut service =
            Service { play: self, counted: VecDeque::new(), begun: -1e6, tokens: self.limit as f64, now: 0.0 };
        let mut window = Window::default();
        let mut said: Vec<Option<Said>> = vec![None; self.requests.len()];
        let mut before: Vec<Option<Heard>> = vec![None; self.requests.len()];
        for (now, event, number, sent) in self.events() {
            match event {
                Event::Sent => before[number] = window.last(),
                Event::Counted => said[number] = service.take(now).map(|(left, reset)| service.said(left, reset)),
                Event::Came if self.requests[number].3 => {}
                Event::Came => {
                    let heard = Heard::new(at(sent), at(now), said[number]);
                    heard.into_iter().for_each(|heard| window.hear(before[number], heard));
                }
            }
        }
        window.length()
    }

    /// All that happens, in its order: when, what, to which request, and when that was sent.
    fn events(&self) -> Vec<(f64, Event, usize, f64)> {
        let mut sent = 1.0;
        let mut events = Vec::new();
        for (number, (gap, there, back, _)) in self.requests.iter().enumerate() {
            sent += gap;
            events.push((sent, Event::Sent, number, sent));
            events.push((sent + there, Event::Counted, number, sent));
            events.push((sent + there + back, Event::Came, number, sent));
        }
        events.sort_by(|one, other| one.0.total_cmp(&other.0));
        events
    }
}

/// Requests of no pattern, with pauses between them, over ways that take their time, beside others'.
fn requests() -> impl Strategy<Value = Vec<(f64, f64, f64, bool)>> {
    let kind = (prop_oneof![0.01..0.1_f64, 0.1..1.0_f64, 1.0..10.0_f64], prop_oneof![0.001..0.02_f64, 0.02..2.0_f64]);
    (kind, 0.0..0.5_f64).prop_flat_map(|((gap, way), others)| {
        let gaps = prop_oneof![8 => 0.0..gap, 2 => Just(gap), 1 => 0.0..30.0_f64];
        let one = (gaps, 0.0..way, 0.0..way, proptest::bool::weighted(others));
        proptest::collection::vec(one, 2..300)
    })
}

fn countings() -> impl Strategy<Value = Counting> {
    prop_oneof![
        Just(Counting::FromFirst),
        Just(Counting::Aligned),
        Just(Counting::SlidingFirst),
        Just(Counting::SlidingLast),
        Just(Counting::BucketFull),
        Just(Counting::BucketNext),
    ]
}

fn writings() -> impl Strategy<Value = Written> {
    prop_oneof![Just(Written::Up), Just(Written::Down), Just(Written::Exact)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_window_is_never_taken_to_be_shorter_than_it_is(
        counting in countings(), written in writings(), limit in prop_oneof![2..20_u64, 20..400_u64],
        window in prop_oneof![1.0..10.0_f64, 10.0..60.0_f64, (1..=60_u8).prop_map(f64::from)], requests in requests(),
    ) {
        let play = Play { counting, written, limit, window, requests };
        let learned = play.learned();
        prop_assert!(learned.as_secs_f64() + HAIR >= window, "{learned:?}");
    }

    #[test]
    fn the_window_of_a_service_that_counts_in_windows_is_learned(
        aligned in any::<bool>(), written in writings(), limit in 20..400_u64, window in 4.0..50.0_f64,
        share in 0.05..0.25_f64, way in 0.001..0.05_f64,
    ) {
        let counting = if aligned { Counting::Aligned } else { Counting::FromFirst };
        // At the pace of one who takes the window for a minute, until two of them have passed.
        let gap = (60.0 / (limit as f64 * share * 2.0)).clamp(0.01, window / 6.0);
        let requests = vec![(gap, way, way, false); (2.5 * window / gap) as usize];
        let learned = Play { counting, written, limit, window, requests }.learned().as_secs_f64();
        prop_assert!(learned <= window + 2.0 + 2.0 * (gap + 2.0 * way), "{learned}");
    }
}

fn heard(start: Instant, at: u64, remaining: u64, after: u64) -> Heard {
    let at = start + SECOND * at as u32;
    let reset = Some(Reset { after: SECOND * after as u32, unit: SECOND });
    let said = Some(Said { limit: Some(10), remaining, reset });
    Heard::new(at, at, said).unwrap_or_else(|| unreachable!())
}

/// What is known after answers at these seconds that name what is left and the reset.
fn length(answers: &[(u64, u64, u64)]) -> Duration {
    let start = Instant::now();
    let mut window = Window::default();
    for (at, remaining, after) in answers {
        window.hear(window.last(), heard(start, *at, *remaining, *after));
    }
    window.length()
}

#[test]
fn it_is_a_minute_until_something_else_is_proven() {
    assert_eq!(Window::default().length(), MINUTE);
    assert_eq!(length(&[(0, 9, 20)]), MINUTE, "the first answer may come late in its window");
    assert_eq!(length(&[(0, 9, 20), (1, 8, 19), (2, 7, 18)]), MINUTE);
    assert_eq!(length(&[(0, 9, 20), (1, 8, 19), (20, 9, 20)]), MINUTE, "one came back: it may be a bucket");
    assert_eq!(length(&[(0, 9, 20), (1, 5, 19), (2, 9, 20)]), MINUTE, "before it was promised");
    assert_eq!(length(&[(0, 9, 20), (19, 5, 1), (20, 8, 20)]), MINUTE, "another came before it in its window");
}

#[test]
fn the_first_of_a_window_proves_its_length() {
    let proof = [(0, 9, 20), (19, 5, 1), (20, 9, 20)];
    assert_eq!(length(&proof), SECOND * 22);
    assert_eq!(length(&[&proof[..], &[(38, 5, 2), (42, 9, 18)]].concat()), SECOND * 22, "the smallest bound stands");
}

#[test]
fn a_longer_one_is_believed_at_once() {
    assert_eq!(length(&[(0, 9, 61)]), MINUTE, "seconds may be rounded up");
    assert_eq!(length(&[(0, 9, 90)]), MINUTE * 10);
    assert_eq!(length(&[(0, 9, 3000)]), MINUTE * 60);
    assert_eq!(length(&[(0, 9, 90), (88, 2, 2), (90, 9, 90)]), SECOND * 93, "and no longer than what is proven");
}

#[test]
fn what_is_contradicted_is_forgotten() {
    assert_eq!(length(&[(0, 9, 20), (19, 5, 1), (20, 9, 20), (21, 8, 50)]), MINUTE);
}
