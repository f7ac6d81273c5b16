//! Plays a sequence: runs its commands, and has the model check each step. At the end, the runs are
//! resumed without faults until they are settled.

use crate::common::{self, World, start, wait_until};
use crate::faults::{REQUEST_TIMEOUT, token_of};
use crate::gateway::{Gateway, RESTORE_TIME};
use crate::model::{Command, Model, Row};
use crate::sequence::{Action, Process, SITES, Start, Step};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub struct Player<'g> {
    gateway: &'g Gateway,
    world: World,
    model: Model<'g>,
}

/// A command that runs.
struct Running {
    child: Child,
    command: Command,
    /// When it is killed.
    end: Option<Instant>,
}

impl<'g> Player<'g> {
    /// Starts with an empty journal. `is_alone` says that no other home restores the sites.
    pub fn new(gateway: &'g Gateway, home: usize, is_alone: bool) -> Self {
        Self {
            gateway,
            world: World::on(gateway.base_url()),
            model: Model::new(gateway, home, is_alone),
        }
    }

    pub fn play(mut self, steps: &[Step]) -> Self {
        for step in steps {
            self.play_step(step);
        }
        self
    }

    fn play_step(&mut self, step: &[Process]) {
        let before = self.model.history();
        let mut running = Vec::new();
        for (index, process) in step.iter().enumerate() {
            if matches!(process.action, Action::Pause) {
                sleep(RESTORE_TIME);
            } else if let Some(command) = self.command(process, &before, index) {
                running.push(self.spawn(command, process));
            }
        }
        let finished: Vec<Command> = wait(running);
        let after = self.history();
        self.model.check_step(finished, &before, after);
    }

    /// Returns the command of a process; None if there is no run to resume.
    fn command(&self, process: &Process, before: &[Row], index: usize) -> Option<Command> {
        let number = self.model.next_number() + index;
        let mut command = Command::new(number, process.clone());
        let args = match &process.action {
            Action::Start(start) => {
                let tag = match start.key {
                    Some(key) => format!("./{key}-{}", self.model.home),
                    None => format!("./command-{number}"),
                };
                command.tag = Some(tag.clone());
                self.start_args(start, number, &tag)
            }
            Action::Resume { run, watch } => {
                let mut args = vec!["resume".into()];
                if let Some(index) = run {
                    let runs = runs_of(before);
                    if runs.is_empty() {
                        return None;
                    }
                    let run = runs[index % runs.len()];
                    command.resumed_run = Some(run.into());
                    args.push(run.into());
                }
                args.push("--yes".into());
                args.extend(watch_args(*watch));
                args
            }
            Action::Watch { site } => {
                let mut args = vec!["watch".into()];
                args.extend(site.map(|site| SITES[site].into()));
                args.extend(polling_args());
                args
            }
            Action::Pause => return None,
        };
        let timeout = format!("{}ms", REQUEST_TIMEOUT.as_millis());
        command.args = ["restore".into()].into_iter().chain(args).collect();
        for arg in ["--json", "--retries", "0", "--request-timeout", &timeout] {
            command.args.push(arg.into());
        }
        Some(command)
    }

    fn start_args(&self, start: &Start, number: usize, tag: &str) -> Vec<String> {
        let snapshot_of = |site: &str| match start.snapshot {
            Some(number) => format!("snap-{}-{number}", site.trim_start_matches("site-")),
            None => "latest".into(),
        };
        let mut args = vec!["start".to_string()];
        if start.is_plan {
            let mut plan = "site_id,snapshot_id\n".to_string();
            for index in &start.sites {
                let site = SITES[*index];
                plan += &format!("{site},{}\n", snapshot_of(site));
            }
            let file = format!("plan-{number}.csv");
            std::fs::write(self.world.path(&file), plan).unwrap();
            args.extend(["--plan".into(), file]);
            args.extend(["--concurrency".into(), start.concurrency.into()]);
        } else {
            let site = SITES[start.sites[0]];
            args.extend([site.into(), snapshot_of(site)]);
        }
        args.extend(["--path".into(), tag.into(), "--yes".into()]);
        if start.force {
            args.push("--force".into());
        }
        if let Some(key) = start.key {
            args.extend(["--idempotency-key".into(), key.into()]);
        }
        args.extend(watch_args(start.watch));
        args
    }

    fn spawn(&self, command: Command, process: &Process) -> Running {
        self.gateway
            .expect_command(command.number, &process.faults, process.polls_fail);
        let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
        let mut program = self.world.command(&args);
        let child = start(program.env("SITECTL_TOKEN", token_of(command.number)));
        self.gateway.set_process(command.number, child.id());
        let end = process
            .killed_after
            .map(|time| Instant::now() + Duration::from_micros(time));
        Running {
            child,
            command,
            end,
        }
    }

    fn history(&self) -> Vec<Row> {
        let run = self.world.run("restore history --json");
        assert_eq!(run.code, 0, "{}", run.transcript());
        let rows = run.json();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| Row::new(row, self.gateway)).collect()
    }

    /// Resumes the runs until nothing is left that can be sent, and restores the sites whose
    /// outcome is unknown.
    pub fn settle(&mut self) {
        sleep(RESTORE_TIME);
        for _ in 0..2 {
            self.resume_unfinished();
        }
        let history = self.history();
        let in_doubt: Vec<usize> = (0..SITES.len())
            .filter(|index| {
                let mut rows = history.iter().filter(|row| row.site == SITES[*index]);
                rows.any(|row| row.outcome == "unknown")
            })
            .collect();
        self.model.check_resumed(&history);
        sleep(RESTORE_TIME);
        if !in_doubt.is_empty() {
            let start = Start {
                sites: in_doubt,
                is_plan: true,
                snapshot: None,
                force: true,
                key: None,
                watch: true,
                concurrency: "4",
            };
            self.play_step(&[without_faults(Action::Start(start))]);
        }
        self.resume_unfinished();
        self.play_step(&[without_faults(Action::Watch { site: None })]);
        let history = self.history();
        self.model.check_settled(&history);
        // A finished run is only reported.
        let sent = self.gateway.attempts().len();
        for index in 0..runs_of(&history).len() {
            let run = Some(index);
            self.play_step(&[without_faults(Action::Resume { run, watch: false })]);
        }
        assert_eq!(self.gateway.attempts().len(), sent, "sent again");
    }

    /// Resumes the runs with a restore that is left to send or running.
    fn resume_unfinished(&mut self) {
        let rows = self.history();
        for (index, run) in runs_of(&rows).into_iter().enumerate() {
            let mut rows = rows.iter().filter(|row| row.run == run);
            if rows.any(|row| ["not_sent", "running"].contains(&row.outcome.as_str())) {
                let run = Some(index);
                self.play_step(&[without_faults(Action::Resume { run, watch: true })]);
            }
        }
    }
}

/// Returns the ids of the runs.
fn runs_of(rows: &[Row]) -> Vec<&str> {
    let mut runs: Vec<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

fn without_faults(action: Action) -> Process {
    Process {
        action,
        faults: Vec::new(),
        polls_fail: false,
        killed_after: None,
    }
}

fn polling_args() -> [String; 4] {
    ["--interval", "20ms", "--timeout", "10s"].map(String::from)
}

fn watch_args(watch: bool) -> Vec<String> {
    if watch {
        let mut args = vec!["--watch".into()];
        args.extend(polling_args());
        args
    } else {
        Vec::new()
    }
}

/// Waits for the commands, and kills them at their time.
fn wait(mut running: Vec<Running>) -> Vec<Command> {
    wait_until("the commands end", || {
        let mut is_over = true;
        for one in &mut running {
            if one.child.try_wait().unwrap().is_some() {
                continue;
            }
            is_over = false;
            if one.end.is_some_and(|end| Instant::now() >= end) {
                one.child.kill().unwrap();
            }
        }
        is_over
    });
    let finish = |one: Running| {
        let mut command = one.command;
        command.run = Some(common::wait(one.child));
        command
    };
    running.into_iter().map(finish).collect()
}
