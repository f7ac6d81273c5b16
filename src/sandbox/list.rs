//! The one list mechanism: every list endpoint is a resource, a scope and this (spec, "Common list query parameters").

use super::answer::{Answer, Answered, Problems, Refusal};
use super::call::Call;
use super::filter::{self, Condition};
use super::instant;
use super::query;
use super::resource::Resource;
use jiff::tz::TimeZone;
use rusqlite::types::Value;
use rusqlite::{Transaction, params_from_iter};
use std::io::Write;

/// Records on a page where the caller does not say.
pub(super) const DEFAULT_PER_PAGE: u32 = 25;
/// The most that may be asked for.
pub(super) const MAX_PER_PAGE: u32 = 1000;

/// The most filters at once; the database can't join any number of conditions.
pub(super) const MAX_FILTERS: usize = 100;

/// A query string's names and values.
type Pairs = [(String, String)];

/// A list query, checked.
struct Asked {
    page: u64,
    per_page: u32,
    order: String,
    conditions: Vec<Condition>,
}

/// Answers a list of the account's records, narrowed further by `scope` (column, value).
pub(super) fn list(call: &Call, resource: &Resource, scope: &[(&str, &str)]) -> Answered {
    let asked = parse(resource, &call.query)?;
    let page = call.read(|db| page(db, resource, &asked, call.account.key, scope))?;
    Ok(Answer::ok(page))
}

/// Answers one of the account's records, under its name.
pub(super) fn show(call: &Call, resource: &Resource, id: &str) -> Answered {
    let record = call.read(|db| one(db, resource, call.account.key, id))?;
    Ok(Answer::ok(record))
}

/// `{"client": {…}}`, or 404 where the account has no such record.
pub(super) fn one(db: &Transaction<'_>, resource: &Resource, account: i64, id: &str) -> Result<Vec<u8>, Refusal> {
    let sql = format!("SELECT {} FROM {} WHERE account = ? AND id = ?", resource.columns(), resource.table);
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query((account, id))?;
    let row = rows.next()?.ok_or_else(|| Refusal::not_found(&title(resource.one)))?;
    let mut out = format!("{{\"{}\":", resource.one).into_bytes();
    resource.write(row, &mut out)?;
    out.push(b'}');
    Ok(out)
}

/// `managed_account` as a sentence begins with it.
fn title(name: &str) -> String {
    let mut title = name.replace('_', " ");
    title[..1].make_ascii_uppercase();
    title
}

fn parse(resource: &Resource, raw: &str) -> Result<Asked, Refusal> {
    let mut problems = Problems::default();
    let pairs = query::pairs(raw, &mut problems);
    let page = page_number(&pairs, &mut problems);
    let per_page = per_page(&pairs, &mut problems);
    let sort = single(&pairs, "sort", &mut problems).unwrap_or("created_at,desc");
    let order = filter::order(resource, sort, &mut problems).unwrap_or_default();
    let conditions = conditions(resource, &pairs, &mut problems);
    problems.invalid().map(|()| Asked { page, per_page, order, conditions })
}

/// The filters; whatever else is left is nothing that a list knows.
fn conditions(resource: &Resource, pairs: &Pairs, problems: &mut Problems) -> Vec<Condition> {
    let zone = timezone(pairs, problems);
    let mut conditions = Vec::new();
    for (name, value) in pairs {
        match name.as_str() {
            "page" | "perPage" | "sort" | "timezone" => {}
            key if key.starts_with("filters") => {
                conditions.extend(filter::parse(resource, key, value, &zone, problems));
            }
            other => problems.add("unsupported_parameter", other, "Is not a parameter of this list"),
        }
    }
    if conditions.len() > MAX_FILTERS {
        problems.add("too_many", "filters", format!("Can't be more than {MAX_FILTERS}"));
    }
    conditions
}

/// The value of a parameter that may be given once.
fn single<'a>(pairs: &'a Pairs, name: &str, problems: &mut Problems) -> Option<&'a str> {
    let mut values = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let first = values.next();
    if values.next().is_some() {
        problems.add("repeated", name, "Can't be given more than once");
    }
    first
}

/// Any number from 1 on. One beyond all counting is as good as the greatest that a caller can still read back.
fn page_number(pairs: &Pairs, problems: &mut Problems) -> u64 {
    let number = single(pairs, "page", problems).map_or(Some(1), number).filter(|number| *number >= 1);
    number.unwrap_or_else(|| {
        problems.add("invalid_value", "page", "Must be a whole number from 1");
        1
    })
}

fn per_page(pairs: &Pairs, problems: &mut Problems) -> u32 {
    let Some(text) = single(pairs, "perPage", problems) else {
        return DEFAULT_PER_PAGE;
    };
    let number = number(text).and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (1..=MAX_PER_PAGE).contains(number)).unwrap_or_else(|| {
        problems.add("invalid_value", "perPage", format!("Must be a whole number from 1 to {MAX_PER_PAGE}"));
        DEFAULT_PER_PAGE
    })
}

/// The value of a run of digits; one that is too great is the greatest.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse::<i64>().unwrap_or(i64::MAX).unsigned_abs())
}

fn timezone(pairs: &Pairs, problems: &mut Problems) -> TimeZone {
    let Some(name) = single(pairs, "timezone", problems) else {
        return TimeZone::UTC;
    };
    instant::zone(name).unwrap_or_else(|| {
        problems.add("invalid_value", "timezone", "Must be an IANA time zone, such as Europe/Berlin");
        TimeZone::UTC
    })
}

/// Reads one page and its totals in one transaction, so that they agree.
fn page(
    db: &Transaction<'_>,
    resource: &Resource,
    asked: &Asked,
    account: i64,
    scope: &[(&str, &str)],
) -> Result<Vec<u8>, Refusal> {
    let mut filter = "account = ?".to_owned();
    let mut values = vec![Value::from(account)];
    for (column, value) in scope {
        filter += &format!(" AND {column} = ?");
        values.push(Value::from((*value).to_owned()));
    }
    for condition in &asked.conditions {
        filter += &format!(" AND {}", condition.sql);
        values.extend(condition.values.iter().cloned());
    }
    let table = resource.table;
    let count = format!("SELECT count(*) FROM {table} WHERE {filter}");
    let total: u32 = db.prepare_cached(&count)?.query_row(params_from_iter(&values), |row| row.get(0))?;

    let mut out = format!("{{\"{}\":[", resource.many).into_bytes();
    let offset = (asked.page - 1).saturating_mul(asked.per_page.into());
    // A page past the end is empty, and not worth a look.
    if offset < total.into() {
        values.extend([Value::from(asked.per_page), Value::from(i64::try_from(offset).unwrap_or(i64::MAX))]);
        write_rows(db, resource, &filter, &asked.order, &values, &mut out)?;
    }
    write_meta(&mut out, asked, total);
    Ok(out)
}

/// Appends the records, separated by commas; the last two values are the limit and the offset.
fn write_rows(
    db: &Transaction<'_>,
    resource: &Resource,
    filter: &str,
    order: &str,
    values: &[Value],
    out: &mut Vec<u8>,
) -> rusqlite::Result<()> {
    let (columns, table) = (resource.columns(), resource.table);
    let sql = format!("SELECT {columns} FROM {table} WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?");
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        if out.last() == Some(&b'}') {
            out.push(b',');
        }
        resource.write(row, out)?;
    }
    Ok(())
}

fn write_meta(out: &mut Vec<u8>, asked: &Asked, total: u32) {
    let (page, per_page) = (asked.page, asked.per_page);
    let pages = total.div_ceil(per_page);
    // Writing to a Vec cannot fail.
    let _ = write!(
        out,
        r#"],"meta":{{"pagination":{{"page":{page},"perPage":{per_page},"totalPages":{pages},"totalItems":{total}}}}}}}"#
    );
}
