//! Changes to the config file, which a person may have written: what is not meant stays, with its comments, and nobody
//! ever reads half a file.

#[cfg(test)]
mod tests;
mod text;

use super::ConfigFile;
use super::file::NO_FILE;
use crate::error::{Error, Kind, Result};
use crate::private;
use serde_json::{Map, Value};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// One change. It may hold a token: outside of tests nothing can print it.
#[derive(Clone, PartialEq)]
#[cfg_attr(test, derive(Debug))]
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
        private::directory(directory).map_err(|error| fail(&error))?;
    }
    // As long as this file is open, others wait.
    let lock = private::open(OpenOptions::new().write(true).create(true), &private::beside(&target, ".lock"));
    let lock = lock.and_then(|file| private::lock(&file).map(|()| file)).map_err(|error| fail(&error))?;
    let old = ConfigFile::text(path)?;
    let file = ConfigFile::parse(&old).map_err(|error| error.context(path.display()))?;
    let (edits, result) = decide(&file)?;
    let new = edits.iter().try_fold(old.clone(), |text, edit| edit.apply(&text)).map_err(|()| {
        Error::new(Kind::Error, format!("{} is written in a way that sitectl cannot change", path.display()))
            .hint("change it by hand")
    })?;
    if new != old {
        private::replace(&target, &new).map_err(|error| fail(&error))?;
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
        let lock = OpenOptions::new().write(true).open(private::beside(&target, ".lock"));
        match (lock, target.parent()) {
            (Err(error), _) if error.kind() != ErrorKind::NotFound => Err(error),
            (_, directory) => directory.map_or(Ok(()), private::probe),
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
        Self::Key(profile.into(), key, Some(Value::String(text.into())))
    }

    /// Gives a list of texts to a key of a profile.
    pub fn list(profile: &str, key: &'static str, texts: &[String]) -> Self {
        Self::Key(profile.into(), key, Some(Value::Array(texts.iter().cloned().map(Value::String).collect())))
    }

    /// Takes a key of a profile away, where it is there.
    pub fn without(profile: &str, key: &'static str) -> Self {
        Self::Key(profile.into(), key, None)
    }

    /// The text with this changed: it must say just that, or it is none.
    fn apply(&self, text: &str) -> Result<String, ()> {
        let now = said(text)?;
        let mut wanted = now.clone();
        self.model(&mut wanted).ok_or(())?;
        if wanted == now {
            return Ok(text.into());
        }
        let edited = text::edited(text, self).ok_or(())?;
        if said(&edited)? == said_at_all(wanted) { Ok(edited) } else { Err(()) }
    }

    /// The same change to what the text says.
    fn model(&self, file: &mut Map<String, Value>) -> Option<()> {
        let key = |table: &mut Map<String, Value>, key: &str, value: Option<Value>| match value {
            Some(value) => drop(table.insert(key.into(), value)),
            None => drop(table.remove(key)),
        };
        let empty = || Value::Object(Map::new());
        match self {
            Self::Current(name) => key(file, "current_profile", name.clone().map(Value::String)),
            Self::Key(name, of, None) => {
                let profile = file.get_mut("profiles").and_then(|profiles| profiles.get_mut(name));
                profile.and_then(Value::as_object_mut).map(|profile| profile.remove(*of));
            }
            Self::Key(name, of, value) => {
                let profiles = file.entry("profiles").or_insert_with(empty).as_object_mut()?;
                let profile = profiles.entry(name).or_insert_with(empty).as_object_mut()?;
                key(profile, of, value.clone());
            }
            Self::Remove(name) => {
                let profiles = file.get_mut("profiles").and_then(Value::as_object_mut);
                profiles.map(|profiles| profiles.remove(name));
            }
        }
        Some(())
    }
}

/// What the text says: no more than JSON can say too.
fn said(text: &str) -> Result<Map<String, Value>, ()> {
    toml_edit::de::from_str(text).map(said_at_all).map_err(drop)
}

/// No profiles and an empty table of profiles are the same.
fn said_at_all(mut file: Map<String, Value>) -> Map<String, Value> {
    if file.get("profiles").and_then(Value::as_object).is_some_and(Map::is_empty) {
        file.remove("profiles");
    }
    file
}
