//! What earlier runs learned of a service, in a small file of the state directory: which lists refuse to be asked for a
//! number of rows. Nothing depends on it: a lost or damaged file costs a request.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Services change: what was learned is tried anew after a month.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// When each list of each service was last seen to refuse.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Memory {
    refused_rows: BTreeMap<String, BTreeMap<String, Timestamp>>,
}

/// The memory of one service.
#[derive(Debug)]
pub struct Learned {
    /// None remembers nothing.
    file: Option<PathBuf>,
    service: String,
}

impl Learned {
    /// What is known of `service` in this state directory.
    pub fn new(directory: Option<PathBuf>, service: &str) -> Self {
        Self { file: directory.map(|directory| directory.join("learned.json")), service: service.into() }
    }

    /// Whether a list may be asked for a number of rows.
    pub fn takes_size(&self, list: &str) -> bool {
        let memory = self.read();
        let refused = memory.refused_rows.get(&self.service).and_then(|lists| lists.get(list));
        refused.is_none_or(|at| Timestamp::now().duration_since(*at) > KEPT)
    }

    /// Remembers that a list refused a number of rows, and took the same request without one.
    pub fn refuses_size(&self, list: &str) {
        let mut memory = self.read();
        memory.refused_rows.entry(self.service.clone()).or_default().insert(list.into(), Timestamp::now());
        // Where it cannot be written, the next run finds out again.
        let _ = self.write(&memory);
    }

    fn read(&self) -> Memory {
        let text = self.file.as_ref().and_then(|file| std::fs::read(file).ok());
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// A file of its own takes the old one's place, so that a reader never sees half of it.
    fn write(&self, memory: &Memory) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        if let Some(directory) = file.parent() {
            crate::private::directory(directory)?;
        }
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let written =
            std::fs::write(&new, serde_json::to_vec_pretty(memory)?).and_then(|()| std::fs::rename(&new, file));
        // What did not take the place would be left for ever.
        written.inspect_err(|_| drop(std::fs::remove_file(&new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_by_service_and_list() {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let of = |service| Learned::new(Some(directory.path().join("new")), service);
        assert!(of("a").takes_size("clients"));
        of("a").refuses_size("clients");
        of("b").refuses_size("sites");
        assert!(!of("a").takes_size("clients"));
        assert!(of("a").takes_size("sites") && of("b").takes_size("clients"));
        assert!(Learned::new(None, "a").takes_size("clients"));
    }

    #[test]
    fn what_cannot_be_kept_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let _ = std::fs::create_dir(directory.path().join("learned.json"));
        Learned::new(Some(directory.path().into()), "a").refuses_size("clients");
        let left = std::fs::read_dir(directory.path()).map_or(0, Iterator::count);
        assert_eq!(left, 1);
    }

    #[test]
    fn what_is_old_or_damaged_counts_for_nothing() {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let learned = Learned::new(Some(directory.path().into()), "a");
        for text in [r#"{"refused_rows":{"a":{"clients":"2020-01-01T00:00:00Z"}}}"#, "{", "[]", ""] {
            let _ = std::fs::write(directory.path().join("learned.json"), text);
            assert!(learned.takes_size("clients"), "{text}");
        }
        learned.refuses_size("clients");
        assert!(!learned.takes_size("clients"));
    }
}
