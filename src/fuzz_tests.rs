//! The fuzz targets: all readers of external bytes, and the properties that hold for any bytes. `fuzz/run` runs them with
//! cargo-fuzz. A test runs them on every seed in `fuzz/seeds` and on mutations of it.

use crate::client::fuzz_tests as client;
use crate::config::Secret;
use crate::input::{ColumnKind, Columns, Document, InputFormat};
use crate::journal::Journal;
use crate::resources::is_hidden;
use crate::terminal::{visible, visible_json, visible_lines};
use serde_json::Value;
use std::path::PathBuf;

/// A target's name, which is that of its directory of seeds, and its check.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 6] = [
    ("list", client::list),
    ("error", client::error),
    ("record", client::record),
    ("journal", journal),
    ("rows", rows),
    ("terminal", terminal),
];

/// Runs the target with this name.
pub fn run(name: &str, bytes: &[u8]) {
    TARGETS
        .iter()
        .filter(|(known, _)| *known == name)
        .for_each(|(_, target)| target(bytes));
}

/// A directory with one file, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let place = format!(
            "sitectl-fuzz-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let directory = Self(std::env::temp_dir().join(place));
        let written = std::fs::create_dir_all(&directory.0)
            .and_then(|()| std::fs::write(directory.0.join(name), bytes));
        assert!(written.is_ok(), "{written:?}");
        directory
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A journal that can be read takes another run, and has one more run then.
fn journal(bytes: &[u8]) {
    let scratch = Scratch::new("restores.ndjson", bytes);
    let journal = Journal::new(&scratch.0, String::new(), Box::new(|_| {}));
    let (restores_before, details, restores) = {
        let Ok(runs) = journal.read() else {
            return;
        };
        let Some(entry) = runs.entries().next() else {
            return;
        };
        let restores = vec![entry.decided().clone()];
        (runs.entries().count(), entry.run.details.clone(), restores)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let recorded =
        runtime.map(|runtime| runtime.block_on(journal.record_run(details, restores, |_| Ok(()))));
    assert!(recorded.is_ok_and(|run| run.is_ok()));
    let restores_after = journal.read().map(|runs| runs.entries().count()).ok();
    assert_eq!(restores_after, Some(restores_before + 1));
}

const COLUMNS: Columns = Columns {
    known: &[
        ("id", ColumnKind::Text),
        ("email", ColumnKind::Text),
        ("site_ids", ColumnKind::List),
    ],
    ignored: &["created_at"],
    keys: &["id", "email"],
    list_field: None,
    list: Some("id"),
};

/// Problems have a position.
fn rows(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in [InputFormat::Csv, InputFormat::Json, InputFormat::Ndjson] {
        let document = match Document::parse("file", &text, format, &COLUMNS) {
            Err(error) => {
                assert!(error.message.starts_with("file: "), "{}", error.message);
                continue;
            }
            Ok(document) => document,
        };
        for problem in document.problems.iter().map(|problem| &problem.detail) {
            let place = problem.position.as_deref().unwrap_or_default();
            assert!(
                place.starts_with("file line ") || place.starts_with("file record "),
                "{problem:?}"
            );
        }
    }
}

/// Text on a terminal contains no control characters and no token.
fn terminal(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let hides = |shown: &str, but: &str| shown.chars().any(|c| is_hidden(c) && !but.contains(c));
    assert!(!hides(&visible(&text), "") && !hides(&visible_lines(&text), "\n\t"));
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        let shown = visible_json(&text);
        assert!(!hides(&shown, "\n\t"));
        assert_eq!(serde_json::from_str::<Value>(&shown).ok(), Some(value));
    }
    let (token, text) = text.split_once('\n').unwrap_or(("sandbox-token", &text));
    if let Ok(secret) = Secret::new(token, "") {
        assert!(
            !secret.is_in(&secret.mask(text)) || token.contains('*'),
            "{text:?}"
        );
    }
}

#[cfg(test)]
mod corpus {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use std::sync::LazyLock;

    /// Every seed with its target.
    static SEEDS: LazyLock<Vec<(Target, Vec<u8>)>> = LazyLock::new(|| {
        let directory = |name: &str| {
            PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds")).join(name)
        };
        let files = |target: Target| {
            let entries = std::fs::read_dir(directory(target.0))
                .into_iter()
                .flatten()
                .flatten();
            entries.filter_map(move |entry| Some((target, std::fs::read(entry.path()).ok()?)))
        };
        TARGETS.into_iter().flat_map(files).collect()
    });

    #[test]
    fn all_fuzz_seeds_pass() {
        for (name, _) in TARGETS {
            assert!(
                SEEDS.iter().any(|(target, _)| target.0 == name),
                "{name} has no seeds"
            );
        }
        SEEDS.iter().for_each(|((_, target), seed)| target(seed));
    }

    /// Replaces, inserts, removes or repeats a few bytes.
    fn mutate(bytes: &mut Vec<u8>, edits: &[(Index, u8, u8)]) {
        for (place, byte, kind) in edits {
            let at = place.index(bytes.len() + 1);
            match kind {
                0 => bytes.insert(at, *byte),
                1 => drop(bytes.drain(at..(at + usize::from(byte % 16)).min(bytes.len()))),
                2 => bytes.extend_from_within(at..(at + usize::from(*byte)).min(bytes.len())),
                _ => bytes
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|old| *old = *byte),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_mutated_seed_holds(which in any::<Index>(), edits in prop::collection::vec((any::<Index>(), any::<u8>(), 0..4u8), 1..6)) {
            let ((_, target), seed) = which.get(&SEEDS);
            let mut bytes = seed.clone();
            mutate(&mut bytes, &edits);
            target(&bytes);
        }
    }
}
