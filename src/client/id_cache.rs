//! Caches the ids that lists have shown, so that completion can offer them without a request. If the file is missing or
//! damaged, completion offers fewer candidates.

use crate::config::digest::sha256;
use crate::config::{Secret, private_files};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the directory of all accounts.
const DIRECTORY: &str = "seen";
/// Most records of one list.
const MAX_LIST: usize = 1000;
/// Most lists of one run, because a plan reads a list of snapshots per site.
const MAX_LISTS: usize = 20;

/// A record's id and its description.
pub type Known = (String, String);

/// The cached ids of one account: a directory with one file per list.
#[derive(Debug, Clone)]
pub struct IdCache(PathBuf);

impl IdCache {
    /// Opens the cache of an account in a directory, which need not exist.
    pub fn new(directory: &Path, account: &str) -> Self {
        Self(directory.join(DIRECTORY).join(account))
    }

    /// Opens the cache of a token's account. If a command prints the token, the profile identifies the account.
    pub fn of(
        directory: &Path,
        address: &str,
        token: Option<&Secret>,
        profile: Option<&str>,
    ) -> Self {
        let by_profile = || sha256(&format!("{address} {}", profile.unwrap_or_default()));
        Self::new(
            directory,
            &token.map_or_else(by_profile, |token| token.account(address)),
        )
    }

    /// Returns the records of the list at this path, newest first.
    pub fn records(&self, path: &str) -> Vec<Known> {
        std::fs::read(self.file(path))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Removes the ids of all accounts in a directory.
    pub fn clear(directory: &Path) {
        // If a file stays, completion still offers its ids.
        let _ = std::fs::remove_dir_all(directory.join(DIRECTORY));
    }

    /// Returns the file of the list at this path.
    fn file(&self, path: &str) -> PathBuf {
        self.0
            .join(utf8_percent_encode(path, NON_ALPHANUMERIC).to_string())
    }

    /// Writes the list at this path. Readers ignore an incomplete file.
    fn write(&self, path: &str, records: &[Known]) -> std::io::Result<()> {
        private_files::directory(&self.0)?;
        let mut file = private_files::open(
            File::options().write(true).create(true).truncate(true),
            &self.file(path),
        )?;
        file.write_all(&serde_json::to_vec(records)?)
    }
}

/// Collects the ids that one run shows and adds them to the cache when it is dropped. If two runs end at the same moment,
/// the later one's ids stay.
#[derive(Debug)]
pub struct ShownIds {
    /// None if nothing is cached.
    cache: Option<IdCache>,
    /// Records that contain the token are left out.
    token: Secret,
    /// The records of each list by its path.
    lists: RefCell<BTreeMap<String, Vec<Known>>>,
}

impl ShownIds {
    pub fn new(cache: Option<IdCache>, token: Secret) -> Self {
        Self {
            cache,
            token,
            lists: RefCell::default(),
        }
    }

    /// Adds records of the list at this path. `records` is not called if the list is full.
    pub fn add<I: Iterator<Item = Known>>(&self, path: &str, records: impl FnOnce() -> I) {
        let mut lists = self.lists.borrow_mut();
        let list = lists.entry(path.into()).or_default();
        let room = MAX_LIST.saturating_sub(list.len());
        if self.cache.is_some() && room > 0 {
            list.extend(records().take(room));
        }
    }
}

impl Drop for ShownIds {
    fn drop(&mut self) {
        let Some(cache) = &self.cache else { return };
        for (path, shown) in self.lists.take().into_iter().take(MAX_LISTS) {
            let (known, mut ids) = (cache.records(&path), HashSet::new());
            let is_safe = |(id, about): &Known| {
                !id.is_empty() && !self.token.is_in(id) && !self.token.is_in(about)
            };
            let records = shown
                .into_iter()
                .filter(is_safe)
                .chain(known.iter().cloned());
            let records: Vec<Known> = records
                .filter(|(id, _)| ids.insert(id.clone()))
                .take(MAX_LIST)
                .collect();
            if records != known {
                // If the file cannot be written, completion offers fewer candidates.
                let _ = cache.write(&path, &records);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;

    /// One run that shows these records of a list.
    fn show<T: AsRef<str>>(cache: &IdCache, path: &str, records: &[(T, &str)]) -> Result<()> {
        let shown = ShownIds::new(Some(cache.clone()), Secret::new("secret-token", "a test")?);
        shown.add(path, || {
            records
                .iter()
                .map(|(id, about)| (id.as_ref().into(), (*about).into()))
        });
        Ok(())
    }

    fn ids(cache: &IdCache, path: &str) -> Vec<String> {
        cache.records(path).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn each_account_keeps_its_newest_ids_without_the_token() -> Result<()> {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let [mine, other] =
            ["mine", "other"].map(|account| IdCache::new(directory.path(), account));
        show(
            &mine,
            "/sites",
            &[
                ("a", "1"),
                ("b", "2"),
                ("", "3"),
                ("secret-token", ""),
                ("d", "my secret-token"),
            ],
        )?;
        show(&mine, "/clients", &[("a", "4")])?;
        show(&other, "/sites", &[("z", "5")])?;
        show(&mine, "/sites", &[("c", "6"), ("b", "7"), ("c", "8")])?;
        let known = [("c", "6"), ("b", "7"), ("a", "1")]
            .map(|(id, about)| (id.to_string(), about.to_string()));
        assert_eq!(
            (mine.records("/sites"), ids(&mine, "/clients")),
            (known.to_vec(), vec!["a".into()])
        );
        let many: Vec<(String, &str)> = (0..3000).map(|number| (number.to_string(), "")).collect();
        show(&mine, "/sites", &many)?;
        assert_eq!(ids(&mine, "/sites").len(), MAX_LIST);
        assert_eq!(ids(&other, "/sites"), ["z"]);
        IdCache::clear(directory.path());
        assert_eq!(
            (ids(&mine, "/sites").len(), ids(&other, "/sites").len()),
            (0, 0)
        );
        Ok(())
    }
}
