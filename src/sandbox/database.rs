//! The database: opening, schema and transactions. Several processes can share one file.

use super::resources::RESOURCES;
use super::response::ApiError;
use super::{filter, seed, tasks};
use anyhow::{Context, bail};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fmt;
use std::fs::{DirBuilder, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Identifies a sandbox database: "sctl".
const APPLICATION_ID: i32 = 0x7363_746c;
/// Maximum wait for other processes that write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The storage of a sandbox.
#[derive(Debug, Clone)]
pub enum Database {
    /// In memory, until the process ends.
    Memory,
    /// In a file, which several processes can share.
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
    /// Opens the database, and inserts the first data if it is empty.
    pub(super) fn open(database: &Database) -> anyhow::Result<Store> {
        let mut connection = match database {
            Database::Memory => Connection::open_in_memory()?,
            Database::File(path) => open_file(path)?,
        };
        prepare(&mut connection, false).with_context(|| format!("can't use {database}"))?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // Data survives the end of the process, which is enough for a mock service.
        connection.pragma_update(None, "synchronous", "OFF")?;
        // A negative number is in KiB. This is enough for a hundred thousand clients.
        connection.pragma_update(None, "cache_size", -65536)?;
        connection.set_prepared_statement_cache_capacity(128);
        filter::register(&connection)?;
        Ok(Store(Mutex::new(connection)))
    }

    /// Runs `work` in a read transaction.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.transaction(TransactionBehavior::Deferred, work)
    }

    /// Runs `work` in a write transaction, which an error rolls back.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.transaction(TransactionBehavior::Immediate, work)
    }

    fn transaction<T>(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(behavior)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Restores the first data in one transaction, also while other processes use the file.
///
/// # Errors
/// If the file can't be written, or is not a sandbox database.
pub fn reset(path: &Path) -> anyhow::Result<()> {
    prepare(&mut open_file(path)?, true).with_context(|| format!("can't reset {}", path.display()))
}

fn open_file(path: &Path) -> anyhow::Result<Connection> {
    if let Some(parent) = path.parent() {
        private_directory(parent).with_context(|| format!("can't create {}", parent.display()))?;
    }
    make_private(path).with_context(|| format!("can't make {} private", path.display()))?;
    let connection = Connection::open(path).with_context(|| format!("can't open {}", path.display()))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Makes the file accessible only to its owner before SQLite opens it. SQLite's temporary files get the same permissions.
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    }
    Ok(())
}

/// Creates the directory, accessible only to its owner.
fn private_directory(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates the tables and the first data if the database is empty or reset.
///
/// Runs in one transaction, so that only one of several processes inserts the data. Other files stay unchanged.
fn prepare(connection: &mut Connection, reset: bool) -> anyhow::Result<()> {
    let schema: String = RESOURCES.iter().map(|resource| resource.schema()).chain([tasks::SCHEMA.to_owned()]).collect();
    let db = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number = |pragma| db.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    if db.prepare("SELECT 1 FROM sqlite_schema")?.exists(())? {
        if number("application_id")? != APPLICATION_ID {
            bail!("not a sandbox database");
        }
        if !reset && number("user_version")? != format(&schema) {
            bail!("another version of sitectl wrote it; `sitectl sandbox reset` restores the first data");
        }
        if !reset {
            return Ok(());
        }
        clear(&db)?;
    }
    db.execute_batch(&schema)?;
    seed::insert(&db)?;
    db.pragma_update(None, "application_id", APPLICATION_ID)?;
    db.pragma_update(None, "user_version", format(&schema))?;
    Ok(db.commit()?)
}

/// Returns the FNV-1a hash of a schema, which identifies the format.
fn format(schema: &str) -> i32 {
    let hash = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    schema.bytes().fold(0x811c_9dc5, hash).cast_signed()
}

/// Drops every table before the tables that it references.
fn clear(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC";
    let mut statement = db.prepare(sql)?;
    let tables = statement.query_map((), |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    tables.iter().try_for_each(|table| db.execute_batch(&format!("DROP TABLE \"{table}\"")))
}
