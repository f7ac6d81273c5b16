//! Tests of what the cache keeps.

use super::*;
use crate::error::Result;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"))
}

fn cache(directory: &tempfile::TempDir, account: &str) -> IdCache {
    IdCache::new(&directory.path().join("new"), account.into())
}

/// One run that shows these records of a list.
fn show(cache: &IdCache, path: &str, records: &[(&str, &str)]) -> Result<()> {
    let shown = ShownIds::new(Some(cache.clone()), Secret::new("secret-token", "a test")?);
    let records = records.iter().map(|(id, about)| (id.to_string(), about.to_string()));
    shown.add(path, || records);
    Ok(())
}

fn ids(cache: &IdCache, path: &str) -> Vec<String> {
    cache.records(path).into_iter().map(|(id, _)| id).collect()
}

#[test]
fn each_account_keeps_its_ids_newest_first() -> Result<()> {
    let directory = directory();
    let [mine, other] = ["mine", "other"].map(|account| cache(&directory, account));
    show(&mine, "/sites", &[("a", "1"), ("b", "2"), ("", "3")])?;
    show(&mine, "/clients", &[("a", "4")])?;
    show(&other, "/sites", &[("z", "5")])?;
    show(&mine, "/sites", &[("c", "6"), ("b", "7"), ("c", "8")])?;
    let known = [("c", "6"), ("b", "7"), ("a", "1")].map(|(id, about)| (id.to_string(), about.to_string()));
    assert_eq!(mine.records("/sites"), known);
    assert_eq!((ids(&mine, "/clients"), ids(&other, "/sites")), (vec!["a".into()], vec!["z".into()]));
    IdCache::clear(&directory.path().join("new"));
    assert!(ids(&mine, "/sites").is_empty());
    Ok(())
}

#[test]
fn deleted_and_long_records_and_the_token_are_left_out() -> Result<()> {
    let directory = directory();
    let mine = cache(&directory, "mine");
    let long = "y".repeat(MAX_LENGTH + 1);
    let records = [("a", "x"), ("secret-token", "x"), ("b", "my secret-token"), ("c", "x"), ("d", &long)];
    show(&mine, "/clients", &records)?;
    assert_eq!(ids(&mine, "/clients"), ["a", "c"]);
    let shown = ShownIds::new(Some(mine.clone()), Secret::new("secret-token", "a test")?);
    shown.remove("/clients", &["a".into()]);
    drop(shown);
    assert_eq!(ids(&mine, "/clients"), ["c"]);
    Ok(())
}

#[test]
fn the_cache_stays_small_and_is_written_only_if_it_changes() -> Result<()> {
    let directory = directory();
    let mine = cache(&directory, "mine");
    let names: Vec<String> = (0..3000).map(|number| number.to_string()).collect();
    let records: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    show(&mine, "/old", &records)?;
    for list in 0..MAX_LISTS {
        show(&mine, &format!("/{list}"), &records[..1])?;
    }
    show(&mine, "/6", &records)?;
    assert_eq!(["/old", "/5", "/6"].map(|path| ids(&mine, path).len()), [0, 1, MAX_LIST]);
    let text = || std::fs::metadata(&mine.file).and_then(|found| found.modified()).ok();
    let before = text();
    show(&mine, "/6", &records[..9])?;
    assert!(before.is_some() && text() == before, "it has not changed");
    Ok(())
}
