//! Edits the config file and keeps its comments and order. The file is replaced atomically.
//! Comments directly above a key or a table are removed with the key or table.

use super::ConfigFile;
use crate::config::private_files;
use crate::error::{Error, Kind, Result};
use crate::shell::set_variable;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The config file during an edit.
pub struct Draft {
    /// The parsed contents before the edit, which edits do not change.
    pub file: ConfigFile,
    /// The comments at the top, which toml_edit would remove with the first key.
    head: String,
    document: DocumentMut,
}

/// Locks and reads the file, applies `edit`, and writes the result.
///
/// # Errors
/// If `edit` fails, or the file is invalid or cannot be written. The file is unchanged then.
pub fn edit_config(path: &Path, edit: impl FnOnce(&mut Draft) -> Result<()>) -> Result<()> {
    let fail = |error: std::io::Error| {
        Error::file("write the config file", path, &error).with_hint(format!(
            "use another config file: {}",
            set_variable("SITECTL_CONFIG", "FILE")
        ))
    };
    let target = resolve_links(path).map_err(fail)?;
    // The lock is held until the end of the function.
    let _lock = lock_beside(&target).map_err(fail)?;
    let old = ConfigFile::text(path)?;
    let mut draft = Draft::parse(&old).map_err(|error| error.context(path.display()))?;
    edit(&mut draft)?;
    let new = draft.text();
    if ConfigFile::parse(&new).is_err() {
        let message = format!("could not edit {}", path.display());
        return Err(Error::new(Kind::Error, message).with_hint("edit the file manually"));
    }
    if new != old {
        private_files::replace(&target, &new).map_err(fail)?;
    }
    Ok(())
}

/// Locks a file beside the config file, which is replaced and so cannot be locked itself.
fn lock_beside(target: &Path) -> std::io::Result<File> {
    if let Some(directory) = target.parent() {
        private_files::create_directory(directory)?;
    }
    let path = private_files::with_suffix(target, ".lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    let lock = private_files::open(&mut options, &path)?;
    lock.lock()?;
    Ok(lock)
}

/// Resolves symbolic links, so that a link is not replaced by a file.
fn resolve_links(path: &Path) -> std::io::Result<PathBuf> {
    let target = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    if target.exists() && !target.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    Ok(target)
}

impl Draft {
    fn parse(text: &str) -> Result<Self> {
        let file = ConfigFile::parse(text)?;
        let lines = text.split_inclusive('\n');
        let comments = lines.take_while(|line| line.starts_with('#'));
        let comments: usize = comments.map(str::len).sum();
        let blank_line = usize::from(text[comments..].starts_with('\n'));
        let (head, rest) = text.split_at(comments + blank_line);
        let document = rest.parse().map_err(|error: toml_edit::TomlError| {
            Error::new(Kind::Usage, error.message().to_string())
        })?;
        Ok(Self {
            file,
            head: head.into(),
            document,
        })
    }

    fn text(&self) -> String {
        let is_line_complete = self.head.is_empty() || self.head.ends_with('\n');
        let line_end = if is_line_complete { "" } else { "\n" };
        format!("{}{line_end}{}", self.head, self.document)
    }

    /// Changes the current profile.
    pub fn set_current(&mut self, name: Option<&str>) {
        let table = self.document.as_table_mut();
        set_value(table, "current_profile", name.map(Value::from));
    }

    /// Changes a value of a profile, or removes it if it is none. Creates a missing profile.
    pub fn set(&mut self, profile: &str, key: &str, value: Option<impl Into<Value>>) {
        // Without a header `[profiles]` of its own.
        let mut implicit = Table::new();
        implicit.set_implicit(true);
        let profiles = self.document.entry("profiles").or_insert(implicit.into());
        let new_profile = if profiles.is_inline_table() {
            toml_edit::value(InlineTable::new())
        } else {
            Table::new().into()
        };
        let Some(profiles) = profiles.as_table_like_mut() else {
            return;
        };
        let profile = profiles.entry(profile).or_insert(new_profile);
        if let Some(profile) = profile.as_table_like_mut() {
            set_value(profile, key, value.map(Into::into));
        }
    }

    /// Removes a profile and everything below it.
    pub fn remove_profile(&mut self, name: &str) {
        if let Some(profiles) = self.document.get_mut("profiles")
            && let Some(profiles) = profiles.as_table_like_mut()
        {
            profiles.remove(name);
        }
    }
}

/// Changes the value of a key, or removes the key if the value is none. A comment after the old
/// value stays.
fn set_value(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    match (table.get_mut(key).and_then(Item::as_value_mut), value) {
        (Some(old), Some(mut value)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        (None, Some(value)) => {
            table.insert(key, value.into());
        }
        (_, None) => {
            table.remove(key);
        }
    }
}

#[cfg(test)]
mod tests;
