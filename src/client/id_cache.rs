//! Caches the ids that lists have shown, so that completion can offer them without a request. If the file is missing or
//! damaged, completion offers fewer candidates.

use crate::config::Secret;
use crate::config::private_files;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the file.
const FILE: &str = "seen.json";
/// Most records of one list.
const MAX_LIST: usize = 1000;
/// Most lists; those that were not shown for longest are dropped.
const MAX_LISTS: usize = 20;
/// Longest record in bytes. Longer ones are left out.
const MAX_LENGTH: usize = 300;

/// A record's id and its description.
pub type Known = (String, String);

/// The records of one list of one account, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct List {
    account: String,
    /// The list's path below the base URL.
    path: String,
    records: Vec<Known>,
}

/// The cached ids of one account.
#[derive(Debug, Clone)]
pub struct IdCache {
    file: PathBuf,
    account: String,
}

impl IdCache {
    /// Opens the cache in a directory, which need not exist.
    pub fn new(directory: &Path, account: String) -> Self {
        Self { file: directory.join(FILE), account }
    }

    /// Opens the cache of a token's account. If a command prints the token, the profile identifies the account.
    pub fn of(directory: &Path, address: &str, token: Option<&Secret>, profile: Option<&str>) -> Self {
        let by_profile = || [Some(address), profile].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Self::new(directory, token.map_or_else(by_profile, |token| token.account(address)))
    }

    /// Returns the records of the list at this path, newest first.
    pub fn records(&self, path: &str) -> Vec<Known> {
        take(&mut self.read(), &self.account, path)
    }

    /// Removes the ids of all accounts in a directory.
    pub fn clear(directory: &Path) {
        // If the file stays, completion still offers its ids.
        let _ = std::fs::remove_file(directory.join(FILE));
    }

    /// Returns the lists of all accounts, newest first.
    fn read(&self) -> Vec<List> {
        std::fs::read(&self.file).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Writes the file. Readers ignore an incomplete file.
    fn write(&self, lists: &[List]) -> std::io::Result<()> {
        self.file.parent().map_or(Ok(()), private_files::directory)?;
        let mut file = private_files::open(File::options().write(true).create(true).truncate(true), &self.file)?;
        file.write_all(&serde_json::to_vec(lists)?)
    }
}

/// Removes the list at this path and returns its records.
fn take(lists: &mut Vec<List>, account: &str, path: &str) -> Vec<Known> {
    let place = lists.iter().position(|list| list.account == account && list.path == path);
    place.map(|place| lists.remove(place).records).unwrap_or_default()
}

/// Collects the ids that one run shows and adds them to the cache when it is dropped. If two runs end at the same moment,
/// the later one's ids stay.
#[derive(Debug)]
pub struct ShownIds {
    /// None if nothing is cached.
    cache: Option<IdCache>,
    /// Records that contain the token are left out.
    token: Secret,
    lists: RefCell<BTreeMap<String, Changes>>,
}

/// The changes to one list.
#[derive(Debug, Default)]
struct Changes {
    added: Vec<Known>,
    removed: HashSet<String>,
}

impl ShownIds {
    pub fn new(cache: Option<IdCache>, token: Secret) -> Self {
        Self { cache, token, lists: RefCell::default() }
    }

    /// Adds records of the list at this path. `records` is not called if the list is full.
    pub fn add<I: Iterator<Item = Known>>(&self, path: &str, records: impl FnOnce() -> I) {
        let mut lists = self.lists.borrow_mut();
        let list = lists.entry(path.into()).or_default();
        let room = MAX_LIST.saturating_sub(list.added.len());
        if self.cache.is_some() && room > 0 {
            list.added.extend(records().take(room));
        }
    }

    /// Removes deleted records.
    pub fn remove(&self, path: &str, ids: &[String]) {
        self.lists.borrow_mut().entry(path.into()).or_default().removed.extend(ids.iter().cloned());
    }
}

impl Drop for ShownIds {
    fn drop(&mut self) {
        let Some(cache) = self.cache.as_ref().filter(|_| !self.lists.borrow().is_empty()) else { return };
        let before = cache.read();
        let mut lists = before.clone();
        for (path, changes) in self.lists.take() {
            let mut seen = changes.removed;
            let fits = |(id, about): &Known| {
                let is_short = !id.is_empty() && id.len() + about.len() <= MAX_LENGTH;
                is_short && !self.token.is_in(id) && !self.token.is_in(about)
            };
            let known = take(&mut lists, &cache.account, &path);
            let records = changes.added.into_iter().filter(fits).chain(known);
            let records = records.filter(|(id, _)| seen.insert(id.clone())).take(MAX_LIST).collect();
            lists.insert(0, List { account: cache.account.clone(), path, records });
        }
        lists.retain(|list| !list.records.is_empty());
        lists.truncate(MAX_LISTS);
        if lists != before {
            // If the file cannot be written, completion offers fewer candidates.
            let _ = cache.write(&lists);
        }
    }
}

#[cfg(test)]
mod tests;
