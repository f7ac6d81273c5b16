//! What is kept of what was seen, and what is not.

use super::*;
use crate::error::Result;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"))
}

fn place(directory: &tempfile::TempDir, account: &str) -> Place {
    Place::new(&directory.path().join("new"), account.into())
}

/// One run that sees these records of a list.
fn see(place: &Place, path: &str, records: &[(&str, &str)]) -> Result<()> {
    let seen = Seen::new(Some(place.clone()), Secret::new("secret-token", "a test")?);
    let records = records.iter().map(|(id, about)| (id.to_string(), about.to_string()));
    seen.note(path, || records);
    Ok(())
}

fn ids(place: &Place, path: &str) -> Vec<String> {
    place.records(path).into_iter().map(|(id, _)| id).collect()
}

#[test]
fn what_was_seen_last_comes_first_and_once() -> Result<()> {
    let directory = directory();
    let [mine, other] = ["mine", "other"].map(|account| place(&directory, account));
    see(&mine, "/sites", &[("a", "1"), ("b", "2"), ("", "3")])?;
    see(&mine, "/clients", &[("a", "4")])?;
    see(&other, "/sites", &[("z", "5")])?;
    see(&mine, "/sites", &[("c", "6"), ("b", "7"), ("c", "8")])?;
    let known = [("c", "6"), ("b", "7"), ("a", "1")].map(|(id, about)| (id.to_string(), about.to_string()));
    assert_eq!(mine.records("/sites"), known);
    assert_eq!((ids(&mine, "/clients"), ids(&other, "/sites")), (vec!["a".into()], vec!["z".into()]));
    mine.forget();
    assert!(ids(&mine, "/sites").is_empty() && ids(&other, "/sites").is_empty());
    Ok(())
}

#[test]
fn what_is_gone_or_tells_the_token_is_not_kept() -> Result<()> {
    let directory = directory();
    let mine = place(&directory, "mine");
    see(&mine, "/clients", &[("a", "x"), ("secret-token", "x"), ("b", "my secret-token"), ("c", "x")])?;
    assert_eq!(ids(&mine, "/clients"), ["a", "c"]);
    let seen = Seen::new(Some(mine.clone()), Secret::new("secret-token", "a test")?);
    seen.forget("/clients", &["a".into()]);
    drop(seen);
    assert_eq!(ids(&mine, "/clients"), ["c"]);
    Ok(())
}

#[test]
fn a_file_that_would_say_the_same_is_not_written() -> Result<()> {
    let directory = directory();
    let mine = place(&directory, "mine");
    see(&mine, "/sites", &[("a", "1"), ("b", "2")])?;
    let handle = |place: &Place| std::fs::metadata(&place.file).ok().map(|found| std::os::unix::fs::MetadataExt::ino(&found));
    let before = handle(&mine);
    see(&mine, "/sites", &[("a", "1")])?;
    assert!(before.is_some() && handle(&mine) == before);
    see(&mine, "/sites", &[("b", "2")])?;
    assert!(handle(&mine) != before);
    Ok(())
}

#[test]
fn it_stays_small() -> Result<()> {
    let directory = directory();
    let mine = place(&directory, "mine");
    let long = "x".repeat(LONGEST);
    let names: Vec<String> = (0..3000).map(|n| format!("{n}-{}", &long[10..])).collect();
    for list in 0..5 {
        let records: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), long.as_str())).collect();
        see(&mine, &format!("/{list}"), &records)?;
    }
    let size = std::fs::metadata(&mine.file).map(|found| found.len()).unwrap_or_default();
    assert!(size > 200 << 10 && size <= LARGEST as u64, "{size}");
    assert!(ids(&mine, "/4").len() > 500 && ids(&mine, "/4").len() <= MOST);
    see(&mine, "/short", &(0..3000).map(|_| ("same", "")).collect::<Vec<_>>())?;
    assert_eq!(ids(&mine, "/short"), ["same"]);
    see(&mine, "/short", &[(&"y".repeat(LONGEST + 1), "")])?;
    assert_eq!(ids(&mine, "/short"), ["same"]);
    Ok(())
}

#[test]
fn many_short_lists_stay_small_too() {
    let directory = directory();
    let mine = place(&directory, "0123456789abcdef");
    let list = |number: usize| List {
        account: mine.account.clone(),
        path: format!("/{number}"),
        records: vec![(number.to_string(), format!("a \"quoted\" \\ name \u{1}{}", "x".repeat(200)))],
    };
    let text = bounded((0..1000).map(list).collect());
    assert!(text.len() <= LARGEST && text.len() > LARGEST - 1000, "{}", text.len());
    assert!(mine.write(&text).is_ok());
    assert_eq!((ids(&mine, "/0"), ids(&mine, "/999")), (vec!["0".to_string()], vec![]));
    let all: Vec<List> = (0..10).map(list).collect();
    assert_eq!(bounded((0..10).map(list).collect()), json(&all));
}

#[test]
fn one_account_is_forgotten_and_the_others_stay() -> Result<()> {
    let directory = directory();
    let [mine, other] = ["mine", "other"].map(|account| place(&directory, account));
    for place in [&mine, &other] {
        see(place, "/sites", &[("a", "1")])?;
        see(place, "/clients", &[("b", "1")])?;
    }
    mine.forget_account();
    assert!(ids(&mine, "/sites").is_empty() && ids(&mine, "/clients").is_empty());
    assert_eq!((ids(&other, "/sites"), ids(&other, "/clients")), (vec!["a".to_string()], vec!["b".to_string()]));
    Ok(())
}

#[test]
fn what_cannot_be_read_counts_for_nothing() -> Result<()> {
    let directory = directory();
    let mine = place(&directory, "mine");
    see(&mine, "/sites", &[("a", "1")])?;
    for text in ["", "{", "{}", "[1]", "\0\0", &"[".repeat(LARGEST + 9)] {
        assert!(std::fs::write(&mine.file, text).is_ok());
        assert!(ids(&mine, "/sites").is_empty(), "{text:.9}");
        see(&mine, "/sites", &[("b", "1")])?;
        assert_eq!(ids(&mine, "/sites"), ["b"], "{text:.9}");
    }
    assert!(std::fs::remove_file(&mine.file).is_ok() && std::fs::create_dir(&mine.file).is_ok());
    see(&mine, "/sites", &[("a", "1")])?;
    assert!(ids(&mine, "/sites").is_empty());
    let left = std::fs::read_dir(directory.path().join("new")).map_or(0, Iterator::count);
    assert_eq!(left, 1);
    Ok(())
}

#[cfg(unix)]
#[test]
fn it_is_its_owner_s_alone() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let directory = directory();
    let mine = place(&directory, "mine");
    see(&mine, "/sites", &[("a", "1")])?;
    let mode = std::fs::metadata(&mine.file).map(|found| found.permissions().mode() & 0o777).ok();
    assert_eq!(mode, Some(0o600));
    Ok(())
}
