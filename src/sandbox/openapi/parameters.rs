//! Query parameters of the lists, each filter written out.

use crate::sandbox::list::{DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE};
use crate::sandbox::resource::{Field, Kind, Operator, Resource};
use serde_json::{Value, json};

/// All that a list of the resource understands.
pub(super) fn of_list(resource: &Resource) -> Vec<Value> {
    let mut all = vec![
        query(
            "page",
            "1-based page number.",
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1 }),
        ),
        query(
            "perPage",
            "Number of records requested for the page.",
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_PER_PAGE, "default": DEFAULT_PER_PAGE }),
        ),
        query(
            "sort",
            "Field and direction.",
            json!({ "type": "string", "enum": sorts(resource), "default": "created_at,desc" }),
        ),
        query(
            "timezone",
            "IANA time zone of the created_at filters that have no offset.",
            json!({ "$ref": "#/components/schemas/TimeZone" }),
        ),
    ];
    for field in resource.fields {
        all.extend(
            field
                .operators
                .iter()
                .map(|&operator| filter(field, operator)),
        );
    }
    all
}

/// A parameter of the path, any string.
pub(super) fn path(name: &str) -> Value {
    json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
}

fn query(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn sorts(resource: &Resource) -> Vec<String> {
    let sortable = resource.fields.iter().filter(|field| field.sortable);
    sortable
        .flat_map(|field| ["asc", "desc"].map(|direction| format!("{},{direction}", field.name)))
        .collect()
}

fn filter(field: &Field, operator: Operator) -> Value {
    let name = format!("filters[{}:{}]", field.name, operator.name());
    match operator {
        Operator::Contains => query(
            &name,
            "Contains, in any letter case.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        Operator::Gte => query(
            &name,
            "At or after.",
            json!({ "type": "string", "format": "date-time" }),
        ),
        Operator::Lte => query(
            &name,
            "At or before.",
            json!({ "type": "string", "format": "date-time" }),
        ),
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

fn exact(kind: Kind) -> Value {
    match kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(known) => json!({ "type": "string", "enum": known }),
        _ => json!({ "type": "string", "minLength": 1 }),
    }
}
