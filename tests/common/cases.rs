//! Plays random cases on several threads, and shortens the first one that fails.

use crate::common::soak_time;
use std::fmt::Debug;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// Most of the time of a case is waiting.
const THREADS: usize = 8;

/// A splitmix64 sequence.
pub struct Random(u64);

impl Random {
    pub fn of_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
}

/// A random case.
pub trait Case: Debug {
    fn of_seed(seed: u64) -> Self;
    /// The number of parts that [`Self::without`] can leave out.
    fn part_count(&self) -> usize;
    /// Returns the case without one part.
    fn without(&self, part: usize) -> Self;
}

/// How the cases of a test are played.
pub struct Cases<C, G> {
    /// The environment variable with the seed of the only case to play.
    pub seed_variable: &'static str,
    /// The number of cases in every `cargo test`. Their seeds are always the same. A soak plays
    /// others.
    pub count: u64,
    pub start_gateway: fn() -> G,
    /// Plays a case. Panics if it fails.
    pub play: fn(&G, &C),
}

impl<C: Case, G> Cases<C, G> {
    /// Plays the cases.
    pub fn play(&self) {
        let seed = std::env::var(self.seed_variable).ok();
        let seed: Option<u64> = seed.map(|text| text.parse().unwrap());
        let started = Instant::now();
        let (seeds, end) = match (seed, soak_time()) {
            (Some(seed), _) => (seed..seed + 1, None),
            (None, None) => (0..self.count, None),
            (None, Some(time)) => {
                let first = RandomState::new().hash_one(0) % 1_000_000_000;
                (first..u64::MAX, Some(started + time))
            }
        };
        let is_over = || end.is_some_and(|end| Instant::now() >= end);
        let next_seed = AtomicU64::new(seeds.start);
        let take_seed = || {
            let seed = || next_seed.fetch_add(1, Ordering::SeqCst);
            (!is_over()).then(seed).filter(|seed| seeds.contains(seed))
        };
        let played = AtomicU64::new(0);
        let failed: Vec<u64> = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| scope.spawn(|| self.play_all(take_seed, &played)))
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        let (played, time) = (played.into_inner(), started.elapsed());
        eprintln!("{played} cases in {time:?}");
        assert!(
            failed.is_empty(),
            "repeat {}: {failed:?}",
            self.seed_variable
        );
    }

    /// Plays the cases whose seeds it takes, and returns the seeds that failed.
    fn play_all(&self, take_seed: impl Fn() -> Option<u64>, played: &AtomicU64) -> Vec<u64> {
        let gateway = (self.start_gateway)();
        let mut failed = Vec::new();
        while let Some(seed) = take_seed().filter(|_| failed.len() < 3) {
            played.fetch_add(1, Ordering::SeqCst);
            let case = C::of_seed(seed);
            if self.holds(&gateway, &case) {
                continue;
            }
            eprintln!("failed: {}={seed}", self.seed_variable);
            failed.push(seed);
            if failed.len() == 1 {
                let case = self.shorten(&gateway, case);
                eprintln!("the shortest failing case of seed {seed}: {case:#?}");
            }
        }
        failed
    }

    /// Whether a case is played without a contradiction. The panic message shows the contradiction.
    fn holds(&self, gateway: &G, case: &C) -> bool {
        catch_unwind(AssertUnwindSafe(|| (self.play)(gateway, case))).is_ok()
    }

    /// Leaves out parts while the case still fails. How processes interleave differs between runs,
    /// so that a shorter case may be missed.
    fn shorten(&self, gateway: &G, mut case: C) -> C {
        for part in (0..case.part_count()).rev() {
            let shorter = case.without(part);
            if !self.holds(gateway, &shorter) {
                case = shorter;
            }
        }
        case
    }
}
