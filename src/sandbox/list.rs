//! Lists and single records of every resource (spec, "Common list query parameters")

use super::filter::{self, Condition};
use super::request::ApiRequest;
use super::resource::Resource;
use super::response::{ApiError, ApiResult, Problems};
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, Transaction, params_from_iter, types};
use serde_json::json;
use std::ops::RangeInclusive;

/// Records per page: default and maximum.
const DEFAULT_PER_PAGE: i64 = 25;
const MAX_PER_PAGE: i64 = 1000;

/// The names and values of a query string.
type Pairs = [(String, String)];

/// A parsed list query.
struct Query {
    page: i64,
    per_page: i64,
    /// The ORDER BY clause.
    order: String,
    conditions: Vec<Condition>,
}

/// `GET` on the path of a resource
pub(super) fn list(request: &ApiRequest, resource: &Resource) -> ApiResult {
    request.server.store.read(|db| {
        let mut conditions = vec![Condition::equal("account", request.account.key)];
        if let Some((column, parent)) = resource.parent {
            let id = request.path(column);
            read(db, parent, request.account.key, id)?;
            conditions.push(Condition::equal(column, id.to_owned()));
        }
        let mut query = Query::parse(resource, &request.query)?;
        conditions.append(&mut query.conditions);
        query.read(db, resource, conditions)
    })
}

/// `GET` on one record
pub(super) fn show(request: &ApiRequest, resource: &Resource) -> ApiResult {
    request.server.store.read(|db| read(db, resource, request.account.key, request.path("id")))
}

/// Returns `{"client": {…}}`, or 404 if the record does not exist in the account.
pub(super) fn read(db: &Transaction<'_>, resource: &Resource, account: i64, id: &str) -> ApiResult {
    let Resource { one, many, .. } = resource;
    let sql = format!("SELECT {} FROM {many} WHERE account = ? AND id = ?", resource.select());
    let record = db.prepare_cached(&sql)?.query_row((account, id), |row| resource.record(row)).optional()?;
    let record = record.ok_or_else(|| {
        let mut title = one.replace('_', " ");
        title[..1].make_ascii_uppercase();
        ApiError::not_found(&title)
    })?;
    Ok(json!({ *one: record }))
}

impl Query {
    fn parse(resource: &Resource, query: &str) -> Result<Query, ApiError> {
        let mut problems = Problems::default();
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let page = number(&pairs, "page", 1..=i64::MAX, 1, &mut problems);
        let per_page = number(&pairs, "perPage", 1..=MAX_PER_PAGE, DEFAULT_PER_PAGE, &mut problems);
        let sort = single(&pairs, "sort").unwrap_or("created_at,desc");
        let order = filter::order(resource, sort, &mut problems).unwrap_or_default();
        let conditions = conditions(resource, &pairs, &mut problems);
        problems.check().map(|()| Query { page, per_page, order, conditions })
    }

    /// Returns the page. The total and the records belong to the same state of the data.
    fn read(&self, db: &Transaction<'_>, resource: &Resource, conditions: Vec<Condition>) -> ApiResult {
        let (Resource { many, .. }, Query { page, per_page, order, .. }) = (resource, self);
        let filter = conditions.iter().map(|condition| condition.sql.as_str()).collect::<Vec<_>>().join(" AND ");
        let mut values: Vec<types::Value> = conditions.into_iter().flat_map(|condition| condition.values).collect();
        let sql = format!("SELECT count(*) FROM {many} WHERE {filter}");
        let total: i64 = db.prepare_cached(&sql)?.query_row(params_from_iter(&values), |row| row.get(0))?;
        let sql = format!("SELECT {} FROM {many} WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?", resource.select());
        values.extend([*per_page, (page - 1).saturating_mul(*per_page)].map(types::Value::from));
        let mut statement = db.prepare_cached(&sql)?;
        let records = statement.query_map(params_from_iter(values), |row| resource.record(row))?;
        let records = records.collect::<rusqlite::Result<Vec<_>>>()?;
        let pages = total.unsigned_abs().div_ceil(per_page.unsigned_abs());
        let pagination = json!({ "page": page, "perPage": per_page, "totalPages": pages, "totalItems": total });
        Ok(json!({ *many: records, "meta": { "pagination": pagination } }))
    }
}

/// Returns the value of a parameter.
fn single<'a>(pairs: &'a Pairs, name: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn number(pairs: &Pairs, name: &str, allowed: RangeInclusive<i64>, default: i64, problems: &mut Problems) -> i64 {
    let Some(text) = single(pairs, name) else {
        return default;
    };
    let number = text.parse().ok().filter(|number| allowed.contains(number) && !text.starts_with('+'));
    number.unwrap_or_else(|| {
        let most = if name == "page" { String::new() } else { format!(" to {}", allowed.end()) };
        problems.add("invalid_value", name, format!("Must be a whole number from {}{most}", allowed.start()));
        default
    })
}

/// Parses the filters, and reports unknown parameters.
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
    conditions
}

fn timezone(pairs: &Pairs, problems: &mut Problems) -> TimeZone {
    let Some(name) = single(pairs, "timezone") else {
        return TimeZone::UTC;
    };
    TimeZone::get(name).unwrap_or_else(|_| {
        problems.add("invalid_value", "timezone", "Must be an IANA time zone, such as Europe/Berlin");
        TimeZone::UTC
    })
}
