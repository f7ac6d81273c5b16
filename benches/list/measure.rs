//! Runs whole processes: checks their output once, then measures their time in turn, and their memory in separate runs.

use std::cell::RefCell;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Counts the items in an output.
pub type Count = fn(&[u8]) -> usize;

/// A program with its arguments, or several programs in a pipeline.
pub struct Case {
    pub name: String,
    commands: RefCell<Vec<Command>>,
    count: Count,
    expected: usize,
    /// The case runs in one of this many rounds.
    every: usize,
}

impl Case {
    /// Creates a case whose output has `expected` items.
    pub fn new(name: &str, commands: Vec<Command>, count: Count, expected: usize) -> Self {
        Self {
            name: name.into(),
            commands: RefCell::new(commands),
            count,
            expected,
            every: 1,
        }
    }

    /// Runs the case in every third round only, because it is slow and its times vary little.
    pub fn seldom(self) -> Self {
        Self { every: 3, ..self }
    }

    /// Fails if the output lacks items.
    fn check(&self) {
        let mut running = self.spawn(Stdio::piped);
        let output = running.pop().unwrap().wait_with_output().unwrap();
        assert!(output.status.success(), "{} failed", self.name);
        running.into_iter().for_each(|child| self.wait(child));
        assert_eq!(
            (self.count)(&output.stdout),
            self.expected,
            "{} did not print everything",
            self.name
        );
    }

    /// Returns the time from start to exit, without reading the output.
    fn time(&self) -> Duration {
        let start = Instant::now();
        self.spawn(Stdio::null)
            .into_iter()
            .for_each(|child| self.wait(child));
        start.elapsed()
    }

    /// Returns the time to the first output as a part of the time to the last.
    pub fn first_output(&self) -> f64 {
        let start = Instant::now();
        let mut child = self.spawn(Stdio::piped).pop().unwrap();
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0]).unwrap();
        let first = start.elapsed();
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        let last = start.elapsed();
        self.wait(child);
        first.as_secs_f64() / last.as_secs_f64()
    }

    /// Returns the peak memory of the largest process in MiB; none if the system is not Linux.
    pub fn peak(&self) -> Option<f64> {
        let runs = (0..3).filter_map(|_| self.peak_of_run());
        runs.max().map(|kib| f64::from(kib) / 1024.0)
    }

    fn peak_of_run(&self) -> Option<u32> {
        let mut running = self.spawn(Stdio::null);
        let mut peak = None;
        while !running.is_empty() {
            peak = peak.max(
                running
                    .iter()
                    .filter_map(|child| high_water_mark(child.id()))
                    .max(),
            );
            running.retain_mut(|child| child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_micros(500));
        }
        peak
    }

    /// Starts the programs as a pipeline.
    fn spawn(&self, output: fn() -> Stdio) -> Vec<Child> {
        let mut commands = self.commands.borrow_mut();
        let last = commands.len() - 1;
        let mut input = Stdio::null();
        let mut running = Vec::new();
        for (place, command) in commands.iter_mut().enumerate() {
            let output = if place == last {
                output()
            } else {
                Stdio::piped()
            };
            let mut child = command.stdin(input).stdout(output).spawn().unwrap();
            input = if place == last {
                Stdio::null()
            } else {
                child.stdout.take().unwrap().into()
            };
            running.push(child);
        }
        running
    }

    fn wait(&self, mut child: Child) {
        assert!(child.wait().unwrap().success(), "{} failed", self.name);
    }
}

/// Returns the peak memory of a running process in KiB.
fn high_water_mark(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()
    })
}

/// Milliseconds, sorted.
pub struct Times(Vec<f64>);

impl Times {
    /// Measures this many rounds of a function.
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
        write!(
            f,
            "{:>8.1} {:>8.1} {:>8.1}",
            self.0[0],
            self.median(),
            self.0[self.0.len() - 1]
        )
    }
}

/// Checks all cases, then runs them in turn, so that changes of the machine's speed affect all of them.
pub fn run(cases: &[&Case], rounds: usize) -> Vec<Times> {
    cases.iter().for_each(|case| case.check());
    let mut times = vec![Vec::new(); cases.len()];
    for round in 0..rounds {
        for (case, times) in cases
            .iter()
            .zip(&mut times)
            .filter(|(case, _)| round % case.every == 0)
        {
            times.push(case.time());
        }
    }
    times
        .into_iter()
        .map(|times| Times::sorted(times.into_iter()))
        .collect()
}
