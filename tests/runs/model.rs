//! The reference model: what the journal, the output and the exit codes may say about restores, given
//! what the sandbox did and what the program received.

use crate::common::Run;
use crate::faults::{REQUEST_TIMEOUT, Received};
use crate::gateway::{Attempt, Gateway};
use crate::sequence::{Action, Process, SITES, Start};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// A row of `restore history`.
#[derive(Debug, Clone)]
pub struct Row {
    pub run: String,
    pub site: String,
    /// The text that identifies the decision: the path in the scope.
    pub tag: String,
    pub snapshot: String,
    pub outcome: String,
    pub task_id: Option<String>,
    /// The status of the task in the sandbox, right after the history was read.
    pub status: Option<String>,
    /// When the command began to read the history.
    read_at: Instant,
}

impl Row {
    pub fn new(row: &Value, gateway: &Gateway, read_at: Instant) -> Self {
        let text = |field: &str| row[field].as_str().unwrap().to_string();
        let task_id = row["task_id"].as_str().map(String::from);
        Self {
            run: text("run"),
            site: text("site_id"),
            tag: row["scope"]["paths"][0].as_str().unwrap().into(),
            snapshot: text("snapshot_id"),
            outcome: text("outcome"),
            status: task_id.as_deref().map(|id| gateway.task_status(id)),
            task_id,
            read_at,
        }
    }

    fn is(&self, outcomes: &[&str]) -> bool {
        outcomes.contains(&self.outcome.as_str())
    }

    fn is_same_restore(&self, other: &Row) -> bool {
        (&self.run, &self.site) == (&other.run, &other.site)
    }
}

/// A command that was run.
pub struct Command {
    pub number: usize,
    pub process: Process,
    pub args: Vec<String>,
    /// The tag of the restores that it starts.
    pub tag: Option<String>,
    /// The run that it resumes by its id.
    pub resumed_run: Option<String>,
    pub ended_at: Instant,
    pub run: Option<Run>,
    /// The number of its step.
    step: usize,
}

impl Command {
    pub fn new(number: usize, process: Process) -> Self {
        Self {
            number,
            process,
            args: Vec::new(),
            tag: None,
            resumed_run: None,
            ended_at: Instant::now(),
            run: None,
            step: 0,
        }
    }

    fn output(&self) -> &Run {
        self.run.as_ref().unwrap()
    }

    fn code(&self) -> i32 {
        self.output().code
    }

    fn was_killed(&self) -> bool {
        self.code() == -1
    }

    fn start(&self) -> Option<&Start> {
        match &self.process.action {
            Action::Start(start) => Some(start),
            _ => None,
        }
    }

    fn is_forced(&self) -> bool {
        self.start().is_some_and(|start| start.force)
    }
}

pub struct Model<'g> {
    gateway: &'g Gateway,
    commands: Vec<Command>,
    attempts: Vec<Attempt>,
    history: Vec<Row>,
    /// The runs, each with the step in which it was decided.
    decided: HashMap<String, usize>,
    /// The restores that the history has shown as in doubt, or as waiting for a response.
    seen_in_doubt: HashSet<(String, String)>,
    steps: usize,
}

impl<'g> Model<'g> {
    pub fn new(gateway: &'g Gateway) -> Self {
        Self {
            gateway,
            commands: Vec::new(),
            attempts: Vec::new(),
            history: Vec::new(),
            decided: HashMap::new(),
            seen_in_doubt: HashSet::new(),
            steps: 0,
        }
    }

    pub fn next_number(&self) -> usize {
        self.commands.last().map_or(0, |last| last.number + 1)
    }

    /// Returns the history after the last step, with what the sandbox says now.
    pub fn history(&self) -> Vec<Row> {
        let mut history = self.history.clone();
        for row in &mut history {
            let task_id = row.task_id.as_deref();
            row.status = task_id.map(|id| self.gateway.task_status(id));
        }
        history
    }

    /// Checks what the commands of a step have sent, written and printed.
    pub fn check_step(&mut self, mut commands: Vec<Command>, before: &[Row], after: Vec<Row>) {
        self.steps += 1;
        for command in &mut commands {
            command.step = self.steps;
        }
        let indexes = self.commands.len()..self.commands.len() + commands.len();
        self.commands.extend(commands);
        let first_new = self.attempts.len();
        self.attempts = self.gateway.attempts();
        self.history = after;
        for row in &self.history {
            let steps = self.steps;
            self.decided.entry(row.run.clone()).or_insert(steps);
            if row.is(&["unknown", "running"]) {
                let id = (row.run.clone(), row.site.clone());
                self.seen_in_doubt.insert(id);
            }
        }
        for index in first_new..self.attempts.len() {
            self.check_attempt(index);
        }
        self.check_history(before);
        for index in indexes.clone() {
            let command = &self.commands[index];
            if command.was_killed() {
                continue;
            }
            let is_alone = indexes.len() == 1;
            self.check_output(command, is_alone);
            if is_alone {
                self.check_decision(command, before, first_new);
                self.check_exit(command, before);
            }
        }
    }

    fn command(&self, number: usize) -> &Command {
        let mut commands = self.commands.iter();
        commands.find(|command| command.number == number).unwrap()
    }

    /// Fails with everything that is known.
    #[track_caller]
    fn fail(&self, invariant: &str, subject: &dyn std::fmt::Debug) -> ! {
        let mut text = format!("{invariant}: {subject:?}\n");
        for command in &self.commands {
            let (step, number) = (command.step, command.number);
            text += &format!("step {step}, command {number}: {:?}\n", command.args);
            text += &command.output().transcript();
        }
        for attempt in &self.attempts {
            text += &format!("{attempt:?}\n");
        }
        for row in &self.history {
            text += &format!("{row:?}\n");
        }
        panic!("{text}");
    }

    fn attempts_of(&self, row: &Row) -> Vec<&Attempt> {
        let attempts = self.attempts.iter();
        attempts
            .filter(|attempt| attempt.tag == row.tag && attempt.site == row.site)
            .collect()
    }

    /// Whether the program may not have received the response, or not have recorded it.
    fn may_be_lost(&self, attempt: &Attempt) -> bool {
        !matches!(attempt.received, Received::Status(status) if status < 500)
            || self.command(attempt.command).was_killed()
    }

    /// Whether two commands ran at the same time.
    fn overlap(&self, one: &Attempt, other: &Attempt) -> bool {
        self.command(one.command).step == self.command(other.command).step
    }

    /// A restore is sent again only if it was surely not processed. Without `--force`, nothing is
    /// sent for a site whose restore is running or in doubt.
    fn check_attempt(&self, index: usize) {
        let attempt = &self.attempts[index];
        let earlier = &self.attempts[..index];
        let is_same = |other: &&Attempt| other.tag == attempt.tag && other.site == attempt.site;
        if let Some(other) = earlier
            .iter()
            .filter(is_same)
            .find(|other| !other.is_surely_unprocessed())
        {
            self.fail("sent again, but may have been processed", &(other, attempt));
        }
        if self.command(attempt.command).is_forced() {
            return;
        }
        // Of two commands at the same time, the forced one may be late with its request.
        let is_before = |other: &&Attempt| {
            other.site == attempt.site
                && !(self.overlap(other, attempt) && self.command(other.command).is_forced())
        };
        let other_tags: Vec<&Attempt> = earlier.iter().filter(is_before).collect();
        for (position, other) in other_tags.iter().enumerate() {
            let is_settled = other_tags[position + 1..]
                .iter()
                .any(|later| later.task_id.is_some());
            if other.received == Received::Nothing && !is_settled {
                self.fail("sent while another restore is in doubt", &(other, attempt));
            }
        }
        let was_running = attempt.status == Some(409);
        let has_forced_rival = earlier.iter().any(|other| {
            other.site == attempt.site
                && self.overlap(other, attempt)
                && self.command(other.command).is_forced()
        });
        if was_running && !has_forced_rival {
            self.fail("sent while another restore is running", attempt);
        }
    }

    fn check_history(&self, before: &[Row]) {
        for (index, row) in self.history.iter().enumerate() {
            if self.history[..index]
                .iter()
                .any(|other| row.is_same_restore(other))
            {
                self.fail("twice in the history", row);
            }
            let is_of_other_run = |other: &&Row| other.tag == row.tag && other.run != row.run;
            if let Some(other) = self.history.iter().find(is_of_other_run) {
                self.fail("two runs of one key or decision", &(row, other));
            }
            if let Err(problem) = self.check_row(row) {
                self.fail(problem, row);
            }
        }
        for attempt in &self.attempts {
            let mut rows = self.history.iter();
            if !rows.any(|row| row.tag == attempt.tag && row.site == attempt.site) {
                self.fail("sent, but not in the history", attempt);
            }
        }
        for old in before {
            let Some(new) = self.history.iter().find(|row| row.is_same_restore(old)) else {
                self.fail("lost from the history", old);
            };
            let is_final = old.is(&["rejected", "succeeded", "failed", "superseded"]);
            if is_final && old.outcome != new.outcome {
                self.fail("a final outcome has changed", &(old, new));
            }
            if old.is(&["unknown"]) && !new.is(&["unknown", "superseded"]) {
                self.fail("a doubt was settled without evidence", &(old, new));
            }
            if old.snapshot != new.snapshot || old.tag != new.tag {
                self.fail("decided twice", &(old, new));
            }
        }
    }

    /// Returns what is wrong with the outcome of a row.
    fn check_row(&self, row: &Row) -> Result<(), &'static str> {
        let attempts = self.attempts_of(row);
        let last = attempts.last();
        let accepted = attempts.iter().find(|attempt| attempt.task_id.is_some());
        let has_its_task =
            row.task_id.is_some() && accepted.is_some_and(|one| one.task_id == row.task_id);
        let can_have_lost_record = self.can_have_lost_record(row);
        let is_possible = match row.outcome.as_str() {
            "not_sent" => attempts.iter().all(|one| one.is_surely_unprocessed()),
            "rejected" => last.is_some_and(|one| one.received == Received::Status(422)),
            "running" if row.task_id.is_some() => has_its_task,
            "running" => can_have_lost_record && self.doubt_begins() > Some(row.read_at),
            outcome @ ("succeeded" | "failed") => {
                has_its_task && row.status.as_deref() == Some(outcome)
            }
            "unknown" => {
                row.task_id.is_none()
                    && (last.is_some_and(|one| self.may_be_lost(one)) || can_have_lost_record)
            }
            "superseded" => self.was_restored_later(row),
            _ => false,
        };
        if !is_possible {
            return Err("not what the sandbox did");
        }
        let is_certain = accepted.is_some_and(|one| {
            one.was_accepted_visibly() && !self.command(one.command).was_killed()
        });
        if is_certain && !has_its_task {
            return Err("an accepted restore lacks its task");
        }
        Ok(())
    }

    /// Whether a command was killed that may have recorded a request of the row, and nothing else.
    fn can_have_lost_record(&self, row: &Row) -> bool {
        let mut killed = self.commands.iter().filter(|command| command.was_killed());
        killed.any(|command| {
            let is_other_start = command.start().is_some_and(|start| start.key.is_none())
                && command.tag.as_ref() != Some(&row.tag);
            let is_watch = matches!(command.process.action, Action::Watch { .. });
            !is_watch && !is_other_start
        })
    }

    /// Whether a restore of the site was accepted that may be later than the row.
    fn was_restored_later(&self, row: &Row) -> bool {
        let own = self.attempts_of(row);
        if own
            .iter()
            .any(|one| one.was_accepted_visibly() && !self.command(one.command).was_killed())
        {
            return false;
        }
        // A row that was surely not processed is as old as its decision.
        let own_step = match own.last() {
            Some(last) if !last.is_surely_unprocessed() => self.command(last.command).step,
            _ => self.decided.get(&row.run).copied().unwrap_or_default(),
        };
        self.attempts.iter().any(|other| {
            other.site == row.site
                && other.tag != row.tag
                && other.task_id.is_some()
                && self.command(other.command).step >= own_step
        })
    }

    /// Until when a request of a command that was killed counts as running.
    fn doubt_begins(&self) -> Option<Instant> {
        let killed = self.commands.iter().filter(|command| command.was_killed());
        let end = killed
            .map(|command| command.ended_at + REQUEST_TIMEOUT)
            .max();
        end.map(|end| end + Duration::from_millis(50))
    }

    /// How long a request of a command that was killed still counts as running.
    pub fn time_until_doubt(&self) -> Duration {
        self.doubt_begins().map_or(Duration::ZERO, |end| {
            end.saturating_duration_since(Instant::now())
        })
    }

    /// A decision, or its refusal, has a reason in the history before it.
    fn check_decision(&self, command: &Command, before: &[Row], first_new: usize) {
        if let Action::Resume { run: None, .. } = command.process.action {
            self.check_chosen_run(command, before, first_new);
        }
        let Some(start) = command.start() else {
            return;
        };
        let tag = command.tag.as_ref().unwrap();
        if before.iter().any(|row| row.tag == *tag) {
            return;
        }
        let is_decided = self.history.iter().any(|row| row.tag == *tag);
        let certain = self.has_conflict(command, start, before, true);
        let possible = self.has_conflict(command, start, before, false);
        if is_decided && certain && !start.force {
            self.fail("decided in spite of an earlier restore", &command.args);
        }
        if !is_decided && (!possible || start.force) {
            self.fail("refused without a reason", &command.args);
        }
        let count = self.history.iter().filter(|row| row.tag == *tag).count();
        if is_decided && count != start.sites.len() {
            self.fail("the history lacks rows of a run", &command.args);
        }
    }

    /// Whether earlier restores prevent a start: certainly, or possibly.
    fn has_conflict(
        &self,
        command: &Command,
        start: &Start,
        before: &[Row],
        is_certain: bool,
    ) -> bool {
        let is_unfinished_run = |run: &str| {
            let outcomes: &[&str] = if is_certain {
                &["not_sent", "unknown"]
            } else {
                &["not_sent", "unknown", "running"]
            };
            before.iter().any(|row| row.run == run && row.is(outcomes))
        };
        start.sites.iter().any(|index| {
            let rows = before.iter().filter(|row| row.site == SITES[*index]);
            rows.into_iter().any(|row| match row.outcome.as_str() {
                "unknown" => true,
                // The look-up may show that it has ended.
                "running" => {
                    let has_ended = matches!(row.status.as_deref(), Some("succeeded" | "failed"));
                    let stays = !has_ended || command.process.polls_fail;
                    let was_restored = start.is_plan && is_unfinished_run(&row.run);
                    !is_certain && (stays || was_restored)
                }
                "succeeded" => start.is_plan && is_unfinished_run(&row.run),
                _ => false,
            })
        })
    }

    /// `restore resume` without a run chooses the newest interrupted run, and sends nothing else.
    fn check_chosen_run(&self, command: &Command, before: &[Row], first_new: usize) {
        let mut runs: Vec<(usize, &str)> = Vec::new();
        for row in before {
            let rows = || before.iter().filter(|other| other.run == row.run);
            let is_interrupted = rows().any(|row| row.is(&["not_sent"]))
                && rows().any(|row| row.is(&["running", "succeeded", "failed", "unknown"]));
            if is_interrupted {
                runs.push((self.decided[&row.run], &row.run));
            }
        }
        runs.sort_unstable();
        runs.dedup();
        let Some((newest_step, _)) = runs.last() else {
            if command.code() != 4 {
                self.fail("resumed a run, but none was interrupted", &command.args);
            }
            return;
        };
        let newest: Vec<&str> = runs
            .iter()
            .filter(|(step, _)| step == newest_step)
            .map(|(_, run)| *run)
            .collect();
        for attempt in &self.attempts[first_new..] {
            let mut rows = self.history.iter();
            let row = rows.find(|row| row.tag == attempt.tag).unwrap();
            if !newest.contains(&row.run.as_str()) {
                self.fail("resumed another run than the newest", &(newest, attempt));
            }
        }
        if command.code() == 4 {
            self.fail("found no interrupted run", &newest);
        }
    }

    /// The exit code fits the outcomes.
    fn check_exit(&self, command: &Command, before: &[Row]) {
        let rows: Vec<&Row> = match &command.process.action {
            Action::Start(start) => {
                let tag = command.tag.as_ref().unwrap();
                let rows: Vec<&Row> = self.history.iter().filter(|row| row.tag == *tag).collect();
                let is_other =
                    before.iter().any(|row| row.tag == *tag) && !is_same_decision(start, &rows);
                if rows.is_empty() || is_other {
                    return self.require_code(command, &[6]);
                }
                rows
            }
            Action::Resume { .. } => {
                let Some(run) = self.reported_run(command) else {
                    return;
                };
                self.history.iter().filter(|row| row.run == run).collect()
            }
            Action::Watch { .. } | Action::Pause => return,
        };
        let unsent = |row: &&&Row| {
            let attempts = self.attempts_of(row);
            let id = (row.run.clone(), row.site.clone());
            !self.seen_in_doubt.contains(&id)
                && attempts.iter().all(|one| one.is_surely_unprocessed())
        };
        let has = |outcome: &str| rows.iter().any(|row| row.outcome == outcome);
        let errors = rows
            .iter()
            .filter(|row| {
                row.is(&["not_sent", "rejected"]) || (row.is(&["superseded"]) && unsent(row))
            })
            .count();
        let codes: &[i32] = if has("failed") {
            &[10]
        } else if has("unknown") {
            &[12]
        } else if errors == 0 {
            &[0]
        } else if errors == rows.len() {
            &[3, 5, 6, 7, 9]
        } else {
            &[9]
        };
        self.require_code(command, codes);
    }

    fn require_code(&self, command: &Command, codes: &[i32]) {
        if !codes.contains(&command.code()) {
            let subject = (&command.args, command.code(), codes);
            self.fail("the exit code does not fit the outcomes", &subject);
        }
    }

    /// Returns the run that `restore resume` reports.
    fn reported_run(&self, command: &Command) -> Option<String> {
        if let Some(run) = &command.resumed_run {
            return Some(run.clone());
        }
        let printed = serde_json::from_str::<Value>(&command.output().stdout).ok()?;
        printed[0]["run"].as_str().map(String::from)
    }

    /// What a command prints about a restore is what the sandbox did.
    fn check_output(&self, command: &Command, is_alone: bool) {
        let output = command.output();
        if output.stderr.contains("panicked") {
            self.fail("panicked", &command.args);
        }
        let printed = serde_json::from_str::<Value>(&output.stdout).unwrap_or_default();
        let one = std::slice::from_ref(&printed);
        let rows = printed.as_array().map_or(one, Vec::as_slice);
        for row in rows.iter().filter(|row| row.is_object()) {
            let is_possible = if row["outcome"].is_string() {
                self.is_true_result(row)
            } else {
                self.is_true_report(row, is_alone)
            };
            if !is_possible {
                self.fail("printed what the sandbox did not do", row);
            }
        }
        if matches!(command.process.action, Action::Watch { .. }) && printed.is_array() {
            let has = |outcome: &str| rows.iter().any(|row| row["outcome"] == outcome);
            let code = if has("failed") {
                10
            } else if has("unknown") {
                12
            } else {
                0
            };
            self.require_code(command, &[code]);
        }
    }

    /// A watched restore.
    fn is_true_result(&self, row: &Value) -> bool {
        let outcome = row["outcome"].as_str().unwrap();
        match (outcome, row["task_id"].as_str()) {
            ("succeeded" | "failed", Some(task_id)) => self.gateway.task_status(task_id) == outcome,
            ("unknown", _) => true,
            _ => false,
        }
    }

    /// A restore of a run. Another command at the same time may have sent it since it was printed.
    fn is_true_report(&self, row: &Value, is_alone: bool) -> bool {
        let mut known = self.history.iter();
        let Some(known) =
            known.find(|known| row["run"] == *known.run && row["site_id"] == *known.site)
        else {
            return false;
        };
        let was_accepted = self
            .attempts_of(known)
            .iter()
            .any(|one| one.task_id.is_some());
        let error = &row["error"];
        let message = error["message"].as_str().unwrap_or_default();
        match error["kind"].as_str() {
            None if row["task_id"].is_null() && !is_alone => true,
            None => {
                row["task_id"].as_str() == known.task_id.as_deref() && known.outcome != "not_sent"
            }
            Some("unknown_outcome") => known.is(&["unknown", "superseded"]),
            Some("restore_failed") => known.is(&["failed"]),
            Some(_) if !is_alone => true,
            Some(_) if message.contains("not sent") => !was_accepted,
            Some(_) => !known.is(&["succeeded", "running", "unknown"]),
        }
    }

    /// After all runs were resumed, a restore is left only if another one of its site is in doubt.
    pub fn check_resumed(&self, history: &[Row]) {
        for row in history {
            let is_blocked = || {
                let mut others = history.iter().filter(|other| other.site == row.site);
                others.any(|other| other.is(&["unknown"]))
            };
            if row.is(&["running"]) || (row.is(&["not_sent"]) && !is_blocked()) {
                self.fail("not settled although its run was resumed", row);
            }
        }
    }

    /// After the sites in doubt were restored, every restore has an outcome.
    pub fn check_settled(&self, history: &[Row]) {
        for row in history {
            if !row.is(&["succeeded", "failed", "rejected", "superseded"]) {
                self.fail("never settled", row);
            }
        }
    }
}

/// Whether a start is that of the run with its key.
fn is_same_decision(start: &Start, rows: &[&Row]) -> bool {
    start.sites.len() == rows.len()
        && start.sites.iter().all(|index| {
            rows.iter().any(|row| {
                let has_snapshot = start
                    .snapshot
                    .is_none_or(|number| row.snapshot.ends_with(&format!("-{number}")));
                row.site == SITES[*index] && has_snapshot
            })
        })
}
