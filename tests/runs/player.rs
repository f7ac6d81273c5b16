//! Plays a sequence: runs its commands, and has the model check each step. At the end, the runs are
//! resumed without faults until they are settled.

use crate::common::{self, World, start, wait_until};
use crate::faults::REQUEST_TIMEOUT;
use crate::gateway::{Gateway, HOSTS, RESTORE_TIME, token};
use crate::model::{Command, Model, Row};
use crate::sequence::{ACCOUNTS, Action, Process, SITES, Start, Step};
use serde_json::Value;
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
        let mut config = String::new();
        for account in 0..ACCOUNTS {
            for host in HOSTS {
                let (name, url) = (profile(account, host), gateway.url(host));
                let token = token(home, account);
                config += &format!("[profiles.{name}]\nbase_url = '{url}'\ntoken = '{token}'\n");
            }
        }
        Self {
            gateway,
            world: World::on(gateway.base_url()).with_config(&config),
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
                running.push(self.spawn(command, HOSTS[index]));
            }
        }
        let finished: Vec<Command> = wait(running);
        if finished.iter().any(Command::was_killed) {
            // Its last requests must not count as those of the next step.
            sleep(Duration::from_millis(150));
        }
        let after = self.history();
        let journal = self.world.journal();
        self.model.check_step(finished, &before, after, journal);
    }

    /// Returns the command of a process; None if there is no run to resume.
    fn command(&self, process: &Process, before: &[Row], index: usize) -> Option<Command> {
        let number = self.model.next_number() + index;
        let mut command = Command::new(number, process.clone());
        let args = match &process.action {
            Action::Start(start) => {
                let account = process.account;
                let tag = match start.key {
                    Some(key) => {
                        let mut rows = before.iter();
                        let known = rows.find(|row| row.has_key(key) && row.owner == account);
                        let first = self.model.next_number();
                        let new = || format!("./{key}-{first}-{account}");
                        known.map_or_else(new, |row| row.tag.clone())
                    }
                    None => format!("./command-{number}-{account}"),
                };
                command.tag = Some(tag.clone());
                self.start_args(start, &process.sites(start), number, &tag)
            }
            Action::Resume {
                run,
                keep_going,
                watch,
            } => {
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
                args.extend(keep_going.then(|| "--keep-going".into()));
                args.extend(watch_args(*watch));
                args
            }
            Action::Watch { site } => {
                let mut args = vec!["watch".into()];
                args.extend(site.map(String::from));
                args.extend(polling_args());
                args
            }
            Action::Pause => return None,
        };
        command.args = ["restore".into()].into_iter().chain(args).collect();
        let timeout = format!("{}ms", REQUEST_TIMEOUT.as_millis());
        for arg in ["--json", "--retries", "0", "--request-timeout", &timeout] {
            command.args.push(arg.into());
        }
        Some(command)
    }

    fn start_args(&self, start: &Start, sites: &[&str], number: usize, tag: &str) -> Vec<String> {
        let snapshot_of = |site: &str| match start.snapshot {
            Some(number) => format!("snap-{}-{number}", site.trim_start_matches("site-")),
            None => "latest".into(),
        };
        let mut args = vec!["start".to_string()];
        if start.is_plan {
            let mut plan = "site_id,snapshot_id\n".to_string();
            for site in sites {
                plan += &format!("{site},{}\n", snapshot_of(site));
            }
            let file = format!("plan-{number}.csv");
            std::fs::write(self.world.path(&file), plan).unwrap();
            args.extend(["--plan".into(), file]);
            args.extend(["--concurrency".into(), start.concurrency.into()]);
        } else {
            args.extend([sites[0].into(), snapshot_of(sites[0])]);
        }
        args.extend(["--path".into(), tag.into(), "--yes".into()]);
        args.extend(start.force.then(|| "--force".into()));
        args.extend(start.keep_going.then(|| "--keep-going".into()));
        if let Some(key) = start.key {
            args.extend(["--idempotency-key".into(), key.into()]);
        }
        args.extend(watch_args(start.watch));
        args
    }

    fn spawn(&self, mut command: Command, host: &'static str) -> Running {
        let origin = (self.model.home, host);
        let process = &command.process;
        self.gateway.expect_command(origin, command.number, process);
        if process.by_profile {
            let name = profile(process.account, host);
            command.args.extend(["--profile".into(), name]);
        }
        let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
        let mut program = self.world.command(&args);
        if !process.by_profile {
            let token = token(self.model.home, process.account);
            program.env("SITECTL_TOKEN", token);
            program.env("SITECTL_BASE_URL", self.gateway.url(host));
        }
        let child = start(&mut program);
        self.gateway.set_process(origin, child.id());
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
        let journal = self.world.journal();
        let rows = run.json();
        let rows = rows.as_array().unwrap().iter();
        let lines = journal.lines();
        let events: Vec<Value> = lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        rows.map(|row| Row::new(row, &events, self.gateway, self.model.home))
            .collect()
    }

    /// Resumes the runs until nothing is left that can be sent, and restores the sites whose
    /// outcome is unknown.
    pub fn settle(&mut self) {
        sleep(RESTORE_TIME);
        for _ in 0..2 {
            self.resume_unfinished();
        }
        let history = self.history();
        self.model.check_resumed(&history);
        sleep(RESTORE_TIME);
        for (account, sites) in [0, ACCOUNTS - 1].into_iter().zip(SITES) {
            let in_doubt = (0..sites.len()).filter(|index| {
                let mut rows = history.iter().filter(|row| row.site == sites[*index]);
                rows.any(|row| row.outcome == "unknown")
            });
            let start = Start {
                sites: in_doubt.collect(),
                is_plan: true,
                snapshot: None,
                force: true,
                keep_going: false,
                key: None,
                watch: true,
                concurrency: "4",
            };
            if !start.sites.is_empty() {
                self.play_step(&[without_faults(Action::Start(start), account)]);
            }
        }
        self.resume_unfinished();
        for account in 0..ACCOUNTS {
            self.play_step(&[without_faults(Action::Watch { site: None }, account)]);
        }
        let history = self.history();
        self.model.check_settled(&history);
        // A finished run is only reported.
        let sent = self.gateway.attempts().len();
        for run in runs_of(&history) {
            self.resume(&history, run, false);
        }
        assert_eq!(self.gateway.attempts().len(), sent, "sent again");
    }

    /// Resumes the runs with a restore that is left to send or running.
    fn resume_unfinished(&mut self) {
        let rows = self.history();
        for run in runs_of(&rows) {
            let mut of_run = rows.iter().filter(|row| row.run == run);
            if of_run.any(|row| row.is_left() || row.outcome == "running") {
                self.resume(&rows, run, true);
            }
        }
    }

    /// Resumes a run as the account that it belongs to.
    fn resume(&mut self, rows: &[Row], run: &str, watch: bool) {
        let index = runs_of(rows).iter().position(|other| *other == run);
        let action = Action::Resume {
            run: index,
            keep_going: true,
            watch,
        };
        let owner = rows.iter().find(|row| row.run == run).unwrap().owner;
        self.play_step(&[without_faults(action, owner)]);
    }
}

/// Returns the ids of the runs.
fn runs_of(rows: &[Row]) -> Vec<&str> {
    let mut runs: Vec<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Returns the name of the profile with a token and a host.
fn profile(account: usize, host: &str) -> String {
    format!("account-{account}-{}", host.replace('.', "-"))
}

fn without_faults(action: Action, account: usize) -> Process {
    Process {
        action,
        account,
        by_profile: false,
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
