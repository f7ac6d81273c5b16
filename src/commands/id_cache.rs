//! Caches the ids that lists have shown, so that completion can offer them without a request. If
//! the file is missing or damaged, completion offers fewer candidates.

use crate::client::ListEndpoint;
use crate::config::digest::sha256;
use crate::config::{Secret, private_files};
use crate::resources::Record;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the directory of all accounts' caches.
const DIRECTORY: &str = "seen";
/// The maximum number of records per list.
const MAX_RECORDS: usize = 1000;
/// The maximum number of lists per run, because a plan reads a list of snapshots per site.
const MAX_LISTS: usize = 20;

/// A record's id and description.
pub type CachedRecord = (String, String);

/// The cached ids of one account: a directory with one file per list.
#[derive(Debug, Clone)]
pub struct IdCache(PathBuf);

impl IdCache {
    /// Opens the cache of an account in a directory, which need not exist.
    pub fn new(directory: &Path, account: &str) -> Self {
        Self(directory.join(DIRECTORY).join(account))
    }

    /// Opens the cache of the account that a token belongs to. `token` is none if a command prints
    /// the token, which is not run for completion: then the profile identifies the account.
    pub fn of_account(
        directory: &Path,
        base_url: &str,
        token: Option<&Secret>,
        profile: Option<&str>,
    ) -> Self {
        let account = match token {
            Some(token) => token.account(base_url),
            None => sha256(&format!("{base_url} {}", profile.unwrap_or_default())),
        };
        Self::new(directory, &account)
    }

    /// Returns the records of the list at this path, newest first.
    pub fn records(&self, path: &str) -> Vec<CachedRecord> {
        let text = std::fs::read(self.file_of_list(path)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Removes the ids of all accounts in a directory.
    pub fn clear(directory: &Path) {
        // If a file stays, completion still offers its ids.
        let _ = std::fs::remove_dir_all(directory.join(DIRECTORY));
    }

    /// Returns the file of the list at this path of the service.
    fn file_of_list(&self, path: &str) -> PathBuf {
        let name = utf8_percent_encode(path, NON_ALPHANUMERIC).to_string();
        self.0.join(name)
    }

    /// Writes the records of the list at this path. The file is not replaced atomically, because
    /// readers ignore an incomplete file.
    fn write(&self, path: &str, records: &[CachedRecord]) -> std::io::Result<()> {
        private_files::create_directory(&self.0)?;
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        let mut file = private_files::open(&mut options, &self.file_of_list(path))?;
        file.write_all(&serde_json::to_vec(records)?)
    }
}

/// Collects the ids that one run shows, and adds them to the cache when it is dropped. The files
/// are not locked: of two runs that end at the same moment, the later one may discard the ids of
/// the other.
#[derive(Debug)]
pub struct IdCollector {
    /// None if nothing is cached.
    cache: Option<IdCache>,
    /// Records that contain the token are left out.
    token: Secret,
    /// The records of each list by its path.
    lists: RefCell<BTreeMap<String, Vec<CachedRecord>>>,
    /// The ids that were deleted from each list.
    deleted: RefCell<HashMap<String, HashSet<String>>>,
}

impl IdCollector {
    pub fn new(cache: Option<IdCache>, token: Secret) -> Self {
        Self {
            cache,
            token,
            lists: RefCell::default(),
            deleted: RefCell::default(),
        }
    }

    /// Adds records of a list. A resource without description fields is not cached.
    pub fn add(&self, endpoint: &ListEndpoint, records: &[Record]) {
        let fields = endpoint.resource.description_fields;
        if self.cache.is_none() || fields.is_empty() {
            return;
        }
        let mut lists = self.lists.borrow_mut();
        let collected = lists.entry(endpoint.path.as_str().into()).or_default();
        for record in records {
            if collected.len() >= MAX_RECORDS {
                break;
            }
            if let Some(id) = record.id() {
                collected.push((id, describe(record, fields)));
            }
        }
    }

    /// Removes the id of a deleted record from a list.
    pub fn remove(&self, endpoint: &ListEndpoint, id: &str) {
        let path = endpoint.path.as_str();
        self.lists.borrow_mut().entry(path.into()).or_default();
        let mut deleted = self.deleted.borrow_mut();
        deleted.entry(path.into()).or_default().insert(id.into());
    }

    /// Whether completion may offer the record: it has an id and does not contain the token.
    fn is_safe(&self, (id, description): &CachedRecord) -> bool {
        !id.is_empty() && !self.token.is_in(id) && !self.token.is_in(description)
    }
}

fn describe(record: &Record, fields: &[&str]) -> String {
    let mut values = Vec::new();
    for name in fields {
        values.extend(record.text(name));
    }
    values.join(", ")
}

impl Drop for IdCollector {
    fn drop(&mut self) {
        let Some(cache) = &self.cache else { return };
        let mut deleted = self.deleted.take();
        for (path, mut records) in self.lists.take().into_iter().take(MAX_LISTS) {
            let cached = cache.records(&path);
            records.retain(|record| self.is_safe(record));
            records.extend_from_slice(&cached);
            // The newest record of each id stays. No deleted record stays.
            let mut ids = deleted.remove(&path).unwrap_or_default();
            records.retain(|(id, _)| ids.insert(id.clone()));
            records.truncate(MAX_RECORDS);
            if records != cached {
                // If the file cannot be written, completion offers fewer candidates.
                let _ = cache.write(&path, &records);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client;
    use crate::error::Result;
    use crate::resources::SITES;

    /// One run that shows these records of a list.
    fn show<T: AsRef<str>>(cache: &IdCache, path: &str, records: &[(T, &str)]) -> Result<()> {
        let collected =
            IdCollector::new(Some(cache.clone()), Secret::new("secret-token", "a test")?);
        let endpoint = ListEndpoint {
            resource: &SITES,
            path: client::Path::new(path),
        };
        let records = records.iter().map(|(id, url)| {
            let record = serde_json::json!({"id": id.as_ref(), "url": url});
            Record::from_json(record.to_string())
        });
        collected.add(&endpoint, &records.collect::<Vec<_>>());
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
        assert_eq!(ids(&mine, "/sites").len(), MAX_RECORDS);
        assert_eq!(ids(&other, "/sites"), ["z"]);
        IdCache::clear(directory.path());
        assert_eq!(
            (ids(&mine, "/sites").len(), ids(&other, "/sites").len()),
            (0, 0)
        );
        Ok(())
    }

    #[test]
    fn a_run_adds_to_a_limited_number_of_lists() -> Result<()> {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let cache = IdCache::new(directory.path(), "mine");
        let collected =
            IdCollector::new(Some(cache.clone()), Secret::new("secret-token", "a test")?);
        for number in 0..=MAX_LISTS {
            let endpoint = ListEndpoint {
                resource: &SITES,
                path: client::Path::new(&format!("/{number}")),
            };
            collected.add(&endpoint, &[Record::from_json(r#"{"id":"a"}"#.into())]);
        }
        drop(collected);
        let files = std::fs::read_dir(&cache.0).map(Iterator::count);
        assert_eq!(files.ok(), Some(MAX_LISTS));
        Ok(())
    }
}
