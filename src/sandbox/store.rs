//! The database: opening it, and transactions. All work on the data goes through `read` and `write`.

use super::answer::Refusal;
use super::{filter, format, tasks};
use anyhow::Context;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fmt;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where a sandbox keeps its data.
#[derive(Debug, Clone)]
pub enum Database {
    /// In memory, gone with the process.
    Memory,
    /// In a file, which several processes may share.
    File(PathBuf),
}

impl fmt::Display for Database {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Database::Memory => out.write_str("memory"),
            Database::File(path) => path.display().fmt(out),
        }
    }
}

/// The open database.
pub(super) struct Store(Mutex<Connection>);

impl Store {
    /// Opens the database, and puts the first data in where it is new.
    pub(super) fn open(database: &Database) -> anyhow::Result<Store> {
        let mut connection = match database {
            Database::Memory => Connection::open_in_memory()?,
            Database::File(path) => open_file(path)?,
        };
        format::ensure(&mut connection).with_context(|| format!("can't use {database}"))?;
        prepare(&connection)?;
        Ok(Store(Mutex::new(connection)))
    }

    /// Runs `work` on one consistent state of the data.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.transaction(TransactionBehavior::Deferred, work)
    }

    /// Runs `work` as the only writer, in any process; a refusal undoes all of it.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.transaction(TransactionBehavior::Immediate, work)
    }

    fn transaction<T>(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(behavior)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Puts the first data back into the database file, in one transaction, while others may be using it.
///
/// # Errors
/// Where the file can't be written, or is not a sandbox's.
pub fn reset(path: &Path) -> anyhow::Result<()> {
    format::restart(&mut open_file(path)?).with_context(|| format!("can't reset {}", path.display()))
}

fn open_file(path: &Path) -> anyhow::Result<Connection> {
    if let Some(parent) = path.parent() {
        private_directory(parent).with_context(|| format!("can't create {}", parent.display()))?;
    }
    let connection = Connection::open(path).with_context(|| format!("can't open {}", path.display()))?;
    connection.busy_timeout(format::PATIENCE)?;
    Ok(connection)
}

/// Creates the directory, readable by its owner alone.
fn private_directory(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Settings that last only as long as the connection.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // Enough to outlive the process; only a power failure could take the last changes back, never damage the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.set_prepared_statement_cache_capacity(128);
    filter::register(connection)?;
    tasks::register(connection)
}
