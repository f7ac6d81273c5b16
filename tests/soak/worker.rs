//! A worker: runs one command after the other on clients of its own, and on sites that all workers share.

use crate::common::{self, Run, Signal, World, wait};
use crate::model::{Clients, FAILING_SITE};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The code of a run that was killed.
const KILLED: i32 = -1;
/// Ctrl-C kills a program that has not yet begun to listen for it.
const STOPPED: [i32; 2] = [KILLED, 130];
const SITES: u64 = 40;
/// A restore counts as running for this time if its command was killed.
const REQUEST_TIMEOUT: [&str; 2] = ["--request-timeout", "1s"];
/// Restores are shorter than the default interval.
const WATCH: [&str; 4] = ["--timeout", "1s", "--interval", "100ms"];

/// One of several that work at once.
pub struct Worker<'m> {
    machine: &'m World,
    /// The last acknowledged task of all machines.
    newest_task: &'m Mutex<Option<String>>,
    number: usize,
    random: u64,
    pub clients: Clients,
    /// The tasks of restores that were acknowledged.
    pub tasks: Vec<String>,
    pub commands: usize,
    pub stopped: usize,
}

impl<'m> Worker<'m> {
    pub fn new(
        machine: &'m World,
        newest_task: &'m Mutex<Option<String>>,
        seed: u64,
        number: usize,
    ) -> Self {
        Self {
            machine,
            newest_task,
            number,
            random: seed * 64 + number as u64,
            clients: Clients::default(),
            tasks: Vec::new(),
            commands: 0,
            stopped: 0,
        }
    }

    pub fn run_until(mut self, end: Instant) -> Self {
        while Instant::now() < end {
            match self.below(20) {
                0..3 => self.create(),
                3..6 => self.update(),
                6 => self.delete(),
                7 => self.apply(),
                8..13 => self.list(),
                13..16 => self.restore(),
                16..18 => self.plan(),
                18 => self.watch(),
                _ => self.history(),
            }
        }
        self
    }

    /// The next number below `bound` of a splitmix64 sequence.
    fn below(&mut self, bound: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// Runs a command that can exit with these codes; kills or interrupts one in five.
    fn run(&mut self, args: &[&str], stdin: &str, codes: &[i32]) -> Run {
        let signals = [Signal::KILL, Signal::INT];
        let time = Duration::from_micros(self.below(60_000));
        let signal = signals.get(self.below(10) as usize);
        let args = [args, &REQUEST_TIMEOUT].concat();
        let child = self.machine.start_with(&args, stdin);
        if let Some(signal) = signal {
            std::thread::sleep(time);
            common::signal(*signal, child.id());
        }
        let run = wait(child);
        let is_stopped = signal.is_some() && STOPPED.contains(&run.code);
        self.commands += 1;
        self.stopped += usize::from(is_stopped);
        let ends_well =
            is_stopped || (codes.contains(&run.code) && !run.stderr.contains("panicked"));
        assert!(ends_well, "{args:?}: {}", run.transcript());
        run
    }

    /// Runs a change, the same again and again, until `learn` knows the outcome.
    fn change(
        &mut self,
        args: &[&str],
        stdin: &str,
        codes: &[i32],
        learn: impl Fn(&mut Clients, i32) -> bool,
    ) {
        for _ in 0..50 {
            let run = self.run(args, stdin, codes);
            if learn(&mut self.clients, run.code) {
                return;
            }
        }
        panic!("{args:?} did not come to an end");
    }

    fn word(&mut self) -> String {
        format!("{:x}", self.below(u64::MAX))
    }

    /// An email of this worker's, of few enough that most exist.
    fn email(&mut self) -> String {
        let client = self.below(40);
        format!("soak{}-{client}@example.com", self.number)
    }

    fn create(&mut self) {
        let (email, note) = (self.email(), self.word());
        let args = [
            "clients",
            "create",
            "--first-name",
            "A",
            "--email",
            &email,
            "--note",
            &note,
            "--json",
        ];
        let create = |clients: &mut Clients, code| {
            match code {
                0 => clients.set(&email, Some(note.clone())),
                5 => clients.exists(&email, true),
                // Certainly not processed.
                7 | 8 => return false,
                _ => clients.may_be(&email, Some(note.clone())),
            }
            matches!(code, 0 | 5)
        };
        self.change(&args, "", &[0, 5, 7, 8, 12], create);
    }

    fn update(&mut self) {
        let (email, note) = (self.email(), self.word());
        let update = |clients: &mut Clients, code| {
            match code {
                0 => {
                    clients.exists(&email, true);
                    clients.set(&email, Some(note.clone()));
                }
                4 => clients.exists(&email, false),
                7 | 8 | 13 => return false,
                _ if clients.can_exist(&email) => clients.may_be(&email, Some(note.clone())),
                _ => {}
            }
            matches!(code, 0 | 4)
        };
        self.change(
            &["clients", "update", &email, "--note", &note, "-q"],
            "",
            &[0, 4, 7, 8, 12, 13],
            update,
        );
    }

    fn delete(&mut self) {
        let emails: Vec<String> = (0..=self.below(4)).map(|_| self.email()).collect();
        let delete = |clients: &mut Clients, code| {
            for email in &emails {
                if code == 0 {
                    clients.set(email, None)
                } else {
                    clients.may_be(email, None)
                }
            }
            code == 0
        };
        let args = [
            "clients",
            "delete",
            "-",
            "--yes",
            "--json",
            "--ignore-not-found",
        ];
        self.change(&args, &emails.join("\n"), &[0, 7, 8, 9, 12, 13], delete);
    }

    /// Applies a file until it has converged.
    fn apply(&mut self) {
        let (first, note) = (self.below(40), self.word());
        let emails: Vec<_> = (first..=first + self.below(12))
            .map(|row| format!("soak{}-{}@example.com", self.number, row % 40))
            .collect();
        let apply = |clients: &mut Clients, code| {
            for email in &emails {
                let state = Some(note.clone());
                if code == 0 {
                    clients.set(email, state)
                } else {
                    clients.may_be(email, state)
                }
            }
            code == 0
        };
        let rows: String = emails
            .iter()
            .map(|email| format!("{email},A,{note}\n"))
            .collect();
        let args = [
            "clients",
            "apply",
            "-",
            "--input-format",
            "csv",
            "--yes",
            "--json",
        ];
        self.change(
            &args,
            &format!("email,first_name,note\n{rows}"),
            &[0, 5, 7, 8, 9, 12, 13],
            apply,
        );
    }

    /// A list that exits with 0 has all clients, each once.
    fn list(&mut self) {
        let own = format!("soak{}-", self.number);
        let choices: [&[&str]; 5] = [
            &[],
            &["--email", &own],
            &["--search", &own],
            &["--per-page", "50"],
            &["--limit", "5"],
        ];
        let choice = choices[self.below(5) as usize];
        let run = self.run(
            &[&["clients", "list", "-o", "ndjson"], choice].concat(),
            "",
            &[0, 7, 8, 13],
        );
        let clients: Vec<Value> = run
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let field = |client: &Value, name: &str| client[name].as_str().unwrap().to_string();
        let found: HashMap<_, _> = clients
            .iter()
            .map(|one| (field(one, "email"), field(one, "note")))
            .collect();
        let ids: HashSet<_> = clients.iter().map(|one| field(one, "id")).collect();
        assert_eq!(
            ids.len(),
            clients.len(),
            "a client is listed twice: {}",
            run.transcript()
        );
        self.clients
            .check(&found, run.code == 0 && choice.first() != Some(&"--limit"));
    }

    fn source(&mut self) -> (String, String) {
        let (site, snapshot) = (1 + self.below(SITES), 1 + self.below(4));
        (
            format!("site-{site:04}"),
            format!("snap-{site:04}-{snapshot}"),
        )
    }

    fn restore(&mut self) {
        let (site, snapshot) = self.source();
        let mut args = vec![
            "restore", "start", &site, &snapshot, "--full", "--yes", "--json",
        ];
        args.extend((self.below(4) == 0).then_some("--force"));
        if self.below(3) == 0 {
            args[3] = "latest";
        }
        let run = self.run(&args, "", &[0, 5, 6, 7, 8, 9, 12, 13]);
        if run.code == 0 {
            let started: Value = serde_json::from_str(&run.stdout).unwrap();
            self.acknowledge(&started);
        }
    }

    /// Remembers the task of a restore, which another command may have sent.
    fn acknowledge(&mut self, started: &Value) {
        let task = started["task_id"].as_str().unwrap().to_string();
        *self.newest_task.lock().unwrap() = Some(task.clone());
        self.tasks.push(task);
    }

    /// Runs a plan, and resumes it, or a run of another worker on the machine, until it was not killed.
    fn plan(&mut self) {
        let sources: BTreeMap<_, _> = (0..=self.below(8)).map(|_| self.source()).collect();
        let rows: String = sources
            .iter()
            .map(|(site, snapshot)| format!("{site},{snapshot},yes\n"))
            .collect();
        let plan = format!("site_id,snapshot_id,files\n{rows}");
        let mut options = vec!["--yes", "--json"];
        if self.below(3) == 0 {
            options.push("--watch");
            options.extend(WATCH);
        }
        let mut args = [&["restore", "start", "--plan", "-"], &options[..]].concat();
        // Soon, each site was restored in the last 24 hours.
        args.extend((self.below(2) == 0).then_some("--force"));
        let codes = [0, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        let mut newest;
        loop {
            let run = self.run(&args, &plan, &codes);
            for row in serde_json::from_str::<Vec<Value>>(&run.stdout).unwrap_or_default() {
                if row["task_id"].is_string() {
                    self.acknowledge(&row);
                }
            }
            if !STOPPED.contains(&run.code) {
                return;
            }
            newest = self.newest_run().filter(|_| run.code == KILLED);
            args = [&["restore", "resume"], &options[..]].concat();
            args.extend(newest.as_deref());
        }
    }

    /// The newest run of the machine; None if the command was stopped.
    fn newest_run(&mut self) -> Option<String> {
        let filter = [
            "restore", "history", "--limit", "1", "--json", "--jq", ".[].run",
        ];
        let run = self.run(&filter, "", &[0]);
        run.stdout.lines().next().map(str::to_string)
    }

    /// Watches all unfinished restores, the newest restore of a site, or a task of any machine.
    fn watch(&mut self) {
        let (site, _) = self.source();
        let task = self.newest_task.lock().unwrap().clone();
        let (target, codes): (_, &[i32]) = match (self.below(4), task) {
            (0..2, _) => (None, &[0, 10, 11, 12]),
            (2, Some(task)) => (Some(task), &[0, 10, 11]),
            _ => (Some(site), &[0, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        };
        let mut args = [&["restore", "watch", "--json"], &WATCH[..]].concat();
        args.extend(target.as_deref());
        let run = self.run(&args, "", codes);
        for row in serde_json::from_str::<Vec<Value>>(&run.stdout).unwrap_or_default() {
            let has_failed = row["outcome"] == "failed";
            if has_failed || row["outcome"] == "succeeded" {
                assert_eq!(has_failed, row["site_id"] == FAILING_SITE, "{row}");
            }
        }
    }

    /// The journal can be read at any time.
    fn history(&mut self) {
        let run = self.run(&["restore", "history", "--json"], "", &[0]);
        let entries: Option<Vec<Value>> = serde_json::from_str(&run.stdout).ok();
        assert!(
            entries.is_some() || STOPPED.contains(&run.code),
            "{}",
            run.transcript()
        );
    }
}
