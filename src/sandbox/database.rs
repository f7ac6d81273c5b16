//! The database: opening, schema and transactions. Several processes can share one file.

use super::resources::RESOURCES;
use super::response::ApiResult;
use super::{filter, seed};
use anyhow::{Context, bail};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// SQLite's `application_id` of a sandbox database: "sctl" in ASCII.
const APPLICATION_ID: i32 = 0x7363_746c;
/// Maximum wait for other processes that write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// SQLite's name of a database that lasts until the process ends.
pub const MEMORY: &str = ":memory:";

pub struct Store(Mutex<Connection>);

/// The use of the data of an existing sandbox database.
#[derive(PartialEq)]
enum ExistingData {
    Keep,
    Replace,
}

impl Store {
    /// Opens the database, and inserts the first data if it is empty.
    pub fn open(database: &Path) -> anyhow::Result<Store> {
        let mut connection = connect(database)?;
        create_tables(&mut connection, ExistingData::Keep)
            .with_context(|| format!("could not use {}", database.display()))?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // Data survives the end of the process but not a power failure, which is enough for a mock
        // service.
        connection.pragma_update(None, "synchronous", "OFF")?;
        // A negative number is in KiB. This is enough for a hundred thousand clients.
        connection.pragma_update(None, "cache_size", -65536)?;
        connection.set_prepared_statement_cache_capacity(128);
        filter::register_contains_text(&connection)?;
        connection.execute_batch(include_str!("views.sql"))?;
        Ok(Store(Mutex::new(connection)))
    }

    /// Runs `work` in a read transaction.
    pub fn read(&self, work: impl FnOnce(&Transaction<'_>) -> ApiResult) -> ApiResult {
        self.transaction(TransactionBehavior::Deferred, work)
    }

    /// Runs `work` in a write transaction, which an error rolls back. The transaction takes the
    /// write lock at its start, because a lock that is taken later can fail.
    pub fn write(&self, work: impl FnOnce(&Transaction<'_>) -> ApiResult) -> ApiResult {
        self.transaction(TransactionBehavior::Immediate, work)
    }

    fn transaction(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Transaction<'_>) -> ApiResult,
    ) -> ApiResult {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(behavior)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}

/// Restores the first data in one transaction, also while other processes use the file.
///
/// # Errors
/// If the file can't be written, or is not a sandbox database.
pub fn reset(path: &Path) -> anyhow::Result<()> {
    let mut connection = connect(path)?;
    create_tables(&mut connection, ExistingData::Replace)
        .with_context(|| format!("could not reset {}", path.display()))
}

fn connect(path: &Path) -> anyhow::Result<Connection> {
    let name = path.display();
    if path.as_os_str() != MEMORY {
        make_private(path).with_context(|| format!("could not create {name}"))?;
    }
    let connection = Connection::open(path).with_context(|| format!("could not open {name}"))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Makes the file and new directories accessible only to their owner before SQLite opens the file.
/// SQLite's temporary files get the same permissions.
fn make_private(path: &Path) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory)?;
    }
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

/// Creates the tables and the first data if the database is empty, or its data is to be replaced.
///
/// Runs in one transaction, so that only one of several processes inserts the data. Files that are
/// not a sandbox database stay unchanged.
fn create_tables(connection: &mut Connection, existing: ExistingData) -> anyhow::Result<()> {
    let mut schema = String::new();
    for resource in RESOURCES {
        schema += &resource.schema();
    }
    let version = schema_hash(&schema);
    let db = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if db.prepare("SELECT 1 FROM sqlite_schema")?.exists(())? {
        if read_pragma(&db, "application_id")? != APPLICATION_ID {
            bail!("not a sandbox database");
        }
        if existing == ExistingData::Keep {
            if read_pragma(&db, "user_version")? != version {
                bail!(
                    "another version of sitectl wrote it; \
                     `sitectl sandbox reset` restores the first data"
                );
            }
            return Ok(());
        }
        drop_tables(&db)?;
    }
    db.execute_batch(&schema)?;
    seed::insert_first_data(&db)?;
    db.pragma_update(None, "application_id", APPLICATION_ID)?;
    db.pragma_update(None, "user_version", version)?;
    Ok(db.commit()?)
}

fn read_pragma(db: &Transaction<'_>, name: &str) -> rusqlite::Result<i32> {
    db.pragma_query_value(None, name, |row| row.get(0))
}

/// Returns the FNV-1a hash of a schema, which SQLite's `user_version` stores.
fn schema_hash(schema: &str) -> i32 {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in schema.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash.cast_signed()
}

/// Drops the tables in the reverse order of their creation: each before the tables that it
/// references.
fn drop_tables(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC";
    let tables: rusqlite::Result<Vec<String>> =
        db.prepare(sql)?.query_map((), |row| row.get(0))?.collect();
    for table in tables? {
        db.execute_batch(&format!("DROP TABLE \"{table}\""))?;
    }
    Ok(())
}
