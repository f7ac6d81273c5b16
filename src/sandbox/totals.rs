//! Totals of lists, remembered for as long as nothing is written: to count is most of the work of a short page.

use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The most that are remembered at once.
const MOST: usize = 256;

/// Totals by query, all of one state of the data. They must all be read on the same connection.
#[derive(Debug, Default)]
pub(super) struct Totals(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    state: (i64, u64),
    totals: HashMap<String, u64>,
}

impl Totals {
    /// The total of the query that `key` names: a remembered one, or else what `count` finds.
    pub(super) fn remember(
        &self,
        db: &Connection,
        key: String,
        count: impl FnOnce() -> rusqlite::Result<u64>,
    ) -> rusqlite::Result<u64> {
        let state = state(db)?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.state != state || known.totals.len() >= MOST {
            *known = Known { state, totals: HashMap::new() };
        }
        if let Some(total) = known.totals.get(&key) {
            return Ok(*total);
        }
        let total = count()?;
        known.totals.insert(key, total);
        Ok(total)
    }
}

/// Changes with every write: the one number with those of other connections, the other with those of this one.
fn state(db: &Connection) -> rusqlite::Result<(i64, u64)> {
    let others = db.prepare_cached("PRAGMA data_version")?.query_row((), |row| row.get(0))?;
    Ok((others, db.total_changes()))
}
