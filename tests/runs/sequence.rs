//! Random sequences of commands and faults.

/// The sites of all sequences. The restores of one of them always fail.
pub const SITES: [&str; 4] = ["site-0011", "site-0012", "site-0013", "site-0014"];
const MAX_STEPS: u64 = 9;

/// What happens to a POST between the program and the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It arrives, and so does the response.
    None,
    /// The connection is closed before the sandbox receives it.
    DropBefore,
    /// The connection is closed after the sandbox has processed it.
    DropAfter,
    /// The sandbox processes it, and the response is cut off.
    CutOff,
    /// The response arrives after the program's timeout.
    Late,
    /// The program is killed before the sandbox receives it.
    KillBefore,
    /// The program is killed after the sandbox has processed it.
    KillAfter,
    /// The sandbox does not receive it, and the program receives this status.
    Refuse(u16),
}

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

/// A splitmix64 sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    fn fault(&mut self) -> Fault {
        match self.below(24) {
            0..=1 => Fault::DropBefore,
            2..=3 => Fault::DropAfter,
            4 => Fault::CutOff,
            5 if self.one_in(3) => Fault::Late,
            6 => Fault::KillBefore,
            7 => Fault::KillAfter,
            8..=13 => Fault::Refuse([401, 403, 409, 422, 429, 503][self.index(6)]),
            _ => Fault::None,
        }
    }

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

pub fn steps_of_seed(seed: u64) -> Vec<Step> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9));
    let count = 2 + random.below(MAX_STEPS);
    (0..count).map(|_| random.step()).collect()
}
