//! The reference model: what the journal, the output and the exit codes may say about restores, given
//! what the sandbox did and what the program received.

use crate::common::Run;
use crate::faults::Received;
use crate::gateway::{Attempt, Gateway};
use crate::sequence::{ACCOUNTS, Action, Process, SITES, Start, is_other};
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
    pub snapshot: Option<String>,
    pub outcome: String,
    pub task_id: Option<String>,
    has_error: bool,
    /// The account that the run belongs to.
    pub owner: usize,
    /// Whether the run was started without this restore.
    is_refused: bool,
    /// The status of the task in the sandbox, right after the history was read.
    pub status: Option<String>,
}

impl Row {
    /// Reads a row of the history and, from the events of the journal, what the history does not say.
    pub fn new(row: &Value, events: &[Value], gateway: &Gateway, home: usize) -> Self {
        let text = |field: &str| row[field].as_str().map(String::from);
        let (run, site) = (text("run").unwrap(), text("site_id").unwrap());
        let decided = events.iter().find(|event| event["decided"]["run"] == *run);
        let decided = &decided.unwrap()["decided"];
        let mut transfers = events.iter().map(|event| &event["transferred"]);
        let last = transfers.rfind(|transfer| transfer["run"] == *run);
        let digest = last.map_or(&decided["details"]["account"], |last| &last["account"]);
        let mut accounts = 0..ACCOUNTS;
        let mut restores = decided["restores"].as_array().unwrap().iter();
        let restore = restores.find(|restore| restore["site_id"] == *site);
        let task_id = text("task_id");
        Self {
            owner: accounts
                .find(|account| *digest == *gateway.account_digest(home, *account))
                .unwrap(),
            is_refused: !restore.unwrap()["refusal"].is_null(),
            run,
            site,
            tag: row["scope"]["paths"][0].as_str().unwrap().into(),
            snapshot: text("snapshot_id"),
            outcome: text("outcome").unwrap(),
            has_error: !row["error"].is_null(),
            status: task_id.as_deref().map(|id| gateway.task_status(id)),
            task_id,
        }
    }

    pub fn has_key(&self, key: &str) -> bool {
        self.tag.starts_with(&format!("./{key}-"))
    }

    /// Whether a command can still send it.
    pub fn is_left(&self) -> bool {
        self.is(&["not_sent"]) && !self.is_refused
    }

    fn is(&self, outcomes: &[&str]) -> bool {
        outcomes.contains(&self.outcome.as_str())
    }

    /// Whether it is the restore of this record.
    fn is_in(&self, record: &Value) -> bool {
        record["run"] == *self.run && record["site_id"] == *self.site
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

    pub fn was_killed(&self) -> bool {
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

    /// Whether the service shows a site to the account of the command.
    fn sees(&self, site: &str) -> bool {
        SITES[usize::from(is_other(self.process.account))].contains(&site)
    }

    /// Whether it names the run of a row, or a site of it.
    fn names(&self, row: &Row) -> bool {
        match self.process.action {
            Action::Watch { site: Some(site) } => row.site == site,
            _ => self.resumed_run.as_ref() == Some(&row.run),
        }
    }

    /// Returns the restores that it printed.
    fn printed(&self) -> Vec<Value> {
        let printed = serde_json::from_str(&self.output().stdout).unwrap_or_default();
        let rows = match printed {
            Value::Array(rows) => rows,
            one => vec![one],
        };
        let rows = rows.into_iter();
        rows.filter(|row| row["run"].is_string()).collect()
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
    journal: String,
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
            journal: String::new(),
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
    pub fn check_step(
        &mut self,
        mut commands: Vec<Command>,
        before: &[Row],
        after: Vec<Row>,
        journal: String,
    ) {
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
            self.check_attempt(index, before);
        }
        self.check_history(before);
        self.check_owners(before, &self.commands[indexes.clone()]);
        for command in &self.commands[indexes.clone()] {
            if command.was_killed() {
                continue;
            }
            let is_alone = indexes.len() == 1;
            self.check_output(command, is_alone);
            if is_alone {
                self.check_decision(command, before);
                self.check_resume(command, before);
                self.check_access(command, before, journal == self.journal);
            }
        }
        self.journal = journal;
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

    fn attempts_by(&self, command: &Command) -> Vec<&Attempt> {
        let attempts = self.attempts.iter();
        attempts
            .filter(|attempt| attempt.command == command.number)
            .collect()
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
    /// sent for a site whose restore is running or in doubt. A restore that was left is not sent
    /// after a later one of its site.
    fn check_attempt(&self, index: usize, before: &[Row]) {
        let attempt = &self.attempts[index];
        let sender = self.command(attempt.command);
        if attempt.account != sender.process.account || !sender.sees(&attempt.site) {
            self.fail("sent with another account", attempt);
        }
        let mut old = before.iter();
        let old = old.find(|row| row.tag == attempt.tag && row.site == attempt.site);
        if old.is_some_and(|row| self.is_superseded(row, before, true)) {
            self.fail("sent although the site was restored since", attempt);
        }
        let earlier = &self.attempts[..index];
        let is_same = |other: &&Attempt| other.tag == attempt.tag && other.site == attempt.site;
        if let Some(other) = earlier
            .iter()
            .filter(is_same)
            .find(|other| !other.is_surely_unprocessed())
        {
            self.fail("sent again, but may have been processed", &(other, attempt));
        }
        if sender.is_forced() {
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
            let decision = |row: &Row| (row.snapshot.clone(), row.tag.clone(), row.is_refused);
            if decision(old) != decision(new) {
                self.fail("decided twice", &(old, new));
            }
        }
    }

    /// A run belongs to the account that has decided it, until another token of the account names it.
    fn check_owners(&self, before: &[Row], commands: &[Command]) {
        for new in &self.history {
            let old = before.iter().find(|row| row.run == new.run);
            let of_tag = new.tag.rsplit('-').next().unwrap().parse().unwrap();
            if new.owner == old.map_or(of_tag, |old| old.owner) {
                continue;
            }
            let mut rows = self.history.iter().filter(|row| row.run == new.run);
            let is_taken = rows.any(|row| {
                let mut commands = commands.iter();
                commands.any(|command| {
                    let is_new_owner = command.process.account == new.owner;
                    is_new_owner && command.names(row) && command.sees(&row.site)
                })
            });
            if !is_taken {
                self.fail("the run belongs to another account", new);
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
            "not_sent" if row.is_refused => attempts.is_empty() && row.has_error,
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

    /// Whether a row that is left has a later restore of its site that succeeded, or may still change
    /// the site: certainly, or possibly.
    fn is_superseded(&self, row: &Row, rows: &[Row], is_certain: bool) -> bool {
        let decided = self.decided[&row.run];
        rows.iter().any(|other| {
            let attempts = self.attempts_of(other);
            let sent = attempts.last().map(|last| self.command(last.command).step);
            let has_succeeded = other.status.as_deref() == Some("succeeded");
            let is_effective = if is_certain {
                sent > Some(decided) && (has_succeeded || other.is(&["unknown"]))
            } else {
                sent.is_none_or(|sent| sent >= decided)
                    && other.is(&["succeeded", "running", "unknown"])
            };
            other.site == row.site && other.run != row.run && is_effective
        })
    }

    /// A decision, or its refusal, has a reason in the history before it.
    fn check_decision(&self, command: &Command, before: &[Row]) {
        let Some(start) = command.start() else {
            return;
        };
        let tag = command.tag.as_ref().unwrap();
        let rows: Vec<&Row> = self.history.iter().filter(|row| row.tag == *tag).collect();
        let sites = command.process.sites(start);
        let is_known = before.iter().any(|row| row.tag == *tag);
        if is_known && !is_same_decision(start, &sites, &rows) {
            return self.require_code(command, &[6]);
        }
        if command.printed().len() != rows.len() {
            self.fail("did not report the restores of its run", &command.args);
        }
        if is_known {
            return;
        }
        let refusals = |is_certain| {
            let refusal = |site: &&str| self.refusal(command, start, site, before, is_certain);
            sites.iter().map(refusal).collect::<Vec<_>>()
        };
        let [certain, possible] = [refusals(true), refusals(false)];
        let has_key = |row: &&Row| start.key.is_some_and(|key| row.has_key(key));
        let mut with_key = before.iter().filter(has_key);
        let is_key_taken = with_key.any(|row| sites.contains(&&*row.site));
        let takes_all = sites.len() == 1 || !start.keep_going;
        let prevents = |refusals: &[Option<i32>]| {
            let count = refusals.iter().flatten().count();
            is_key_taken || count == sites.len() || (takes_all && count > 0)
        };
        if rows.is_empty() {
            if !prevents(&possible) {
                self.fail("refused without a reason", &command.args);
            }
            let codes: HashSet<i32> = certain.into_iter().chain(possible).flatten().collect();
            let mut codes: Vec<i32> = codes.into_iter().collect();
            if is_key_taken {
                codes = vec![6];
            } else if codes.len() > 1 {
                codes.push(9);
            }
            return self.require_code(command, &codes);
        }
        if prevents(&certain) {
            self.fail("decided in spite of a reason", &command.args);
        }
        if rows.len() != sites.len() {
            self.fail("the history lacks rows of a run", &command.args);
        }
        for row in rows {
            let index = sites.iter().position(|site| *site == row.site).unwrap();
            let is_possible = !takes_all && possible[index].is_some();
            if row.is_refused && !is_possible || !row.is_refused && certain[index].is_some() {
                self.fail("left out without a reason, or not left out", row);
            }
            if row.is(&["not_sent"]) && !row.has_error {
                self.fail("the history does not say why it was not sent", row);
            }
        }
    }

    /// Returns the exit code of the reason why a site cannot be restored: certainly, or possibly.
    fn refusal(
        &self,
        command: &Command,
        start: &Start,
        site: &str,
        before: &[Row],
        is_certain: bool,
    ) -> Option<i32> {
        if !start.force && has_conflict(command, site, before, is_certain) {
            return Some(6);
        }
        (start.snapshot == Some(4) && site.ends_with('2')).then_some(5)
    }

    /// What a resumed run sends and passes over has a reason in the history before it.
    fn check_resume(&self, command: &Command, before: &[Row]) {
        let Action::Resume {
            run, keep_going, ..
        } = command.process.action
        else {
            return;
        };
        if run.is_none() {
            self.check_chosen_run(command, before);
        }
        let has_sent = !self.attempts_by(command).is_empty();
        for printed in command.printed() {
            let mut left = before.iter().filter(|row| row.is_left());
            let Some(row) = left.find(|row| row.is_in(&printed)) else {
                continue;
            };
            let is_superseded = self.is_superseded(row, before, true);
            if is_superseded && printed["error"]["kind"] != "conflict" {
                self.fail("passed over without saying why", &printed);
            }
            let is_earlier = !self.is_superseded(row, before, false);
            let is_refused = is_earlier && has_conflict(command, &row.site, before, true);
            if is_refused && !keep_going && has_sent {
                self.fail("sent, but another restore of the run cannot be sent", row);
            }
        }
    }

    /// `restore resume` without a run resumes the account's newest run, if it has a restore to send.
    fn check_chosen_run(&self, command: &Command, before: &[Row]) {
        let is_own = |row: &&Row| row.owner == command.process.account;
        let own = before.iter().filter(is_own);
        let newest_step = own.clone().map(|row| self.decided[&row.run]).max();
        let newest = own.filter(|row| Some(self.decided[&row.run]) == newest_step);
        let newest: Vec<&Row> = newest.collect();
        for attempt in self.attempts_by(command) {
            let mut rows = newest.iter();
            if !rows.any(|row| row.tag == attempt.tag && row.is_left()) {
                self.fail("resumed another run than the newest", &(newest, attempt));
            }
        }
        let runs: HashSet<&str> = newest.iter().map(|row| row.run.as_str()).collect();
        let mut left = newest.iter().filter(|row| row.is_left()).peekable();
        if command.code() != 4 && left.peek().is_none() {
            self.fail("resumed a run, but nothing is left to send", &newest);
        }
        let mut sendable = left.filter(|row| !self.is_superseded(row, before, false));
        if command.code() == 4 && runs.len() == 1 && sendable.next().is_some() {
            self.fail("found no run to resume", &newest);
        }
    }

    /// A command reports the runs of its account. It takes over a run that it names if the service
    /// shows it. Otherwise, it does nothing.
    fn check_access(&self, command: &Command, before: &[Row], is_unchanged: bool) {
        let printed = command.printed();
        let has_printed = |row: &Row| printed.iter().any(|printed| row.is_in(printed));
        let account = command.process.account;
        let mut reported = self.history.iter().filter(|row| has_printed(row));
        if let Some(row) = reported.find(|row| row.owner != account) {
            self.fail("reported a run of another account", row);
        }
        let named: Vec<&Row> = before.iter().filter(|row| command.names(row)).collect();
        if let Some(row) = named.iter().find(|row| !command.sees(&row.site)) {
            self.require_code(command, &[6]);
            if !self.attempts_by(command).is_empty() || !is_unchanged {
                self.fail("changed the run of another account", row);
            }
        } else if !named.is_empty() {
            let is_unread = command.process.polls_fail && command.code() == 8;
            let may_be_unread = is_unread && named.iter().any(|row| row.owner != account);
            if printed.is_empty() && !may_be_unread {
                self.fail("did not report the run that it names", &named);
            }
        } else if let Action::Watch { site: Some(_) } = command.process.action {
            self.require_code(command, &[4]);
        } else if let Action::Watch { site: None } = command.process.action {
            let mut open = before.iter().filter(|row| row.is(&["running"]));
            if let Some(row) = open.find(|row| row.owner == account && !has_printed(row)) {
                self.fail("not watched", row);
            }
        }
    }

    fn require_code(&self, command: &Command, codes: &[i32]) {
        if !codes.contains(&command.code()) {
            let subject = (&command.args, command.code(), codes);
            self.fail("the exit code does not fit the outcomes", &subject);
        }
    }

    /// What a command prints about a restore is what the sandbox did, and the exit code fits.
    fn check_output(&self, command: &Command, is_alone: bool) {
        let output = command.output();
        if output.stderr.contains("panicked") {
            self.fail("panicked", &command.args);
        }
        let rows = command.printed();
        for row in &rows {
            if !self.is_true(row, is_alone) {
                self.fail("printed what the journal does not say", row);
            }
        }
        let count = |outcome: &str| rows.iter().filter(|row| row["outcome"] == outcome).count();
        let errors = count("not_sent") + count("rejected");
        let codes: &[i32] = if rows.is_empty() {
            return;
        } else if count("failed") > 0 {
            &[10]
        } else if count("unknown") > 0 {
            &[12]
        } else if errors == 0 {
            &[0]
        } else if errors == rows.len() {
            &[3, 5, 6, 7, 8, 9]
        } else {
            &[9]
        };
        self.require_code(command, codes);
    }

    /// Whether the journal says now what was printed. Another command at the same time may have
    /// changed what is not final.
    fn is_true(&self, printed: &Value, is_alone: bool) -> bool {
        let mut rows = self.history.iter();
        let Some(row) = rows.find(|row| row.is_in(printed)) else {
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
                others.any(|other| other.is(&["unknown"]))
                    || self.is_superseded(row, history, false)
            };
            if row.is(&["running"]) || (row.is_left() && !is_blocked()) {
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

/// Whether earlier restores prevent another one of a site: certainly, or possibly.
fn has_conflict(command: &Command, site: &str, before: &[Row], is_certain: bool) -> bool {
    let rows = before.iter().filter(|row| row.site == site);
    let mut processed = rows
        .filter(|row| !row.is(&["not_sent", "rejected"]))
        .peekable();
    if is_certain {
        return processed.peek().is_some() && processed.all(|row| row.is(&["unknown"]));
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
}

/// Whether a start is that of the run with its key.
fn is_same_decision(start: &Start, sites: &[&str], rows: &[&Row]) -> bool {
    sites.len() == rows.len()
        && rows.iter().all(|row| {
            let snapshot = row.snapshot.as_deref().zip(start.snapshot);
            let is_same = snapshot.is_none_or(|(id, number)| id.ends_with(&format!("-{number}")));
            is_same && sites.contains(&&*row.site)
        })
}
