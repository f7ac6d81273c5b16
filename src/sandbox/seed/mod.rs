//! The first data: fixed, the same every time, and all of it in the past.

mod clients;
mod managed_accounts;
mod sites;

use super::clock::Millis;
use rusqlite::Transaction;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// 2025-01-07T08:30:00Z, when the first of everything was made.
const START: Millis = 1_736_238_600_000;
/// 2026-11-21T02:00:00Z, when the newest snapshots began.
const LAST_NIGHT: Millis = 1_795_226_400_000;

/// Fills empty tables.
pub(super) fn plant(db: &Transaction<'_>) -> rusqlite::Result<()> {
    clients::plant(db)?;
    managed_accounts::plant(db)?;
    sites::plant(db)
}
