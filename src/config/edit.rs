//! Changes to the config file, which a person may have written: the rest stays as it was, with its comments and its order,
//! and no process ever reads half a file. Comments directly above a key or a table are removed with it.

#[cfg(test)]
mod tests;

use super::ConfigFile;
use super::file::NO_FILE;
use crate::config::private_files;
use crate::error::{Error, Kind, Result};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// One change. It may hold a token: outside of tests nothing can print it.
pub enum Edit {
    /// Names the profile that is used where none is named, or leaves none.
    Current(Option<String>),
    /// Gives a value to a key of a profile, which is made where it is missing; none takes the key away.
    Key(String, &'static str, Option<Value>),
    /// Takes a profile away, and all that is below it.
    Remove(String),
}

/// Changes the file as `decide` says, which sees what it holds now: others may have changed it meanwhile. Where it says
/// nothing, nothing is written.
///
/// # Errors
/// What `decide` says; `Usage` where the file is broken; where it cannot be written. The file is as it was then.
pub fn change<T>(path: &Path, decide: impl FnOnce(&ConfigFile) -> Result<(Vec<Edit>, T)>) -> Result<T> {
    let fail = |error: &std::io::Error| not_written(path, error);
    let target = target(path).map_err(|error| fail(&error))?;
    if let Some(directory) = target.parent() {
        private_files::directory(directory).map_err(|error| fail(&error))?;
    }
    // As long as this file is open, others wait.
    let lock =
        private_files::open(OpenOptions::new().write(true).create(true), &private_files::beside(&target, ".lock"));
    let lock = lock.and_then(|file| private_files::lock(&file).map(|()| file)).map_err(|error| fail(&error))?;
    let old = ConfigFile::text(path)?;
    let file = ConfigFile::parse(&old).map_err(|error| error.context(path.display()))?;
    let (edits, result) = decide(&file)?;
    let new = edited(&old, &edits).filter(|new| ConfigFile::parse(new).is_ok()).ok_or_else(|| {
        Error::new(Kind::Error, format!("{} is written in a way that sitectl cannot change", path.display()))
            .hint("edit the file manually")
    })?;
    if new != old {
        private_files::replace(&target, &new).map_err(|error| fail(&error))?;
    }
    drop(lock);
    Ok(result)
}

/// Finds what would keep the file from being changed, as far as that can be seen without leaving anything behind.
///
/// # Errors
/// Where it could not be written.
pub fn probe(path: &Path) -> Result<()> {
    let probed = target(path).and_then(|target| {
        let lock = OpenOptions::new().write(true).open(private_files::beside(&target, ".lock"));
        match (lock, target.parent()) {
            (Err(error), _) if error.kind() != ErrorKind::NotFound => Err(error),
            (_, directory) => directory.map_or(Ok(()), private_files::probe),
        }
    });
    probed.map_err(|error| not_written(path, &error))
}

fn not_written(path: &Path, error: &std::io::Error) -> Error {
    Error::file("write the config file", path, error).hint("SITECTL_CONFIG names another one")
}

/// The file itself, where its name is only a link to it: the link stays.
fn target(path: &Path) -> std::io::Result<PathBuf> {
    let mut target = std::path::absolute(path)?;
    // No system follows more.
    for _ in 0..40 {
        let Ok(next) = std::fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("/")).join(next);
    }
    // A device must not be replaced: whoever names one wants no config file.
    match std::fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        true => Err(std::io::Error::other(NO_FILE)),
        false => Ok(target),
    }
}

impl Edit {
    /// Gives a text to a key of a profile.
    pub fn text(profile: &str, key: &'static str, text: &str) -> Self {
        Self::Key(profile.into(), key, Some(text.into()))
    }

    /// Gives a list of texts to a key of a profile.
    pub fn list(profile: &str, key: &'static str, texts: &[String]) -> Self {
        Self::Key(profile.into(), key, Some(texts.iter().collect()))
    }

    /// Takes a key of a profile away, where it is there.
    pub fn without(profile: &str, key: &'static str) -> Self {
        Self::Key(profile.into(), key, None)
    }

    /// The change made to the file; none where there is no place for it.
    fn apply(&self, file: &mut DocumentMut) -> Option<()> {
        match self {
            Self::Current(Some(name)) => set(file.as_table_mut(), "current_profile", name.into()),
            Self::Current(None) => drop(file.remove("current_profile")),
            Self::Key(name, key, Some(value)) => {
                let mut implicit = Table::new();
                implicit.set_implicit(true);
                let profiles = file.entry("profiles").or_insert(implicit.into());
                let empty = if profiles.is_inline_table() {
                    Item::Value(InlineTable::new().into())
                } else {
                    Table::new().into()
                };
                let profile = profiles.as_table_like_mut()?.entry(name).or_insert(empty);
                set(profile.as_table_like_mut()?, key, value.clone());
            }
            Self::Key(name, key, None) => {
                let profile = profiles(file).and_then(|profiles| profiles.get_mut(name));
                profile.and_then(Item::as_table_like_mut).and_then(|profile| profile.remove(key));
            }
            Self::Remove(name) => drop(profiles(file).and_then(|profiles| profiles.remove(name))),
        }
        Some(())
    }
}

fn profiles(file: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    file.get_mut("profiles")?.as_table_like_mut()
}

/// Gives a value to a key; a comment beside the old value stays.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => drop(table.insert(key, value.into())),
    }
}

/// The text with these changes; none where there is no place for one.
fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    let (head, rest) = text.split_at(head(text));
    let mut file: DocumentMut = rest.replace("\r\n", "\n").parse().ok()?;
    edits.iter().try_for_each(|edit| edit.apply(&mut file))?;
    // toml_edit ends lines with a line feed only.
    let edited = if rest.contains("\r\n") { file.to_string().replace('\n', "\r\n") } else { file.to_string() };
    let end = if head.is_empty() || head.ends_with(['\n', '\u{feff}']) { "" } else { "\n" };
    Some(format!("{head}{end}{edited}"))
}

/// The length of a byte order mark and of the comments at the top. To toml_edit they belong to the first key, and would move
/// or be removed with it.
fn head(text: &str) -> usize {
    let body = text.trim_start_matches('\u{feff}');
    let is_comment = |line: &&str| line.trim_start().starts_with('#');
    let comments: usize = body.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
    let blank = body[comments..].split_inclusive('\n').next().filter(|line| line.trim().is_empty());
    text.len() - body.len() + comments + blank.map_or(0, str::len)
}
