//! Caches the ids of the lists that were read, so that completion can offer them without a request.
//! If the file is missing or damaged, completion offers fewer candidates.

use crate::client::ListEndpoint;
use crate::config::digest::sha256;
use crate::config::duration::format_local;
use crate::config::{Secret, private_files};
use crate::resources::{Record, ServiceTime, raw_member, unquote};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The beginning of the names of the files.
const PREFIX: &str = "ids-";
/// The maximum number of records per list.
const MAX_RECORDS: usize = 1000;
/// The maximum number of lists per service, because a plan reads a list of snapshots per site.
const MAX_LISTS: usize = 20;

/// A record's id and description.
pub type CachedRecord = (String, String);

/// The records of each list by its path.
type Lists = BTreeMap<String, Vec<CachedRecord>>;

/// The file with the cached ids of one service.
#[derive(Debug)]
pub struct IdCache(PathBuf);

impl IdCache {
    /// Returns the cache of a service in a directory, which need not exist.
    pub fn new(directory: &Path, service_key: &str) -> Self {
        let name = format!("{PREFIX}{}.json", &sha256(service_key)[..16]);
        Self(directory.join(name))
    }

    /// Returns all cached records.
    pub fn read(&self) -> Lists {
        let text = std::fs::read(&self.0).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Removes the ids of all services in a directory. If a file stays, completion still offers its
    /// ids.
    pub fn clear(directory: &Path) {
        let entries = std::fs::read_dir(directory).into_iter().flatten();
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Replaces the file. Readers ignore an incomplete one.
    fn write(&self, lists: &Lists) -> std::io::Result<()> {
        if let Some(directory) = self.0.parent() {
            private_files::create_directory(directory)?;
        }
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        let mut file = private_files::open(&mut options, &self.0)?;
        file.write_all(&serde_json::to_vec(lists)?)
    }
}

/// Collects the ids of the lists that one run reads, and replaces these lists in the cache when it
/// is dropped.
#[derive(Debug)]
pub struct IdCollector {
    /// None if nothing is cached.
    cache: Option<IdCache>,
    /// Records that contain the token are left out.
    token: Secret,
    lists: RefCell<Lists>,
}

impl IdCollector {
    pub fn new(cache: Option<IdCache>, token: Secret) -> Self {
        Self {
            cache,
            token,
            lists: RefCell::default(),
        }
    }

    /// Adds records of a list. A resource without description fields is not cached.
    pub fn add(&self, endpoint: &ListEndpoint, records: &[Record]) {
        let fields = endpoint.resource.description_fields;
        let mut lists = self.lists.borrow_mut();
        let path = endpoint.path.as_str();
        if fields.is_empty() || lists.len() >= MAX_LISTS && !lists.contains_key(path) {
            return;
        }
        let collected = lists.entry(path.into()).or_default();
        for record in records {
            if collected.len() == MAX_RECORDS {
                return;
            }
            let text = |name: &str| Some(unquote(raw_member(record.json(), name)?).into_owned());
            let id = text("id").unwrap_or_default();
            let local = |text: String| match ServiceTime::parse(&text) {
                Some(time) => format_local(time.instant),
                None => text,
            };
            let texts = fields.iter().filter_map(|name| text(name));
            let values: Vec<String> = texts.map(local).collect();
            let description = values.join(", ");
            let is_safe = !self.token.is_in(&id) && !self.token.is_in(&description);
            if !id.is_empty() && is_safe {
                collected.push((id, description));
            }
        }
    }
}

impl Drop for IdCollector {
    fn drop(&mut self) {
        let mut lists = self.lists.take();
        let Some(cache) = self.cache.as_ref().filter(|_| !lists.is_empty()) else {
            return;
        };
        for (path, records) in cache.read() {
            if lists.len() < MAX_LISTS {
                lists.entry(path).or_insert(records);
            }
        }
        // If the file cannot be written, completion offers fewer candidates.
        let _ = cache.write(&lists);
    }
}
