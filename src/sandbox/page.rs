//! One page of a list: its total, its records and where it stands, all of one state of the data.

use super::answer::Refusal;
use super::call::Call;
use super::filter::{Condition, Order};
use super::resource::Resource;
use super::totals::Totals;
use rusqlite::types::Value;
use rusqlite::{Transaction, params_from_iter};
use std::io::Write;

/// What page is wanted, of which of the resource's records.
pub(super) struct Wanted {
    pub(super) page: u64,
    pub(super) per_page: u32,
    pub(super) order: Order,
    pub(super) conditions: Vec<Condition>,
}

/// The rows of a page: so many after so many, counted from the list's start or, reversed, from its end.
struct Window {
    reversed: bool,
    skip: u64,
    count: u64,
}

/// The list as JSON, narrowed further by `scope` (column, value).
pub(super) fn read(
    call: &Call,
    resource: &Resource,
    wanted: &Wanted,
    scope: &[(&str, &str)],
) -> Result<Vec<u8>, Refusal> {
    let (filter, values) = filter(call.account.key, wanted, scope);
    call.read(|db| {
        let total = total(db, &call.server.store.totals, resource, &filter, &values)?;
        let mut out = format!("{{\"{}\":[", resource.many).into_bytes();
        if let Some(window) = window(wanted, total, resource.stored) {
            write_records(&mut out, &records(db, resource, (&filter, values), &wanted.order, &window)?, &window);
        }
        write_meta(&mut out, wanted, total);
        Ok(out)
    })
}

/// The WHERE clause and its values.
fn filter(account: i64, wanted: &Wanted, scope: &[(&str, &str)]) -> (String, Vec<Value>) {
    let mut filter = "account = ?".to_owned();
    let mut values = vec![Value::from(account)];
    for (column, value) in scope {
        filter += &format!(" AND {column} = ?");
        values.push(Value::from((*value).to_owned()));
    }
    for condition in &wanted.conditions {
        filter += &format!(" AND {}", condition.sql);
        values.extend(condition.values.iter().cloned());
    }
    (filter, values)
}

fn total(
    db: &Transaction<'_>,
    totals: &Totals,
    resource: &Resource,
    filter: &str,
    values: &[Value],
) -> rusqlite::Result<u64> {
    let sql = format!("SELECT count(*) FROM {} WHERE {filter}", resource.table);
    let count =
        || db.prepare_cached(&sql)?.query_row(params_from_iter(values), |row| row.get::<_, u32>(0)).map(u64::from);
    if resource.stored { totals.remember(db, format!("{sql} {values:?}"), count) } else { count() }
}

/// The rows to read; none where the page is past the end. Where nothing moves meanwhile, from the nearer end.
fn window(wanted: &Wanted, total: u64, stored: bool) -> Option<Window> {
    let before = (wanted.page - 1).saturating_mul(wanted.per_page.into());
    let left = total.checked_sub(before).filter(|left| *left > 0)?;
    let count = left.min(wanted.per_page.into());
    let behind = left - count;
    let reversed = stored && behind < before;
    Some(Window { reversed, skip: if reversed { behind } else { before }, count })
}

/// Each record's JSON, in the window's direction.
fn records(
    db: &Transaction<'_>,
    resource: &Resource,
    (filter, mut values): (&str, Vec<Value>),
    order: &Order,
    window: &Window,
) -> rusqlite::Result<Vec<Vec<u8>>> {
    let (columns, table, order) = (resource.columns(), resource.table, order.sql(window.reversed));
    let sql = format!("SELECT {columns} FROM {table} WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?");
    values.extend([window.count, window.skip].map(|number| Value::from(i64::try_from(number).unwrap_or(i64::MAX))));
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = Vec::with_capacity(512);
        resource.write(row, &mut record)?;
        records.push(record);
    }
    Ok(records)
}

/// Appends the records in the list's direction.
fn write_records(out: &mut Vec<u8>, records: &[Vec<u8>], window: &Window) {
    for nth in 0..records.len() {
        if nth > 0 {
            out.push(b',');
        }
        let index = if window.reversed { records.len() - 1 - nth } else { nth };
        out.extend_from_slice(&records[index]);
    }
}

fn write_meta(out: &mut Vec<u8>, wanted: &Wanted, total: u64) {
    let (page, per_page) = (wanted.page, wanted.per_page);
    let pages = total.div_ceil(per_page.into());
    // Writing to a Vec cannot fail.
    let _ = write!(
        out,
        r#"],"meta":{{"pagination":{{"page":{page},"perPage":{per_page},"totalPages":{pages},"totalItems":{total}}}}}}}"#
    );
}
