//! Lists and single records of every resource (spec, "Common list query parameters").

use super::filter::{self, Condition, ParameterError};
use super::request::ApiRequest;
use super::resource::Resource;
use super::response::{ApiError, ApiResult, Problems};
use super::time::Millis;
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, Transaction, params_from_iter, types};
use serde_json::json;

const DEFAULT_PER_PAGE: i64 = 25;
/// The most filters of a query, because SQLite limits the depth of an expression.
const MAX_FILTERS: usize = 500;

/// A parsed list query.
struct ListQuery {
    page: i64,
    per_page: i64,
    /// The ORDER BY clause.
    order: String,
    conditions: Vec<Condition>,
}

/// `GET` on the path of a resource
pub fn list_records(request: &ApiRequest, resource: &Resource) -> ApiResult {
    request.state.store.read(|db| {
        let mut conditions = vec![Condition::equal("account", request.account.key)];
        if let Some(parent) = &resource.parent {
            let id = request.path_parameter(parent.id_field);
            // A missing parent is a 404, not an empty list.
            read_record(db, parent.resource, request, id)?;
            conditions.push(Condition::equal(parent.id_field, id.to_owned()));
            if resource.is_content() {
                let mut parameters = form_urlencoded::parse(request.query.as_bytes());
                let snapshot = parameters.find(|(name, _)| name == "snapshot_id");
                read_snapshot_status(db, id, &snapshot.unwrap_or_default().1)?;
            }
        }
        ListQuery::parse(resource, request, conditions)?.read_page(db, resource, request.now)
    })
}

/// `GET` on one record
pub fn show_record(request: &ApiRequest, resource: &Resource) -> ApiResult {
    let id = request.path_parameter("id");
    request
        .state
        .store
        .read(|db| read_record(db, resource, request, id))
}

/// Returns `{"client": {…}}`, or 404 if the record does not exist in the account.
pub fn read_record(
    db: &Transaction<'_>,
    resource: &Resource,
    request: &ApiRequest,
    id: &str,
) -> ApiResult {
    let columns = resource.select_columns();
    let table = resource.plural;
    let sql = format!("SELECT {columns} FROM {table} WHERE account = ? AND id = ?");
    let record = db
        .prepare_cached(&sql)?
        .query_row((request.account.key, id), |row| {
            resource.record_from_row(row, request.now)
        })
        .optional()?;
    let Some(record) = record else {
        let mut title = resource.singular.replace('_', " ");
        title[..1].make_ascii_uppercase();
        return Err(ApiError::not_found(&title));
    };
    Ok(json!({ resource.singular: record }))
}

/// Returns the status of a site's snapshot, or 404 if the site has no such snapshot.
pub fn read_snapshot_status(
    db: &Transaction<'_>,
    site: &str,
    snapshot: &str,
) -> Result<String, ApiError> {
    let sql = "SELECT status FROM snapshots WHERE site_id = ? AND id = ?";
    db.prepare_cached(sql)?
        .query_row((site, snapshot), |row| row.get(0))
        .optional()?
        .ok_or_else(|| ApiError::not_found("Snapshot"))
}

impl ListQuery {
    /// Parses the query string. `conditions` apply in addition to its filters.
    fn parse(
        resource: &Resource,
        request: &ApiRequest,
        conditions: Vec<Condition>,
    ) -> Result<ListQuery, ApiError> {
        let max_conditions = conditions.len() + MAX_FILTERS;
        let max_per_page = i64::from(request.state.options.max_per_page);
        let mut query = ListQuery {
            page: 1,
            per_page: DEFAULT_PER_PAGE.min(max_per_page),
            order: if resource.is_content() {
                "id".to_owned()
            } else {
                "created_at desc, id desc".to_owned()
            },
            conditions,
        };
        let parameters = form_urlencoded::parse(request.query.as_bytes());
        // The time zone also applies to filters before it.
        let zone_name = parameters.clone().find(|(name, _)| name == "timezone");
        let time_zone = TimeZone::get(zone_name.as_ref().map_or("UTC", |(_, value)| value)).ok();
        let mut problems = Problems::default();
        for (name, value) in parameters {
            let result = match &*name {
                "perPage" => parse_positive(&value, max_per_page).map(|size| query.per_page = size),
                _ => query.set_parameter(resource, &name, &value, time_zone.as_ref()),
            };
            if let Err((code, message)) = result {
                problems.add(code, name, message);
            }
        }
        if query.conditions.len() > max_conditions {
            let message = format!("Must be at most {MAX_FILTERS} filters");
            problems.add("invalid_value", "filters", message);
        }
        problems.bad_request_if_any()?;
        Ok(query)
    }

    /// Parses a parameter. `time_zone` is `None` if the parameter `timezone` is invalid, and UTC if
    /// it is missing.
    fn set_parameter(
        &mut self,
        resource: &Resource,
        name: &str,
        value: &str,
        time_zone: Option<&TimeZone>,
    ) -> Result<(), ParameterError> {
        match name {
            "page" => self.page = parse_positive(value, i64::MAX)?,
            "sort" => self.order = filter::parse_sort(resource, value)?,
            "snapshot_id" | "path" if resource.is_content() => self.conditions.push(Condition {
                sql: format!("{name} = rtrim(?, '/')"),
                value: value.to_owned().into(),
            }),
            "timezone" if time_zone.is_some() => {}
            "timezone" => {
                let message = "Must be an IANA time zone, such as Europe/Berlin".to_owned();
                return Err(("invalid_value", message));
            }
            _ if name.starts_with("filters") => {
                let utc = TimeZone::UTC;
                let time_zone = time_zone.unwrap_or(&utc);
                let condition = filter::parse_filter(resource, name, value, time_zone)?;
                self.conditions.push(condition);
            }
            _ => {
                let message = "Is not a parameter of this list".to_owned();
                return Err(("unsupported_parameter", message));
            }
        }
        Ok(())
    }

    /// Returns the page. The total and the records belong to the same state of the data, because
    /// one transaction reads both.
    fn read_page(self, db: &Transaction<'_>, resource: &Resource, now: Millis) -> ApiResult {
        let table = resource.plural;
        let mut conditions_sql = Vec::new();
        let mut values = Vec::new();
        for condition in self.conditions {
            conditions_sql.push(condition.sql);
            values.push(condition.value);
        }
        let where_clause = conditions_sql.join(" AND ");
        let sql = format!("SELECT count(*) FROM {table} WHERE {where_clause}");
        let total: i64 = db
            .prepare_cached(&sql)?
            .query_row(params_from_iter(&values), |row| row.get(0))?;
        let columns = resource.select_columns();
        let order = self.order;
        let sql = format!(
            "SELECT {columns} FROM {table} WHERE {where_clause} ORDER BY {order} LIMIT ? OFFSET ?"
        );
        let offset = (self.page - 1).saturating_mul(self.per_page);
        values.extend([self.per_page, offset].map(types::Value::from));
        let records = db
            .prepare_cached(&sql)?
            .query_map(params_from_iter(values), |row| {
                resource.record_from_row(row, now)
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let pages = total.unsigned_abs().div_ceil(self.per_page.unsigned_abs());
        let pagination = json!({
            "page": self.page,
            "perPage": self.per_page,
            "totalPages": pages,
            "totalItems": total,
        });
        Ok(json!({ resource.plural: records, "meta": { "pagination": pagination } }))
    }
}

fn parse_positive(text: &str, max: i64) -> Result<i64, ParameterError> {
    if let Ok(number) = text.parse()
        && (1..=max).contains(&number)
        && !text.starts_with('+')
    {
        return Ok(number);
    }
    let message = match max {
        i64::MAX => "Must be a positive whole number".into(),
        _ => format!("Must be a whole number from 1 to {max}"),
    };
    Err(("invalid_value", message))
}
