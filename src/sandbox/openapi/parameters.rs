//! Query parameters of the lists, each filter written out.

use crate::sandbox::list::{DEFAULT_PER_PAGE, MAX_PER_PAGE};
use crate::sandbox::resource::{Field, Kind, Operator, Resource};
use serde_json::{Value, json};

/// All that a list of the resource understands.
pub(super) fn of_list(resource: &Resource) -> Vec<Value> {
    let mut all = vec![
        query(
            "page",
            "1-based page number; a page past the end is empty.",
            json!({ "type": "integer", "minimum": 1, "default": 1 }),
        ),
        query(
            "perPage",
            "Number of records requested for the page.",
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_PER_PAGE, "default": DEFAULT_PER_PAGE }),
        ),
        query(
            "sort",
            "Field and direction; texts by code point, ties by id.",
            json!({ "type": "string", "enum": sorts(resource), "default": "created_at,desc" }),
        ),
        query(
            "timezone",
            "IANA time zone of the created_at filters that have no offset.",
            json!({ "$ref": "#/components/schemas/TimeZone" }),
        ),
    ];
    for field in resource.fields {
        all.extend(field.operators.iter().map(|&operator| filter(field, operator)));
    }
    all
}

/// A parameter of the path: any string; the example is of the first data.
pub(super) fn path(name: &str) -> Value {
    let example = match name {
        "client_id" => "client-0001",
        "managed_account_id" => "account-0001",
        "site_id" => "site-0001",
        "snapshot_id" => "snap-0001-1",
        _ => "task-0123456789abcdef",
    };
    let schema = json!({ "type": "string", "minLength": 1, "examples": [example] });
    json!({ "name": name, "in": "path", "required": true, "schema": schema })
}

fn query(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn sorts(resource: &Resource) -> Vec<String> {
    let sortable = resource.fields.iter().filter(|field| field.sortable);
    sortable.flat_map(|field| ["asc", "desc"].map(|direction| format!("{},{direction}", field.name))).collect()
}

fn filter(field: &Field, operator: Operator) -> Value {
    let name = format!("filters[{}:{}]", field.name, operator.name());
    match operator {
        Operator::Contains => query(
            &name,
            "Contains, in any letter case; `search` looks at each of its fields by itself.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        Operator::Gte => query(&name, "At or after.", time()),
        Operator::Lte => query(&name, "At or before.", time()),
        Operator::Eq => query(&name, "Is.", exact(field.kind)),
        Operator::In => {
            let schema = json!({ "type": "array", "items": exact(field.kind), "minItems": 1 });
            let mut parameter = query(&name, "Is one of, separated by commas.", schema);
            parameter["style"] = json!("form");
            parameter["explode"] = json!(false);
            parameter
        }
    }
}

/// No format, since `date-time` is stricter: here the offset may be left out, and more.
fn time() -> Value {
    let examples = ["2026-01-31T08:00:00Z", "2026-01-31T09:00:00.5+01:00", "2026-01-31T08:00:00"];
    json!({ "type": "string", "minLength": 1, "examples": examples, "description": "An ISO 8601 date and time." })
}

fn exact(kind: Kind) -> Value {
    match kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(known) => json!({ "type": "string", "enum": known }),
        _ => json!({ "type": "string", "minLength": 1 }),
    }
}
