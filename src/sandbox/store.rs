//! The database: opening it, and transactions. All work on the data goes through `read` and `write`.

use super::answer::Refusal;
use super::totals::Totals;
use super::{filter, format, tasks};
use anyhow::Context;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fmt;
use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

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
pub(super) struct Store {
    writer: Mutex<Connection>,
    /// A file's second connection: who reads there never waits for who writes. Memory has but one.
    reader: Option<Mutex<Connection>>,
    /// What lists counted on the connection that reads.
    pub(super) totals: Totals,
}

impl Store {
    /// Opens the database, and puts the first data in where it is new.
    pub(super) fn open(database: &Database) -> anyhow::Result<Store> {
        let open = || match database {
            Database::Memory => Ok(Connection::open_in_memory()?),
            Database::File(path) => open_file(path),
        };
        let mut writer = open()?;
        format::ensure(&mut writer).with_context(|| format!("can't use {database}"))?;
        if let Database::File(path) = database {
            make_private(path)?;
        }
        prepare(&writer)?;
        let reader = match database {
            Database::Memory => None,
            Database::File(_) => Some(open()?),
        };
        reader.as_ref().map_or(Ok(()), prepare)?;
        Ok(Store { writer: Mutex::new(writer), reader: reader.map(Mutex::new), totals: Totals::default() })
    }

    /// Runs `work` on one consistent state of the data.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let connection = self.reader.as_ref().unwrap_or(&self.writer);
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        transaction(&mut connection, TransactionBehavior::Deferred, work)
    }

    /// Runs `work` as the only writer, in any process; a refusal undoes all of it. May wait for other writers.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let start = Instant::now();
        let mut connection = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // Who queued has spent its patience here: so a queue behind one lock ends all at once, not one after the other.
        connection.busy_timeout(format::PATIENCE.saturating_sub(start.elapsed()))?;
        transaction(&mut connection, TransactionBehavior::Immediate, work)
    }
}

fn transaction<T>(
    connection: &mut Connection,
    behavior: TransactionBehavior,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let transaction = connection.transaction_with_behavior(behavior)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

/// Puts the first data back into the database file, in one transaction, while others may be using it.
///
/// # Errors
/// Where the file can't be written, or is not a sandbox's.
pub fn reset(path: &Path) -> anyhow::Result<()> {
    format::restart(&mut open_file(path)?).with_context(|| format!("can't reset {}", path.display()))?;
    make_private(path)
}

fn open_file(path: &Path) -> anyhow::Result<Connection> {
    if let Some(parent) = path.parent() {
        private_directory(parent).with_context(|| format!("can't create {}", parent.display()))?;
    }
    let connection = Connection::open(path).with_context(|| format!("can't open {}", path.display()))?;
    connection.busy_timeout(format::PATIENCE)?;
    Ok(connection)
}

/// Makes the database readable by its owner only, with the files that SQLite keeps beside it. Those that SQLite creates
/// later get the permissions of the database.
fn make_private(path: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    for ending in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(ending);
        match fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("can't make {} private", Path::new(&file).display()));
            }
            _ => {}
        }
    }
    Ok(())
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
    // In KiB where negative: room for all of a hundred thousand clients.
    connection.pragma_update(None, "cache_size", -65536)?;
    connection.set_prepared_statement_cache_capacity(128);
    filter::register(connection)?;
    tasks::register(connection)
}
