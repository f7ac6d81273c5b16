//! Schemas of records, requests and envelopes.

use crate::sandbox::clients::{CLIENTS, TEXT_FIELDS};
use crate::sandbox::instant::zone_names;
use crate::sandbox::managed_accounts::MANAGED_ACCOUNTS;
use crate::sandbox::resource::{Field, Kind, Resource};
use crate::sandbox::sites::SITES;
use crate::sandbox::snapshots::SNAPSHOTS;
use crate::sandbox::tasks::{STATUSES, TASKS};
use serde_json::{Map, Value, json};

/// Everything under `components.schemas`.
pub(super) fn all() -> Value {
    json!({
        "Error": error(),
        "Pagination": pagination(),
        "TimeZone": { "type": "string", "enum": zone_names().collect::<Vec<_>>() },
        "client": record(&CLIENTS),
        "managed_account": record(&MANAGED_ACCOUNTS),
        "site": record(&SITES),
        "snapshot": record(&SNAPSHOTS),
        "task": record(&TASKS),
        "Step": step(),
        "NewClient": client(true),
        "ClientChange": client(false),
        "Deletion": deletion(),
        "Restore": restore(),
    })
}

/// An object with exactly these properties.
pub(super) fn object(properties: Value) -> Value {
    let names = properties.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>());
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn error() -> Value {
    let text = json!({ "type": "string" });
    let detail = object(json!({ "code": text, "param": text, "message": text }));
    let status = json!({ "type": "integer", "minimum": 400, "maximum": 599 });
    object(json!({ "error": object(json!({
        "status": status, "code": text, "message": text, "details": { "type": "array", "items": detail },
    })) }))
}

fn pagination() -> Value {
    let count = |least: u32| json!({ "type": "integer", "minimum": least });
    object(json!({ "page": count(1), "perPage": count(1), "totalPages": count(0), "totalItems": count(0) }))
}

fn record(resource: &Resource) -> Value {
    object(resource.shown().map(|field| (field.name.to_owned(), value(field))).collect::<Map<_, _>>().into())
}

fn value(field: &Field) -> Value {
    let mut schema = match field.kind {
        Kind::Text | Kind::Search => json!({ "type": "string" }),
        Kind::Time => json!({ "type": "string", "format": "date-time" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(known) => json!({ "type": "string", "enum": known }),
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Strings => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Steps => json!({ "type": "array", "items": { "$ref": "#/components/schemas/Step" } }),
    };
    if field.nullable {
        schema["type"] = json!([schema["type"], "null"]);
    }
    schema
}

fn step() -> Value {
    let text = json!({ "type": "string" });
    let status = json!({ "type": "string", "enum": STATUSES });
    object(json!({ "site_id": text, "name": text, "status": status }))
}

/// The body of a create or of an update. Unknown keys are ignored, so they are allowed.
fn client(complete: bool) -> Value {
    let mut properties = Map::new();
    for field in &TEXT_FIELDS {
        let mut schema = json!({ "type": "string" });
        match field.longest {
            Some(longest) => schema["maxLength"] = json!(longest),
            None => schema["format"] = json!("idn-email"),
        }
        if field.required {
            schema["minLength"] = json!(1);
            schema["pattern"] = json!("\\S");
        }
        properties.insert(field.name.to_owned(), schema);
    }
    properties.insert("site_ids".to_owned(), json!({ "type": "array", "items": { "type": "string" } }));
    let mut client = json!({ "type": "object", "properties": properties });
    let mut body = json!({ "type": "object" });
    if complete {
        client["required"] = json!(["first_name", "email"]);
        body["required"] = json!(["client"]);
    }
    body["properties"] = json!({ "client": client });
    body
}

fn deletion() -> Value {
    let ids = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
    json!({ "type": "object", "required": ["ids"], "properties": { "ids": ids } })
}

fn restore() -> Value {
    let (flag, strings) = (json!({ "type": "boolean" }), json!({ "type": "array", "items": { "type": "string" } }));
    let on = |flag: &str| json!({ "properties": { flag: { "const": true } } });
    // An empty list narrows nothing, so it asks for nothing.
    let needs = |list: &str, flag: &str| json!({ "if": { "required": [list], "properties": { list: { "minItems": 1 } } }, "then": on(flag) });
    let scope = json!({
        "type": "object",
        "required": ["include_files", "include_database"],
        "properties": { "include_files": flag, "include_database": flag, "paths": strings, "tables": strings, "subsite_ids": strings },
        "anyOf": [on("include_files"), on("include_database")],
        "allOf": [needs("paths", "include_files"), needs("tables", "include_database")],
    });
    let restore = json!({ "type": "object", "required": ["scope"], "properties": { "scope": scope } });
    let full = json!({ "restore": { "scope": { "include_files": true, "include_database": true } } });
    json!({ "type": "object", "required": ["restore"], "properties": { "restore": restore }, "examples": [full] })
}
