//! Random sequences of commands and faults.

use crate::cases::{Case, Random};
use crate::faults::Fault;

/// The sites of all sequences. The restores of one of them always fail.
pub const SITES: [&str; 4] = ["site-0011", "site-0012", "site-0013", "site-0014"];
const MAX_STEPS: u64 = 9;

#[derive(Debug, Clone)]
pub enum Action {
    Start(Start),
    Resume {
        /// Selects one of the runs; None for no argument.
        run: Option<usize>,
        watch: bool,
    },
    /// Watches the site with this index; None for all unfinished restores.
    Watch {
        site: Option<usize>,
    },
    /// Waits until the running restores have ended.
    Pause,
}

#[derive(Debug, Clone)]
pub struct Start {
    /// The indexes of the sites.
    pub sites: Vec<usize>,
    pub is_plan: bool,
    /// The number of the snapshot of a site; None for `latest`.
    pub snapshot: Option<u64>,
    pub force: bool,
    pub key: Option<&'static str>,
    pub watch: bool,
    pub concurrency: &'static str,
}

/// A command with its faults.
#[derive(Debug, Clone)]
pub struct Process {
    pub action: Action,
    /// The faults of its first POSTs.
    pub faults: Vec<Fault>,
    /// Whether the first polls of tasks are answered with 503.
    pub polls_fail: bool,
    /// After how many microseconds it is killed.
    pub killed_after: Option<u64>,
}

/// The processes that run at the same time: one or two.
pub type Step = Vec<Process>;

impl Random {
    fn start(&mut self) -> Start {
        let is_plan = !self.one_in(3);
        let mut sites: Vec<usize> = (0..SITES.len()).collect();
        let count = if is_plan { 1 + self.index(4) } else { 1 };
        while sites.len() > count {
            let index = self.index(sites.len());
            sites.remove(index);
        }
        let key = match self.below(6) {
            0 => Some("key-a"),
            1 => Some("key-b"),
            _ => None,
        };
        Start {
            sites,
            is_plan,
            snapshot: (!self.one_in(2)).then(|| 1 + self.below(3)),
            force: key.is_none() && self.one_in(4),
            key,
            watch: self.one_in(4),
            concurrency: if self.one_in(3) { "4" } else { "1" },
        }
    }

    fn process(&mut self) -> Process {
        let action = match self.below(12) {
            0..=4 => Action::Start(self.start()),
            5..=6 => Action::Resume {
                run: Some(self.index(8)),
                watch: self.one_in(3),
            },
            7..=8 => Action::Resume {
                run: None,
                watch: self.one_in(3),
            },
            9..=10 => Action::Watch {
                site: (!self.one_in(2)).then(|| self.index(SITES.len())),
            },
            _ => Action::Pause,
        };
        Process {
            action,
            faults: (0..6).map(|_| self.fault()).collect(),
            polls_fail: self.one_in(6),
            killed_after: self.one_in(10).then(|| self.below(40_000)),
        }
    }

    /// Two processes at once are often the same command.
    fn step(&mut self) -> Step {
        let first = self.process();
        if !self.one_in(5) {
            return vec![first];
        }
        let mut second = self.process();
        if self.one_in(2) {
            second.action = first.action.clone();
        }
        vec![first, second]
    }
}

/// The steps of one or two homes.
#[derive(Debug, Clone)]
pub struct Sequences(pub Vec<Vec<Step>>);

impl Case for Sequences {
    fn of_seed(seed: u64) -> Self {
        let mut random = Random::of_seed(seed);
        let homes = if random.one_in(4) { 2 } else { 1 };
        let mut steps = || {
            let count = 2 + random.below(MAX_STEPS);
            (0..count).map(|_| random.step()).collect()
        };
        Self((0..homes).map(|_| steps()).collect())
    }

    fn part_count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    fn without(&self, mut part: usize) -> Self {
        let mut shorter = self.clone();
        for steps in &mut shorter.0 {
            if part < steps.len() {
                steps.remove(part);
                break;
            }
            part -= steps.len();
        }
        shorter
    }
}
