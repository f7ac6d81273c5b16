//! Random sequences of commands and faults.

use crate::cases::{Case, Random};
use crate::faults::Fault;

/// The number of accounts of a home. The first two are two tokens of the same account of the
/// service, and the last is another one.
pub const ACCOUNTS: usize = 3;
/// The sites of the two accounts of the service. The restores of `site-0013` always fail, and
/// snapshot 4 of the sites whose number ends in 2 has failed.
pub const SITES: [[&str; 4]; 2] = [
    ["site-0011", "site-0012", "site-0013", "site-0014"],
    ["site-1001", "site-1002", "site-1003", "site-1004"],
];
const MAX_STEPS: u64 = 9;

/// Whether an account is the one with other sites.
pub fn is_other(account: usize) -> bool {
    account == ACCOUNTS - 1
}

#[derive(Debug, Clone)]
pub enum Action {
    Start(Start),
    Resume {
        /// Selects one of the runs; None for no argument.
        run: Option<usize>,
        keep_going: bool,
        watch: bool,
    },
    /// Watches a site, perhaps of another account; None for all unfinished restores.
    Watch {
        site: Option<&'static str>,
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
    pub keep_going: bool,
    pub key: Option<&'static str>,
    pub watch: bool,
    pub concurrency: &'static str,
}

/// A command with its faults.
#[derive(Debug, Clone)]
pub struct Process {
    pub action: Action,
    pub account: usize,
    /// Whether a profile says the account, and not the environment.
    pub by_profile: bool,
    /// The faults of its first POSTs.
    pub faults: Vec<Fault>,
    /// Whether the first polls of tasks are answered with 503.
    pub polls_fail: bool,
    /// After how many microseconds it is killed.
    pub killed_after: Option<u64>,
}

impl Process {
    /// Returns the sites of a start.
    pub fn sites(&self, start: &Start) -> Vec<&'static str> {
        let sites = SITES[usize::from(is_other(self.account))];
        start.sites.iter().map(|index| sites[*index]).collect()
    }
}

/// The processes that run at the same time: one or two.
pub type Step = Vec<Process>;

impl Random {
    fn start(&mut self) -> Start {
        let is_plan = !self.one_in(3);
        let mut sites: Vec<usize> = (0..SITES[0].len()).collect();
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
            snapshot: (!self.one_in(2)).then(|| 1 + self.below(4)),
            force: key.is_none() && self.one_in(4),
            keep_going: self.one_in(2),
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
                keep_going: self.one_in(2),
                watch: self.one_in(3),
            },
            7..=8 => Action::Resume {
                run: None,
                keep_going: self.one_in(2),
                watch: self.one_in(3),
            },
            9..=10 => Action::Watch {
                site: (!self.one_in(2)).then(|| SITES[usize::from(self.one_in(4))][self.index(4)]),
            },
            _ => Action::Pause,
        };
        Process {
            action,
            account: [0, 0, 0, 0, 1, 2][self.index(6)],
            by_profile: self.one_in(2),
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
