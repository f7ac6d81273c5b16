//! Lists and single records of every resource (spec, "Common list query parameters").

use super::filter::{self, Condition, ParameterError};
use super::request::ApiRequest;
use super::resource::Resource;
use super::response::{ApiError, ApiResult, Problems};
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, Transaction, params_from_iter, types};
use serde_json::json;

const DEFAULT_PER_PAGE: i64 = 25;
const MAX_PER_PAGE: i64 = 1000;
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
    let account = request.account.key;
    request.state.store.read(|db| {
        let mut conditions = vec![Condition::equal("account", account)];
        if let Some(parent) = &resource.parent {
            let id = request.path_parameter(parent.id_field);
            // A missing parent is a 404, not an empty list.
            read_record(db, parent.resource, account, id)?;
            conditions.push(Condition::equal(parent.id_field, id.to_owned()));
        }
        ListQuery::parse(resource, &request.query, conditions)?.read_page(db, resource)
    })
}

/// `GET` on one record
pub fn show_record(request: &ApiRequest, resource: &Resource) -> ApiResult {
    let id = request.path_parameter("id");
    request
        .state
        .store
        .read(|db| read_record(db, resource, request.account.key, id))
}

/// Returns `{"client": {…}}`, or 404 if the record does not exist in the account.
pub fn read_record(db: &Transaction<'_>, resource: &Resource, account: i64, id: &str) -> ApiResult {
    let columns = resource.select_columns();
    let table = resource.plural;
    let sql = format!("SELECT {columns} FROM {table} WHERE account = ? AND id = ?");
    let record = db
        .prepare_cached(&sql)?
        .query_row((account, id), |row| resource.record_from_row(row))
        .optional()?;
    let Some(record) = record else {
        let mut title = resource.singular.replace('_', " ");
        title[..1].make_ascii_uppercase();
        return Err(ApiError::not_found(&title));
    };
    Ok(json!({ resource.singular: record }))
}

impl ListQuery {
    /// Parses a query string. `conditions` apply in addition to its filters.
    fn parse(
        resource: &Resource,
        query_string: &str,
        conditions: Vec<Condition>,
    ) -> Result<ListQuery, ApiError> {
        let max_conditions = conditions.len() + MAX_FILTERS;
        let mut query = ListQuery {
            page: 1,
            per_page: DEFAULT_PER_PAGE,
            order: resource.default_order().to_owned(),
            conditions,
        };
        let parameters = form_urlencoded::parse(query_string.as_bytes());
        // The time zone also applies to filters before it.
        let zone_name = parameters.clone().find(|(name, _)| name == "timezone");
        let time_zone = TimeZone::get(zone_name.as_ref().map_or("UTC", |(_, value)| value)).ok();
        let mut problems = Problems::default();
        for (name, value) in parameters {
            let result = query.set_parameter(resource, &name, &value, time_zone.as_ref());
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
            "perPage" => self.per_page = parse_positive(value, MAX_PER_PAGE)?,
            "sort" => self.order = filter::parse_sort(resource, value)?,
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
    fn read_page(self, db: &Transaction<'_>, resource: &Resource) -> ApiResult {
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
                resource.record_from_row(row)
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::sandbox::resource::Field;

    const ID: Field = Field::text("id");
    const CREATED_AT: Field = Field::time("created_at");

    /// Returns the ids of a list without parameters. The table follows from the declaration.
    fn listed_ids(fields: &'static [Field], insert: &str) -> Vec<String> {
        let resource = Resource {
            singular: "team",
            plural: "teams",
            path: "/teams",
            has_show_endpoint: false,
            parent: None,
            extra_columns: "",
            fields,
        };
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch(&resource.schema()).unwrap();
        connection.execute_batch(insert).unwrap();
        let db = connection.transaction().unwrap();
        let conditions = vec![Condition::equal("account", 1)];
        let query = ListQuery::parse(&resource, "", conditions).unwrap();
        let list = query.read_page(&db, &resource).unwrap();
        let records = list["teams"].as_array().unwrap();
        records
            .iter()
            .map(|record| record["id"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn a_list_is_ordered_by_id_if_its_records_have_no_created_at() {
        let insert = "INSERT INTO teams (account, id) VALUES (1, 'c'), (1, 'a'), (1, 'b')";
        assert_eq!(listed_ids(&[ID], insert), ["a", "b", "c"]);
    }

    #[test]
    fn a_list_is_ordered_by_created_at_newest_first() {
        let insert = "INSERT INTO teams (account, id, created_at)
                      VALUES (1, 'b', 5), (1, 'a', 7), (1, 'c', 5)";
        assert_eq!(listed_ids(&[ID, CREATED_AT], insert), ["a", "c", "b"]);
    }
}
