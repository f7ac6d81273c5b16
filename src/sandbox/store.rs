//! The database: opening it safely among several processes, and transactions.

use super::answer::Refusal;
use super::{filter, seed};
use anyhow::{Context, bail};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where a sandbox keeps its data.
#[derive(Debug, Clone)]
pub enum Database {
    /// In memory, gone with the process.
    Memory,
    /// In a file, which several processes may share.
    File(PathBuf),
}

/// Marks a file as a sandbox's: "sctl".
const APPLICATION_ID: i32 = 0x7363_746c;
/// The version of `schema.sql` and of the first data.
const VERSION: i32 = 1;
/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// The open database.
pub(super) struct Store(Mutex<Connection>);

/// What a file turned out to be.
enum Found {
    Current,
    Empty,
    OtherVersion(i32),
    Foreign,
}

impl Store {
    /// Opens the database, and puts the first data in where it is new.
    pub(super) fn open(database: &Database) -> anyhow::Result<Store> {
        let mut connection = match database {
            Database::Memory => Connection::open_in_memory()?,
            Database::File(path) => open_file(path)?,
        };
        if !matches!(examine(&connection)?, Found::Current) {
            create(&mut connection).with_context(|| format!("can't use {database:?}"))?;
        }
        prepare(&connection)?;
        Ok(Store(Mutex::new(connection)))
    }

    /// Runs `work` on one consistent state of the data.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.transaction(TransactionBehavior::Deferred, work)
    }

    /// Runs `work` as the only writer, in any process; a refusal undoes all of it.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
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
    let mut connection = open_file(path)?;
    let busy = || format!("can't reset {}", path.display());
    journal_ahead(&connection).with_context(busy)?;
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .with_context(busy)?;
    match examine(&transaction)? {
        Found::Foreign => bail!(
            "{} is not a sandbox's database; it was left as it is",
            path.display()
        ),
        Found::Empty => {}
        Found::Current | Found::OtherVersion(_) => clear(&transaction)?,
    }
    fill(&transaction)?;
    Ok(transaction.commit()?)
}

fn open_file(path: &Path) -> anyhow::Result<Connection> {
    if let Some(parent) = path.parent() {
        private_directory(parent).with_context(|| format!("can't create {}", parent.display()))?;
    }
    let connection =
        Connection::open(path).with_context(|| format!("can't open {}", path.display()))?;
    connection.busy_timeout(PATIENCE)?;
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
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    // holds(needle, text, …): whether any text contains the needle, which is folded already.
    connection.create_scalar_function("holds", -1, flags, |context| {
        let needle = context.get_raw(0).as_str()?;
        for index in 1..context.len() {
            if filter::fold(context.get_raw(index).as_str()?).contains(needle) {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

fn examine(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, VERSION) => Ok(Found::Current),
        (APPLICATION_ID, other) => Ok(Found::OtherVersion(other)),
        _ => {
            let tables: i64 =
                connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
            Ok(if tables == 0 {
                Found::Empty
            } else {
                Found::Foreign
            })
        }
    }
}

/// Makes an empty database the first data's. Of several processes that try at once, one does and the others find it done.
fn create(connection: &mut Connection) -> anyhow::Result<()> {
    if let Found::Empty = examine(connection)? {
        journal_ahead(connection)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match examine(&transaction)? {
        Found::Current => {}
        Found::Empty => fill(&transaction)?,
        Found::OtherVersion(other) => {
            bail!(
                "it was written by another version of the sandbox (format {other}, this is {VERSION}); `sitectl sandbox reset` starts it anew"
            )
        }
        Found::Foreign => bail!("it is not a sandbox's database"),
    }
    Ok(transaction.commit()?)
}

/// Turns on write-ahead logging, which lets others read during a write. SQLite does not wait for others here by itself.
fn journal_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

fn fill(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(include_str!("schema.sql"))?;
    seed::plant(transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)
}

/// Drops every table; whoever refers to another goes first.
fn clear(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC";
    let mut statement = transaction.prepare(sql)?;
    let tables = statement
        .query_map((), |row| row.get::<_, String>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    tables
        .iter()
        .try_for_each(|table| transaction.execute_batch(&format!("DROP TABLE \"{table}\"")))
}
