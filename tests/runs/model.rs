//! The reference model: what the journal, the output and the exit codes may say about restores, given
//! what the sandbox did and what the program received.

use crate::common::Run;
use crate::faults::Received;
use crate::gateway::{Attempt, Gateway};
use crate::sequence::{Action, Process, SITES, Start};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// More than the commands of a home, whose numbers begin with its own multiple.
const COMMANDS: usize = 1000;

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
}

impl Row {
    pub fn new(row: &Value, gateway: &Gateway) -> Self {
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
    /// The number of the home directory whose journal is checked.
    pub home: usize,
    is_alone: bool,
    commands: Vec<Command>,
    attempts: Vec<Attempt>,
    history: Vec<Row>,
    /// The runs, each with the step in which it was decided.
    decided: HashMap<String, usize>,
    steps: usize,
}

impl<'g> Model<'g> {
    pub fn new(gateway: &'g Gateway, home: usize, is_alone: bool) -> Self {
        Self {
            gateway,
            home,
            is_alone,
            commands: Vec::new(),
            attempts: Vec::new(),
            history: Vec::new(),
            decided: HashMap::new(),
            steps: 0,
        }
    }

    pub fn next_number(&self) -> usize {
        let first = self.home * COMMANDS;
        self.commands.last().map_or(first, |last| last.number + 1)
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
        let is_own = |attempt: &Attempt| attempt.command / COMMANDS == self.home;
        self.attempts = self.gateway.attempts();
        self.attempts.retain(is_own);
        self.history = after;
        for row in &self.history {
            let steps = self.steps;
            self.decided.entry(row.run.clone()).or_insert(steps);
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
        if was_running && !has_forced_rival && self.is_alone {
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
            let is_final = old.is(&["rejected", "succeeded", "failed", "unknown"]);
            if is_final && old.outcome != new.outcome {
                self.fail("a final outcome has changed", &(old, new));
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
            "running" => has_its_task,
            outcome @ ("succeeded" | "failed") => {
                has_its_task && row.status.as_deref() == Some(outcome)
            }
            "unknown" => {
                row.task_id.is_none()
                    && (last.is_some_and(|one| self.may_be_lost(one)) || can_have_lost_record)
            }
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
        start.sites.iter().any(|index| {
            let rows = before.iter().filter(|row| row.site == SITES[*index]);
            let mut processed = rows
                .filter(|row| !row.is(&["not_sent", "rejected"]))
                .peekable();
            if is_certain {
                let is_processed = processed.peek().is_some();
                return is_processed && processed.all(|row| row.is(&["unknown"]));
            }
            processed.any(|row| match row.outcome.as_str() {
                "unknown" => true,
                // The look-up may show that it has ended.
                "running" => {
                    let has_ended = matches!(row.status.as_deref(), Some("succeeded" | "failed"));
                    !has_ended || command.process.polls_fail
                }
                _ => false,
            })
        })
    }

    /// `restore resume` without a run resumes the newest run, if it has a restore to send.
    fn check_chosen_run(&self, command: &Command, before: &[Row], first_new: usize) {
        let newest_step = before.iter().map(|row| self.decided[&row.run]).max();
        let newest = before
            .iter()
            .filter(|row| Some(self.decided[&row.run]) == newest_step);
        let newest: Vec<&Row> = newest.collect();
        for attempt in &self.attempts[first_new..] {
            let mut rows = newest.iter();
            if !rows.any(|row| row.tag == attempt.tag && row.is(&["not_sent"])) {
                self.fail("resumed another run than the newest", &(newest, attempt));
            }
        }
        let is_left = |row: &&&Row| row.is(&["not_sent"]);
        let runs: HashSet<&str> = newest.iter().map(|row| row.run.as_str()).collect();
        if command.code() != 4 && newest.iter().find(is_left).is_none() {
            self.fail("resumed a run, but nothing is left to send", &newest);
        }
        let mut left = newest.iter().filter(is_left);
        if command.code() == 4 && runs.len() == 1 && left.any(|row| !self.was_restored_later(row)) {
            self.fail("found no run to resume", &newest);
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
        let has = |outcome: &str| rows.iter().any(|row| row.outcome == outcome);
        let errors = rows.iter().filter(|row| row.is(&["not_sent", "rejected"]));
        let errors = errors.count();
        let mut codes = if has("failed") {
            vec![10]
        } else if errors == 0 {
            vec![0]
        } else if errors == rows.len() {
            vec![3, 5, 6, 7, 8, 9]
        } else {
            vec![9]
        };
        if has("unknown") && !has("failed") {
            // A later restore ends a doubt.
            let mut doubts = rows.iter().filter(|row| row.is(&["unknown"]));
            if !doubts.all(|row| self.was_restored_later(row)) {
                codes.clear();
            }
            codes.push(12);
        }
        self.require_code(command, &codes);
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
            if row["run"].is_string() && !self.is_true(row, is_alone) {
                self.fail("printed what the journal does not say", row);
            }
        }
        if matches!(command.process.action, Action::Watch { .. }) && printed.is_array() {
            let has = |outcome: &str| rows.iter().any(|row| row["outcome"] == outcome);
            let codes: &[i32] = if has("failed") {
                &[10]
            } else if has("unknown") {
                &[12]
            } else if has("not_sent") || has("rejected") {
                &[3, 5, 6, 7, 8, 9]
            } else {
                &[0]
            };
            self.require_code(command, codes);
        }
    }

    /// Whether the journal says now what was printed. Another command at the same time may have
    /// changed what is not final.
    fn is_true(&self, printed: &Value, is_alone: bool) -> bool {
        let mut rows = self.history.iter();
        let row = rows.find(|row| printed["run"] == *row.run && printed["site_id"] == *row.site);
        let Some(row) = row else {
            return false;
        };
        let outcome = printed["outcome"].as_str().unwrap();
        let is_final = ["succeeded", "failed", "rejected"].contains(&outcome);
        let has_error = !printed["error"].is_null();
        let is_whole = has_error || !["failed", "rejected"].contains(&outcome);
        let is_same =
            outcome == row.outcome && printed["task_id"].as_str() == row.task_id.as_deref();
        is_whole && (is_same || !(is_final || is_alone))
    }

    /// After all runs were resumed, a restore is left only if another one of its site is in doubt.
    pub fn check_resumed(&self, history: &[Row]) {
        for row in history {
            let is_blocked = || {
                let mut others = history.iter().filter(|other| other.site == row.site);
                others.any(|other| other.is(&["unknown"])) || self.was_restored_later(row)
            };
            if row.is(&["running"]) || (row.is(&["not_sent"]) && !is_blocked()) {
                self.fail("not settled although its run was resumed", row);
            }
        }
    }

    /// After the sites in doubt were restored, every restore has an outcome.
    pub fn check_settled(&self, history: &[Row]) {
        for row in history {
            if row.is(&["running"]) {
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
