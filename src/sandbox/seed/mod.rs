//! The first data, which is in the past. Only the times of snapshots, syncs and scans depend on the
//! time of the insertion.

mod clients;
mod sites;

use super::time::Millis;
use rusqlite::Transaction;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// 2025-01-07T08:30:00Z, when the oldest records were created.
const START: Millis = 1_736_238_600_000;

/// Fills the empty tables.
pub fn insert_first_data(db: &Transaction<'_>) -> anyhow::Result<()> {
    let clients = read_rows(include_str!("clients.csv"))?;
    clients::insert_clients(db, &clients)?;
    insert_managed_accounts(db)?;
    sites::insert_sites(db, &clients)?;
    Ok(())
}

fn read_rows<T: DeserializeOwned>(text: &str) -> csv::Result<Vec<T>> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect()
}

/// Inserts every role with every status, with and without access to all sites.
fn insert_managed_accounts(db: &Transaction<'_>) -> anyhow::Result<()> {
    let rows: Vec<Map<String, Value>> = read_rows(include_str!("managed_accounts.csv"))?;
    for (index, row) in (0..).zip(rows) {
        // Every third account has the same time as the account before it.
        let interval = if index % 3 == 2 { index - 1 } else { index };
        let created_at = START + interval * 50 * DAY;
        let mut row = Value::Object(row);
        row["account"] = json!(1);
        row["id"] = json!(format!("account-{:04}", index + 1));
        row["created_at"] = json!(created_at);
        row["updated_at"] = json!(created_at + index % 5 * (DAY + HOUR));
        insert_row(db, "managed_accounts", &row)?;
    }
    Ok(())
}

/// Inserts a row, whose members are columns. Arrays and objects become JSON text.
fn insert_row(db: &Transaction<'_>, table: &str, row: &Value) -> rusqlite::Result<()> {
    let columns = row.as_object().into_iter().flat_map(Map::keys);
    let (columns, values): (Vec<_>, Vec<_>) = columns
        .map(|column| (column.as_str(), format!("?1 ->> '{column}'")))
        .unzip();
    let (columns, values) = (columns.join(", "), values.join(", "));
    let sql = format!("INSERT INTO {table} ({columns}) SELECT {values}");
    db.prepare_cached(&sql)?.execute([row.to_string()])?;
    Ok(())
}
