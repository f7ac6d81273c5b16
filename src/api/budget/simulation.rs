//! Plays services with every kind of limit against the account of room, in simulated time.

use super::LOOK;
use super::flights::Sender;
use super::moment::Moment;
use super::room::{Reason, Room, Sent, Turn};
use super::seconds::{self, Said};
use proptest::prelude::*;
use reqwest::header::{HeaderMap, HeaderName};
use std::collections::VecDeque;
use std::time::Duration;

/// When a request whose answer does not come is given up.
const PATIENCE: Duration = Duration::from_secs(3);

/// How a service counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Counting {
    /// In windows, each of which begins with a request.
    FromFirst,
    /// In windows that the clock begins; the first is so far on, in thousandths, when the first request comes.
    Aligned(u32),
    /// In the time before each request; it names when the first of those expires.
    SlidingFirst,
    /// The same; it names when the last of them expires.
    SlidingLast,
}

/// How it writes seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Written {
    Up,
    Down,
    Exact,
}

/// A service, and how it is used.
#[derive(Debug, Clone)]
struct Play {
    counting: Counting,
    written: Written,
    limit: u64,
    window: Duration,
    requests: usize,
    in_flight: usize,
    /// Milliseconds to the service and back, one pair for each request in turn.
    ways: Vec<(u64, u64)>,
    /// One in so many requests is lost, on its way there or back; 0 for none.
    losses: usize,
    /// One in so many requests of the service is somebody else's; 0 for none.
    others: usize,
    /// One in so many requests is the last of its process, which dies; 0 for none.
    deaths: usize,
    /// The processes that share the account through a file.
    processes: u64,
}

/// How it went.
#[derive(Debug, Default)]
struct Outcome {
    took: Duration,
    refused: usize,
    lost: usize,
    /// Neither an answer nor time would have let the next request go.
    stuck: bool,
}

struct Service<'p> {
    play: &'p Play,
    start: Moment,
    /// When the requests of this window were counted, or those of the time before now.
    counted: VecDeque<Moment>,
    /// When the window began.
    begun: Option<Moment>,
}

impl<'p> Service<'p> {
    fn new(play: &'p Play, start: Moment) -> Self {
        let begun = match play.counting {
            Counting::Aligned(share) => Some(start - play.window * share / 1000),
            _ => None,
        };
        Self { play, start, counted: VecDeque::new(), begun }
    }

    fn slides(&self) -> bool {
        matches!(self.play.counting, Counting::SlidingFirst | Counting::SlidingLast)
    }

    /// Counts a request; the status and the headers of the answer.
    fn take(&mut self, now: Moment) -> (u16, HeaderMap) {
        self.expire(now);
        let granted = (self.counted.len() as u64) < self.play.limit;
        if granted {
            self.counted.push_back(now);
        }
        (if granted { 200 } else { 429 }, self.headers(now))
    }

    fn expire(&mut self, now: Moment) {
        let window = self.play.window;
        if self.slides() {
            self.counted.retain(|at| *at + window > now);
            return;
        }
        let over = self.begun.is_none_or(|begun| begun + window <= now);
        if over {
            let since = now - self.begun.unwrap_or(now);
            let into = Duration::from_nanos((since.as_nanos() % window.as_nanos()) as u64);
            let aligned = matches!(self.play.counting, Counting::Aligned(_));
            self.begun = Some(if aligned { now - into } else { now });
            self.counted.clear();
        }
    }

    fn resets_at(&self) -> Moment {
        let from = match self.play.counting {
            Counting::SlidingFirst => self.counted.front().copied(),
            Counting::SlidingLast => self.counted.back().copied(),
            _ => self.begun,
        };
        from.unwrap_or(self.start) + self.play.window
    }

    fn headers(&self, now: Moment) -> HeaderMap {
        let reset = (self.resets_at() - now).as_secs_f64();
        let reset = match self.play.written {
            Written::Up => reset.ceil().to_string(),
            Written::Down => reset.floor().to_string(),
            Written::Exact => format!("{reset:.2}"),
        };
        let left = self.play.limit - self.counted.len() as u64;
        let said = [
            ("x-ratelimit-limit", self.play.limit.to_string()),
            ("x-ratelimit-remaining", left.to_string()),
            ("x-ratelimit-reset", reset),
        ];
        let header = |(name, value): (_, String)| Some((HeaderName::from_static(name), value.parse().ok()?));
        said.into_iter().filter_map(header).collect()
    }
}

/// What happens next to a request that was sent.
enum Event {
    /// It reaches the service, and the answer will take so long.
    Arrives(Sent, Duration),
    Answered(Sent, u16, Option<Said>),
    GivenUp(Sent),
}

/// A play under way.
struct Run<'p> {
    play: &'p Play,
    room: Room,
    service: Service<'p>,
    now: Moment,
    events: Vec<(Moment, Event)>,
    sent: usize,
    open: usize,
    waiting: usize,
    outcome: Outcome,
}

impl Play {
    fn run(&self) -> Outcome {
        let start = Moment::now() + Duration::from_secs(1000);
        let (room, service) = (Room::default(), Service::new(self, start));
        let (events, outcome) = (Vec::new(), Outcome::default());
        let waiting = self.requests;
        let mut run = Run { play: self, room, service, now: start, events, sent: 0, open: 0, waiting, outcome };
        // Refused for ever is stuck as well.
        while run.step() && run.outcome.refused <= 10 * self.requests {}
        Outcome { took: run.now - start, stuck: run.waiting > 0, ..run.outcome }
    }

    /// The longest way to the service and back.
    fn slowest(&self) -> Duration {
        Duration::from_millis(self.ways.iter().map(|(there, back)| there + back).max().unwrap_or(0))
    }

    /// What it takes where nothing is wasted, but for one request that is held back.
    fn ideal(&self) -> Duration {
        self.window * self.waits() + self.slowest() * self.requests.div_ceil(self.in_flight) as u32
    }

    /// How often the end of a window must be waited for.
    fn waits(&self) -> u32 {
        let held_back = usize::from(self.written != Written::Exact);
        ((self.requests + held_back).div_ceil(self.limit as usize) - 1) as u32
    }

    /// What may be lost in each window.
    fn allowance(&self) -> Duration {
        let travel = self.slowest() + Duration::from_millis(250);
        match (self.counting, self.written) {
            // Requests that expire soon after one another cannot be told apart: some are found after one window more.
            (Counting::SlidingFirst | Counting::SlidingLast, _) => travel + self.window.max(Duration::from_secs(2)),
            (_, Written::Exact) => travel,
            // Where nothing can be held back, it is not found out how seconds are rounded.
            _ => travel + Duration::from_secs(2),
        }
    }
}

impl Run<'_> {
    /// Sends what may be sent, then lets time pass until something happens; not where nothing ever will.
    fn step(&mut self) -> bool {
        if self.play.processes > 1 {
            self.room = reread(&self.room);
        }
        let wake = self.send();
        let next = (0..self.events.len()).min_by_key(|index| self.events[*index].0);
        let next = next.filter(|index| wake.is_none_or(|wake| self.events[*index].0 <= wake));
        if let Some(index) = next {
            let (at, event) = self.events.swap_remove(index);
            self.now = at;
            self.happens(event);
        } else if let Some(wake) = wake {
            self.now = wake;
        }
        next.is_some() || wake.is_some()
    }

    /// When to try again, where time makes a difference.
    fn send(&mut self) -> Option<Moment> {
        while self.waiting > 0 && self.open < self.play.in_flight {
            match self.room.turn(self.sender(), self.now) {
                Turn::Go(reason) => self.send_one(reason),
                Turn::Until(at) | Turn::Soon(at) => return Some(at),
                // Of what another process hears, nobody is told.
                Turn::Answer => return (self.play.processes > 1).then(|| self.now + LOOK),
            }
        }
        None
    }

    fn sender(&self) -> Sender {
        // In the place of one that died comes another.
        let generation = self.sent.saturating_sub(1).checked_div(self.play.deaths).unwrap_or_default() as u64;
        let process = generation * self.play.processes + self.sent as u64 % self.play.processes;
        Sender { process, ahead: self.waiting as u64 / self.play.processes, patience: PATIENCE }
    }

    fn send_one(&mut self, reason: Reason) {
        let (there, back) = self.play.ways[self.sent % self.play.ways.len()];
        let (arrives, back) = (self.now + Duration::from_millis(there), Duration::from_millis(back));
        (self.sent, self.open, self.waiting) = (self.sent + 1, self.open + 1, self.waiting - 1);
        let sent = self.room.send(self.sender(), reason, self.now);
        if self.play.deaths > 0 && self.sent.is_multiple_of(self.play.deaths) {
            self.outcome.lost += 1;
            self.open -= 1;
            self.service.take(self.now);
            return;
        }
        if self.play.losses == 0 || !self.sent.is_multiple_of(self.play.losses) {
            self.events.push((arrives, Event::Arrives(sent, back)));
            return;
        }
        self.outcome.lost += 1;
        if self.outcome.lost.is_multiple_of(2) {
            // It arrived, and its answer is lost.
            self.service.take(self.now);
        }
        self.events.push((self.now + PATIENCE, Event::GivenUp(sent)));
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Arrives(sent, back) => {
                if self.play.others > 0 && self.sent.is_multiple_of(self.play.others) {
                    self.service.take(self.now);
                }
                let (status, headers) = self.service.take(self.now);
                self.events.push((self.now + back, Event::Answered(sent, status, seconds::said(&headers))));
            }
            Event::Answered(sent, status, said) => {
                self.room.answered(&sent, self.now, status, said);
                self.open -= 1;
                self.outcome.refused += usize::from(status == 429);
                self.waiting += usize::from(status == 429);
            }
            Event::GivenUp(sent) => {
                self.room.lost(&sent);
                self.open -= 1;
            }
        }
    }
}

/// What another process knows of the room.
fn reread(room: &Room) -> Room {
    let kept = serde_json::to_string(room).and_then(|text| serde_json::from_str(&text));
    kept.unwrap_or_else(|error| unreachable!("{error}"))
}

prop_compose! {
    fn play()(
        counting in prop_oneof![
            Just(Counting::FromFirst),
            (0..1000_u32).prop_map(Counting::Aligned),
            Just(Counting::SlidingFirst),
            Just(Counting::SlidingLast),
        ],
        written in prop_oneof![Just(Written::Up), Just(Written::Down), Just(Written::Exact)],
        limit in 1..=20_u64,
        window in prop_oneof![(1..=10_u64).prop_map(|s| s * 1000), 1000..10_000_u64],
        windows in 1..8_u64,
        rest in 0..20_u64,
        in_flight in 1..=12_usize,
        slowest in prop_oneof![1..10_u64, 10..100_u64, 100..500_u64],
        ways in proptest::collection::vec((0..1000_u64, 0..1000_u64), 1..40),
    ) -> Play {
        Play {
            counting, written, limit, in_flight,
            window: Duration::from_millis(window),
            requests: (windows * limit + rest) as usize,
            ways: ways.iter().map(|(there, back)| (1 + there * slowest / 1000, 1 + back * slowest / 1000)).collect(),
            losses: 0,
            others: 0,
            deaths: 0,
            processes: 1,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_request_is_refused_and_little_time_is_lost(play in play()) {
        let outcome = play.run();
        prop_assert!(!outcome.stuck && outcome.refused == 0, "{outcome:?}");
        let allowed = play.ideal() + play.allowance() * (play.waits() + 1);
        prop_assert!(outcome.took <= allowed, "{outcome:?}, at most {allowed:?}");
    }

    #[test]
    fn a_lost_request_blocks_nobody(play in play(), losses in 2..30_usize) {
        let outcome = Play { losses, ..play }.run();
        prop_assert!(!outcome.stuck && outcome.refused <= outcome.lost, "{outcome:?}");
    }

    #[test]
    fn who_else_uses_the_account_blocks_nobody(play in play(), others in 3..30_usize) {
        let outcome = Play { others, limit: play.limit.max(3), ..play.clone() }.run();
        prop_assert!(!outcome.stuck && outcome.refused <= play.requests, "{outcome:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn many_processes_are_as_one(play in play(), processes in 2..5_u64) {
        let outcome = Play { processes, ..play.clone() }.run();
        prop_assert!(!outcome.stuck && outcome.refused == 0, "{outcome:?}");
        let allowed = play.ideal() + play.allowance() * (play.waits() + 1);
        prop_assert!(outcome.took <= allowed, "{outcome:?}, at most {allowed:?}");
    }

    #[test]
    fn a_process_that_dies_blocks_nobody(play in play(), processes in 2..5_u64, deaths in 2..30_usize) {
        let outcome = Play { processes, deaths, limit: play.limit.max(3), ..play }.run();
        prop_assert!(!outcome.stuck && outcome.refused <= outcome.lost, "{outcome:?}");
    }
}

#[test]
fn a_bulk_job_takes_no_longer_than_the_limit_allows() {
    let countings = [Counting::FromFirst, Counting::Aligned(300), Counting::SlidingFirst, Counting::SlidingLast];
    let writings = [Written::Up, Written::Down, Written::Exact];
    let kinds = countings.into_iter().flat_map(|counting| writings.map(|written| (counting, written)));
    for ((counting, written), processes) in kinds.flat_map(|kind| [(kind, 1), (kind, 4)]) {
        for (window, requests, slides) in [(60, 1000, true), (60, 1001, true), (10, 1001, false)] {
            let ways = (0..97).map(|nth| (15 + nth * 7919 % 30, 15 + nth * 104_729 % 30)).collect();
            let window = Duration::from_secs(window);
            let play = Play {
                counting,
                written,
                limit: 200,
                window,
                requests,
                in_flight: 8,
                ways,
                losses: 0,
                others: 0,
                deaths: 0,
                processes,
            };
            let outcome = play.run();
            let is_sliding = matches!(counting, Counting::SlidingFirst | Counting::SlidingLast);
            let share = if is_sliding && !slides { 1.15 } else { 1.05 };
            let allowed = (window * (requests as u32).div_ceil(200).saturating_sub(1)).mul_f64(share);
            // The few that were kept come back as late as they were used.
            let allowed = allowed + if is_sliding { window } else { Duration::ZERO };
            assert!(outcome.refused == 0 && outcome.took <= allowed, "{play:?}: {outcome:?}");
        }
    }
}
