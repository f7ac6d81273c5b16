//! What lists have shown of an account, in a small file of the state directory, for the completion of ids: it must not
//! ask the service, so it offers what was seen last, however old. Nothing depends on it, and what is damaged, too large
//! or unreadable counts for nothing.

use crate::config::Secret;
use crate::private;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The most records that are kept of one list.
const MOST: usize = 1000;
/// The most bytes of the file: of the lists that have not changed for longest, nothing is kept.
const LARGEST: usize = 256 << 10;
/// The longest text that is kept, in bytes.
const LONGEST: usize = 200;

/// A record as far as it is kept: its id, and what it is known by beside that.
pub type Known = (String, String);

/// What one list of one account has shown, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct List {
    account: String,
    /// Its path below the base URL.
    path: String,
    records: Vec<Known>,
}

/// Where it is kept, and of which account.
#[derive(Debug, Clone)]
pub struct Place {
    file: PathBuf,
    account: String,
}

/// What one run sees. It is written down once, when the run ends in an orderly way; one that is killed keeps nothing. Of
/// two that end at the same moment the later keeps its own, and what the other has seen is offered when it is seen again.
#[derive(Debug)]
pub struct Seen {
    place: Option<Place>,
    /// What must not be written down.
    token: Secret,
    noted: RefCell<BTreeMap<String, Noted>>,
}

/// What this run has seen of one list.
#[derive(Debug, Default)]
struct Noted {
    records: Vec<Known>,
    gone: HashSet<String>,
}

impl Place {
    /// What this directory, which need not exist yet, keeps of an account.
    pub fn new(directory: &Path, account: String) -> Self {
        Self { file: directory.join("seen.json"), account }
    }

    /// The same of the account that a token is for. A program that prints one is not run for this: the profile that
    /// names it stands for the account.
    pub fn of(directory: &Path, address: &str, token: Option<&Secret>, profile: Option<&str>) -> Self {
        let by_profile = || [Some(address), profile].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Self::new(directory, token.map_or_else(by_profile, |token| token.account(address)))
    }

    /// What was seen of the list at this path, newest first.
    pub fn records(&self, path: &str) -> Vec<Known> {
        let mut lists = self.read();
        let found = lists.iter_mut().find(|list| list.account == self.account && list.path == path);
        found.map(|list| std::mem::take(&mut list.records)).unwrap_or_default()
    }

    /// Forgets all accounts.
    pub fn forget(&self) {
        // What stays is offered for a while longer.
        let _ = std::fs::remove_file(&self.file);
    }

    /// Forgets this account.
    pub fn forget_account(&self) {
        let (mine, others): (Vec<List>, _) = self.read().into_iter().partition(|list| list.account == self.account);
        if !mine.is_empty() && self.write(&json(&others)).is_err() {
            self.forget();
        }
    }

    /// The lists of all accounts, the one that changed last first.
    fn read(&self) -> Vec<List> {
        self.text().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// What the file holds. A pipe in its place might never end.
    fn text(&self) -> Option<Vec<u8>> {
        let is_file = std::fs::metadata(&self.file).is_ok_and(|found| found.is_file());
        let mut text = Vec::new();
        let file = is_file.then(|| File::open(&self.file).ok()).flatten()?;
        file.take(LARGEST as u64 + 1).read_to_end(&mut text).ok()?;
        Some(text)
    }

    /// A file of its own takes the old one's place, so that a reader never sees half of it.
    fn write(&self, text: &str) -> std::io::Result<()> {
        if let Some(directory) = self.file.parent() {
            private::directory(directory)?;
        }
        let new = self.file.with_extension(format!("{}.new", std::process::id()));
        let open = || private::open(File::options().write(true).create(true).truncate(true), &new);
        let written = open().and_then(|mut file| file.write_all(text.as_bytes()));
        // What did not take the place would be left for ever.
        written.and_then(|()| std::fs::rename(&new, &self.file)).inspect_err(|_| drop(std::fs::remove_file(&new)))
    }
}

impl Seen {
    /// Nothing seen yet. Without a place, nothing is kept.
    pub fn new(place: Option<Place>, token: Secret) -> Self {
        Self { place, token, noted: RefCell::default() }
    }

    /// Takes note of records of the list at this path. Of many, the first are enough: `records` is not called for more.
    pub fn note<I: Iterator<Item = Known>>(&self, path: &str, records: impl FnOnce() -> I) {
        let mut noted = self.noted.borrow_mut();
        let list = match noted.get_mut(path) {
            Some(list) => list,
            None => noted.entry(path.into()).or_default(),
        };
        let room = MOST.saturating_sub(list.records.len());
        if self.place.is_some() && room > 0 {
            list.records.extend(records().take(room).filter(|(id, _)| !id.is_empty() && id.len() <= LONGEST));
        }
    }

    /// Takes note that these are gone.
    pub fn forget(&self, path: &str, ids: &[String]) {
        self.noted.borrow_mut().entry(path.into()).or_default().gone.extend(ids.iter().cloned());
    }

    /// What was seen, before what was known.
    fn merged(&self, place: &Place) -> Vec<List> {
        let mut lists = place.read();
        for (path, noted) in self.noted.take() {
            let found = lists.iter().position(|list| list.account == place.account && list.path == path);
            let known = found.map(|at| lists[at].records.clone()).unwrap_or_default();
            let records = self.newest_first(noted, &known);
            if records == known {
                continue;
            }
            if let Some(at) = found {
                lists.remove(at);
            }
            lists.insert(0, List { account: place.account.clone(), path, records });
        }
        lists
    }

    fn newest_first(&self, noted: Noted, known: &[Known]) -> Vec<Known> {
        let Noted { records, gone } = noted;
        let mut met = HashSet::new();
        let all = records.into_iter().map(shortened).chain(known.iter().cloned());
        let fresh = all.filter(|(id, about)| {
            !gone.contains(id) && met.insert(id.clone()) && !self.token.is_in(id) && !self.token.is_in(about)
        });
        fresh.take(MOST).collect()
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        let Some(place) = self.place.as_ref().filter(|_| !self.noted.borrow().is_empty()) else { return };
        let text = bounded(self.merged(place));
        if place.text().as_deref() != Some(text.as_bytes()) {
            // Where it cannot be written, less is completed.
            let _ = place.write(&text);
        }
    }
}

/// A record whose text is no longer than what is kept.
fn shortened((id, about): Known) -> Known {
    let about = if about.len() > LONGEST { about.chars().take(LONGEST).collect() } else { about };
    (id, about)
}

/// As much of the lists as there is room for, as JSON. Each list and each record counts as what it adds to that, with
/// the comma behind it.
fn bounded(mut lists: Vec<List>) -> String {
    let mut room = LARGEST - "[]".len();
    let mut take = |text: &str| {
        let fits = text.len() < room;
        room = if fits { room - text.len() - 1 } else { 0 };
        fits
    };
    for list in &mut lists {
        let records = std::mem::take(&mut list.records).into_iter();
        let fits = take(&json(list));
        list.records = records.take_while(|record| fits && take(&json(record))).collect();
    }
    lists.retain(|list| !list.records.is_empty());
    json(&lists)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
