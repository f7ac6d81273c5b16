//! What a run of `clients apply` may do and say, given the file and what the sandbox did.

use crate::case::{ApplyCase, NORMALIZED_NOTE, OWNER_EMAIL, UNKNOWN_SITE};
use crate::common::Run;
use crate::faults::Received;
use crate::file::{FileRow, Plan, folded};
use crate::gateway::{Account, Client, Exchange, owner_of};
use crate::report::Report;
use std::collections::BTreeSet;

/// A run that has ended.
pub struct Finished<'c> {
    pub case: &'c ApplyCase,
    pub rows: &'c [FileRow],
    /// Whether nothing disturbed the run.
    pub is_clean: bool,
    pub log: Vec<Exchange>,
    pub before: Account,
    pub after: Account,
    pub run: Run,
}

impl Exchange {
    fn is_by_colleague(&self) -> bool {
        self.received.is_none()
    }

    fn is_change(&self) -> bool {
        self.line.starts_with("POST") && !self.is_by_colleague()
    }

    fn is_read(&self) -> bool {
        self.line.starts_with("GET")
    }

    fn was_seen(&self) -> bool {
        matches!(self.received, Some(Received::Status(200..300)))
    }

    /// Whether the program cannot know what became of the change.
    fn is_doubtful(&self) -> bool {
        self.is_change()
            && matches!(
                self.received,
                Some(Received::Nothing | Received::Status(408 | 500..))
            )
    }

    fn has_effect(&self) -> bool {
        self.before != self.after
    }

    /// Returns the id of the client that an update changes.
    fn updated_id(&self) -> Option<&str> {
        let id = self.line.strip_prefix("POST /clients/")?;
        id.strip_suffix("/update")
    }

    fn had(&self, id: &str, site: &str) -> bool {
        has_site(&self.before, id, site)
    }

    fn has(&self, id: &str, site: &str) -> bool {
        has_site(&self.after, id, site)
    }
}

fn has_site(account: &Account, id: &str, site: &str) -> bool {
    account
        .get(id)
        .is_some_and(|client| client.sites.contains(site))
}

impl Finished<'_> {
    pub fn changed_nothing(&self) -> bool {
        self.before == self.after
    }

    /// Panics with everything about the run.
    #[track_caller]
    fn require(&self, condition: bool, promise: &str) {
        if condition {
            return;
        }
        let mut log = String::new();
        for exchange in &self.log {
            let Exchange {
                line,
                body,
                received,
                ..
            } = exchange;
            log += &format!("  {line} {body} -> {received:?}\n");
            if exchange.has_effect() {
                log += &format!("    {:?}\n", exchange.after);
            }
        }
        let run = &self.run;
        panic!(
            "{promise}\ncase: {:?}\nrows: {:?}\nbefore: {:?}\n{log}{}{}exit {}",
            self.case, self.rows, self.before, run.stdout, run.stderr, run.code
        );
    }

    fn changes(&self) -> impl Iterator<Item = &Exchange> {
        self.log.iter().filter(|exchange| exchange.is_change())
    }

    fn was_interrupted(&self) -> bool {
        self.run.code == 130
    }

    fn was_killed(&self) -> bool {
        self.run.code == -1
    }

    fn has_colleague(&self) -> bool {
        self.log.iter().any(Exchange::is_by_colleague)
    }

    /// Whether the program can know everything that happened.
    fn is_certain(&self) -> bool {
        !self.has_colleague()
            && !self.was_interrupted()
            && !self.changes().any(Exchange::is_doubtful)
    }

    /// Returns the request for the list on which the plan is based.
    fn plan_index(&self) -> Option<usize> {
        let first_change = self.log.iter().position(Exchange::is_change);
        let log = &self.log[..first_change.unwrap_or(self.log.len())];
        log.iter()
            .rposition(|exchange| exchange.line.starts_with("GET /clients?") && exchange.was_seen())
    }

    /// Returns the account on which the plan is based.
    fn planned(&self) -> &Account {
        match self.plan_index() {
            Some(index) => &self.log[index].before,
            None => &self.before,
        }
    }

    fn row_of(&self, id: &str) -> Option<&FileRow> {
        let client = self.planned().get(id)?;
        self.rows.iter().find(|row| row.is_of(id, client))
    }

    /// Whether the program must refuse the file, as far as it could read the sites.
    fn has_known_problem(&self) -> bool {
        let mut log = self.log.iter();
        let last_page = log.rfind(|other| other.line.starts_with("GET /sites"));
        let sites_are_known = last_page.is_some_and(Exchange::was_seen);
        let plan = Plan {
            rows: self.rows,
            account: self.planned(),
            prunes: self.case.prunes,
            sites_are_known,
        };
        plan.has_problem()
    }

    pub fn check(&self) {
        let is_allowed = match self.run.code {
            -1 => !self.is_clean,
            130 => !self.is_clean && self.case.can_be_interrupted(),
            code => (0..=13).contains(&code),
        };
        self.require(is_allowed, "the exit code is one of the contract");
        for (index, exchange) in self.log.iter().enumerate() {
            if exchange.is_change() {
                self.check_change(index);
            }
        }
        let said_unchanged = self.run.stderr.contains("No changes were made");
        let has_effect = self.changes().any(Exchange::has_effect);
        self.require(
            !said_unchanged || !has_effect,
            "no changes were made if it says so",
        );
        match Report::of(&self.run) {
            Some(report) => self.check_report(&report),
            None if !self.was_killed() => self.check_refusal(),
            None => {}
        }
    }

    /// Checks a change that the program sent.
    fn check_change(&self, index: usize) {
        let exchange = &self.log[index];
        self.require(
            self.plan_index().is_some_and(|plan| plan < index),
            "nothing is sent without a complete list",
        );
        self.check_repetition(index);
        if !exchange.has_effect() {
            return;
        }
        if let Some(id) = exchange.updated_id() {
            self.check_update(index, id);
        } else if exchange.line == "POST /clients/delete" {
            let mut deleted = exchange.before.keys();
            let is_ordered = deleted.all(|id| {
                exchange.after.contains_key(id) || (self.case.prunes && self.row_of(id).is_none())
            });
            self.require(is_ordered, "only clients without a row are deleted");
        } else {
            let mut created = exchange.after.iter();
            let is_row = |row: &FileRow, client: &Client| {
                let has_email = row.folded_email() == Some(folded(&client.email));
                row.is_done(client) || has_email && self.is_normalized(row)
            };
            let is_ordered = created.all(|(id, client)| {
                let mut rows = self.rows.iter();
                exchange.before.contains_key(id) || rows.any(|row| is_row(row, client))
            });
            self.require(is_ordered, "a new client is one of the file");
        }
    }

    /// Checks that a change whose outcome is unknown is looked up before it is sent again, and that
    /// a change that was made is not sent again.
    fn check_repetition(&self, index: usize) {
        let exchange = &self.log[index];
        let earlier = self.log[..index].iter().rposition(|earlier| {
            earlier.is_change() && earlier.line == exchange.line && earlier.body == exchange.body
        });
        let Some(earlier) = earlier else {
            return;
        };
        let between = &self.log[earlier + 1..index];
        if self.log[earlier].is_doubtful() {
            self.require(
                between.iter().any(Exchange::is_read),
                "a change whose outcome is unknown is looked up before it is sent again",
            );
        } else if self.log[earlier].was_seen() {
            self.require(
                between.iter().any(Exchange::has_effect),
                "a change that was made is not sent again",
            );
        }
    }

    /// Checks an update that changed a client.
    fn check_update(&self, index: usize, id: &str) {
        let exchange = &self.log[index];
        let Some(row) = self.row_of(id) else {
            return self.require(false, "a client without a row is not changed");
        };
        for (field, value) in [("email", &row.email), ("note", &row.note)] {
            let sent = &exchange.body["client"][field];
            self.require(
                sent.is_null() || sent.as_str() == value.as_deref().map(str::trim),
                "a field gets the value of the row",
            );
        }
        let no_sites = BTreeSet::new();
        let (before, after) = (&exchange.before[id].sites, &exchange.after[id].sites);
        let row_sites = row.sites.as_ref().unwrap_or(&no_sites);
        let path = format!("GET /clients/{id}");
        let mut reads = self.log[..index].iter().rev();
        let read = reads.find(|exchange| exchange.line == path);
        for site in before - after {
            // A colleague can add a site between the read and the release.
            if read.is_some_and(|read| !read.has(id, &site)) {
                continue;
            }
            self.require(
                row.sites.is_some() && !row_sites.contains(&site),
                "a client loses only sites that the file takes from it",
            );
            self.check_not_overwritten(index, id, &site);
        }
        for site in after - before {
            if row_sites.contains(&site) {
                self.check_not_overwritten(index, id, &site);
                continue;
            }
            // A colleague can take a site right before a release of others is sent.
            let changed = self.last_change(index, id, &site);
            let was_taken = changed.is_some_and(|changed| self.log[changed].is_by_colleague());
            self.require(was_taken, "a client gets only sites of its row");
            self.check_not_overwritten(index, id, &site);
        }
    }

    /// Returns the last exchange before `index` in which the client got or lost the site.
    fn last_change(&self, index: usize, id: &str, site: &str) -> Option<usize> {
        let mut log = self.log[..index].iter();
        log.rposition(|other| other.had(id, site) != other.has(id, site))
    }

    /// Checks that the program does not undo a colleague's change that it could see: it reads the
    /// client right before it changes the client's sites.
    fn check_not_overwritten(&self, index: usize, id: &str, site: &str) {
        let exchange = &self.log[index];
        let Some(changed) = self.last_change(index, id, site) else {
            return;
        };
        let is_as_planned = has_site(self.planned(), id, site) == exchange.had(id, site);
        if !self.log[changed].is_by_colleague() || is_as_planned {
            return;
        }
        let read = format!("GET /clients/{id}");
        let could_see = self.log[changed + 1..index].iter().any(|other| {
            let is_read = other.line == read && other.was_seen();
            is_read || (self.case.concurrency == "1" && !other.is_by_colleague())
        });
        self.require(!could_see, "a change of the colleague is not overwritten");
    }

    /// Checks a command that ended without a report.
    fn check_refusal(&self) {
        self.require(
            self.changes().next().is_none(),
            "a command that made changes reports them",
        );
        if self.is_clean {
            self.require(self.run.code == 5, "only a wrong file is refused");
        }
        if self.run.code == 5 {
            self.require(
                self.has_known_problem(),
                "a file is refused only if it has a problem",
            );
        }
    }

    fn check_report(&self, report: &Report) {
        self.require(
            !self.has_known_problem(),
            "a file with a problem is refused before anything is changed",
        );
        self.check_exit_code(report);
        if self.is_clean {
            let failures = report.failures();
            let has_failed = |row: &&FileRow| failures.iter().any(|one| one.key == row.key());
            for row in self.rows.iter().filter(has_failed) {
                self.require(
                    self.is_refused(row),
                    "a row fails only if something is wrong",
                );
            }
        }
        self.check_rows(report);
        self.check_named_sites(report);
        self.check_lost_sites(report);
        if self.is_certain() {
            let mut records = report.records();
            self.require(
                records.all(|record| {
                    let id = record["id"].as_str().unwrap();
                    self.after.get(id) == Some(&Client::new(record))
                }),
                "a reported client is the one that the service has",
            );
        }
    }

    fn check_exit_code(&self, report: &Report) {
        let code = report.exit_code();
        let may_be_unknown = self.changes().any(Exchange::is_doubtful);
        let is_allowed = match self.run.code {
            12 => may_be_unknown && code != 0,
            130 => self.case.can_be_interrupted() && code != 0,
            _ => false,
        };
        self.require(
            self.run.code == code || is_allowed,
            "the exit code follows from the failures",
        );
    }

    fn check_rows(&self, report: &Report) {
        let failures = report.failures();
        let failure_of = |row: &FileRow| failures.iter().find(|error| error.key == row.key());
        let mut unchanged = 0;
        for row in self.rows {
            let is_unchanged = row.is_done_in(self.planned());
            let Some(failure) = failure_of(row) else {
                unchanged += usize::from(is_unchanged);
                let change = row.change_of(self.planned());
                let mut log = self.log.iter();
                self.require(
                    is_unchanged || log.any(|other| change.is_done_in(&other.after)),
                    "a row that did not fail is done",
                );
                continue;
            };
            let mut own_changes = self
                .changes()
                .filter(|exchange| exchange.has_effect() && self.is_of_row(exchange, row));
            let is_unknown = ["unknown_outcome", "interrupted"].contains(&&*failure.kind);
            self.require(
                is_unknown
                    || report.has_changed(failure)
                    || own_changes.all(|other| other.is_doubtful() && self.has_colleague()),
                "a failed row was not done, or its outcome is unknown",
            );
            self.require(
                failure.kind != "unknown_outcome" || self.changes().any(Exchange::is_doubtful),
                "an outcome is unknown only if no response arrived",
            );
        }
        self.require(
            report.unchanged() == unchanged,
            "unchanged rows are counted",
        );
    }

    /// Whether this is surely the change of the row, and not a release of sites for another row.
    fn is_of_row(&self, exchange: &Exchange, row: &FileRow) -> bool {
        let fields = exchange.body["client"].as_object();
        if exchange.line == "POST /clients" {
            let email = exchange.body["client"]["email"].as_str().map(folded);
            return email == row.folded_email();
        }
        let client = row.client(self.planned()).map(String::as_str);
        let mut names = fields.into_iter().flat_map(serde_json::Map::keys);
        exchange.updated_id() == client && client.is_some() && names.any(|name| name != "site_ids")
    }

    /// Checks that the sites which errors name were released, or may have been.
    fn check_named_sites(&self, report: &Report) {
        for failure in report.failures() {
            for named in failure.released_sites() {
                let was_released = |other: &Exchange| {
                    other.had(named.from, named.site)
                        && (!other.has(named.from, named.site) || other.is_doubtful())
                };
                self.require(
                    self.log.iter().any(was_released)
                        || (!named.is_certain && self.was_interrupted()),
                    "a site that is named was released, or may be",
                );
            }
        }
    }

    /// Checks that the error of each row names the sites that were released for it, and that have
    /// no client.
    fn check_lost_sites(&self, report: &Report) {
        let failures = report.failures();
        for (former, client) in self.planned() {
            for site in &client.sites {
                if owner_of(&self.after, site).is_some() {
                    continue;
                }
                let claims = |row: &&FileRow| {
                    let mut sites = row.sites.iter().flatten();
                    sites.any(|claimed| claimed == site) && !row.is_of(former, client)
                };
                let Some(row) = self.rows.iter().find(claims) else {
                    continue;
                };
                let mut log = self.log.iter();
                let lost = log.rfind(|other| {
                    owner_of(&other.before, site).is_some()
                        && owner_of(&other.after, site).is_none()
                });
                if lost.is_none_or(Exchange::is_by_colleague) {
                    continue;
                }
                let mut failures = failures.iter();
                let failure = failures.find(|failure| failure.key == row.key());
                let mut named = failure.iter().flat_map(|failure| failure.released_sites());
                self.require(
                    named.any(|named| named.site == *site) && self.run.stderr.contains(site),
                    "the error of a claim names the site that was released for it",
                );
            }
        }
    }

    /// Checks the last run, which changed nothing.
    pub fn check_end(&self) {
        let Some(report) = Report::of(&self.run) else {
            return;
        };
        let failures = report.failures();
        let (failed, done): (Vec<&FileRow>, Vec<&FileRow>) = self
            .rows
            .iter()
            .partition(|row| failures.iter().any(|error| error.key == row.key()));
        if self.run.code == 0 {
            self.require(
                self.changes().next().is_none(),
                "a second run changes nothing",
            );
        }
        let is_claimed_in_vain = |site: &String| {
            let mut sites = failed.iter().filter_map(|row| row.sites.as_ref());
            sites.any(|sites| sites.contains(site))
        };
        for row in done {
            let client = row.client(&self.after).map(|id| self.after[id].clone());
            let Some(mut client) = client else {
                return self.require(false, "the client of a row that did not fail exists");
            };
            let row_sites = row.sites.clone().unwrap_or_default();
            client
                .sites
                .retain(|site| row_sites.contains(site) || !is_claimed_in_vain(site));
            self.require(row.is_done(&client), "a row that did not fail is done");
        }
    }

    /// Whether the service stores another note than that of the row.
    fn is_normalized(&self, row: &FileRow) -> bool {
        self.case.normalizes && row.note.as_deref() == Some(NORMALIZED_NOTE)
    }

    /// Whether the service does not keep the row, or refuses it: it is wrong, or a client that is not changed has its
    /// email or one of its sites.
    fn is_refused(&self, row: &FileRow) -> bool {
        let id = row.client(&self.after).map(String::as_str);
        let mut sites = row.sites.iter().flatten();
        let email = row.folded_email();
        let mut others = self
            .after
            .iter()
            .filter(|(other, _)| Some(other.as_str()) != id);
        self.is_normalized(row)
            || email == Some(folded(OWNER_EMAIL))
            || others.any(|(_, other)| Some(folded(&other.email)) == email)
            || sites.any(|site| {
                site == UNKNOWN_SITE
                    || owner_of(&self.after, site).is_some_and(|owner| Some(owner) != id)
            })
    }
}
