//! The endpoints, each with its parameters, body and every status that it can answer with.

use super::schemas::object;
use super::{parameters, rate_limit};
use crate::sandbox::clients::CLIENTS;
use crate::sandbox::list::MAX_FILTERS;
use crate::sandbox::managed_accounts::MANAGED_ACCOUNTS;
use crate::sandbox::resource::Resource;
use crate::sandbox::sites::SITES;
use crate::sandbox::snapshots::SNAPSHOTS;
use crate::sandbox::tasks::TASKS;
use serde_json::{Map, Value, json};

/// Everything under `paths`.
pub(super) fn all() -> Value {
    json!({
        "/clients": { "get": list(&CLIENTS, &[]), "post": create_client() },
        "/clients/delete": { "post": delete_clients() },
        "/clients/{client_id}": { "get": show("client", "client_id") },
        "/clients/{client_id}/update": { "post": update_client() },
        "/managed-accounts": { "get": list(&MANAGED_ACCOUNTS, &[]) },
        "/managed-accounts/{managed_account_id}": { "get": show("managed_account", "managed_account_id") },
        "/sites": { "get": list(&SITES, &[]) },
        "/sites/{site_id}/snapshots": { "get": list(&SNAPSHOTS, &["site_id"]) },
        "/sites/{site_id}/backups/{snapshot_id}/restore": { "post": start_restore() },
        "/tasks": { "get": list(&TASKS, &[]) },
        "/tasks/{task_id}": { "get": show("task", "task_id") },
    })
}

/// An operation: its parts, and the statuses with which it refuses besides those that every one may.
fn operation(id: &str, parts: Value, success: (&str, Value), refusals: &[&str]) -> Value {
    let (status, schema) = success;
    let answer = json!({ "description": "Done.", "headers": rate_limit(), "content": { "application/json": { "schema": schema } } });
    let mut responses = Map::from_iter([(status.to_owned(), answer)]);
    for refusal in ["401", "403", "405", "429", "default"].iter().chain(refusals) {
        responses.insert((*refusal).to_owned(), json!({ "$ref": format!("#/components/responses/{refusal}") }));
    }
    let mut operation = parts;
    operation["operationId"] = json!(id);
    operation["responses"] = responses.into();
    operation
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn body(schema: &str, required: bool) -> Value {
    json!({ "required": required, "content": { "application/json": { "schema": reference(schema) } } })
}

fn list(resource: &Resource, path: &[&str]) -> Value {
    let mut all: Vec<Value> = path.iter().map(|name| parameters::path(name)).collect();
    all.extend(parameters::of_list(resource));
    let schema = object(json!({
        resource.many: { "type": "array", "items": reference(resource.one) },
        "meta": object(json!({ "pagination": reference("Pagination") })),
    }));
    let refusals: &[&str] = if path.is_empty() { &["400"] } else { &["400", "404"] };
    let description = format!("At most {MAX_FILTERS} filters at once; all of them must hold.");
    let parts = json!({ "description": description, "parameters": all });
    operation(&format!("list_{}", resource.many), parts, ("200", schema), refusals)
}

fn show(name: &str, id: &str) -> Value {
    let parts = json!({ "parameters": [parameters::path(id)] });
    operation(&format!("show_{name}"), parts, ("200", object(json!({ name: reference(name) }))), &["404"])
}

fn create_client() -> Value {
    let success = ("201", object(json!({ "client": reference("client") })));
    operation(
        "create_client",
        json!({ "requestBody": body("NewClient", true) }),
        success,
        &["400", "413", "415", "422"],
    )
}

fn update_client() -> Value {
    let parts = json!({ "parameters": [parameters::path("client_id")], "requestBody": body("ClientChange", false) });
    let success = ("200", object(json!({ "client": reference("client") })));
    operation("update_client", parts, success, &["400", "404", "413", "415", "422"])
}

fn delete_clients() -> Value {
    let (text, count) = (json!({ "type": "string" }), json!({ "type": "integer", "minimum": 0 }));
    let error = object(json!({ "id": text, "code": text, "message": text }));
    let deleted =
        object(json!({ "ids": { "type": "array", "items": text }, "errors": { "type": "array", "items": error } }));
    let meta = object(json!({ "requested": count, "succeeded": count, "failed": count }));
    let success = ("200", object(json!({ "delete": deleted, "meta": meta })));
    operation("delete_clients", json!({ "requestBody": body("Deletion", true) }), success, &["400", "413", "415"])
}

fn start_restore() -> Value {
    let all = json!([parameters::path("site_id"), parameters::path("snapshot_id")]);
    let parts = json!({ "parameters": all, "requestBody": body("Restore", true) });
    let success = ("201", object(json!({ "task": reference("task") })));
    operation("start_restore", parts, success, &["400", "404", "409", "413", "415", "422"])
}
