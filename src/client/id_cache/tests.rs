//! Tests of what the cache keeps.

use super::*;
use crate::error::Result;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"))
}

fn cache(directory: &tempfile::TempDir, account: &str) -> IdCache {
    IdCache::new(directory.path(), account)
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
    mine.clear();
    assert_eq!(
        (ids(&mine, "/sites"), ids(&mine, "/clients"), ids(&other, "/sites")),
        (vec![], vec![], vec!["z".into()])
    );
    Ok(())
}

#[test]
fn deleted_records_and_the_token_are_left_out() -> Result<()> {
    let directory = directory();
    let mine = cache(&directory, "mine");
    let records = [("a", "x"), ("secret-token", "x"), ("b", "my secret-token"), ("c", "x")];
    show(&mine, "/clients", &records)?;
    assert_eq!(ids(&mine, "/clients"), ["a", "c"]);
    let shown = ShownIds::new(Some(mine.clone()), Secret::new("secret-token", "a test")?);
    shown.remove("/clients", &["a".into()]);
    drop(shown);
    assert_eq!(ids(&mine, "/clients"), ["c"]);
    Ok(())
}

#[test]
fn the_cache_stays_small() -> Result<()> {
    let directory = directory();
    let mine = cache(&directory, "mine");
    let names: Vec<String> = (0..3000).map(|number| number.to_string()).collect();
    let records: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    show(&mine, "/sites", &records)?;
    show(&mine, "/sites", &records[2000..])?;
    assert_eq!(ids(&mine, "/sites"), names[2000..]);
    Ok(())
}
