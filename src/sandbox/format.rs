//! The database's format: recognising a file, and making one the sandbox's, among several processes at once.

use super::seed;
use anyhow::bail;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::time::{Duration, Instant};

/// Marks a file as a sandbox's: "sctl".
const APPLICATION_ID: i32 = 0x7363_746c;
/// The version of `schema.sql` and of the first data.
const VERSION: i32 = 2;
/// What makes the version before it this one.
const UPGRADE: &str = "ALTER TABLE sites ADD COLUMN position INTEGER NOT NULL DEFAULT 0";
/// How long to wait for other processes that are writing.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What a file turned out to be.
enum Found {
    Current,
    Empty,
    /// The version before this one.
    Previous,
    OtherVersion(i32),
    Foreign,
}

/// Must be asked within a transaction: of another process's changes it sees all or nothing.
fn examine(connection: &Transaction<'_>) -> rusqlite::Result<Found> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let application = match number("application_id") {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return Ok(Found::Foreign);
        }
        other => other?,
    };
    match (application, number("user_version")?) {
        (APPLICATION_ID, VERSION) => Ok(Found::Current),
        (APPLICATION_ID, other) if other == VERSION - 1 => Ok(Found::Previous),
        (APPLICATION_ID, other) => Ok(Found::OtherVersion(other)),
        _ => {
            let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
            Ok(if tables == 0 { Found::Empty } else { Found::Foreign })
        }
    }
}

/// Puts the first data into an empty database; one that has it stays as it is, which costs two reads.
///
/// One of the previous version is brought to this one, with all that it holds. Of several processes that find it
/// empty or old at once, one does the work and the others then find it done.
///
/// # Errors
/// Where it is not a sandbox's, or that of yet another version.
pub(super) fn ensure(connection: &mut Connection) -> anyhow::Result<()> {
    if let Found::Current = examine(&connection.transaction()?)? {
        return Ok(());
    }
    rewrite(connection, |transaction, found| match found {
        Found::Empty => Ok(fill(transaction)?),
        Found::Previous => Ok(upgrade(transaction)?),
        Found::OtherVersion(other) => bail!(
            "it was written by another version of the sandbox (format {other}, this is {VERSION}); `sitectl sandbox reset` starts it anew"
        ),
        Found::Current | Found::Foreign => Ok(()),
    })
}

/// Makes the first data all that there is.
///
/// # Errors
/// Where it is not a sandbox's.
pub(super) fn restart(connection: &mut Connection) -> anyhow::Result<()> {
    rewrite(connection, |transaction, _| {
        clear(transaction)?;
        Ok(fill(transaction)?)
    })
}

/// Runs `work` as the only writer, on a database that is empty or the sandbox's.
fn rewrite(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>, Found) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // Before anything is written, so that a file of others stays as it is to the last byte.
    if let Found::Foreign = examine(&connection.transaction()?)? {
        bail!("it is not a sandbox's database");
    }
    journal_ahead(connection)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = examine(&transaction)?;
    work(&transaction, found)?;
    Ok(transaction.commit()?)
}

/// Turns on write-ahead logging, which lets others read during a write. SQLite does not wait for others here by itself.
fn journal_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < PATIENCE => {
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

fn upgrade(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(UPGRADE)?;
    transaction.pragma_update(None, "user_version", VERSION)
}

/// Drops every table; whoever refers to another was made after it, so it goes before it.
fn clear(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC";
    let mut statement = transaction.prepare(sql)?;
    let tables = statement.query_map((), |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    tables.iter().try_for_each(|table| transaction.execute_batch(&format!("DROP TABLE \"{table}\"")))
}
