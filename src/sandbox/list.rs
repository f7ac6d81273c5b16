//! The one list mechanism: every list endpoint is a resource, a scope and this (spec, "Common list query parameters").

use super::answer::{Answer, Answered, Problems, Refusal};
use super::call::Call;
use super::filter::{self, Condition};
use super::instant;
use super::page::{self, Wanted};
use super::query;
use super::resource::Resource;
use jiff::tz::TimeZone;
use rusqlite::Transaction;

/// Records on a page where the caller does not say.
pub(super) const DEFAULT_PER_PAGE: u32 = 25;
/// The most that may be asked for.
pub(super) const MAX_PER_PAGE: u32 = 1000;

/// The most filters at once; the database can't join any number of conditions.
pub(super) const MAX_FILTERS: usize = 100;

/// A query string's names and values.
type Pairs = [(String, String)];

/// Answers a list of the account's records, narrowed further by `scope` (column, value).
pub(super) fn list(call: &Call, resource: &Resource, scope: &[(&str, &str)]) -> Answered {
    let wanted = parse(resource, &call.query)?;
    page::read(call, resource, &wanted, scope).map(Answer::ok)
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

fn parse(resource: &Resource, raw: &str) -> Result<Wanted, Refusal> {
    let mut problems = Problems::default();
    let pairs = query::pairs(raw, &mut problems);
    let page = page_number(&pairs, &mut problems);
    let per_page = per_page(&pairs, &mut problems);
    let sort = single(&pairs, "sort", &mut problems).unwrap_or("created_at,desc");
    let order = filter::order(resource, sort, &mut problems).unwrap_or_default();
    let conditions = conditions(resource, &pairs, &mut problems);
    problems.invalid().map(|()| Wanted { page, per_page, order, conditions })
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
