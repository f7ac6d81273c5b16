//! The one list mechanism: query parameters, filters, sort and page of every resource (spec, "Common list query
//! parameters"), and reading one record.

use super::filter::{self, Condition, Order};
use super::request::ApiRequest;
use super::resource::Resource;
use super::response::{self, ApiError, ApiResult, Problems};
use super::time;
use axum::http::StatusCode;
use jiff::tz::TimeZone;
use percent_encoding::percent_decode_str;
use rusqlite::types::Value;
use rusqlite::{Transaction, params_from_iter};
use std::ops::RangeInclusive;

/// Records on a page by default, and at most.
const DEFAULT_PER_PAGE: i64 = 25;
const MAX_PER_PAGE: i64 = 1000;

/// The names and values of a query string.
type Pairs = [(String, String)];

/// The page that a caller asks for, and of which records.
struct Query {
    page: i64,
    per_page: i64,
    order: Order,
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
        let page = query.read(db, resource, conditions)?;
        Ok(response::json(StatusCode::OK, page))
    })
}

/// `GET` on one record
pub(super) fn show(request: &ApiRequest, resource: &Resource) -> ApiResult {
    let record = request.server.store.read(|db| read(db, resource, request.account.key, request.path("id")))?;
    Ok(response::json(StatusCode::OK, record))
}

/// `{"client": {…}}`, or 404 if the account has no such record.
pub(super) fn read(db: &Transaction<'_>, resource: &Resource, account: i64, id: &str) -> Result<Vec<u8>, ApiError> {
    let Resource { one, source, .. } = resource;
    let sql = format!("SELECT {} FROM {source} WHERE account = ? AND id = ?", resource.select());
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query((account, id))?;
    let row = rows.next()?.ok_or_else(|| {
        let mut title = one.replace('_', " ");
        title[..1].make_ascii_uppercase();
        ApiError::not_found(&title)
    })?;
    let mut out = format!("{{\"{one}\":").into_bytes();
    resource.write(row, &mut out)?;
    out.push(b'}');
    Ok(out)
}

impl Query {
    fn parse(resource: &Resource, query: &str) -> Result<Query, ApiError> {
        let mut problems = Problems::default();
        let pairs = pairs(query, &mut problems);
        let page = number(&pairs, "page", 1..=i64::MAX, 1, &mut problems);
        let per_page = number(&pairs, "perPage", 1..=MAX_PER_PAGE, DEFAULT_PER_PAGE, &mut problems);
        let sort = single(&pairs, "sort", &mut problems).unwrap_or("created_at,desc");
        let order = filter::order(resource, sort, &mut problems).unwrap_or_default();
        let conditions = conditions(resource, &pairs, &mut problems);
        problems.check().map(|()| Query { page, per_page, order, conditions })
    }

    /// The page as JSON. Total and records are of one state of the data.
    fn read(&self, db: &Transaction<'_>, resource: &Resource, conditions: Vec<Condition>) -> Result<Vec<u8>, ApiError> {
        let (Resource { many, source, .. }, Query { page, per_page, .. }) = (resource, self);
        let filter = conditions.iter().map(|condition| condition.sql.as_str()).collect::<Vec<_>>().join(" AND ");
        let mut values: Vec<Value> = conditions.into_iter().flat_map(|condition| condition.values).collect();
        let sql = format!("SELECT count(*) FROM {source} WHERE {filter}");
        let total: i64 = db.prepare_cached(&sql)?.query_row(params_from_iter(&values), |row| row.get(0))?;
        let (columns, order) = (resource.select(), self.order.sql());
        let sql = format!("SELECT {columns} FROM {source} WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?");
        values.extend([*per_page, (page - 1).saturating_mul(*per_page)].map(Value::from));
        let mut statement = db.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut out = format!("{{\"{many}\":[").into_bytes();
        let empty = out.len();
        while let Some(row) = rows.next()? {
            if out.len() > empty {
                out.push(b',');
            }
            resource.write(row, &mut out)?;
        }
        let pages = total.unsigned_abs().div_ceil(per_page.unsigned_abs());
        let pagination = format!(r#"{{"page":{page},"perPage":{per_page},"totalPages":{pages},"totalItems":{total}}}"#);
        out.extend_from_slice(format!(r#"],"meta":{{"pagination":{pagination}}}}}"#).as_bytes());
        Ok(out)
    }
}

/// Splits and decodes a query string (`+` is a space).
fn pairs(query: &str, problems: &mut Problems) -> Vec<(String, String)> {
    let decode = |text: &str| Some(percent_decode_str(&text.replace('+', " ")).decode_utf8().ok()?.into_owned());
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (decode(name), decode(value)) {
            (Some(name), Some(value)) => pairs.push((name, value)),
            _ => problems.add("invalid_value", name, "Must be percent-encoded UTF-8"),
        }
    }
    pairs
}

/// The value of a parameter that can be given once.
fn single<'a>(pairs: &'a Pairs, name: &str, problems: &mut Problems) -> Option<&'a str> {
    let mut values = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let first = values.next();
    if values.next().is_some() {
        problems.add("repeated", name, "Can't be given more than once");
    }
    first
}

fn number(pairs: &Pairs, name: &str, allowed: RangeInclusive<i64>, default: i64, problems: &mut Problems) -> i64 {
    let Some(text) = single(pairs, name, problems) else {
        return default;
    };
    let number = text.parse().ok().filter(|number| allowed.contains(number) && !text.starts_with('+'));
    number.unwrap_or_else(|| {
        let most = if name == "page" { String::new() } else { format!(" to {}", allowed.end()) };
        problems.add("invalid_value", name, format!("Must be a whole number from {}{most}", allowed.start()));
        default
    })
}

/// The filters. All other parameters that lists don't have are problems.
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
    let Some(name) = single(pairs, "timezone", problems) else {
        return TimeZone::UTC;
    };
    time::zone(name).unwrap_or_else(|| {
        problems.add("invalid_value", "timezone", "Must be an IANA time zone, such as Europe/Berlin");
        TimeZone::UTC
    })
}
