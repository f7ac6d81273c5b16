//! Whole processes against each other: checked first, then timed in turn, and watched for memory in runs of their own.

use std::cell::RefCell;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How much an output holds.
pub type Count = fn(&[u8]) -> usize;

/// A program with its arguments, or several with pipes between them.
pub struct Contestant {
    pub name: String,
    commands: RefCell<Vec<Command>>,
    count: Count,
    expected: usize,
    /// It runs in every so many-th round.
    every: usize,
}

impl Contestant {
    /// Its output holds `expected` of what `count` counts.
    pub fn new(name: &str, commands: Vec<Command>, count: Count, expected: usize) -> Self {
        Self { name: name.into(), commands: RefCell::new(commands), count, expected, every: 1 }
    }

    /// Runs only in every third round: it takes long, and its times vary little in comparison.
    pub fn seldom(self) -> Self {
        Self { every: 3, ..self }
    }

    /// Runs it once and looks at what it prints: who does less is no contestant.
    fn check(&self) {
        let mut running = self.spawn(Stdio::piped);
        let output = running.pop().unwrap().wait_with_output().unwrap();
        assert!(output.status.success(), "{} failed", self.name);
        running.into_iter().for_each(|child| self.wait(child));
        assert_eq!((self.count)(&output.stdout), self.expected, "{} did not print everything", self.name);
    }

    /// From start to end, its output thrown away.
    fn time(&self) -> Duration {
        let start = Instant::now();
        self.spawn(Stdio::null).into_iter().for_each(|child| self.wait(child));
        start.elapsed()
    }

    /// The most memory that its greatest process had, in MiB; none where the system does not tell.
    pub fn peak(&self) -> Option<f64> {
        let mut running = self.spawn(Stdio::null);
        let mut peak = None;
        while !running.is_empty() {
            peak = peak.max(running.iter().filter_map(|child| high_water_mark(child.id())).max());
            running.retain_mut(|child| child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
        peak.map(|kib| f64::from(kib) / 1024.0)
    }

    /// Starts its programs, the output of each the input of the next.
    fn spawn(&self, output: fn() -> Stdio) -> Vec<Child> {
        let mut commands = self.commands.borrow_mut();
        let last = commands.len() - 1;
        let mut input = Stdio::null();
        let mut running = Vec::new();
        for (place, command) in commands.iter_mut().enumerate() {
            let output = if place == last { output() } else { Stdio::piped() };
            let mut child = command.stdin(input).stdout(output).spawn().unwrap();
            input = if place == last { Stdio::null() } else { child.stdout.take().unwrap().into() };
            running.push(child);
        }
        running
    }

    fn wait(&self, mut child: Child) {
        assert!(child.wait().unwrap().success(), "{} failed", self.name);
    }
}

/// In KiB, as Linux counts it; a process that has ended has none.
fn high_water_mark(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Milliseconds, sorted.
pub struct Times(Vec<f64>);

impl Times {
    /// Of so many rounds.
    pub fn of(rounds: usize, mut once: impl FnMut()) -> Self {
        let time = || {
            let start = Instant::now();
            once();
            start.elapsed()
        };
        Self::sorted(std::iter::repeat_with(time).take(rounds))
    }

    fn sorted(times: impl Iterator<Item = Duration>) -> Self {
        let mut times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1000.0).collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    pub fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:>8.1} {:>8.1} {:>8.1}", self.0[0], self.median(), self.0[self.0.len() - 1])
    }
}

/// Checks all of them, then runs them in turn so many rounds: what disturbs the machine disturbs them all.
pub fn run(contestants: &[&Contestant], rounds: usize) -> Vec<Times> {
    contestants.iter().for_each(|contestant| contestant.check());
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for (contestant, times) in contestants.iter().zip(&mut times).filter(|(who, _)| round % who.every == 0) {
            times.push(contestant.time());
        }
    }
    times.into_iter().map(|times| Times::sorted(times.into_iter())).collect()
}
