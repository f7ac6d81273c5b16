//! The account of room step by step, and what those who wait for a turn see of it.

use super::room::{Reason, Room, Sent, Turn};
use super::seconds::{Reset, Said};
use super::*;
use reqwest::header::{HeaderMap, HeaderName};

const SECOND: Duration = Duration::from_secs(1);

/// A service's words: the limit is 5.
fn said(remaining: u64, reset: u64) -> Option<Said> {
    let reset = Some(Reset { after: SECOND * reset as u32, unit: SECOND });
    Some(Said { limit: Some(5), remaining, reset })
}

/// A room whose time a test makes pass.
struct Clock {
    room: Room,
    now: Moment,
}

const ME: Sender = Sender { process: 1, ahead: 0, patience: Duration::from_secs(100) };

impl Clock {
    fn new() -> Self {
        Self { room: Room::default(), now: Moment::now() }
    }

    fn turn(&self) -> Turn {
        self.room.turn(ME, self.now)
    }

    /// Sends one, whose turn it must be.
    fn send(&mut self) -> Sent {
        let reason = match self.turn() {
            Turn::Go(reason) => reason,
            other => unreachable!("{other:?}"),
        };
        self.room.send(ME, reason, self.now)
    }

    fn answer(&mut self, sent: &Sent, said: Option<Said>) {
        self.room.answered(sent, self.now, 200, said);
    }

    fn ask(&mut self, remaining: u64, reset: u64) {
        let sent = self.send();
        self.answer(&sent, said(remaining, reset));
    }

    fn wait(&mut self, millis: u64) {
        self.now = self.now + Duration::from_millis(millis);
    }

    /// How long the next one has to wait for more room.
    fn waits(&self) -> Option<Duration> {
        match self.turn() {
            Turn::Until(at) => Some(at - self.now),
            _ => None,
        }
    }
}

#[test]
fn the_first_answer_is_waited_for() {
    let mut clock = Clock::new();
    let first = clock.send();
    assert_eq!(clock.turn(), Turn::Answer);
    clock.answer(&first, None);
    let _others = [clock.send(), clock.send()];
    assert_eq!(clock.turn(), Turn::Go(Reason::Room), "a service that tells nothing holds nothing up");
}

#[test]
fn requests_on_their_way_are_counted() {
    let mut clock = Clock::new();
    clock.ask(3, 60);
    let sent = [clock.send(), clock.send(), clock.send()];
    assert!(clock.waits() > Some(60 * SECOND));
    // The answers come in another order than the requests were counted in.
    for (sent, remaining) in sent.iter().zip([0, 2, 1]) {
        clock.answer(sent, said(remaining, 60));
        assert_eq!(clock.room.left(), Some(0));
    }
}

#[test]
fn the_first_of_a_window_goes_alone() {
    let mut clock = Clock::new();
    clock.ask(0, 60);
    clock.wait(61_020);
    let first = clock.send();
    assert_eq!(clock.turn(), Turn::Answer);
    clock.answer(&first, said(4, 60));
    assert_eq!(clock.room.left(), Some(4));
}

#[test]
fn when_the_first_of_a_window_is_lost_the_next_one_asks() {
    let mut clock = Clock::new();
    clock.ask(0, 60);
    clock.wait(61_020);
    let first = clock.send();
    clock.room.lost(&first);
    let next = clock.send();
    assert_eq!(clock.turn(), Turn::Answer);
    clock.room.answered(&next, clock.now, 502, None);
    assert_eq!(clock.turn(), Turn::Go(Reason::Ask));
}

/// Sends what there is of a window, and waits for the end that is named.
fn test_of_rounding(clock: &mut Clock) -> Sent {
    for remaining in [4, 3, 2] {
        clock.ask(remaining, 10);
    }
    assert!(matches!(clock.turn(), Turn::Soon(_)));
    clock.wait(500);
    clock.ask(1, 10);
    let waits = clock.waits().unwrap_or_default();
    assert!((9500..9550).contains(&waits.as_millis()), "{waits:?}");
    clock.now = clock.now + waits;
    assert_eq!(clock.turn(), Turn::Go(Reason::Test));
    clock.send()
}

#[test]
fn seconds_that_are_rounded_up_are_found_out() {
    let mut clock = Clock::new();
    let test = test_of_rounding(&mut clock);
    clock.wait(50);
    clock.answer(&test, said(4, 10));
    assert_eq!(clock.room.left(), Some(4));
    for remaining in [3, 2, 1, 0] {
        clock.ask(remaining, 10);
    }
    assert!(clock.waits() < Some(SECOND * 10 + SECOND / 10), "{:?}", clock.waits());
}

#[test]
fn seconds_that_are_rounded_down_are_found_out() {
    let mut clock = Clock::new();
    let test = test_of_rounding(&mut clock);
    clock.wait(50);
    clock.answer(&test, said(0, 0));
    assert!(clock.waits() > Some(SECOND / 2), "{:?}", clock.waits());
}

#[test]
fn in_a_long_window_nothing_is_held_back() {
    let mut clock = Clock::new();
    for remaining in [4, 3, 2, 1, 0] {
        clock.ask(remaining, 60);
    }
    assert!(clock.waits() > Some(SECOND * 61), "{:?}", clock.waits());
}

#[test]
fn a_decimal_is_exact() {
    let mut clock = Clock::new();
    let reset = Some(Reset { after: Duration::from_millis(2340), unit: SECOND / 100 });
    let sent = clock.send();
    clock.answer(&sent, Some(Said { limit: Some(5), remaining: 0, reset }));
    assert!(clock.waits() < Some(Duration::from_millis(2400)), "{:?}", clock.waits());
}

#[test]
fn no_wait_is_longer_than_two_minutes() {
    let mut clock = Clock::new();
    clock.ask(0, 3000);
    assert_eq!(clock.waits(), Some(SECOND * 120));
}

#[test]
fn what_others_use_is_not_counted_on() {
    let mut clock = Clock::new();
    clock.ask(4, 60);
    clock.ask(1, 60);
    assert_eq!(clock.room.left(), Some(1));
}

#[test]
fn one_that_is_lost_may_still_take_its_place() {
    let mut clock = Clock::new();
    clock.ask(3, 60);
    let lost = clock.send();
    clock.room.lost(&lost);
    clock.ask(2, 60);
    assert_eq!(clock.room.left(), Some(1), "the service has not counted it yet");
}

#[test]
fn old_news_is_no_news() {
    let mut clock = Clock::new();
    clock.ask(1, 60);
    let slow = clock.send();
    clock.wait(61_020);
    clock.ask(4, 60);
    assert_eq!(clock.room.left(), Some(3), "the slow one may count in this window");
    clock.answer(&slow, said(0, 1));
    assert_eq!(clock.room.left(), Some(3));
}

#[test]
fn who_tells_of_the_limit_only_by_refusals_gets_a_window_s_worth() {
    let mut clock = Clock::new();
    let refused = clock.send();
    clock.room.answered(&refused, clock.now, 429, said(0, 1));
    clock.wait(2_020);
    let sent = clock.send();
    clock.answer(&sent, None);
    assert_eq!(clock.room.left(), Some(4));
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    pairs.iter().filter_map(|(name, text)| Some((HeaderName::from_static(name), text.parse().ok()?))).collect()
}

/// Drives this for so long.
fn drive<T>(millis: u64, work: impl Future<Output = T>) -> Option<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.ok()?.block_on(async { tokio::time::timeout(Duration::from_millis(millis), work).await.ok() })
}

#[test]
fn a_dropped_ticket_lets_the_next_one_go() {
    let budget = Budget::new(None, SECOND);
    let silent = |wait| unreachable!("{wait:?}");
    let next = async {
        let first = budget.ticket(silent).await;
        let next = async { budget.ticket(silent).await };
        let drops = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        tokio::join!(next, drops).0
    };
    assert!(drive(5000, next).is_some());
}

#[test]
fn a_wait_is_told_once() {
    let budget = Budget::new(None, SECOND);
    let told = Cell::new(0);
    let work = async {
        let first = budget.ticket(|_| ()).await;
        let used_up = [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "30")];
        first.answered(200, &headers(&used_up));
        let waits = async { drop(budget.ticket(|_| told.set(told.get() + 1)).await) };
        let wakes = async {
            for _ in 0..3 {
                tokio::task::yield_now().await;
                budget.changed.notify_waiters();
            }
        };
        tokio::join!(waits, wakes)
    };
    assert!(drive(100, work).is_none());
    assert_eq!(told.get(), 1);
}

/// A room of 200 in a minute, of which so many are left.
fn room_of(left: u64) -> Clock {
    let mut clock = Clock::new();
    let sent = clock.send();
    let reset = Some(Reset { after: SECOND * 60, unit: SECOND });
    clock.answer(&sent, Some(Said { limit: Some(200), remaining: left, reset }));
    clock
}

#[test]
fn a_long_job_leaves_the_last_few_to_who_needs_few() {
    let mut clock = room_of(5);
    let turn = |clock: &Clock, ahead| clock.room.turn(Sender { ahead, ..ME }, clock.now);
    let waits = |clock: &Clock, ahead| matches!(turn(clock, ahead), Turn::Until(_));
    assert!(waits(&clock, 6) && waits(&clock, u64::MAX), "{:?}", turn(&clock, 6));
    assert_eq!([0, 1, 5].map(|ahead| turn(&clock, ahead)), [Turn::Go(Reason::Room); 3], "who is done with these");
    clock.wait(54_000);
    assert!(waits(&clock, 6));
    clock.wait(1_000);
    assert_eq!(turn(&clock, 6), Turn::Go(Reason::Room), "there will soon be more");
    assert_eq!(turn(&room_of(6), 100), Turn::Go(Reason::Room));
}

#[test]
fn a_process_that_died_is_waited_for_for_a_while() {
    let mut clock = Clock::new();
    let other = Sender { process: 2, ..ME };
    clock.room.send(other, Reason::Room, clock.now);
    assert_eq!(clock.turn(), Turn::Answer);
    clock.wait(2_000);
    assert_eq!(clock.turn(), Turn::Go(Reason::Room));
    clock.ask(4, 60);
    clock.wait(101_000);
    clock.ask(3, 60);
    assert_eq!(clock.room.left(), Some(2), "it is given up, though the service may still count it");
}

#[test]
fn what_another_clock_wrote_is_not_believed() {
    let clock = room_of(5);
    assert!(clock.room.is_possible(clock.now));
    assert!(!clock.room.is_possible(clock.now - SECOND * 3600));
}

/// All places of numbers in a value.
fn numbers(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => found.push(path.into()),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| numbers(item, &format!("{path}/{place}"), found));
        }
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| numbers(field, &format!("{path}/{name}"), found));
        }
        _ => {}
    }
}

#[test]
fn whatever_number_stands_in_the_file_nobody_waits_long() {
    for left in [0, 1, 2, 5] {
        let mut clock = room_of(left);
        clock.room.send(ME, Reason::Room, clock.now);
        let kept = serde_json::to_value(&clock.room).unwrap_or_default();
        let mut places = Vec::new();
        numbers(&kept, "", &mut places);
        assert!(places.len() > 10, "{places:?}");
        let now = serde_json::to_value(clock.now).ok().and_then(|now| now.as_u64()).unwrap_or_default();
        let hour = 3_600_000_000;
        for place in &places {
            for number in [0, 1, u64::MAX, u64::MAX - 1, now + hour, now - hour, now + hour / 30] {
                let mut kept = kept.clone();
                kept.pointer_mut(place).into_iter().for_each(|value| *value = number.into());
                let Ok(room) = serde_json::from_value::<Room>(kept) else { continue };
                if room.is_possible(clock.now) {
                    use_up(room, clock.now, &format!("{place} = {number}"));
                }
            }
        }
    }
}

/// Uses a room for some requests; none of them has to wait for more than two minutes.
fn use_up(room: Room, now: Moment, what: &str) {
    let mut clock = Clock { room, now };
    for remaining in [3, seconds::MOST, 0, 2] {
        for ahead in [0, u64::MAX] {
            if let Turn::Until(at) | Turn::Soon(at) = clock.room.turn(Sender { ahead, ..ME }, clock.now) {
                assert!(at - clock.now <= SECOND * 121, "{what}: {:?}", at - clock.now);
            }
        }
        let sent = clock.room.send(ME, Reason::Room, clock.now);
        clock.answer(&sent, said(remaining, 60));
        clock.wait(1000);
    }
}

fn shared(directory: &tempfile::TempDir) -> Budget {
    Budget::new(Some(crate::ledger::Ledger::new(directory.path(), "a".into())), SECOND)
}

#[test]
fn what_one_process_hears_the_others_know() {
    let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
    let (one, other) = (shared(&directory), shared(&directory));
    let work = async {
        let first = one.ticket(|_| ()).await;
        let waits = async { drop(other.ticket(|_| ()).await) };
        let answers = async {
            tokio::task::yield_now().await;
            let said = [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "4"), ("x-ratelimit-reset", "60")];
            first.answered(200, &headers(&said));
        };
        tokio::join!(waits, answers)
    };
    assert!(drive(5000, work).is_some());
    assert_eq!((other.limit(), other.remaining()), (Some(5), Some(3)));
    let used_up = async {
        let taken: Vec<_> = [one.ticket(|_| ()).await, other.ticket(|_| ()).await, one.ticket(|_| ()).await].into();
        let next = tokio::time::timeout(SECOND / 5, other.ticket(|_| ())).await;
        (taken.len(), next.is_err())
    };
    assert_eq!(drive(5000, used_up), Some((3, true)));
}

#[test]
fn a_service_that_tells_nothing_is_not_spoken_of() {
    let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
    let (one, other) = (shared(&directory), shared(&directory));
    let file = || std::fs::read_to_string(directory.path().join("rate.json")).unwrap_or_default();
    let work = async {
        one.ticket(|_| ()).await.answered(200, &HeaderMap::new());
        let told = file();
        one.ticket(|_| ()).await.answered(200, &HeaderMap::new());
        assert_eq!(file(), told);
        let said = [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "60")];
        one.ticket(|_| ()).await.answered(429, &headers(&said));
        let waits = |budget| tokio::time::timeout(SECOND / 10, Budget::ticket(budget, |_| ()));
        (waits(&one).await.is_err(), waits(&other).await.is_err())
    };
    assert_eq!(drive(5000, work), Some((true, true)));
}

#[test]
fn what_the_second_of_three_hears_the_third_knows() {
    let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
    let work = async {
        for status in [502, 200] {
            shared(&directory).ticket(|_| ()).await.answered(status, &HeaderMap::new());
        }
        let said = [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "60")];
        shared(&directory).ticket(|_| ()).await.answered(200, &headers(&said));
        tokio::time::timeout(SECOND / 10, shared(&directory).ticket(|_| ())).await.is_err()
    };
    assert_eq!(drive(5000, work), Some(true));
}
