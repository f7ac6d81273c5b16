//! Lists and single records of every resource (spec, "Common list query parameters")

use super::filter::{self, Condition, Reason};
use super::request::ApiRequest;
use super::resource::Resource;
use super::response::{ApiError, ApiResult, Problems};
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, Transaction, params_from_iter, types};
use serde_json::json;

/// Records per page: default and maximum.
const DEFAULT_PER_PAGE: i64 = 25;
const MAX_PER_PAGE: i64 = 1000;

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
        Query::parse(resource, &request.query, conditions)?.read(db, resource)
    })
}

/// `GET` on one record
pub(super) fn show(request: &ApiRequest, resource: &Resource) -> ApiResult {
    request
        .server
        .store
        .read(|db| read(db, resource, request.account.key, request.path("id")))
}

/// Returns `{"client": {…}}`, or 404 if the record does not exist in the account.
pub(super) fn read(db: &Transaction<'_>, resource: &Resource, account: i64, id: &str) -> ApiResult {
    let Resource { one, many, .. } = resource;
    let sql = format!(
        "SELECT {} FROM {many} WHERE account = ? AND id = ?",
        resource.select()
    );
    let record = db
        .prepare_cached(&sql)?
        .query_row((account, id), |row| resource.record(row))
        .optional()?;
    let record = record.ok_or_else(|| {
        let mut title = one.replace('_', " ");
        title[..1].make_ascii_uppercase();
        ApiError::not_found(&title)
    })?;
    Ok(json!({ *one: record }))
}

impl Query {
    fn parse(
        resource: &Resource,
        query: &str,
        conditions: Vec<Condition>,
    ) -> Result<Query, ApiError> {
        let (mut problems, pairs) = (
            Problems::default(),
            form_urlencoded::parse(query.as_bytes()),
        );
        let order = "created_at desc, id desc".to_owned();
        let mut query = Query {
            page: 1,
            per_page: DEFAULT_PER_PAGE,
            order,
            conditions,
        };
        let zone = match pairs.clone().find(|(name, _)| name == "timezone") {
            Some((_, name)) => TimeZone::get(&name).ok(),
            None => Some(TimeZone::UTC),
        };
        for (name, value) in pairs {
            let parsed = match &*name {
                "page" => number(&value, i64::MAX).map(|page| query.page = page),
                "perPage" => number(&value, MAX_PER_PAGE).map(|per_page| query.per_page = per_page),
                "sort" => filter::order(resource, &value).map(|order| query.order = order),
                "timezone" if zone.is_some() => Ok(()),
                "timezone" => Err((
                    "invalid_value",
                    "Must be an IANA time zone, such as Europe/Berlin".to_owned(),
                )),
                key if key.starts_with("filters") => {
                    let condition = filter::parse(
                        resource,
                        key,
                        &value,
                        zone.as_ref().unwrap_or(&TimeZone::UTC),
                    );
                    condition.map(|condition| query.conditions.push(condition))
                }
                _ => Err((
                    "unsupported_parameter",
                    "Is not a parameter of this list".to_owned(),
                )),
            };
            if let Err((code, message)) = parsed {
                problems.add(code, name, message);
            }
        }
        problems.check().map(|()| query)
    }

    /// Returns the page. The total and the records belong to the same state of the data.
    fn read(self, db: &Transaction<'_>, resource: &Resource) -> ApiResult {
        let (
            Resource { many, .. },
            Query {
                page,
                per_page,
                order,
                conditions,
            },
        ) = (resource, self);
        let filter = conditions
            .iter()
            .map(|condition| condition.sql.as_str())
            .collect::<Vec<_>>()
            .join(" AND ");
        let mut values: Vec<types::Value> = conditions
            .into_iter()
            .flat_map(|condition| condition.values)
            .collect();
        let sql = format!("SELECT count(*) FROM {many} WHERE {filter}");
        let total: i64 = db
            .prepare_cached(&sql)?
            .query_row(params_from_iter(&values), |row| row.get(0))?;
        let sql = format!(
            "SELECT {} FROM {many} WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?",
            resource.select()
        );
        values.extend([per_page, (page - 1).saturating_mul(per_page)].map(types::Value::from));
        let mut statement = db.prepare_cached(&sql)?;
        let records = statement.query_map(params_from_iter(values), |row| resource.record(row))?;
        let records = records.collect::<rusqlite::Result<Vec<_>>>()?;
        let pages = total.unsigned_abs().div_ceil(per_page.unsigned_abs());
        let pagination =
            json!({ "page": page, "perPage": per_page, "totalPages": pages, "totalItems": total });
        Ok(json!({ *many: records, "meta": { "pagination": pagination } }))
    }
}

fn number(text: &str, most: i64) -> Result<i64, Reason> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=most).contains(number) && !text.starts_with('+'));
    number.ok_or_else(|| {
        (
            "invalid_value",
            format!("Must be a whole number from 1 to {most}"),
        )
    })
}
